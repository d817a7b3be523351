import { strict as assert } from "node:assert";
import test from "node:test";

import { liveliest, liveliness, strongest } from "../src/run/interest";

const t = Array.from({ length: 101 }, (_, i) => i / 10);
const of = (f: (t: number) => number) => ({ t, y: t.map(f) });

test("a straight course has no life, what is around it counts", () => {
  assert.equal(liveliness(of((x) => 15 * x + 3)), 0);
  assert.equal(liveliness(of(() => 7)), 0);
  const heave = liveliness(of((x) => 15 * x + 0.02 * Math.sin(4 * x)));
  assert.ok(Math.abs(heave - 0.04) < 0.002, String(heave));
});

test("gaps and values that are no numbers are passed over", () => {
  assert.equal(liveliness({ t: [], y: [] }), 0);
  assert.equal(liveliness({ t: [1], y: [5] }), 0);
  const swing = of(Math.sin);
  const holes = { t, y: swing.y.map((y, i) => (i % 7 ? y : NaN)) };
  assert.ok(Math.abs(liveliness(holes) - liveliness(swing)) < 0.1);
});

test("the vehicle heaves first, then pitches; how far it came is not shown", () => {
  const courses = [of((x) => 15 * x), of((x) => 0.01 * Math.sin(9 * x)), of((x) => 0.05 * Math.sin(3 * x)), of((x) => 1e-6 * Math.sin(x))];
  assert.deepEqual(liveliest(courses, 3), [2, 1]);
  assert.deepEqual(liveliest(courses, 1), [2]);
  assert.deepEqual(liveliest([of(Math.sin), of((x) => 0.9 * Math.sin(x)), of((x) => 0.8 * Math.sin(x))], 3, { apart: 2 }), [0, 2]);
  assert.deepEqual(liveliest([of((x) => 1e-11 * Math.sin(x))], 3, { least: 1e-8 }), []);
  assert.deepEqual(liveliest([of(() => 0)], 3), []);
  // It is lively, but on its axis the other would be a straight line.
  assert.deepEqual(liveliest([of((x) => 15 * x + 0.02 * Math.sin(x)), of((x) => 0.05 * Math.sin(3 * x))], 3), [1]);
});

test("the largest forces are those of the largest magnitude, however they live", () => {
  const courses = [of((x) => 5 * Math.sin(x)), of(() => -1000), of((x) => 300 + x), of(() => 0), of(() => NaN)];
  assert.deepEqual(strongest(courses, 3), [1, 2]);
  assert.deepEqual(strongest(courses, 1), [1]);
  assert.deepEqual(strongest([of(() => 0)], 3), []);
});
