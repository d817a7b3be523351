import { strict as assert } from "node:assert";
import test from "node:test";

import { course, nearest, range, values } from "../src/base/numbers";

const base64 = (array: ArrayBufferView) => Buffer.from(array.buffer).toString("base64");

test("numbers come out as they were put in", () => {
  const v = [0, -1.5, 1e-300, 3.25];
  assert.deepEqual(Array.from(values({ f64: base64(Float64Array.from(v)) })), v);
  assert.deepEqual(Array.from(values({ f32: base64(Float32Array.of(0.5, -2)) })), [0.5, -2]);
  assert.deepEqual(Array.from(values({ i32: base64(Int32Array.of(-7, 1 << 30)) })), [-7, 1 << 30]);
  assert.deepEqual(Array.from(values({ u8: base64(Uint8Array.of(0, 255)) })), [0, 255]);
});

test("what is missing has no values, what JSON cannot hold is no number", () => {
  assert.equal(values(null).length, 0);
  assert.equal(values(undefined).length, 0);
  assert.deepEqual(Array.from(values([1, null as unknown as number])), [1, NaN]);
  assert.equal(course(null).t.length, 0);
});

test("decoded once", () => {
  const n = { f64: base64(Float64Array.of(1)) };
  assert.equal(values(n), values(n));
});

test("a course is as long as its shorter half", () => {
  const c = course({ t: [0, 1, 2], y: [5, 6], of: 3 });
  assert.deepEqual([Array.from(c.t), Array.from(c.y)], [[0, 1], [5, 6]]);
});

test("range passes over what is no number", () => {
  assert.deepEqual(range([NaN, 2, null, -1, Infinity]), { min: -1, max: 2, at_min: 3, at_max: 1 });
  assert.equal(range([NaN, null]), null);
});

test("nearest", () => {
  const v = [0, 1, 4];
  assert.deepEqual([-3, 0.4, 0.6, 3, 99].map((x) => nearest(v, x)), [0, 0, 1, 2, 2]);
  assert.equal(nearest([], 1), -1);
});
