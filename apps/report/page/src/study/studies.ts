// Overview of several studies: one table, and every statement that was not reproduced with its reason.
import { el, missing, tableHead } from "../base/dom";
import { num } from "../base/format";
import { frame } from "../base/frame";
import type { StudiesPage } from "../data";
import { counts, tally, verdicts, verdictTable } from "./verdicts";

type Study = StudiesPage["studies"][number];

function row(s: Study): HTMLElement {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, s.page ? el("a", { href: s.page }, s.name) : s.name),
    el("td", {}, s.title, s.failed ? el("p", { class: "bad-text" }, `failed: ${s.failed}`) : null),
    el("td", { class: "number" }, String(s.statements.length)),
    ...verdicts.map((v) => el("td", { class: "number" }, String(tally(s.statements, v)))),
  );
}

function overview(page: StudiesPage): Node[] {
  if (!page.studies.length) return [missing("No study was run.")];
  const all = page.studies.flatMap((s) => s.statements);
  const total = el(
    "tr",
    {},
    el("th", { scope: "row" }, "all"),
    el("td", {}, ""),
    el("td", { class: "number" }, String(all.length)),
    ...verdicts.map((v) => el("td", { class: "number" }, String(tally(all, v)))),
  );
  const columns = ["Study", "Shows", "Statements", ...verdicts];
  return [
    counts(all),
    el("p", { class: "sentence" }, `${tally(all, "agrees")} of ${all.length} published statements are reproduced, at scale ${num(page.scale)}.`),
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        tableHead(columns, (i) => i > 1),
        el("tbody", {}, ...page.studies.map(row)),
        el("tfoot", {}, total),
      ),
    ),
  ];
}

function open(page: StudiesPage): Node[] {
  const found = page.studies.flatMap((s) => {
    const rest = s.statements.filter((x) => x.verdict !== "agrees");
    return rest.length ? [el("h3", {}, s.name), verdictTable(rest)] : [];
  });
  return found.length ? found : [el("p", { class: "sentence" }, "Every statement is reproduced.")];
}

export function studiesPage(place: Element, page: StudiesPage): void {
  frame(place, { kind: "Studies", title: "Published statements and our numbers", foot: `Cosimo ${page.version}` }, [
    { id: "overview", title: "All studies", about: "", height: 500, build: () => overview(page) },
    { id: "open", title: "Not reproduced", about: "Statements that differ or are not shown, and why.", height: 400, build: () => open(page) },
  ]);
}
