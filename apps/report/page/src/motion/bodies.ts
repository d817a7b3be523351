// Bodies as solids: those of one kind in a crowd, meshes and the like one by one.
import { Color, Group, Mesh, MeshLambertMaterial, Quaternion } from "three";

import type { SceneBody } from "../data";
import { after, Crowd } from "./crowd";
import { ownGeometry, unitBall, unitBox, unitCylinder, unitWheel } from "./shapes";
import { type Point, turned, type World } from "./world";

type Kind = "box" | "glass" | "ball" | "cylinder" | "wheel";

interface Solid {
  body: number; // in the motion
  shape: SceneBody;
  sizes: Point;
}

const kindOf = (b: SceneBody): Kind | null => {
  if (b.kind === "point" || b.kind === "sphere") return "ball";
  // What only stands for a body lets one see what is inside.
  if (b.kind === "box" && b.from === "inertia") return "glass";
  return b.kind === "box" || b.kind === "cylinder" || b.kind === "wheel" ? b.kind : null;
};

/// Bars and plates have a thickness that can be seen; what has no size at all is a small ball.
function sizesOf(b: SceneBody, speck: number): Point {
  if (b.kind === "point") return [speck, speck, speck];
  const r = b.radius ?? speck;
  if (b.kind === "sphere") return [r, r, r];
  if (b.kind !== "box") return [r, r, b.length ?? r];
  const edges = b.edges ?? [speck, speck, speck];
  const least = Math.max(0.06 * Math.max(...edges), 1e-3 * speck);
  return [Math.max(edges[0], least), Math.max(edges[1], least), Math.max(edges[2], least)];
}

export class Bodies {
  readonly group = new Group();
  private readonly crowds = new Map<Kind, { crowd: Crowd; members: Solid[] }>();
  private readonly single: { solid: Solid; mesh: Mesh<never, MeshLambertMaterial> }[] = [];

  constructor(
    private readonly world: World,
    speck: number,
    private readonly flat: boolean,
    private readonly colorOf: (body: number) => string,
  ) {
    const members: Record<Kind, Solid[]> = { box: [], glass: [], ball: [], cylinder: [], wheel: [] };
    for (const solid of this.solids(speck)) {
      const kind = kindOf(solid.shape);
      if (kind) members[kind].push(solid);
      else this.addSingle(solid);
    }
    const fine = members.ball.length < 300;
    const geometry = { box: unitBox, glass: unitBox, ball: () => unitBall(fine), cylinder: unitCylinder, wheel: unitWheel };
    for (const kind of ["box", "ball", "cylinder", "wheel", "glass"] as const) {
      if (!members[kind].length) continue;
      const crowd = new Crowd(geometry[kind](), members[kind].length, { painted: kind === "wheel", glass: kind === "glass" && !this.flat });
      this.crowds.set(kind, { crowd, members: members[kind] });
      this.group.add(crowd.mesh);
    }
  }

  private solids(speck: number): Solid[] {
    const shapes = new Map((this.world.data?.bodies ?? []).map((b) => [b.body, b]));
    return this.world.motion.labels.map((label, body) => {
      const shape = shapes.get(label) ?? { body: label, kind: "point" as const, from: "inertia" as const, at: [0, 0, 0], turn: [1, 0, 0, 0] };
      return { body, shape, sizes: sizesOf(shape, speck) };
    });
  }

  private addSingle(solid: Solid): void {
    const geometry = ownGeometry(solid.shape);
    if (!geometry) return;
    const mesh = new Mesh(geometry, new MeshLambertMaterial()) as unknown as Mesh<never, MeshLambertMaterial>;
    mesh.frustumCulled = false;
    this.single.push({ solid, mesh });
    this.group.add(mesh);
  }

  paint(): void {
    for (const { crowd, members } of this.crowds.values()) members.forEach((s, i) => crowd.color(i, this.colorOf(s.body)));
    for (const { solid, mesh } of this.single) mesh.material.color = new Color(this.colorOf(solid.body));
  }

  pose(frame: number): void {
    for (const { crowd, members } of this.crowds.values()) {
      members.forEach((s, i) => crowd.pose(i, ...this.where(frame, s), s.sizes));
    }
    for (const { solid, mesh } of this.single) {
      const [at, turn] = this.where(frame, solid);
      mesh.position.set(...at);
      mesh.quaternion.copy(new Quaternion(turn[1], turn[2], turn[3], turn[0]).normalize());
      mesh.visible = at.every(Number.isFinite);
    }
  }

  private where(frame: number, s: Solid): [Point, ArrayLike<number>] {
    const q = this.world.turnOf(frame, s.body);
    const arm = turned(q, s.shape.at);
    const p = this.world.placeOf(frame, s.body);
    return [[p[0] + arm[0], p[1] + arm[1], p[2] + arm[2]], after(q, s.shape.turn)];
  }
}
