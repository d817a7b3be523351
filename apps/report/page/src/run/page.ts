// report.html of one run, or of several to compare.
import { el, missing, replace, select } from "../base/dom";
import { frame } from "../base/frame";
import type { Section } from "../base/sections";
import { TimeWindow } from "../chart/window";
import type { Run, RunsPage } from "../data";
import { chainMotion } from "../motion/chain";
import { spaceMotion } from "../motion/space";
import { wallTime } from "../timing/timing";
import { comparison } from "./compare";
import { couplings } from "./couplings";
import { histories } from "./histories";
import { overviewOf, pageTitle, statusPill } from "./overview";
import { macroSteps } from "./steps";
import { namedTables } from "./tables";

function motionOf(run: Run): Node[] {
  if (!run.motion) return [missing("The motion of this run is not recorded, or cannot be read.")];
  return run.motion.kind === "chain" ? chainMotion(run.motion) : spaceMotion(run.motion);
}

function motion(runs: Run[]): Node[] {
  if (runs.length === 1) return motionOf(runs[0]);
  const place = el("div");
  const show = (at: string) => replace(place, ...motionOf(runs[Number(at)]));
  show("0");
  return [el("div", { class: "controls" }, select("Run", runs.map((r, i) => ({ value: String(i), label: r.name })), "0", show)), place];
}

function list(page: RunsPage): Section[] {
  const runs = page.runs;
  const time = new TimeWindow();
  const all: Section[] = [
    {
      id: "run",
      title: runs.length > 1 ? "The runs" : "The run",
      about: "",
      height: 300,
      build: () => (runs.length > 1 ? comparison(page) : overviewOf(runs[0])),
    },
    { id: "motion", title: "Motion", about: "", height: 800, build: () => motion(runs) },
    { id: "histories", title: "Time histories", about: "", height: 480, build: () => histories(runs, time) },
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
  if (runs.some((r) => r.tables.length)) {
    all.push({ id: "tables", title: "Further quantities", about: "", height: 600, build: () => namedTables(runs, time) });
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
  const one = page.runs.length === 1 ? statusPill(page.runs[0]) : undefined;
  const foot = `Cosimo ${page.version}. Every number is from results.h5, timing.h5 or summary.json, or counted from them.`;
  frame(place, { kind: page.runs.length > 1 ? "Comparison" : "Run", title: pageTitle(page), extra: one, foot }, list(page));
}
