// What the scenario fixes to the ground: planes as sheets around the motion, shapes as solids. Seen from below
// or behind, sheets are only outlines; solids let one see what is behind them. So nothing hides a body.
import { BufferGeometry, Color, EdgesGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

import { ticks } from "../base/scale";
import type { SceneFixed } from "../data";
import type { Extent } from "./ground";
import { ownGeometry, unitBall, unitBox, unitCylinder } from "./shapes";
import { type Point, turned } from "./world";

interface Plane {
  at: Point;
  along: [Point, Point, Point]; // two in it, the normal
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export function planeOf(s: SceneFixed): Plane {
  return { at: [s.at[0], s.at[1], s.at[2]], along: [turned(s.turn, [1, 0, 0]), turned(s.turn, [0, 1, 0]), turned(s.turn, [0, 0, 1])] };
}

/// What of a convex polygon is above a plane.
function above(corners: Point[], plane: Plane, slack: number): Point[] {
  const heights = corners.map((p) => dot(p, plane.along[2]) - dot(plane.at, plane.along[2]) + slack);
  return corners.flatMap((p, i) => {
    const j = (i + 1) % corners.length;
    const kept: Point[] = heights[i] >= 0 ? [p] : [];
    if (heights[i] >= 0 === heights[j] >= 0) return kept;
    const share = heights[i] / (heights[i] - heights[j]);
    return [...kept, p.map((x, k) => x + share * (corners[j][k] - x)) as Point];
  });
}

/// The rectangle of a plane under the motion, as far as it is above the other planes: walls end at the floor.
export function sheetOf(plane: Plane, others: Plane[], extent: Extent, margin: number): Point[] {
  const [u, v, n] = plane.along;
  const reach = (axis: Point): [number, number] => {
    const middle = axis.reduce((sum, a, k) => sum + (a * (extent.low[k] + extent.high[k])) / 2, 0);
    const half = axis.reduce((sum, a, k) => sum + (Math.abs(a) * (extent.high[k] - extent.low[k])) / 2, margin);
    return [middle - half, middle + half];
  };
  const [[a, b], [c, d]] = [reach(u), reach(v)];
  const level = dot(plane.at, n);
  const place = (x: number, y: number) => n.map((z, k) => x * u[k] + y * v[k] + level * z) as Point;
  const whole = [place(a, c), place(b, c), place(b, d), place(a, d)];
  const left = others.reduce((corners, other) => above(corners, other, 1e-6 * margin), whole);
  return left.length > 2 ? left : whole;
}

/// Lines at round places along both directions of a plane, within the convex polygon of a sheet.
function grid(plane: Plane, sheet: Point[], apart: number): Point[] {
  return [0, 1].flatMap((k) => {
    const heights = sheet.map((p) => dot(p, plane.along[k]));
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    return ticks(low, high, (high - low) / apart, 1).flatMap((value) => {
      const cut = sheet.flatMap((p, i): Point[] => {
        const j = (i + 1) % sheet.length;
        if (heights[i] >= value === heights[j] >= value) return [];
        const share = (value - heights[i]) / (heights[j] - heights[i]);
        return [p.map((x, m) => x + share * (sheet[j][m] - x)) as Point];
      });
      return cut.length === 2 ? cut : [];
    });
  });
}

function solidOf(s: SceneFixed, fine: boolean): BufferGeometry {
  const b = { ...s, body: 0, from: "shape" as const };
  const r = s.radius ?? 0;
  const own = s.kind === "plane" ? null : ownGeometry({ ...b, kind: s.kind });
  const unit = () => (s.kind === "sphere" ? unitBall(fine).scale(r, r, r) : s.kind === "cylinder" ? unitCylinder().scale(r, r, s.length ?? 0) : unitBox().scale(...((s.edges ?? [0, 0, 0]) as Point)));
  const geometry = own ?? unit();
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  flat.deleteAttribute("uv");
  const turn = new Quaternion(s.turn[1], s.turn[2], s.turn[3], s.turn[0]).normalize();
  return flat.applyMatrix4(new Matrix4().compose(new Vector3(...s.at), turn, new Vector3(1, 1, 1)));
}

/// Surfaces, so that lines in them are seen.
const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

/// Drawn after bodies, which are seen through it, and before bodies of glass: solids hide lines behind them.
const order = { solid: -3, sheet: -2, lines: -1 };

export class Fixed {
  readonly group = new Group();
  private readonly sheet = new MeshLambertMaterial({ transparent: true, opacity: 0.6, depthWrite: false, ...behind });
  private readonly solid = new MeshLambertMaterial({ transparent: true, opacity: 0.75, ...behind });
  private readonly lines = new LineBasicMaterial({ transparent: true });

  constructor(shapes: SceneFixed[], extent: Extent, gravity: number[], size: number, flat: boolean) {
    this.planes(shapes, extent, gravity, size, flat);
    const solids = shapes.filter((s) => s.kind !== "plane");
    if (!solids.length) return;
    const parts = solids.map((s) => solidOf(s, solids.length < 300));
    this.add(new Mesh(mergeGeometries(parts) ?? parts[0], this.solid), order.solid);
    // What is round has edges only where its ends are.
    const edges = parts.filter((_, i) => solids[i].kind !== "sphere" && solids[i].kind !== "capsule").map((g) => new EdgesGeometry(g, 25));
    if (edges.length) this.add(new LineSegments(mergeGeometries(edges) ?? edges[0], this.lines), order.lines);
  }

  private planes(shapes: SceneFixed[], extent: Extent, gravity: number[], size: number, flat: boolean): void {
    const planes = shapes.filter((s) => s.kind === "plane").map(planeOf);
    const g = Math.hypot(...gravity);
    const faces: number[] = [];
    const lines: number[] = [];
    planes.forEach((plane, i) => {
      const normal = plane.along[2];
      if (flat && Math.abs(normal[2]) > 0.9) return; // it would fill the picture
      const carries = !(g > 0) || dot(normal, gravity) < -0.3 * g;
      const sheet = sheetOf(plane, planes.filter((_, k) => k !== i), extent, (carries ? 0.35 : 0.06) * size);
      sheet.forEach((p, k) => lines.push(...p, ...sheet[(k + 1) % sheet.length]));
      for (let k = 2; k < sheet.length; ++k) faces.push(...sheet[0], ...sheet[k - 1], ...sheet[k]);
      // On walls it would be in front of the bodies.
      if (carries) lines.push(...grid(plane, sheet, 0.2 * size).flat());
    });
    if (!faces.length) return;
    const surface = new BufferGeometry();
    surface.setAttribute("position", new Float32BufferAttribute(faces, 3));
    surface.computeVertexNormals();
    this.add(new Mesh(surface, this.sheet), order.sheet);
    const outline = new BufferGeometry();
    outline.setAttribute("position", new Float32BufferAttribute(lines, 3));
    this.add(new LineSegments(outline, this.lines), order.lines);
  }

  private add(thing: Mesh | LineSegments, when: number): void {
    thing.renderOrder = when;
    thing.frustumCulled = false;
    this.group.add(thing);
  }

  paint(surface: string, lines: string): void {
    this.sheet.color = this.solid.color = new Color(surface);
    this.lines.color = new Color(lines);
  }
}
