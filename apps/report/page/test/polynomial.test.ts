import { strict as assert } from "node:assert";
import test from "node:test";

import { newton, pieces } from "../src/run/polynomial";

const times = [0, 0.1, 0.25, 0.3, 0.5, 0.8];
const cubic = (t: number) => 2 - t + 3 * t * t - 4 * t ** 3;

test("a polynomial is found again from its points", () => {
  const p = newton(times.slice(0, 4), times.slice(0, 4).map(cubic));
  for (const t of [-0.3, 0.05, 0.7, 2]) assert.ok(Math.abs(p(t) - cubic(t)) < 1e-12);
});

test("extrapolation passes through the points up to the start of the step and jumps at its end", () => {
  const u = times.map(cubic);
  u[5] += 0.25;
  const list = pieces("extrapolation", times, u, times.map(() => 3));
  assert.deepEqual(list.map((p) => p.step), [4, 5]); // earlier steps lack points
  for (const p of list) assert.ok(Math.abs(p.u[0] - u[p.step - 1]) < 1e-12);
  assert.ok(Math.abs(list[0].jump.to - list[0].jump.from) < 1e-12);
  assert.ok(Math.abs(list[1].jump.to - list[1].jump.from - 0.25) < 1e-12);
  assert.equal(list[1].jump.t, 0.8);
});

test("of degree zero it holds the value", () => {
  const list = pieces("extrapolation", [0, 1, 2], [5, 7, 4], [0, 0, 0]);
  assert.deepEqual(list.map((p) => new Set(p.u)), [new Set([5]), new Set([7])]);
  assert.deepEqual(list.map((p) => p.jump), [{ t: 1, from: 5, to: 7 }, { t: 2, from: 7, to: 4 }]);
});

test("interpolation passes through the end of the step and the points before", () => {
  const u = times.map((t) => Math.sin(5 * t));
  const list = pieces("interpolation", times, u, [0, 1, 2, 2, 2, 0]);
  assert.deepEqual(list.map((p) => p.step), [1, 2, 3, 4, 5]);
  for (const p of list) assert.ok(Math.abs(p.u[p.u.length - 1] - u[p.step]) < 1e-12);
  for (const p of list.slice(0, 4)) assert.ok(Math.abs(p.jump.to - p.jump.from) < 1e-12);
  assert.deepEqual(list[4].jump, { t: 0.5, from: u[4], to: u[5] });
});
