// The road as a band under the motion, what is fixed to the ground, or a floor of lines where there is gravity
// and neither.
import { BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial } from "three";

import { ticks } from "../base/scale";
import type { SceneRoad } from "../data";
import { Fixed } from "./fixed";
import { heightOf, type Point, type World } from "./world";

const samples = 1600;

export interface Extent {
  low: number[];
  high: number[];
}

export class Ground {
  readonly group = new Group();
  private readonly surface = new MeshLambertMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  private readonly lines = new LineBasicMaterial();
  private readonly fixed: Fixed;

  constructor(world: World, extent: Extent, size: number, flat: boolean) {
    const roads = world.data?.roads ?? [];
    const gravity = world.data?.gravity ?? [0, 0, 0];
    const fixed = world.data?.ground ?? [];
    this.fixed = new Fixed(fixed, extent, gravity, size, flat);
    this.group.add(this.fixed.group);
    roads.forEach((road) => this.road(road, extent, size, flat));
    if (!roads.length && !fixed.length && Math.hypot(...gravity) > 0) this.floor(extent, gravity, flat);
  }

  /// Across the road lie stripes at round distances: on them one sees the way.
  private road(road: SceneRoad, extent: Extent, size: number, flat: boolean): void {
    const [from, to] = [extent.low[0] - size, extent.high[0] + size];
    const across = road.up === 2 ? 1 : 2;
    const [near, far] = flat ? [-0.4 * size, 0.4 * size] : [extent.low[across] - 0.35 * size, extent.high[across] + 0.35 * size];
    const at = (x: number, side: number): Point => {
      const h = heightOf(road, x);
      return road.up === 2 ? [x, side, h] : [x, h, side];
    };
    const points: number[] = [];
    const corners: number[] = [];
    for (let i = 0; i <= samples; ++i) {
      const x = from + ((to - from) * i) / samples;
      points.push(...at(x, near), ...at(x, far));
      if (i) corners.push(2 * i - 2, 2 * i - 1, 2 * i, 2 * i, 2 * i - 1, 2 * i + 1);
    }
    const band = new BufferGeometry();
    band.setAttribute("position", new Float32BufferAttribute(points, 3));
    band.setIndex(corners);
    band.computeVertexNormals();
    this.add(new Mesh(band, this.surface));
    const stripes = ticks(from, to, (to - from) / size, 0.25).flatMap((x) => [...at(x, near), ...at(x, far)]);
    this.add(this.segments(stripes));
  }

  private floor(extent: Extent, gravity: number[], flat: boolean): void {
    const up = gravity.reduce((best, g, k) => (Math.abs(g) > Math.abs(gravity[best]) ? k : best), 0);
    const level = gravity[up] > 0 ? extent.high[up] : extent.low[up];
    const [a, b] = [0, 1, 2].filter((k) => k !== up);
    const reach = (k: number): [number, number] => {
      const middle = (extent.low[k] + extent.high[k]) / 2;
      const half = 0.75 * Math.max(...[0, 1, 2].map((i) => extent.high[i] - extent.low[i]), 1e-12);
      return flat && k === 2 ? [middle - 0.15 * half, middle + 0.15 * half] : [middle - half, middle + half];
    };
    const [ra, rb] = [reach(a), reach(b)];
    const step = Math.max(ra[1] - ra[0], rb[1] - rb[0]);
    const points: number[] = [];
    const line = (k: number, value: number, other: number, [low, high]: [number, number]) => {
      for (const end of [low, high]) {
        const p = [0, 0, 0];
        p[up] = level;
        p[k] = value;
        p[other] = end;
        points.push(...p);
      }
    };
    for (const value of ticks(ra[0], ra[1], 12 * ((ra[1] - ra[0]) / step), 1)) line(a, value, b, rb);
    for (const value of ticks(rb[0], rb[1], 12 * ((rb[1] - rb[0]) / step), 1)) line(b, value, a, ra);
    this.add(this.segments(points));
  }

  private segments(points: number[]): LineSegments {
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(points, 3));
    return new LineSegments(g, this.lines);
  }

  private add(thing: Mesh | LineSegments): void {
    thing.frustumCulled = false;
    this.group.add(thing);
  }

  paint(surface: string, lines: string): void {
    this.surface.color = new Color(surface);
    this.lines.color = new Color(lines);
    this.fixed.paint(surface, lines);
  }
}
