// Time histories of chosen bodies, all runs in one chart: a colour per course, a dash per run.
import { el, note, segments } from "../base/dom";
import { count, plural } from "../base/format";
import { course } from "../base/numbers";
import { picker } from "../base/picker";
import { quantityOf, withUnits } from "../base/units";
import { chart, type Chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Body, Run, RunsPage } from "../data";
import { dashOf } from "./compare";
import { hides, kinds, leastLength, liveliness } from "./interest";

type Quantity = "position" | "velocity";
const linesAtMost = 24; // in one chart

function allBodies(runs: Run[]): Map<number, Body> {
  const bodies = new Map<number, Body>();
  for (const run of runs) for (const body of run.bodies) if (!bodies.has(body.label)) bodies.set(body.label, body);
  return bodies;
}

const title = (body: Body): string => (/^\d+$/.test(body.name) ? `body ${body.name}` : body.name);

/// To begin with: the bodies whose places have most in them, not all of them neighbours, and the coordinates in
/// which that is.
function firstChoice(bodies: Body[], most: number, leastPlace: number): { chosen: Set<number>; coordinates: Set<string> } {
  const known = [...new Set(bodies.flatMap((b) => b.columns.map((c) => c.name)))];
  for (const kind of [...kinds, known]) {
    const sizes = bodies.flatMap((body, at) =>
      body.columns.filter((c) => kind.includes(c.name)).map((c) => ({ body, at, name: c.name, series: c.position, size: liveliness(course(c.position)) })),
    );
    sizes.sort((a, b) => b.size - a.size || a.at - b.at);
    const first = sizes[0];
    if (!first || (!(first.size > (kind === kinds[0] ? leastPlace : 0)) && kind !== known)) continue;
    const apart = Math.floor(bodies.length / 6);
    const picked: typeof sizes = [];
    for (const s of sizes) {
      if (picked.length < most && picked.every((p) => Math.abs(p.at - s.at) > apart)) picked.push(s);
    }
    const labels = new Set(picked.map((p) => p.body.label));
    const worth = sizes.filter((s) => labels.has(s.body.label) && s.size >= 0.02 * first.size && (s === first || !hides(course(s.series), first.size))).map((s) => s.name);
    return { chosen: labels, coordinates: new Set(worth.length ? worth : kind.slice(0, 3)) };
  }
  return { chosen: new Set(), coordinates: new Set(known.slice(0, 3)) };
}

function linesOf(runs: Run[], bodies: Map<number, Body>, chosen: Set<number>, coordinates: Set<string>, quantity: Quantity): Line[] {
  const lines: Line[] = [];
  const colors = new Map<string, number>();
  for (const [label, named] of bodies) {
    if (!chosen.has(label)) continue;
    runs.forEach((run, r) => {
      const body = run.bodies.find((b) => b.label === label);
      for (const column of body?.columns ?? []) {
        if (!coordinates.has(column.name) || lines.length >= linesAtMost) continue;
        const name = `${title(named)} ${column.name}`;
        if (!colors.has(name)) colors.set(name, colors.size);
        const { t, y } = course(column[quantity]);
        lines.push({ name: runs.length > 1 ? `${name}, ${run.name}` : name, color: colors.get(name)!, dash: dashOf(r), x: t, y });
      }
    });
  }
  return lines;
}

/// Of the other runs from the first.
function differenceLines(page: RunsPage, bodies: Map<number, Body>, chosen: Set<number>, coordinates: Set<string>, quantity: Quantity): Line[] {
  const colors = new Map<string, number>();
  const lines: Line[] = [];
  for (const d of page.differences) {
    const body = bodies.get(d.body);
    if (!body || !chosen.has(d.body) || !coordinates.has(d.column) || lines.length >= linesAtMost) continue;
    const name = `${title(body)} ${d.column}`;
    if (!colors.has(name)) colors.set(name, colors.size);
    const { t, y } = course(d[quantity]);
    lines.push({ name: `${name}, ${page.runs[d.run]?.name ?? ""}`, color: colors.get(name)!, dash: page.runs.length > 2 ? dashOf(d.run - 1) : undefined, x: t, y });
  }
  return lines;
}

export function histories(page: RunsPage, window: TimeWindow): Node[] {
  const runs = page.runs;
  const bodies = allBodies(runs);
  if (!bodies.size) return [note("No motion of bodies is recorded in this folder.")];
  const names = [...new Set([...bodies.values()].flatMap((b) => b.columns.map((c) => c.name)))];
  const { chosen, coordinates } = firstChoice([...bodies.values()], names.length > 1 ? 1 : 3, leastLength(runs[0]));
  let differences = false;
  const lines = (quantity: Quantity) =>
    differences ? differenceLines(page, bodies, chosen, coordinates, quantity) : linesOf(runs, bodies, chosen, coordinates, quantity);
  const charts = new Map<Quantity, Chart>();
  for (const quantity of ["position", "velocity"] as const) {
    charts.set(
      quantity,
      chart({
        title: quantity === "position" ? "Position" : "Velocity",
        x: { label: "t" },
        y: { label: withUnits(quantity, names.map((n) => quantityOf(n, quantity === "velocity"))) },
        lines: lines(quantity),
        height: 320,
        window,
        named: true,
        empty: page.differences.length ? "Choose a body and a coordinate above; differences are of bodies in both runs." : "Choose a body and a coordinate above.",
      }),
    );
  }
  const update = () => charts.forEach((c, quantity) => c.setLines(lines(quantity)));
  const show = (which: string) =>
    charts.forEach((c, quantity) => void (c.element.hidden = which !== "both" && which !== quantity));
  show("position");

  const items = [...bodies.values()].map((b) => ({ id: b.label, label: title(b), search: `${b.label} subsystem ${b.part}`, part: b.part }));
  const axes = names.map((n, id) => ({ id, label: n, search: "" }));
  const chosenAxes = new Set(names.map((n, i) => (coordinates.has(n) ? i : -1)).filter((i) => i >= 0));
  const axesChanged = () => {
    coordinates.clear();
    for (const i of chosenAxes) coordinates.add(names[i]);
    update();
  };
  const total = Math.max(...runs.map((r) => r.bodies_total));
  const quantities = [
    { value: "position", label: "Position" },
    { value: "velocity", label: "Velocity" },
    { value: "both", label: "Both" },
  ];
  const comparing = [
    { value: "values", label: "Values" },
    { value: "differences", label: `Difference from ${runs[0].name}` },
  ];
  const compare = (which: string) => {
    differences = which === "differences";
    update();
  };
  return [
    el(
      "div",
      { class: "controls" },
      picker("Bodies", items, chosen, update),
      names.length > 1 ? picker("Coordinates", axes, chosenAxes, axesChanged) : null,
      segments("Quantity", quantities, "position", show),
      page.differences.length ? segments("Runs", comparing, "values", compare) : null,
    ),
    ...[...charts.values()].map((c) => c.element),
    note(
      `This page has ${count(items.length)} of ${plural(total, "body", "bodies")}. Drag over a stretch to magnify it; click the chart and turn ` +
        "the wheel, pinch, or press + and −; shift and drag pans; double click shows all. Charts over time move together.",
    ),
  ];
}
