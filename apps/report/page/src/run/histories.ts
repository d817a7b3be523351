// Time histories of chosen bodies, all runs in one chart: a colour per course, a dash per run.
import { el, note, segments } from "../base/dom";
import { count, plural } from "../base/format";
import { course, range } from "../base/numbers";
import { picker } from "../base/picker";
import { chart, type Chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Body, Run } from "../data";
import { dashOf } from "./compare";

type Quantity = "position" | "velocity";
const linesAtMost = 24; // in one chart

function allBodies(runs: Run[]): Map<number, Body> {
  const bodies = new Map<number, Body>();
  for (const run of runs) for (const body of run.bodies) if (!bodies.has(body.label)) bodies.set(body.label, body);
  return bodies;
}

const title = (body: Body): string => (/^\d+$/.test(body.name) ? `body ${body.name}` : body.name);

function reach(body: Body): number {
  return Math.max(
    0,
    ...body.columns.map((c) => {
      const r = range(course(c.position).y);
      return r ? r.max - r.min : 0;
    }),
  );
}

// To begin with: those that move most, not all of them neighbours.
function firstChoice(bodies: Body[], most: number): Set<number> {
  const moved = bodies.map((body, at) => ({ label: body.label, at, reach: reach(body) })).sort((a, b) => b.reach - a.reach);
  const apart = Math.floor(bodies.length / 6);
  const chosen: typeof moved = [];
  for (const m of moved) {
    if (chosen.length < most && chosen.every((c) => Math.abs(c.at - m.at) > apart)) chosen.push(m);
  }
  return new Set((chosen.length ? chosen : moved).slice(0, most).map((m) => m.label));
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

export function histories(runs: Run[], window: TimeWindow): Node[] {
  const bodies = allBodies(runs);
  if (!bodies.size) return [note("No motion of bodies is recorded in this folder.")];
  const names = [...new Set([...bodies.values()].flatMap((b) => b.columns.map((c) => c.name)))];
  const places = names.filter((n) => ["x", "y", "z"].includes(n));
  const coordinates = new Set(places.length ? places.slice(0, 3) : names.slice(0, 3));
  const chosen = firstChoice([...bodies.values()], coordinates.size > 1 ? 1 : 3);
  const charts = new Map<Quantity, Chart>();
  for (const quantity of ["position", "velocity"] as const) {
    charts.set(
      quantity,
      chart({
        title: quantity === "position" ? "Position" : "Velocity",
        x: { label: "t" },
        y: { label: quantity },
        lines: linesOf(runs, bodies, chosen, coordinates, quantity),
        height: 320,
        window,
        empty: "Choose a body and a coordinate above.",
      }),
    );
  }
  const update = () => charts.forEach((c, quantity) => c.setLines(linesOf(runs, bodies, chosen, coordinates, quantity)));
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
  return [
    el(
      "div",
      { class: "controls" },
      picker("Bodies", items, chosen, update),
      names.length > 1 ? picker("Coordinates", axes, chosenAxes, axesChanged) : null,
      segments("Quantity", quantities, "position", show),
    ),
    ...[...charts.values()].map((c) => c.element),
    note(
      `This page has ${count(items.length)} of ${plural(total, "body", "bodies")}. Drag over a stretch to magnify it; click the chart and turn ` +
        "the wheel, pinch, or press + and −; shift and drag pans; double click shows all. Charts over time move together.",
    ),
  ];
}
