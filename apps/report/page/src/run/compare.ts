// Several runs side by side: facts in columns, and how far apart their results are.
import { el, tableHead } from "../base/dom";
import { count, num } from "../base/format";
import type { Run, RunsPage } from "../data";
import { coupling, facts, overviewOf, statusPill } from "./overview";
import { summaryOf } from "./summary";

/// Runs are told apart by the dash of their lines.
export const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [10, 3, 2, 3], [14, 6], [1, 5]];
export const dashOf = (run: number): number[] | undefined => dashes[run % dashes.length];

function factRows(runs: Run[]): HTMLElement[] {
  const row = (name: string, cell: (run: Run) => Node | string) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...runs.map((r) => el("td", {}, cell(r))));
  const shown = facts.filter((f) => runs.some((r) => !["–", "0"].includes(summaryOf(r) ? f.value(summaryOf(r)!) : "–")));
  const from = (run: Run, read: (s: NonNullable<ReturnType<typeof summaryOf>>) => string) => {
    const s = summaryOf(run);
    return s ? read(s) : "–";
  };
  return [
    row("Ended", statusPill),
    row("Time reached", (r) => from(r, (s) => num(s.time))),
    row("Coupling", (r) => from(r, coupling)),
    row("Subsystems", (r) => from(r, (s) => num(s.number("parts")))),
    row("Threads × ranks", (r) => from(r, (s) => `${num(s.number("threads"))} × ${num(s.number("ranks"))}`)),
    ...shown.map((f) => row(f.name, (r) => from(r, f.value))),
    row("Rejected steps", (r) => from(r, (s) => num(s.number("rejected_steps")))),
  ];
}

function distances(page: RunsPage): HTMLElement | null {
  if (!page.comparisons.length) return null;
  const name = (i: number) => page.runs[i]?.name ?? "–";
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "plain" },
      el("caption", {}, "Distance of the results: normalised root mean square (NRMSE) over the bodies and output times that both runs have"),
      tableHead(["Run", "Reference", "Position", "Velocity", "Both", "Bodies", "Times"], (i) => i > 1),
      el(
        "tbody",
        {},
        ...page.comparisons.map((c) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, name(c.a)),
            el("td", {}, name(c.reference)),
            ...[c.position, c.velocity, c.both].map((x) => el("td", { class: "number" }, num(x, 4))),
            ...[c.bodies, c.rows].map((n) => el("td", { class: "number" }, count(n))),
          ),
        ),
      ),
    ),
    ...page.comparisons.filter((c) => c.weighed).map((c) => el("p", {}, el("b", {}, name(c.a)), `: ${c.weighed}`)),
  );
}

export function comparison(page: RunsPage): Node[] {
  const head = el("tr", {}, el("th", { scope: "col" }, ""), ...page.runs.map((r) => el("th", { scope: "col" }, r.name)));
  const table = el("table", { class: "facts plain" }, el("thead", {}, head), el("tbody", {}, ...factRows(page.runs)));
  const each = page.runs.map((r) => el("details", {}, el("summary", {}, `More about ${r.name}`), ...overviewOf(r)));
  const remarks = page.runs.flatMap((r) => r.remarks.map((text) => el("li", {}, el("b", {}, r.name), `: ${text}`)));
  const nodes: (Node | null)[] = [
    remarks.length ? el("div", { class: "box warn" }, el("h3", {}, "Remarks"), el("ul", {}, ...remarks)) : null,
    el("div", { class: "scroll" }, table),
    distances(page),
    ...each,
  ];
  return nodes.filter((n): n is Node => n !== null);
}
