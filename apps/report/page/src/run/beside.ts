// A few curves beside the motion, under the same clock: what moves most, the energy, the largest forces.
import { el } from "../base/dom";
import { course, type Course } from "../base/numbers";
import { quantityOf, withUnits } from "../base/units";
import { chart } from "../chart/chart";
import type { Line } from "../chart/lines";
import type { TimeWindow } from "../chart/window";
import type { Run } from "../data";
import { kinds, leastLength, liveliest, strongest } from "./interest";

const height = 150;
const manyBodies = 20;

/// Lengths and angles do not share an axis: the kind whose curves say more comes first.
function motionLines(run: Run): Line[] {
  const all = run.bodies.flatMap((body) =>
    body.columns.map((column) => ({ name: `${/^\d+$/.test(body.name) ? `body ${body.name}` : body.name} ${column.name}`, column })),
  );
  for (const kind of kinds) {
    const some = all.filter((a) => kind.includes(a.column.name));
    const apart = run.bodies.length > manyBodies ? Math.floor(some.length / 6) : 0;
    const chosen = liveliest(some.map((a) => course(a.column.position)), 3, { apart, least: kind === kinds[0] ? leastLength(run) : 0 });
    if (chosen.length) return chosen.map((at, i) => ({ name: some[at].name, color: i, ...xy(course(some[at].column.position)) }));
  }
  return [];
}

const xy = ({ t, y }: ReturnType<typeof course>) => ({ x: t, y });

type Choice = (courses: Course[], most: number) => number[];

function tableLines(run: Run, table: string, wanted: (name: string) => boolean, choice: Choice): Line[] {
  const columns = (run.tables.find((t) => t.name === table)?.columns ?? []).filter((c) => wanted(c.name));
  return choice(columns.map((c) => course(c.series)), 3).map((at, i) => ({ name: columns[at].name, color: i, ...xy(course(columns[at].series)) }));
}

/// Coordinates are called by body and name: "arm x".
const measured = (label: string, lines: Line[]): string[] =>
  label === "coordinates" ? lines.map((line) => quantityOf(line.name.slice(line.name.search(/[^ .]*$/)), false)) : [label];

export function curvesBeside(run: Run, window: TimeWindow): HTMLElement | null {
  const force = (name: string) => /\.F([xyz]|\d+)$/.test(name);
  const forces = tableLines(run, "elements", force, strongest);
  const list: [string, string, Line[]][] = [
    ["Motion", "coordinates", motionLines(run)],
    ["Energy", "energy", tableLines(run, "energy", () => true, liveliest)],
    ["Forces", "force", forces.length ? forces : tableLines(run, "reactions", force, strongest)],
  ];
  const shown = list.filter(([, , lines]) => lines.length);
  if (!shown.length) return null;
  const charts = shown.map(([title, label, lines]) => chart({ title, x: { label: "t" }, y: { label: withUnits(label, measured(label, lines)) }, lines, height, window, small: true, named: true }).element);
  return el("div", { class: "beside" }, ...charts);
}
