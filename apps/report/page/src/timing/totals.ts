// Where the wall time went in total: one bar per run or rank, its segments those of summary.json.
import { el, missing } from "../base/dom";
import { count, percent, seconds } from "../base/format";
import type { Run } from "../data";
import { type Segments, segmentNames, summaryOf } from "../run/summary";

const meaning: Record<string, string> = {
  solve: "solvers, on the busiest thread",
  idle: "waiting for the slowest thread of each step",
  snapshot: "saving solver memory",
  interface: "predicting, coupling, estimating",
  transport: "handing work to threads, messages, waiting for other ranks",
  output: "recording results",
  rest: "reading, building the model, what no segment counts",
};

interface Bar {
  name: string;
  parts: { name: string; seconds: number }[];
  total: number;
}

function barOf(name: string, segments: Segments, wall: number | null): Bar {
  const parts: Bar["parts"] = segmentNames.map((s) => ({ name: s, seconds: segments[s] ?? 0 }));
  const counted = parts.reduce((sum, p) => sum + p.seconds, 0);
  if (wall !== null && wall > counted) parts.push({ name: "rest", seconds: wall - counted });
  return { name, parts, total: Math.max(wall ?? 0, counted) };
}

const segmentColor = (name: string): string => `var(--seg-${name})`;

function stacked(bar: Bar, longest: number, withName: boolean): HTMLElement {
  const pieces = bar.parts
    .filter((p) => p.seconds > 0)
    .map((p) => {
      const piece = el("span", { title: `${p.name}: ${seconds(p.seconds)}, ${percent(p.seconds / bar.total)}` });
      piece.style.width = `${(100 * p.seconds) / longest}%`;
      piece.style.background = segmentColor(p.name);
      if (p.seconds / longest > 0.09) piece.textContent = p.name;
      return piece;
    });
  const words = `${bar.name}: ${seconds(bar.total)}. ${bar.parts.map((p) => `${p.name} ${seconds(p.seconds)}`).join(", ")}.`;
  return el(
    "div",
    { class: "total" },
    withName ? el("div", { class: "total-name" }, bar.name, el("span", { class: "note" }, ` ${seconds(bar.total)}`)) : null,
    el("div", { class: "stacked", role: "img", "aria-label": words }, ...pieces),
  );
}

function legendTable(bars: Bar[]): HTMLElement {
  const names = [...segmentNames, "rest"].filter((n) => bars.some((b) => b.parts.some((p) => p.name === n)));
  const cells = (bar: Bar, name: string) => {
    const part = bar.parts.find((p) => p.name === name);
    return [el("td", { class: "number" }, seconds(part?.seconds)), el("td", { class: "number" }, part ? percent(part.seconds / bar.total) : "–")];
  };
  const mark = (name: string) => {
    const swatch = el("span", { class: "dot", "aria-hidden": "true" });
    swatch.style.background = segmentColor(name);
    return swatch;
  };
  const head = bars.length > 1 ? el("thead", {}, el("tr", {}, el("th", {}, ""), ...bars.map((b) => el("th", { scope: "colgroup", colspan: "2" }, b.name)), el("th", {}, ""))) : null;
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      {},
      head,
      el(
        "tbody",
        {},
        ...names.map((n) => el("tr", {}, el("th", { scope: "row" }, mark(n), n), ...bars.flatMap((b) => cells(b, n)), el("td", { class: "note" }, meaning[n]))),
      ),
    ),
  );
}

function ranks(run: Run): Node[] {
  const list = summaryOf(run)?.ranks ?? [];
  if (list.length < 2) return [];
  const bars = list.map((r, i) => barOf(`rank ${i}${r.host ? ` on ${r.host}` : ""}, ${count(r.subsystems)} subsystems, ${count(r.memory_mb === null ? null : Math.round(r.memory_mb))} MB`, r.time, null));
  const longest = Math.max(...bars.map((b) => b.total), 1e-12);
  return [el("h3", {}, `Per rank: ${run.name}`), el("div", { class: "totals limited" }, ...bars.map((b) => stacked(b, longest, true)))];
}

export function totals(runs: Run[]): Node[] {
  const bars = runs.flatMap((run) => {
    const s = summaryOf(run);
    return s?.segments ? [barOf(run.name, s.segments, s.number("wall_s"))] : [];
  });
  if (!bars.length) return [missing("summary.json does not say where the time went.")];
  const longest = Math.max(...bars.map((b) => b.total), 1e-12);
  return [
    el("h3", {}, "In total"),
    el("div", { class: "totals" }, ...bars.map((b) => stacked(b, longest, bars.length > 1))),
    legendTable(bars),
    ...runs.flatMap(ranks),
  ];
}
