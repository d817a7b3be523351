// What /scene of results.h5 says (src/multibody/scene.hpp), and where its points are at a frame.
import { type Values, values } from "../base/numbers";
import type { Motion, SceneBody, SceneData, SceneEnd, SceneFixed, SceneLink, SceneRoad } from "../data";

export type Space = Extract<Motion, { kind: "space" }>;
export type Point = [number, number, number];

const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
const numbers = (x: unknown, n: number): boolean => Array.isArray(x) && x.length >= n && x.every((v) => typeof v === "number");
const isEnd = (x: unknown): boolean => numbers((x as SceneEnd | null)?.at, 3) && typeof (x as SceneEnd).body === "number";
const isLink = (x: unknown): boolean => isEnd((x as SceneLink | null)?.from) && isEnd((x as SceneLink).to);
const isBody = (x: unknown): boolean => numbers((x as SceneBody | null)?.at, 3) && numbers((x as SceneBody).turn, 4);
const isFixed = (x: unknown): boolean => {
  const s = x as SceneFixed | null;
  if (!isBody(s)) return false;
  if (s!.kind === "mesh") return numbers(s!.points, 3) && numbers(s!.triangles, 3);
  return s!.kind === "plane" || (s!.kind === "box" ? numbers(s!.edges, 3) : ["sphere", "cylinder", "tube", "capsule"].includes(s!.kind));
};

/// What of a scene can be drawn: the file may be damaged.
export function readScene(scene: SceneData | null): SceneData | null {
  if (!scene || scene.format !== 1) return null;
  return {
    format: 1,
    gravity: numbers(scene.gravity, 3) ? scene.gravity : [0, 0, 0],
    bodies: list(scene.bodies).filter(isBody) as SceneBody[],
    elements: list(scene.elements).filter(isLink) as SceneLink[],
    joints: list(scene.joints).filter(isLink) as SceneLink[],
    roads: list(scene.roads).filter((r) => numbers((r as SceneRoad | null)?.waves, 0)) as SceneRoad[],
    ground: list(scene.ground).filter(isFixed) as SceneFixed[],
  };
}

/// Touches the ground and is no link to it.
export const rollsOnGround = (link: SceneLink): boolean => link.kind === "contact" || link.kind === "tyre";

/// Rotates a vector by a unit quaternion w, x, y, z.
export function turned(q: ArrayLike<number>, v: ArrayLike<number>): Point {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const [a, b, c] = [v[0], v[1], v[2]];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export function heightOf(road: SceneRoad, x: number): number {
  let h = road.height;
  for (let i = 0; i + 2 < road.waves.length; i += 3) {
    h += road.waves[i] * Math.sin((2 * Math.PI * x) / road.waves[i + 1] + road.waves[i + 2]);
  }
  return h;
}

const still = [1, 0, 0, 0];

export class World {
  readonly bodies: number;
  private readonly place: Values;
  private readonly turn: Values;
  private readonly dimensions: number;
  private readonly index = new Map<number, number>();

  constructor(
    readonly motion: Space,
    readonly data: SceneData | null,
  ) {
    this.bodies = motion.names.length;
    this.place = values(motion.place);
    this.turn = values(motion.turn);
    this.dimensions = motion.dimensions;
    motion.labels.forEach((label, i) => this.index.set(label, i));
  }

  /// Place of a body in the lists of the motion; -1: it is the ground, undefined: it is not drawn.
  find(label: number): number | undefined {
    return label === 0 ? -1 : this.index.get(label);
  }

  placeOf(frame: number, body: number): Point {
    const from = (frame * this.bodies + body) * this.dimensions;
    return [this.place[from], this.place[from + 1], this.dimensions === 3 ? this.place[from + 2] : 0];
  }

  turnOf(frame: number, body: number): ArrayLike<number> {
    if (!this.turn.length) return still;
    const from = (frame * this.bodies + body) * 4;
    return [this.turn[from], this.turn[from + 1], this.turn[from + 2], this.turn[from + 3]];
  }

  /// Where an end is; null: its body is not drawn.
  end(frame: number, end: SceneEnd): Point | null {
    const body = this.find(end.body);
    if (body === undefined) return null;
    if (body < 0) return [end.at[0], end.at[1], end.at[2]];
    const arm = turned(this.turnOf(frame, body), end.at);
    const place = this.placeOf(frame, body);
    return [place[0] + arm[0], place[1] + arm[1], place[2] + arm[2]];
  }

  /// A direction in the axes of a body, in space.
  along(frame: number, end: SceneEnd, axis: ArrayLike<number>): Point {
    const body = this.find(end.body) ?? -1;
    return body < 0 ? [axis[0], axis[1], axis[2]] : turned(this.turnOf(frame, body), axis);
  }

  /// What a sliding joint slides along: from the body that carries the line (where its reference point is beside
  /// it) to the end that slides. A rope begins at its drum, wherever the joint is on it.
  guide(frame: number, link: SceneLink): [Point, Point] | null {
    const [from, to] = [this.end(frame, link.from), this.end(frame, link.to)];
    const body = this.find(link.from.body);
    if (!from || !to || body === undefined) return null;
    if (body < 0) return [from, to];
    const axis = this.along(frame, link.from, link.axis ?? [0, 0, 1]);
    const length = Math.hypot(...axis) || 1;
    const place = this.placeOf(frame, body);
    const way = axis.reduce((sum, a, k) => sum + (a / length) * (place[k] - from[k]), 0) / length;
    return [[from[0] + way * axis[0], from[1] + way * axis[1], from[2] + way * axis[2]], to];
  }

  /// Half of the largest body; 0: all are points.
  radius(): number {
    return (this.data?.bodies ?? []).reduce((most, b) => Math.max(most, radiusOf(b)), 0);
  }

  /// Points of the ground that something is fixed to.
  groundPoints(): Point[] {
    const links = [...(this.data?.elements ?? []).filter((e) => e.road === undefined && !rollsOnGround(e)), ...(this.data?.joints ?? [])];
    const ends = links.flatMap((link) => [[link.from, link.to] as const, [link.to, link.from] as const]);
    return ends.filter(([own, other]) => own.body === 0 && this.find(other.body) !== undefined).map(([own]) => [own.at[0], own.at[1], own.at[2]]);
  }
}

function radiusOf(b: SceneData["bodies"][number]): number {
  if (b.edges) return Math.hypot(b.edges[0], b.edges[1], b.edges[2]) / 2;
  if (b.points) {
    let most = 0;
    for (let i = 0; i + 2 < b.points.length; i += 3) most = Math.max(most, Math.hypot(b.points[i], b.points[i + 1], b.points[i + 2]));
    return most;
  }
  return Math.hypot(b.radius ?? 0, (b.length ?? 0) / 2);
}
