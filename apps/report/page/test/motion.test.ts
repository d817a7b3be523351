import { strict as assert } from "node:assert";
import test from "node:test";

import { csvOf } from "../src/chart/csv";
import type { Motion, Run, SceneData } from "../src/data";
import { arrowOf, forcesOf, largest, lengthPerForce, tipsOf, valueAt } from "../src/motion/forces";
import { planeCamera } from "../src/motion/camera";
import { unitCoil, unitWheel } from "../src/motion/shapes";
import { heightOf, readScene, turned, World } from "../src/motion/world";

const quarter = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // about z
const near = (a: ArrayLike<number>, b: number[]) => b.forEach((x, i) => assert.ok(Math.abs(a[i] - x) < 1e-6, `${Array.from(a)} is not ${b}`));

const motion: Extract<Motion, { kind: "space" }> = {
  kind: "space", t: [0, 1], names: ["a", "b"], labels: [4, 9], part: [1, 1], dimensions: 3,
  place: [0, 0, 0, 5, 0, 0, 1, 2, 3, 5, 0, 0], turn: [1, 0, 0, 0, 1, 0, 0, 0, ...quarter, 1, 0, 0, 0], links: [],
};
const scene: SceneData = {
  format: 1, gravity: [0, 0, -9.81],
  bodies: [{ body: 4, kind: "box", from: "inertia", at: [0, 0, 0], turn: [1, 0, 0, 0], edges: [2, 4, 4] }],
  elements: [{ name: "s", kind: "spring", from: { body: 0, at: [0, 0, 1] }, to: { body: 4, at: [1, 0, 0] } }],
  joints: [{ name: "j", kind: "revolute", from: { body: 4, at: [0, 0, 0] }, to: { body: 9, at: [0, 0, 0] }, axis: [1, 0, 0] }],
  roads: [],
};

test("points go with their bodies", () => {
  near(turned(quarter, [1, 0, 0]), [0, 1, 0]);
  const world = new World(motion, scene);
  near(world.end(0, scene.elements[0].to)!, [1, 0, 0]);
  near(world.end(1, scene.elements[0].to)!, [1, 3, 3]);
  near(world.end(1, scene.elements[0].from)!, [0, 0, 1]);
  near(world.along(1, scene.joints[0].from, [1, 0, 0]), [0, 1, 0]);
  assert.equal(world.end(0, { body: 7, at: [0, 0, 0] }), null, "a body that is not in the page");
  assert.equal(world.radius(), 3);
  assert.deepEqual(world.groundPoints(), [[0, 0, 1]]);
});

test("forces act on the body at the second end, the other way than in the table", () => {
  const series = (y: number[]) => ({ t: [0, 1], y, of: 2 });
  const tables = [
    { name: "elements", columns: [{ name: "s.Fz", series: series([10, 30]) }, { name: "s.Fx", series: series([0, -40]) }] },
    { name: "reactions", columns: [{ name: "j.Fy", series: series([5, 5]) }] },
  ];
  const forces = forcesOf({ tables } as unknown as Run, scene);
  assert.deepEqual(forces.map((f) => [f.name, f.at.body, f.sign]), [["s", 4, -1], ["j", 9, 1]]);
  assert.equal(valueAt(forces[0].components[2], 0.25), 15);
  assert.equal(valueAt(forces[0].components[2], 9), 30);
  assert.equal(valueAt(null, 0), 0);
  assert.equal(largest(forces), 50);
});

test("a sliding joint has its line from the body that carries it to the end that slides", () => {
  const flat = { ...motion, dimensions: 2 as const, place: [0, 0, 0, -5, 1, 0, 1, -3], turn: null };
  const hoist = { name: "hoist", kind: "prismatic", from: { body: 4, at: [0, -9, 0] }, to: { body: 9, at: [0, 0, 0] }, axis: [0, 2, 0] };
  const world = new World(flat, { ...scene, joints: [hoist] });
  const [drum, load] = world.guide(1, hoist)!;
  near(drum, [1, 0, 0]);
  near(load, [1, -3, 0]);
  const rail = { ...hoist, from: { body: 0, at: [2, 0, 0] } };
  near(world.guide(0, rail)![0], [2, 0, 0]);
  assert.equal(world.guide(0, { ...hoist, to: { body: 7, at: [0, 0, 0] } }), null, "a body that is not in the page");
});

test("arrows of forces are inside of the picture", async () => {
  Object.assign(globalThis, { window: { matchMedia: () => ({ matches: false }) } }); // colours ask for it
  const { Scene } = await import("../src/motion/scene");
  const flat = { ...motion, dimensions: 2 as const, place: [0, 0, 0, -5, 0, 0, 0, -5], turn: null };
  const world = new World(flat, scene);
  const view = new Scene(flat, 2);
  const series = { t: [0, 1], y: [100, 400], of: 2 };
  const force = forcesOf({ tables: [{ name: "reactions", columns: [{ name: "j.Fy", series }] }] } as unknown as Run, { ...scene, joints: [{ ...scene.joints[0], to: { body: 4, at: [0, 0, 0] } }] });
  const scale = lengthPerForce(force, view.pictured());
  near(arrowOf(world, force[0], 1, 1, scale)![1], [0, 1.5, 0]);
  const tips = tipsOf(world, force, [0, 1], view.pictured());
  const row = (p: number) => { const { origin, scale: pixels, center } = view.mapping(); return origin[1] - pixels * (p - center[1]); };
  view.project(planeCamera(), 400, 300, 1, false);
  assert.ok(row(1.5) < 0, "without the arrows it would be cut off");
  view.project(planeCamera(), 400, 300, 1, false, view.reachOf(tips));
  assert.ok(row(1.5) > 0 && row(-5) < 300, `${row(1.5)}`);
  view.project(planeCamera(), 400, 300, 1, true, view.reachOf(tips));
  assert.ok(row(1.5) > 0 && row(-5) < 300, "followed");
});

test("the road is the sum of its waves", () => {
  const road = { up: 2 as const, height: 0.5, waves: [0.1, 4, 0, 0.02, 1, Math.PI / 2] };
  assert.ok(Math.abs(heightOf(road, 1) - 0.62) < 1e-12);
});

test("planes are sheets under the motion that end at each other", async () => {
  const { planeOf, sheetOf } = await import("../src/motion/fixed");
  const s = Math.SQRT1_2;
  const plane = (at: number[], turn: number[]) => planeOf({ name: "p", kind: "plane", at, turn });
  const floor = plane([7, 7, -1], [1, 0, 0, 0]);
  const west = plane([-1, 0, 0], [s, 0, s, 0]);
  near(west.along[2], [1, 0, 0]);
  const extent = { low: [-1, -2, 0], high: [3, 2, 4] };
  const range = (sheet: number[][], k: number) => [Math.min(...sheet.map((p) => p[k])), Math.max(...sheet.map((p) => p[k]))];
  const alone = sheetOf(floor, [], extent, 0.5);
  near([0, 1, 2].flatMap((k) => range(alone, k)), [-1.5, 3.5, -2.5, 2.5, -1, -1]);
  const inside = sheetOf(floor, [west], extent, 0.5);
  near([0, 1].flatMap((k) => range(inside, k)), [-1, 3.5, -2.5, 2.5]);
  near([0, 1, 2].flatMap((k) => range(sheetOf(west, [floor], extent, 0.5), k)), [-1, -1, -2.5, 2.5, -0.5, 4.5]);
  const below = plane([0, 0, -5], [1, 0, 0, 0]);
  assert.equal(sheetOf(below, [floor], extent, 0.5).length, 4, "wholly below another one, it is shown as it is");
});

test("what is fixed to the ground is one solid with edges, and sheets with lines", async () => {
  const { Fixed } = await import("../src/motion/fixed");
  const extent = { low: [-1, -1, 0], high: [1, 1, 1] };
  const at = { at: [0, 0, 0], turn: [1, 0, 0, 0] };
  const shapes = [
    { name: "floor", kind: "plane" as const, ...at },
    { name: "step", kind: "box" as const, at: [4, 0, 0.5], turn: quarter, edges: [1, 2, 1] },
    { name: "roll", kind: "cylinder" as const, ...at, radius: 0.5, length: 2 },
    { name: "hill", kind: "mesh" as const, ...at, points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] },
  ];
  const children = (list: typeof shapes, flat: boolean) => new Fixed(list, extent, [0, 0, -9.81], 2, flat).group.children as unknown as import("three").Mesh[];
  const [sheets, outlines, solids, edges] = children(shapes, false);
  assert.equal(sheets.geometry.getAttribute("position").count, 6);
  assert.ok(outlines.geometry.getAttribute("position").count > 20, "with a grid");
  solids.geometry.computeBoundingBox();
  near(solids.geometry.boundingBox!.max.toArray(), [5, 1, 1]);
  assert.ok(edges.geometry.getAttribute("position").count > 24);
  assert.equal(children([shapes[0]], true).length, 0, "in the plane it would fill the picture");
});

test("what is damaged in a scene is left out", () => {
  assert.equal(readScene(null), null);
  const bad = { format: 1, bodies: [null, 3, scene.bodies[0]], elements: { a: 1 }, joints: [{ from: 1 }, ...scene.joints], ground: [{ kind: "plane" }, { kind: "box", at: [0, 0, 0], turn: [1, 0, 0, 0] }, 4] };
  const read = readScene(bad as unknown as SceneData)!;
  assert.deepEqual([read.bodies.length, read.elements.length, read.joints.length, read.roads.length, read.ground!.length], [1, 0, 1, 0, 0]);
});

test("unit shapes have unit sizes", () => {
  const coil = unitCoil(10);
  coil.computeBoundingBox();
  assert.ok(Math.abs(coil.boundingBox!.min.z) < 0.02 && Math.abs(coil.boundingBox!.max.z - 1) < 0.02, "but for the wire");
  const wheel = unitWheel();
  wheel.computeBoundingBox();
  near([wheel.boundingBox!.max.x, wheel.boundingBox!.max.z, wheel.boundingBox!.min.z], [1, 0.5, -0.5]);
});

test("a table of numbers leaves out lines that are hidden and times without values", () => {
  const lines = [{ name: 'a "x"', color: 0, x: [], y: [] }, { name: "b", color: 1, x: [], y: [] }];
  const options = { title: "T", x: { label: "t" }, y: { label: "y" }, lines };
  const rows = [[0, 1, 2], [1, undefined, 3.5], [4, 5, null]];
  assert.equal(csvOf({ options, rows, shown: [true, true] }), 't,"a ""x""",b\n0,1,4\n1,,5\n2,3.5,\n');
  assert.equal(csvOf({ options, rows, shown: [true, false] }), 't,"a ""x"""\n0,1\n2,3.5\n');
});
