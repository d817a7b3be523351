// Many things of one shape, drawn together: each has a place, a rotation, sizes and a colour.
import { type BufferGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";

import type { Point } from "./world";

const x = new Vector3();
const y = new Vector3();
const z = new Vector3();
const place = new Vector3();
const scale = new Vector3();
const quaternion = new Quaternion();
const matrix = new Matrix4();
const nowhere = new Matrix4().makeScale(0, 0, 0);
const unitZ = new Vector3(0, 0, 1);

export class Crowd {
  readonly mesh: InstancedMesh;

  /// `painted`: the geometry has colours of its own, which those of the things tint.
  constructor(geometry: BufferGeometry, count: number, { painted = false, glass = false } = {}) {
    const look = glass ? { transparent: true, opacity: 0.4, depthWrite: false } : {};
    this.mesh = new InstancedMesh(geometry, new MeshLambertMaterial({ vertexColors: painted, ...look }), count);
    this.mesh.frustumCulled = false;
    for (let i = 0; i < count; ++i) this.hide(i);
  }

  color(i: number, css: string): void {
    this.mesh.setColorAt(i, new Color(css));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  hide(i: number): void {
    this.mesh.setMatrixAt(i, nowhere);
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  pose(i: number, at: Point, turn: ArrayLike<number>, sizes: Point): void {
    if (!at.every(Number.isFinite)) return this.hide(i);
    quaternion.set(turn[1], turn[2], turn[3], turn[0]).normalize();
    this.put(i, at, sizes);
  }

  /// Its z axis along a direction.
  point(i: number, at: Point, along: Point, sizes: Point): void {
    if (!at.every(Number.isFinite) || !along.every(Number.isFinite)) return this.hide(i);
    quaternion.setFromUnitVectors(unitZ, z.set(...along).normalize());
    this.put(i, at, sizes);
  }

  /// From one point to another; `width` across.
  span(i: number, from: Point | null, to: Point | null, width: number): void {
    if (!from || !to) return this.hide(i);
    const way: Point = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const length = Math.hypot(...way);
    if (!(length > 0)) return this.hide(i);
    this.point(i, from, way, [width, width, length]);
  }

  private put(i: number, at: Point, sizes: Point): void {
    matrix.compose(place.set(...at), quaternion, scale.set(...sizes));
    this.mesh.setMatrixAt(i, matrix);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/// q after p: rotates first by p, then by q.
export function after(q: ArrayLike<number>, p: ArrayLike<number>): number[] {
  const a = new Quaternion(q[1], q[2], q[3], q[0]);
  a.multiply(new Quaternion(p[1], p[2], p[3], p[0]));
  return [a.w, a.x, a.y, a.z];
}

export const basis = (right: number[], up: number[], eye: number[]): Matrix4 =>
  new Matrix4().makeBasis(x.fromArray(right), y.fromArray(up), z.fromArray(eye));
