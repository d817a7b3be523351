// Arrows of forces. The longest of the whole run is a fixed share of the picture.
import { Group } from "three";

import { Crowd } from "./crowd";
import { arrowOf, type Force, lengthPerForce } from "./forces";
import { unitRod, unitTip } from "./shapes";
import type { Point, World } from "./world";

export class Arrows {
  readonly group = new Group();
  private readonly shafts: Crowd;
  private readonly heads: Crowd;
  private readonly scale: number; // length per force

  constructor(
    private readonly world: World,
    private readonly forces: Force[],
    private readonly size: number,
  ) {
    this.shafts = new Crowd(unitRod(), Math.max(forces.length, 1));
    this.heads = new Crowd(unitTip(), Math.max(forces.length, 1));
    this.scale = lengthPerForce(forces, size);
    this.group.add(this.shafts.mesh, this.heads.mesh);
  }

  paint(color: string): void {
    this.forces.forEach((_, i) => (this.shafts.color(i, color), this.heads.color(i, color)));
  }

  pose(frame: number, t: number): void {
    this.forces.forEach((f, i) => {
      const [at, tip] = arrowOf(this.world, f, frame, t, this.scale) ?? [null, null];
      const way: Point = at ? [tip[0] - at[0], tip[1] - at[1], tip[2] - at[2]] : [0, 0, 0];
      const length = Math.hypot(...way);
      if (!at || !(length > 0.004 * this.size)) {
        this.shafts.hide(i);
        this.heads.hide(i);
        return;
      }
      const head = Math.min(0.035 * this.size, 0.6 * length);
      const along: Point = [way[0] / length, way[1] / length, way[2] / length];
      const neck: Point = [tip[0] - head * along[0], tip[1] - head * along[1], tip[2] - head * along[2]];
      this.shafts.span(i, at, neck, 0.005 * this.size);
      this.heads.point(i, tip, along, [0.4 * head, 0.4 * head, head]);
    });
  }
}
