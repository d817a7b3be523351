// report.html of one run, or of several to compare.
import { el, missing, replace, select } from "../base/dom";
import { frame } from "../base/frame";
import type { Section } from "../base/sections";
import { startUnits } from "../base/units";
import { TimeWindow } from "../chart/window";
import type { Run, RunsPage } from "../data";
import { chainMotion } from "../motion/chain";
import { spaceMotion } from "../motion/space";
import { wallTime } from "../timing/timing";
import { curvesBeside } from "./beside";
import { comparison } from "./compare";
import { couplings } from "./couplings";
import { histories } from "./histories";
import { origin, overviewOf, pageTitle, statusPill } from "./overview";
import { macroSteps } from "./steps";
import { summaryOf } from "./summary";
import { namedTables } from "./tables";

function motionOf(run: Run, time: TimeWindow): Node[] {
  if (!run.motion) return [missing("The motion of this run is not recorded, or cannot be read.")];
  time.forgetSeekers();
  const beside = curvesBeside(run, time);
  return run.motion.kind === "chain" ? chainMotion(run.motion, time, beside) : spaceMotion(run, run.motion, time, beside);
}

function motion(runs: Run[], time: TimeWindow): Node[] {
  if (runs.length === 1) return motionOf(runs[0], time);
  const place = el("div");
  const show = (at: string) => replace(place, ...motionOf(runs[Number(at)], time));
  show("0");
  return [el("div", { class: "controls" }, select("Run", runs.map((r, i) => ({ value: String(i), label: r.name })), "0", show)), place];
}

/// Subsystems alone: there is nothing that could move.
const withoutBodies = (run: Run): boolean => summaryOf(run)?.number("bodies") === 0 && !run.motion && !run.bodies.length;

const isNumeric = (table: string): boolean => table === "constraints";

function list(page: RunsPage): Section[] {
  const runs = page.runs;
  const time = new TimeWindow();
  const physical = (name: string) => !isNumeric(name);
  const alone = runs.every(withoutBodies);
  const quantities: Section[] = runs.some((r) => r.tables.some((t) => physical(t.name)))
    ? [{ id: "tables", title: alone ? "Outputs of the subsystems" : "Energy and forces", about: "", height: 600, build: () => namedTables(runs, time, physical) }]
    : [];
  const moving: Section[] = [
    { id: "motion", title: "Motion", about: "", height: 800, build: () => motion(runs, time) },
    { id: "histories", title: "Time histories", about: "", height: 480, build: () => histories(page, time) },
  ];
  // Physics first, then how it was computed.
  const all: Section[] = [
    {
      id: "run",
      title: runs.length > 1 ? "The runs" : "The run",
      about: "",
      height: 300,
      build: () => (runs.length > 1 ? comparison(page) : overviewOf(runs[0])),
    },
    ...(alone ? [] : moving),
    ...quantities,
    {
      id: "steps",
      title: "Macro steps",
      about: "How far the subsystems go on their own before they exchange, and why not further.",
      height: 1000,
      build: () => macroSteps(runs, time),
    },
    {
      id: "couplings",
      title: "Coupling variables",
      about: "What the subsystems tell each other at the macro points, and how it is approximated between them.",
      height: 700,
      build: () => couplings(runs, time),
    },
    { id: "time", title: "Where the wall time went", about: "", height: 900, build: () => wallTime(runs) },
  ];
  if (runs.some((r) => r.tables.some((t) => isNumeric(t.name)))) {
    all.push({ id: "accuracy", title: "Accuracy", about: "How well the joints close, as recorded.", height: 400, build: () => namedTables(runs, time, isNumeric) });
  }
  return all;
}

// Folders of the same name in different places are numbered.
function tellApart(runs: Run[]): void {
  const names = runs.map((r) => r.name);
  runs.forEach((run, i) => {
    const same = names.filter((n) => n === names[i]).length;
    if (same > 1) run.name = `${names[i]} (${names.slice(0, i + 1).filter((n) => n === names[i]).length})`;
  });
}

export function runsPage(place: Element, page: RunsPage): void {
  if (!page.runs.length) throw new Error("it holds no runs");
  tellApart(page.runs);
  startUnits(page.runs.map((run) => run.summary));
  const one = page.runs.length === 1 ? statusPill(page.runs[0]) : undefined;
  const foot = `${origin(page)} Every number is from results.h5, timing.h5 or summary.json, or counted from them.`;
  frame(place, { kind: page.runs.length > 1 ? "Comparison" : "Run", title: pageTitle(page), extra: one, foot }, list(page));
}
