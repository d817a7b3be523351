// Subsystems compared: size, solver, micro steps, time; order shares; what bounds the speed-up.
import { el, missing, tableHead } from "../base/dom";
import { count, num, percent, seconds } from "../base/format";
import { chart } from "../chart/chart";
import type { Run } from "../data";
import { type Subsystem, type Summary, summaryOf } from "../run/summary";

const tableAtMost = 40;

const sumOf = (list: Subsystem[], key: "seconds" | "micro_steps"): number => list.reduce((sum, s) => sum + (s[key] ?? 0), 0);
const mostOf = (list: Subsystem[], key: "seconds" | "micro_steps"): number => Math.max(0, ...list.map((s) => s[key] ?? 0));

function meter(value: number | null, most: number, text: string): HTMLElement {
  const fill = el("span", { class: "kept" });
  fill.style.width = `${(100 * (value ?? 0)) / (most || 1)}%`;
  return el("td", { class: "bar" }, el("span", { class: "track", "aria-hidden": "true" }, fill), el("span", { class: "number" }, text));
}

function table(list: Subsystem[]): HTMLElement {
  const [slow, many] = [mostOf(list, "seconds"), mostOf(list, "micro_steps")];
  const columns = ["Subsystem", "Bodies", "Solver", "Solve time", "Micro steps", "Rejected", "Evaluations", "Idle", "Rank"];
  const row = (s: Subsystem, i: number) =>
    el(
      "tr",
      { class: s.seconds !== null && s.seconds === slow && list.length > 1 ? "slowest" : null },
      el("th", { scope: "row" }, String(i + 1)),
      el("td", { class: "number" }, count(s.bodies)),
      el("td", {}, s.method || "–"),
      meter(s.seconds, slow, seconds(s.seconds)),
      meter(s.micro_steps, many, count(s.micro_steps)),
      el("td", { class: "number" }, count(s.rejected_micro_steps)),
      el("td", { class: "number" }, count(s.evaluations)),
      el("td", { class: "number" }, seconds(s.idle)),
      el("td", { class: "number" }, count(s.rank)),
    );
  return el(
    "div",
    { class: "scroll limited" },
    el("table", { class: "bars" }, tableHead(columns, (i) => i === 1 || i > 4), el("tbody", {}, ...list.map(row))),
  );
}

function curves(list: Subsystem[]): HTMLElement[] {
  const x = list.map((_, i) => i + 1);
  const picture = (title: string, label: string, y: (number | null)[]) =>
    chart({ title, x: { label: "subsystem" }, y: { label }, lines: [{ name: label, color: 0, style: "steps", x, y }], height: 200 }).element;
  return [
    picture("Solve time per subsystem", "seconds", list.map((s) => s.seconds)),
    picture("Micro steps per subsystem", "micro steps", list.map((s) => s.micro_steps)),
  ];
}

/// Two limits that the data tell apart: subsystems of unlike cost, and steps in which another one is slowest.
function bound(s: Summary): string {
  const limit = s.number("speedup_bound");
  const list = s.subsystems;
  if (limit === null || list.length < 2) return "";
  const total = sumOf(list, "seconds");
  const most = mostOf(list, "seconds");
  const busiest = list.findIndex((x) => x.seconds === most) + 1;
  const even = most > 0 ? total / most : null;
  const head = `Whatever the number of cores, these ${count(list.length)} subsystems can be at most ${num(limit, 3)} times as fast as one core (work over critical path). `;
  if (limit > 0.9 * list.length) return `${head}They are well balanced.`;
  if (even === null) return head;
  const share = `Subsystem ${busiest} has ${percent(most / total)} of all solve time, which alone bounds the speed-up to ${num(even, 3)}`;
  return limit < 0.8 * even
    ? `${head}${share}; the rest is lost because it is not the same subsystem that is slowest in every macro step.`
    : `${head}${share}: cut it smaller.`;
}

function orders(s: Summary): HTMLElement | null {
  const shares = s.order_share.filter((o) => o.share > 0);
  if (shares.length < 2) return shares.length ? el("p", { class: "sentence" }, `Order κ = ${shares[0].order} throughout.`) : null;
  const pieces = shares.map((o) => {
    const piece = el("span", { title: `κ = ${o.order}: ${percent(o.share)} of the simulated time` }, o.share > 0.06 ? `κ = ${o.order}` : "");
    piece.style.width = `${100 * o.share}%`;
    piece.style.background = `var(--o${Math.min(Number(o.order) || 0, 7)})`;
    return piece;
  });
  const words = shares.map((o) => `κ = ${o.order}: ${percent(o.share)}`).join(", ");
  return el(
    "div",
    { class: "total" },
    el("div", { class: "total-name" }, "Order of approximation, shares of simulated time"),
    el("div", { class: "stacked", role: "img", "aria-label": `Order shares: ${words}` }, ...pieces),
    el("p", { class: "note" }, words),
  );
}

export function subsystems(run: Run): Node[] {
  const s = summaryOf(run);
  if (!s) return [missing("Without summary.json nothing is known about the subsystems.")];
  const list = s.subsystems;
  const nodes: (Node | null)[] = [
    el("h3", {}, "Subsystems"),
    list.length ? null : missing("summary.json does not list the subsystems."),
    bound(s) ? el("p", { class: "sentence" }, bound(s)) : null,
    ...(list.length > tableAtMost ? curves(list) : []),
    list.length ? (list.length > tableAtMost ? el("details", {}, el("summary", {}, "All subsystems"), table(list)) : table(list)) : null,
    orders(s),
  ];
  return nodes.filter((n): n is Node => n !== null);
}
