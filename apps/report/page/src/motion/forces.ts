// Forces at a time, from the recorded tables: what elements and joints do to the body at their second end.
import { course, type Course, nearest } from "../base/numbers";
import type { Run, SceneData, SceneEnd } from "../data";
import type { Point, World } from "./world";

export interface Force {
  name: string;
  at: SceneEnd;
  below: number; // the point of a contact is so far under its marker
  up: 1 | 2;
  components: (Course | null)[];
  sign: number;
}

/// Linear between the recorded values.
export function valueAt(c: Course | null, t: number): number {
  if (!c || !c.t.length) return 0;
  let i = nearest(c.t, t);
  if (c.t[i] > t && i > 0) --i;
  if (i + 1 >= c.t.length || t <= c.t[i]) return c.y[i] || 0;
  const share = (t - c.t[i]) / (c.t[i + 1] - c.t[i] || 1);
  return (1 - share) * c.y[i] + share * c.y[i + 1] || 0;
}

function columns(run: Run, table: string): Map<string, Course> {
  const found = new Map<string, Course>();
  for (const column of run.tables.find((t) => t.name === table)?.columns ?? []) found.set(column.name, course(column.series));
  return found;
}

const componentsOf = (known: Map<string, Course>, name: string) => ["Fx", "Fy", "Fz"].map((c) => known.get(`${name}.${c}`) ?? null);

/// Those that are recorded in this page.
export function forcesOf(run: Run, scene: SceneData): Force[] {
  const elements = columns(run, "elements");
  const reactions = columns(run, "reactions");
  const found: Force[] = [];
  for (const e of scene.elements) {
    const components = componentsOf(elements, e.name);
    const onBody = e.to.body !== 0; // on `to` the force of the table acts the other way
    const up = e.road !== undefined ? (scene.roads[e.road]?.up ?? 2) : 2;
    found.push({ name: e.name, at: onBody ? e.to : e.from, below: e.radius ?? 0, up, components, sign: onBody ? -1 : 1 });
  }
  for (const j of scene.joints) {
    found.push({ name: j.name, at: j.to.body !== 0 ? j.to : j.from, below: 0, up: 2, components: componentsOf(reactions, j.name), sign: 1 });
  }
  return found.filter((f) => f.components.some((c) => c !== null));
}

/// The largest that any of them becomes.
export function largest(forces: Force[]): number {
  let most = 0;
  for (const f of forces) {
    const reach = f.components.map((c) => {
      let size = 0;
      for (let i = 0; c && i < c.y.length; ++i) if (Math.abs(c.y[i]) > size) size = Math.abs(c.y[i]);
      return Number.isFinite(size) ? size : 0;
    });
    most = Math.max(most, Math.hypot(...reach));
  }
  return most;
}

/// Length per force: the longest arrow of the whole run is a fixed share of the picture's size.
export function lengthPerForce(forces: Force[], size: number): number {
  const most = largest(forces);
  return most > 0 ? (0.3 * size) / most : 0;
}

/// Where the arrow of a force begins and where it ends; null: its body is not drawn.
export function arrowOf(world: World, force: Force, frame: number, t: number, scale: number): [Point, Point] | null {
  const at = world.end(frame, force.at);
  if (!at) return null;
  at[force.up] -= force.below;
  const [fx, fy, fz] = force.components.map((c) => force.sign * scale * valueAt(c, t));
  return [at, [at[0] + fx, at[1] + fy, at[2] + fz]];
}

/// Every tip of every arrow, `size` as for the arrows.
export function tipsOf(world: World, forces: Force[], times: ArrayLike<number>, size: number): { frame: number; tip: Point }[] {
  const scale = lengthPerForce(forces, size);
  const tips: { frame: number; tip: Point }[] = [];
  for (let frame = 0; frame < times.length; ++frame) {
    for (const force of forces) {
      const tip = arrowOf(world, force, frame, times[frame], scale)?.[1];
      if (tip?.every(Number.isFinite)) tips.push({ frame, tip });
    }
  }
  return tips;
}
