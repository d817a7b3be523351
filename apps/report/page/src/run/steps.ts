// Macro steps over time: size, order or layers, estimated error, iterations; rejected steps are marked.
import { el, missing, note } from "../base/dom";
import { count } from "../base/format";
import { course, range, type Values, values } from "../base/numbers";
import { withUnits } from "../base/units";
import { chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Run, Series, Steps } from "../data";
import { blame } from "./blame";
import { dashOf } from "./compare";

type Key = "H" | "kappa" | "layers" | "error" | "iterations";

const named = (name: string, run: Run, runs: Run[]): string => (runs.length > 1 ? `${name}, ${run.name}` : name);

function courses(runs: Run[], key: Key, name: string, style: "line" | "steps"): Line[] {
  return runs.flatMap((run, r) => {
    const series: Series | undefined = run.steps?.[key];
    if (!series) return [];
    const { t, y } = course(series);
    return [{ name: named(name, run, runs), color: runs.length > 1 ? r : 0, dash: dashOf(r), style, x: t, y }];
  });
}

// Marks come in the order of their errors; charts want them in the order of time.
function inTime(t: Values, y: Values): { x: number[]; y: number[] } {
  const order = Array.from({ length: Math.min(t.length, y.length) }, (_, i) => i).sort((a, b) => t[a] - t[b]);
  return { x: order.map((i) => t[i]), y: order.map((i) => y[i]) };
}

function rejected(runs: Run[], key: "H" | "error"): Line[] {
  return runs.flatMap((run, r) => {
    const marks = run.steps?.rejected_marks;
    if (!marks || !values(marks.t).length) return [];
    const at = inTime(values(marks.t), values(marks[key]));
    return [{ name: named("rejected", run, runs), color: runs.length > 1 ? r : 1, style: "points" as const, ...at }];
  });
}

const varies = (runs: Run[], key: Key): boolean =>
  runs.some((run) => {
    const r = run.steps && range(course(run.steps[key]).y);
    return r ? r.max > 0 : false;
  });

function counts(steps: Steps): string {
  return `${count(steps.accepted)} accepted, ${count(steps.rejected)} rejected of ${count(steps.of)} attempted macro steps.`;
}

export function macroSteps(all: Run[], window: TimeWindow): Node[] {
  const runs = all.filter((r) => r.steps && r.steps.of > 0);
  if (!runs.length) return [missing(all.some((r) => r.steps) || all.every((r) => r.summary?.["parts"] === 1) ? "No macro steps: the model was not cut." : "No macro steps are recorded in this folder.")];
  const x = { label: "t" };
  const charts = [
    chart({ title: "Macro-step size", x, y: { label: withUnits("H", ["time"]), log: true }, lines: [...courses(runs, "H", "H", "steps"), ...rejected(runs, "H")], window }),
  ];
  const recorded = runs.filter((r) => r.steps?.error_recorded);
  if (recorded.length) {
    const lines = [...courses(recorded, "error", "error", "steps"), ...rejected(recorded, "error")];
    charts.push(chart({ title: "Estimated error", x, y: { label: "error / tolerance", log: true, decades: 5 }, lines, window, level: { y: 1, label: "tolerance" } }));
  }
  const overlap = varies(runs, "layers");
  if (overlap) charts.push(chart({ title: "Overlap", x, y: { label: "layers" }, lines: courses(runs, "layers", "layers", "steps"), window, height: 190 }));
  if (!overlap || varies(runs, "kappa"))
    charts.push(chart({ title: "Order of approximation", x, y: { label: "κ" }, lines: courses(runs, "kappa", "κ", "steps"), window, height: 190 }));
  if (varies(runs, "iterations"))
    charts.push(chart({ title: "Iterations", x, y: { label: "iterations" }, lines: courses(runs, "iterations", "iterations", "steps"), window, height: 190 }));
  const unestimated = runs.filter((r) => !r.steps?.error_recorded);
  return [
    ...runs.map((r) => el("p", { class: "sentence" }, runs.length > 1 ? el("b", {}, `${r.name}: `) : null, counts(r.steps!))),
    el("div", { class: "stack" }, ...charts.map((c) => c.element)),
    recorded.length ? note("Errors more than five decades below the largest leave the picture at its lower edge.") : el("span"),
    unestimated.length ? note("No error is estimated with fixed steps and no estimator.") : el("span"),
    ...runs.flatMap((r) => blame(r, runs.length > 1)),
  ];
}
