// Where the wall time went: the map over all macro steps, a stretch of it as bars, totals, subsystems.
import { el, missing, note, replace, segments, select } from "../base/dom";
import { count, num } from "../base/format";
import { values } from "../base/numbers";
import type { Run, Timing } from "../data";
import { heatmap, type Quantity } from "./heatmap";
import { sections } from "./sections";
import { stretch } from "./stretch";
import { subsystems } from "./subsystems";
import { totals } from "./totals";

function rowsOf(t: Timing): number {
  return Math.min(values(t.t).length, Math.floor(values(t.solve).length / Math.max(t.first.length, 1)), t.slowest.length);
}

function remark(t: Timing, rows: number): string {
  const most = Math.max(...t.count.slice(0, rows));
  const added = most > 1 ? ` A row adds up to ${count(most)} attempted macro steps.` : "";
  const grouped = t.first.some((first, g) => first !== t.last[g]) ? " Where subsystems are drawn together it is the slowest of the group." : "";
  return added + grouped;
}

function pictures(t: Timing): Node[] {
  const rows = rowsOf(t);
  if (!rows) return [missing("timing.h5 holds no macro steps.")];
  const start = values(t.t);
  let width = Math.min(16, rows);
  let first = 0;
  const bars = stretch(t);
  const label = el("output", { class: "clock" });
  const show = (row: number) => {
    first = Math.min(Math.max(row, 0), rows - width);
    map.choose(first, width);
    bars.show(first, width);
    label.textContent = `t = ${num(start[first])} to ${num(start[first + width - 1])}`;
  };
  const map = heatmap(t, rows, (row) => show(row - Math.floor(width / 2)));
  show(Math.floor((rows - width) / 2));
  const move = (text: string, name: string, by: number) => el("button", { type: "button", "aria-label": name, onclick: () => show(first + by * width) }, text);
  const widths = [4, 8, 16, 32, 64].filter((w) => w <= rows).map((w) => ({ value: String(w), label: `${w} rows` }));
  const setWidth = (value: string) => {
    width = Number(value);
    show(first);
  };
  const quantities = [
    { value: "solve", label: "Solve time" },
    { value: "micro", label: "Micro steps" },
  ];
  return [
    el("h3", {}, "Per subsystem and macro step"),
    t.micro ? el("div", { class: "controls" }, segments("Colour", quantities, "solve", (q) => map.colour(q as Quantity))) : el("span"),
    el("figure", { class: "motion" }, el("figcaption", {}, el("span", { class: "title" }, "Whole run, subsystem over time")), map.element),
    el(
      "div",
      { class: "controls" },
      move("◀", "Earlier", -1),
      move("▶", "Later", 1),
      label,
      widths.length > 1 ? select("Stretch", widths, String(width), setWidth) : null,
    ),
    el("figure", { class: "motion" }, el("figcaption", {}, el("span", { class: "title" }, "The chosen stretch")), bars.element),
    note(`The stronger the colour, the slower; orange marks the slowest subsystem, for which all others wait when each has a core of its own. Click or drag in the map to choose the stretch.${remark(t, rows)}`),
  ];
}

const ofRun = (run: Run): Node[] => [
  ...(run.timing ? pictures(run.timing) : [missing("There is no timing.h5: times of single macro steps are not known.")]),
  ...sections(run),
  ...subsystems(run),
];

export function wallTime(runs: Run[]): Node[] {
  const all = totals(runs);
  if (runs.length === 1) return [...all, ...ofRun(runs[0])];
  const place = el("div");
  const show = (at: string) => replace(place, ...ofRun(runs[Number(at)]));
  show("0");
  return [...all, el("div", { class: "controls" }, select("Run", runs.map((r, i) => ({ value: String(i), label: r.name })), "0", show)), place];
}
