// Published statements against our numbers.
import { el } from "../base/dom";
import type { Statement, Verdict } from "../data";

export const verdicts: Verdict[] = ["agrees", "differs", "not shown"];
const look: Record<Verdict, string> = { agrees: "good", differs: "bad", "not shown": "warn" };
const sign: Record<Verdict, string> = { agrees: "✓", differs: "✗", "not shown": "–" };

export const pill = (v: Verdict): HTMLElement => el("span", { class: `pill ${look[v] ?? "warn"}` }, `${sign[v] ?? "?"} ${v}`);

export const tally = (statements: Statement[], v: Verdict): number => statements.filter((s) => s.verdict === v).length;

export function counts(statements: Statement[]): HTMLElement {
  return el("p", { class: "lead" }, ...verdicts.flatMap((v) => [pill(v), ` ${tally(statements, v)}  `]));
}

const timed = (): HTMLElement => el("span", { class: "pill plain", title: "Depends on a clock: another run gives another number" }, "timed");

export function verdictTable(statements: Statement[]): HTMLElement {
  const row = (s: Statement) =>
    el(
      "tr",
      {},
      el("td", {}, s.published, el("span", { class: "note" }, ` ${s.where}`)),
      el("td", {}, s.ours, " ", s.timed ? timed() : null),
      el("td", {}, pill(s.verdict)),
      el("td", { class: "reason" }, s.reason),
    );
  const columns = ["Published", "Ours", "Verdict", "Why"];
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "verdicts" },
      el("thead", {}, el("tr", {}, ...columns.map((c) => el("th", { scope: "col" }, c)))),
      el("tbody", {}, ...statements.map(row)),
    ),
  );
}
