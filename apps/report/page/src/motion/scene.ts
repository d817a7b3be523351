// Where everything is on the picture.
import { num } from "../base/format";
import { type Values, values } from "../base/numbers";
import { color, css } from "../base/theme";
import { type Camera, directions } from "./camera";
import type { Extent } from "./ground";
import type { Point, Space } from "./world";

/// Paths of more bodies than this would cover the picture.
export const pathsAtMost = 40;
const trail = 80; // frames of a path

/// What is to be seen beside the bodies: a box, and the distance from the middle of the bodies of its frame.
interface Reach {
  low: number[];
  high: number[];
  around: number;
}

export class Scene {
  readonly bodies: number;
  readonly x: Float64Array; // on the picture
  readonly y: Float64Array;
  private readonly depth: Float64Array;
  private readonly place: Values;
  private readonly turn: Values;
  private readonly dimensions: number;
  readonly low = [0, 0, 0];
  readonly high = [0, 0, 0];
  private axes: [number[], number[], number[]] = [[], [], []];
  private scale = 1; // pixels per length
  private unit = 1; // the same, before magnifying
  private center = [0, 0, 0];
  private readonly spread: number; // of the bodies around their middle, at most
  private origin: [number, number] = [0, 0];
  private readonly bare: Reach; // the bodies alone

  /// `radius`: half of the largest body; `still`: points that do not move and are to be seen.
  constructor(motion: Space, frames: number, radius = 0, still: Point[] = []) {
    this.bodies = motion.names.length;
    this.place = values(motion.place);
    this.turn = values(motion.turn);
    this.dimensions = motion.dimensions;
    this.x = new Float64Array(this.bodies);
    this.y = new Float64Array(this.bodies);
    this.depth = new Float64Array(this.bodies);
    this.low.fill(Infinity, 0, this.dimensions);
    this.high.fill(-Infinity, 0, this.dimensions);
    for (let i = 0; i < frames * this.bodies; ++i) {
      for (let k = 0; k < this.dimensions; ++k) {
        const value = this.place[i * this.dimensions + k];
        if (value < this.low[k]) this.low[k] = value;
        if (value > this.high[k]) this.high[k] = value;
      }
    }
    this.spread = this.widest(frames) + 2 * radius;
    for (let k = 0; k < this.dimensions; ++k) {
      for (const point of still) {
        this.low[k] = Math.min(this.low[k], point[k]);
        this.high[k] = Math.max(this.high[k], point[k]);
      }
      this.low[k] -= radius;
      this.high[k] += radius;
    }
    this.bare = this.reachOf([]);
  }

  private middle(frame: number): number[] {
    const middle = [0, 0, 0];
    for (let b = 0; b < this.bodies; ++b) this.at(frame, b).forEach((p, k) => (middle[k] += p / this.bodies));
    return middle;
  }

  private widest(frames: number): number {
    let most = 0;
    for (let f = 0; f < frames; ++f) {
      const middle = this.middle(f);
      for (let b = 0; b < this.bodies; ++b) most = Math.max(most, Math.hypot(...this.at(f, b).map((p, k) => p - middle[k])));
    }
    return 2 * most;
  }

  /// What is to be seen at once, when the picture begins.
  pictured(): number {
    return this.travels() ? this.spread : this.whole();
  }

  /// The bodies with these points, each of its frame.
  reachOf(points: { frame: number; tip: Point }[]): Reach {
    const reach: Reach = { low: [...this.low], high: [...this.high], around: this.spread / 2 };
    const middles = new Map<number, number[]>();
    for (const { frame, tip } of points) {
      const middle = middles.get(frame) ?? this.middle(frame);
      middles.set(frame, middle);
      reach.around = Math.max(reach.around, Math.hypot(...tip.map((p, k) => p - middle[k])));
      for (let k = 0; k < this.dimensions; ++k) {
        reach.low[k] = Math.min(reach.low[k], tip[k]);
        reach.high[k] = Math.max(reach.high[k], tip[k]);
      }
    }
    return reach;
  }

  extentOf(): Extent {
    return { low: this.low, high: this.high };
  }

  /// The whole way that bodies go.
  whole(): number {
    return this.size();
  }

  /// How places become pixels: origin + scale (right . (p - center), -up . (p - center)).
  mapping(): { axes: [number[], number[], number[]]; center: number[]; scale: number; origin: [number, number] } {
    return { axes: this.axes, center: this.center, scale: this.scale, origin: this.origin };
  }

  /// Bodies that travel far compared with their distances are better followed.
  travels(): boolean {
    return this.spread > 0 && this.size() > 4 * this.spread;
  }

  extent(): string {
    return ["x", "y", "z"]
      .slice(0, this.dimensions)
      .map((name, k) => `${name} between ${num(this.low[k])} and ${num(this.high[k])}`)
      .join(", ");
  }

  private size({ low, high }: Extent = this): number {
    return Math.hypot(...low.map((l, k) => high[k] - l)) || 1;
  }

  project(camera: Camera, width: number, height: number, frame: number, follow: boolean, reach: Reach = this.bare): void {
    const { low, high } = reach;
    this.axes = directions(camera);
    this.center = follow ? this.middle(frame) : low.map((l, k) => (l + high[k]) / 2);
    // As large as fits: turned scenes in a sphere around them, flat ones in their rectangle.
    const fit = follow
      ? (1.15 * Math.min(width, height)) / (2 * reach.around || 1)
      : this.dimensions === 2
        ? Math.min(width / (high[0] - low[0] || 1), height / (high[1] - low[1] || 1))
        : Math.min(width, height) / this.size(reach);
    this.unit = 0.8 * fit;
    this.scale = this.unit * camera.zoom;
    this.origin = [width / 2 + camera.shift[0], height / 2 + camera.shift[1]];
    for (let b = 0; b < this.bodies; ++b) {
      const p = this.point(this.at(frame, b));
      [this.x[b], this.y[b], this.depth[b]] = p;
    }
  }

  private at(frame: number, body: number): number[] {
    const from = (frame * this.bodies + body) * this.dimensions;
    return [this.place[from], this.place[from + 1], this.dimensions === 3 ? this.place[from + 2] : 0];
  }

  private point(p: number[]): [number, number, number] {
    const along = (axis: number[]) => axis.reduce((sum, a, k) => sum + a * (p[k] - this.center[k]), 0);
    return [this.origin[0] + this.scale * along(this.axes[0]), this.origin[1] - this.scale * along(this.axes[1]), along(this.axes[2])];
  }

  /// The body drawn nearest to this place; -1: none within reach.
  bodyAt(x: number, y: number): number {
    let best = { body: -1, distance: 14 };
    for (let b = 0; b < this.bodies; ++b) {
      const distance = Math.hypot(this.x[b] - x, this.y[b] - y);
      if (distance < best.distance) best = { body: b, distance };
    }
    return best.body;
  }

  where(frame: number, body: number): string {
    return this.at(frame, body).slice(0, this.dimensions).map((x) => num(x)).join(", ");
  }

  backToFront(): number[] {
    const order = Array.from({ length: this.bodies }, (_, b) => b);
    return this.dimensions === 2 ? order : order.sort((a, b) => this.depth[a] - this.depth[b]);
  }

  private line(pen: CanvasRenderingContext2D, from: number[], to: number[]): void {
    const [a, b] = [this.point(from), this.point(to)];
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0], b[1]);
  }

  /// What the whole motion reaches.
  box(pen: CanvasRenderingContext2D): void {
    pen.strokeStyle = css("--grid");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let corner = 0; corner < 8; ++corner) {
      const from = [0, 1, 2].map((k) => (corner & (1 << k) ? this.high[k] : this.low[k]));
      for (let k = 0; k < this.dimensions; ++k) {
        if (corner & (1 << k)) continue;
        const to = [...from];
        to[k] = this.high[k];
        this.line(pen, from, to);
      }
    }
    pen.stroke();
  }

  paths(pen: CanvasRenderingContext2D, frame: number, colorOf: (body: number) => string): void {
    pen.lineWidth = 1.25;
    pen.globalAlpha = 0.45;
    for (let b = 0; b < this.bodies; ++b) {
      pen.strokeStyle = colorOf(b);
      pen.beginPath();
      for (let f = Math.max(0, frame - trail); f <= frame; ++f) {
        const [x, y] = this.point(this.at(f, b));
        pen.lineTo(x, y);
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /// Axes of every body: the columns of its rotation.
  turns(pen: CanvasRenderingContext2D, frame: number): void {
    const length = (this.bodies > 30 ? 18 : 36) / this.unit; // about so many pixels before magnifying
    pen.lineWidth = 2;
    for (let b = 0; b < this.bodies; ++b) {
      const from = (frame * this.bodies + b) * 4;
      const [w, x, y, z] = [0, 1, 2, 3].map((k) => this.turn[from + k]);
      const columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
      ];
      const place = this.at(frame, b);
      columns.forEach((column, k) => {
        pen.strokeStyle = color([1, 2, 0][k]);
        pen.beginPath();
        this.line(pen, place, place.map((p, i) => p + length * column[i]));
        pen.stroke();
      });
    }
  }

  /// Which way x, y and z point.
  triad(pen: CanvasRenderingContext2D, height: number, flat: boolean): void {
    const [cx, cy] = [38, height - 38];
    pen.lineWidth = 1.5;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    ["x", "y", "z"].slice(0, flat ? 2 : 3).forEach((name, k) => {
      const [dx, dy] = [24 * this.axes[0][k], -24 * this.axes[1][k]];
      pen.strokeStyle = pen.fillStyle = color([1, 2, 0][k]);
      pen.beginPath();
      pen.moveTo(cx, cy);
      pen.lineTo(cx + dx, cy + dy);
      pen.stroke();
      pen.fillText(name, cx + 1.35 * dx, cy + 1.35 * dy);
    });
  }
}
