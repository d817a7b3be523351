// What is between bodies: springs as coils, ropes and rods, joints, and what is fixed to the ground.
import { type BufferGeometry, Group } from "three";

import type { SceneLink } from "../data";
import { Crowd } from "./crowd";
import { unitBall, unitBox, unitCoil, unitCylinder, unitFoot, unitRod } from "./shapes";
import { type Point, rollsOnGround, type World } from "./world";

const coilsAtMost = 400; // more are drawn as rods

interface Spanned {
  crowd: Crowd;
  links: SceneLink[];
  width: number;
}

/// A joint turns about its axis or slides along it.
interface Jointed {
  crowd: Crowd;
  links: SceneLink[];
  sizes: Point;
}

export interface Colours {
  spring: string;
  rod: string;
  joint: string;
  ground: string;
}

const turning = new Set(["revolute", "cylindrical", "universal"]);
const guided = new Set(["prismatic", "cylindrical"]);
const sliding = new Set(["prismatic", "fixed", "planar"]);
const distance = (a: Point | null, b: Point | null): number => (a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : 0);

export class Links {
  readonly group = new Group();
  private readonly spans: Spanned[] = [];
  private readonly guides: Spanned[] = [];
  private readonly joints: Jointed[] = [];
  private readonly foot: { crowd: Crowd; points: Point[] };
  private readonly lengthUp: Point;

  /// `size`: of the whole picture, in lengths.
  constructor(
    private readonly world: World,
    size: number,
    flat: boolean,
  ) {
    const thin = 0.004 * size;
    this.lengthUp = flat ? [0, 1, 0] : [0, 0, 1];
    const elements = (world.data?.elements ?? []).filter((e) => !rollsOnGround(e) && this.drawn(e));
    const apart = (link: SceneLink) => distance(world.end(0, link.from), world.end(0, link.to)) > 1e-6 * size;
    const far = elements.filter(apart);
    const springs = far.filter((e) => e.kind === "spring");
    const coils = springs.length <= coilsAtMost ? springs : [];
    if (coils.length) {
      const width = Math.min(3.2 * thin, 0.25 * this.mean(coils));
      this.span(unitCoil(Math.min(Math.max(this.mean(coils) / width, 3), 80)), coils, width);
    }
    this.span(unitRod(6), coils.length ? far.filter((e) => e.kind !== "spring") : far, 0.8 * thin);
    const near = elements.filter((e) => !apart(e));
    const joints = (world.data?.joints ?? []).filter((j) => this.drawn(j));
    this.span(unitRod(), joints.filter((j) => j.kind === "distance" && apart(j)), 1.2 * thin);
    this.span(unitRod(6), joints.filter((j) => guided.has(j.kind)), 0.8 * thin, this.guides);
    const rest = joints.filter((j) => j.kind !== "distance");
    const r = 2.2 * thin;
    this.joint(unitCylinder(20), rest.filter((j) => turning.has(j.kind)), [r, r, 3 * r]);
    this.joint(unitBox(), rest.filter((j) => sliding.has(j.kind)), [1.8 * r, 1.8 * r, 3.4 * r]);
    this.joint(unitBall(false), [...rest.filter((j) => !turning.has(j.kind) && !sliding.has(j.kind)), ...near], [r, r, r]);
    const points = world.groundPoints();
    this.foot = { crowd: new Crowd(unitFoot(), Math.max(points.length, 1)), points };
    points.forEach((p, i) => this.foot.crowd.point(i, p, this.lengthUp, [2.6 * r, 2.6 * r, 4 * r]));
    this.group.add(this.foot.crowd.mesh);
  }

  /// Length of these at the beginning.
  private mean(list: SceneLink[]): number {
    return list.reduce((sum, l) => sum + distance(this.world.end(0, l.from), this.world.end(0, l.to)), 0) / list.length;
  }

  private drawn(link: SceneLink): boolean {
    return this.world.find(link.from.body) !== undefined && this.world.find(link.to.body) !== undefined;
  }

  private span(geometry: BufferGeometry, links: SceneLink[], width: number, list = this.spans): void {
    if (!links.length) return;
    const crowd = new Crowd(geometry, links.length);
    list.push({ crowd, links, width });
    this.group.add(crowd.mesh);
  }

  private joint(geometry: BufferGeometry, links: SceneLink[], sizes: Point): void {
    if (!links.length) return;
    const crowd = new Crowd(geometry, links.length);
    this.joints.push({ crowd, links, sizes });
    this.group.add(crowd.mesh);
  }

  paint(c: Colours): void {
    for (const { crowd, links } of [...this.spans, ...this.guides]) links.forEach((l, i) => crowd.color(i, l.kind === "spring" ? c.spring : c.rod));
    for (const { crowd, links } of this.joints) links.forEach((_, i) => crowd.color(i, c.joint));
    this.foot.points.forEach((_, i) => this.foot.crowd.color(i, c.ground));
  }

  pose(frame: number): void {
    for (const { crowd, links, width } of this.spans) {
      links.forEach((l, i) => crowd.span(i, this.world.end(frame, l.from), this.world.end(frame, l.to), width));
    }
    for (const { crowd, links, width } of this.guides) {
      links.forEach((l, i) => {
        const [from, to] = this.world.guide(frame, l) ?? [null, null];
        crowd.span(i, from, to, width);
      });
    }
    for (const { crowd, links, sizes } of this.joints) {
      links.forEach((l, i) => {
        const at = this.world.end(frame, l.to);
        if (at) crowd.point(i, at, this.world.along(frame, l.from, l.axis ?? [0, 0, 1]), sizes);
        else crowd.hide(i);
      });
    }
  }
}
