// Which coupling decided the steps: a bar per cut, rejected steps in their share of it.
import { el, missing, tableHead } from "../base/dom";
import { count, num, percent } from "../base/format";
import type { Cut, Run } from "../data";

const barsAtMost = 30;

function parts(cut: Cut): string {
  return cut.parts[0] > 0 && cut.parts[1] > 0 ? `subsystems ${cut.parts[0]} and ${cut.parts[1]}` : "";
}

function bar(cut: Cut, most: number, all: number, layered: boolean): HTMLElement {
  const share = (n: number) => `${(100 * n) / Math.max(most, 1)}%`;
  const kept = el("span", { class: "kept" });
  const lost = el("span", { class: "lost" });
  kept.style.width = share(cut.decided - cut.rejected);
  lost.style.width = share(cut.rejected);
  const words =
    `${cut.name}${parts(cut) ? `, ${parts(cut)}` : ""}: largest error in ${count(cut.decided)} steps, ` +
    `${count(cut.rejected)} of them rejected; largest error of an accepted step ${num(cut.largest_error, 4)} of the tolerance` +
    (cut.layers ? `; ${count(cut.layers)} layers` : "");
  return el(
    "tr",
    { title: words },
    el("th", { scope: "row" }, cut.name),
    el("td", { class: "bar" }, el("span", { class: "track", "aria-hidden": "true" }, kept, lost)),
    el("td", { class: "number" }, count(cut.decided)),
    el("td", { class: "number" }, percent(cut.decided / Math.max(all, 1))),
    el("td", { class: "number" }, count(cut.rejected)),
    el("td", { class: "number" }, num(cut.largest_error, 3)),
    layered ? el("td", { class: "number" }, count(cut.layers)) : null,
  );
}

export function blame(run: Run, withName: boolean): Node[] {
  const heading = el("h3", {}, withName ? `Blame per coupling: ${run.name}` : "Blame per coupling");
  if (!run.cuts.length) return [heading, missing("No couplings are recorded.")];
  const all = run.steps?.of ?? run.cuts.reduce((sum, c) => sum + c.decided, 0);
  const sorted = [...run.cuts].sort((a, b) => b.rejected - a.rejected || b.decided - a.decided || (b.largest_error ?? 0) - (a.largest_error ?? 0));
  const shown = sorted.slice(0, barsAtMost);
  const most = Math.max(...shown.map((c) => c.decided));
  const layered = shown.some((c) => (c.layers ?? 0) > 0);
  const columns = ["Coupling", "", "Decided", "Share", "Rejected", "Largest error", ...(layered ? ["Layers"] : [])];
  const left = run.cuts_total - shown.length;
  const table = el(
    "table",
    { class: "bars" },
    el("caption", {}, "Attempted steps in which the error of a coupling was the largest, and how many of these were rejected"),
    tableHead(columns, (i) => i > 1),
    el("tbody", {}, ...shown.map((c) => bar(c, most, all, layered))),
  );
  return [
    heading,
    all ? el("span") : missing("Which coupling had the largest error is not recorded for these steps."),
    el("div", { class: "scroll" }, table),
    left > 0 ? el("p", { class: "note" }, `and ${count(left)} couplings more that decided less.`) : el("span"),
  ];
}
