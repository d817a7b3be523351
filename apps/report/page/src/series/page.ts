// report.html of a series of runs: what failed first, then the table, then pictures of all variants.
import { el, tableHead } from "../base/dom";
import { count, plural, seconds } from "../base/format";
import { frame } from "../base/frame";
import { sum } from "../base/numbers";
import type { Section } from "../base/sections";
import type { SeriesPage } from "../data";
import { curves } from "./curves";
import { parallel } from "./parallel";
import { scatter } from "./scatter";
import { variantTable } from "./table";
import { label, Variants } from "./variants";

const failuresAtMost = 100;

function pill(v: Variants): HTMLElement {
  const [failed, left] = [v.count_of("failed"), v.count_of("waiting") + v.count_of("running")];
  if (left) return el("span", { class: "pill warn" }, `${count(left)} to go`);
  return failed ? el("span", { class: "pill bad" }, `${count(failed)} failed`) : el("span", { class: "pill good" }, "Finished");
}

function failures(v: Variants): HTMLElement | null {
  const list = [...v.failures.values()];
  if (!list.length) return null;
  const row = (f: (typeof list)[number]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "number" }, String(f.variant + 1)),
      el("td", {}, v.parameters.map((c) => `${c.name} = ${label(c, c.values[f.variant])}`).join(", ")),
      el("td", {}, f.fault),
      el("td", {}, f.message),
      el("td", {}, f.log ? el("a", { href: f.log }, "log") : "", " ", v.pages.has(f.variant) ? el("a", { href: v.pages.get(f.variant)! }, "run") : ""),
    );
  return el(
    "div",
    { class: "box bad failures" },
    el("h3", {}, `${plural(list.length, "variant")} failed`),
    el(
      "div",
      { class: "scroll limited" },
      el("table", {}, tableHead(["Variant", "With", "Fault", "Message", "More"], (i) => i === 0), el("tbody", {}, ...list.slice(0, failuresAtMost).map(row))),
    ),
    list.length > failuresAtMost ? el("p", {}, `and ${count(list.length - failuresAtMost)} more, in the table of variants`) : null,
  );
}

function overview(v: Variants, page: SeriesPage): Node[] {
  const wall = sum(Array.from(v.wall.values).filter((x) => Number.isFinite(x)));
  const tile = (name: string, value: string) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  const waiting = v.count_of("waiting") + v.count_of("running");
  const parts = [
    failures(v),
    el(
      "dl",
      { class: "tiles" },
      tile("Variants", count(v.count)),
      tile("Done", count(v.count_of("done"))),
      tile("Failed", count(v.count_of("failed"))),
      waiting ? tile("Waiting or running", count(waiting)) : null,
      tile("Wall time of all runs", seconds(wall)),
    ),
    v.parameters.length ? el("p", { class: "sentence" }, `Varied: ${v.parameters.map((c) => c.name).join(", ")}.`) : null,
    page.notes.length ? el("details", {}, el("summary", {}, "What this page leaves out, and how to see it"), el("ul", {}, ...page.notes.map((n) => el("li", {}, n)))) : null,
  ];
  return parts.filter((p): p is HTMLElement => p !== null);
}

export function seriesPage(place: Element, page: SeriesPage): void {
  const v = new Variants(page);
  const list: Section[] = [
    { id: "overview", title: "The series", about: "", height: 250, build: () => overview(v, page) },
    { id: "variants", title: "Variants", about: "A column sorts by a click on its name.", height: 600, build: () => variantTable(v) },
    { id: "scatter", title: "Scatter plot", about: "", height: 560, build: () => scatter(v) },
    { id: "parallel", title: "Parallel coordinates", about: "A line is a variant.", height: 560, build: () => parallel(v) },
  ];
  if (page.curves.length) list.push({ id: "curves", title: "Curves", about: "", height: 560, build: () => curves(v, page) });
  const foot = `Cosimo ${page.version}. The numbers of this page are in variants.csv and sweep.h5.`;
  frame(place, { kind: "Series", title: page.file || page.name, extra: pill(v), foot }, list);
}
