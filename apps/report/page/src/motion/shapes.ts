// Geometry of bodies and of what is between them. Unit sizes are scaled by the one who places them.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CurvePath,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  LineCurve3,
  Path,
  Shape,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

import type { SceneBody } from "../data";

/// three.js builds round things about y; ours are about z.
const aboutZ = <G extends BufferGeometry>(g: G): G => g.rotateX(Math.PI / 2) as G;

export const unitBox = () => new BoxGeometry(1, 1, 1);
export const unitBall = (fine: boolean) => new SphereGeometry(1, fine ? 32 : 10, fine ? 20 : 7);
export const unitCylinder = (sides = 40) => aboutZ(new CylinderGeometry(1, 1, 1, sides));
/// From the origin to z = 1.
export const unitRod = (sides = 10) => aboutZ(new CylinderGeometry(1, 1, 1, sides)).translate(0, 0, 0.5);
/// Its point at z = 0, its base at z = -1.
export const unitTip = () => aboutZ(new ConeGeometry(1, 1, 16)).translate(0, 0, -0.5);
/// Its point at the origin, standing below.
export const unitFoot = unitTip;

const light = [1, 1, 1];
const rubber = [0.13, 0.13, 0.14];

function painted(g: BufferGeometry, colour: number[]): BufferGeometry {
  const flat = g.index ? g.toNonIndexed() : g;
  const n = flat.getAttribute("position").count;
  const colours = new Float32Array(3 * n);
  for (let i = 0; i < n; ++i) colours.set(colour, 3 * i);
  flat.setAttribute("color", new BufferAttribute(colours, 3));
  flat.deleteAttribute("uv");
  return flat;
}

/// Radius and width 1; five spokes show that it turns.
export function unitWheel(): BufferGeometry {
  const tyre = painted(ring(1, 0.66, 1), rubber);
  const hub = painted(aboutZ(new CylinderGeometry(0.22, 0.22, 0.9, 24)), light);
  const spokes = [0, 1, 2, 3, 4].map((k) => painted(new BoxGeometry(0.72, 0.13, 0.6).translate(0.36, 0, 0).rotateZ((2 * Math.PI * k) / 5), light));
  return mergeGeometries([tyre, hub, ...spokes])!;
}

function ring(outer: number, inner: number, length: number): BufferGeometry {
  const face = new Shape();
  face.absarc(0, 0, outer, 0, 2 * Math.PI, false);
  const hole = new Path();
  hole.absarc(0, 0, inner, 0, 2 * Math.PI, true);
  face.holes.push(hole);
  return new ExtrudeGeometry(face, { depth: length, bevelEnabled: false, curveSegments: 32 }).translate(0, 0, -length / 2);
}

/// A coil about z from 0 to 1 of radius 1, to be stretched: its wire is round where it is `slender` times as long
/// as its radius.
export function unitCoil(slender: number, turns = 7): BufferGeometry {
  const wire = Math.min(0.16, (0.2 * slender) / turns);
  const path = new CurvePath<Vector3>();
  const points = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.06 * slender)];
  const steps = turns * 14;
  for (let i = 0; i <= steps; ++i) {
    const angle = (2 * Math.PI * turns * i) / steps;
    points.push(new Vector3(Math.cos(angle), Math.sin(angle), (0.1 + (0.8 * i) / steps) * slender));
  }
  points.push(new Vector3(0, 0, 0.94 * slender), new Vector3(0, 0, slender));
  for (let i = 1; i < points.length; ++i) path.add(new LineCurve3(points[i - 1], points[i]));
  return new TubeGeometry(path, points.length * 2, wire, 5).scale(1, 1, 1 / slender);
}

function mesh(b: SceneBody): BufferGeometry {
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(b.points ?? [], 3));
  g.setIndex(b.triangles ?? []);
  const flat = g.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/// Shapes that are not a scaled unit shape; null: it is one.
export function ownGeometry(b: SceneBody): BufferGeometry | null {
  if (b.kind === "mesh") return mesh(b);
  if (b.kind === "capsule") return aboutZ(new CapsuleGeometry(b.radius ?? 0, b.length ?? 0, 10, 28));
  if (b.kind === "tube") return ring(b.radius ?? 0, b.inner ?? 0, b.length ?? 0);
  return null;
}
