// Coupling variables over time, and a stretch of them with the approximation polynomial of every step.
import type uPlot from "uplot";

import { el, missing, note, replace, select } from "../base/dom";
import { num } from "../base/format";
import { course, range, values } from "../base/numbers";
import { color, css } from "../base/theme";
import { chart } from "../chart/chart";
import type { TimeWindow } from "../chart/window";
import type { Coupling, Run } from "../data";
import { type Piece, pieces } from "./polynomial";

const nameOf = (run: Run, c: Coupling): string => {
  const cut = run.cuts[c.cut];
  return cut ? `${c.name} of ${cut.name}` : c.name;
};

function stroke(u: uPlot, t: number[], y: number[]): void {
  u.ctx.beginPath();
  t.forEach((x, i) => u.ctx.lineTo(u.valToPos(x, "x", true), u.valToPos(y[i], "y", true)));
  u.ctx.stroke();
}

// Pieces in turn in two colours, and the jumps between them.
function paint(u: uPlot, list: Piece[]): void {
  const { min, max } = u.scales.x;
  for (const piece of list) {
    const end = piece.t.length - 1;
    if (min != null && max != null && (piece.t[end] < min || piece.t[0] > max)) continue;
    u.ctx.lineWidth = 2 * devicePixelRatio;
    u.ctx.strokeStyle = color(piece.step % 2 ? 0 : 2);
    stroke(u, piece.t, piece.u);
    u.ctx.lineWidth = 2 * devicePixelRatio;
    u.ctx.strokeStyle = css("--bad");
    stroke(u, [piece.jump.t, piece.jump.t], [piece.jump.from, piece.jump.to]);
  }
}

function jumps(list: Piece[], label: string): { element: HTMLElement; words: string } {
  const x = list.map((p) => p.jump.t);
  const y = list.map((p) => Math.abs(p.jump.to - p.jump.from));
  const most = range(y);
  const lines = [{ name: "jump", color: 1, style: "points" as const, x, y }];
  return {
    element: chart({ title: "Size of the jumps", x: { label: "t" }, y: { label: `jump of ${label}` }, lines, height: 180 }).element,
    words: most ? ` Largest jump here: ${num(most.max)} at t = ${num(x[most.at_max])}.` : "",
  };
}

function excerpt(run: Run, c: Coupling): Node[] {
  if (run.polynomial === "none") {
    if (!run.summary) return [note("How this coupling approximates is not known: summary.json is missing or damaged.")];
    return [note("There are no approximation polynomials to draw: this coupling predicts otherwise (overlap, another predictor), or nothing is cut.")];
  }
  if (!c.excerpt) return [missing("No stretch of successive macro points is in this page for this coupling.")];
  const [t, u, kappa] = [values(c.excerpt.t), values(c.excerpt.u), values(c.excerpt.kappa)];
  const list = pieces(run.polynomial, t, u, kappa);
  const reach = range(list.flatMap((p) => p.u));
  const words =
    run.polynomial === "extrapolation"
      ? "Each step extrapolates a polynomial (in turn blue and green) through the points before it. What is found at its end differs: the red jump."
      : "Each step interpolates a polynomial (in turn blue and green) through the point at its end and those before it.";
  const jump = jumps(list, c.name);
  const picture = chart({
    title: "Approximation polynomials",
    x: { label: "t" },
    y: { label: c.name },
    lines: [{ name: "macro points", color: 1, style: "points", x: t, y: u }],
    height: 320,
    overlay: (plot) => paint(plot, list),
    reach: () => reach,
    link: jump.words,
  });
  return [picture.element, jump.element, note(words + jump.words)];
}

function one(run: Run, at: number, window: TimeWindow): Node[] {
  const c = run.couplings[at];
  const { t, y } = course(c.u);
  const whole = chart({ title: nameOf(run, c), x: { label: "t" }, y: { label: c.name }, lines: [{ name: c.name, color: 0, x: t, y }], window });
  return [whole.element, ...excerpt(run, c)];
}

function ofRun(run: Run, window: TimeWindow): Node[] {
  const uncut = run.summary?.["parts"] === 1 || run.summary?.["scheme"] === "none";
  if (!run.couplings.length) return [missing(uncut ? "Nothing is cut: there are no coupling variables." : "No coupling variables are in this page.")];
  const place = el("div", { class: "stack" });
  const show = (at: string) => replace(place, ...one(run, Number(at), window));
  const choices = run.couplings.map((c, i) => ({ value: String(i), label: nameOf(run, c) }));
  // The most interesting first: the coupling that had most steps rejected.
  const demanding = (c: Coupling) => run.cuts[c.cut]?.rejected ?? 0;
  const first = run.couplings.reduce((best, c, i) => (demanding(c) > demanding(run.couplings[best]) ? i : best), 0);
  show(String(first));
  return [el("div", { class: "controls" }, select("Coupling", choices, String(first), show)), place];
}

export function couplings(runs: Run[], window: TimeWindow): Node[] {
  if (runs.length === 1) return ofRun(runs[0], window);
  const place = el("div");
  const show = (at: string) => replace(place, ...ofRun(runs[Number(at)], window));
  show("0");
  return [el("div", { class: "controls" }, select("Run", runs.map((r, i) => ({ value: String(i), label: r.name })), "0", show)), place];
}
