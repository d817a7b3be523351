import { strict as assert } from "node:assert";
import test from "node:test";

import { evenLines } from "../src/chart/ticks";

test("lines are multiples of the increment", () => {
  assert.deepEqual(evenLines(-0.3, 1.1, 0.5), [0, 0.5, 1]);
  assert.deepEqual(evenLines(0, 10, 5), [0, 5, 10]);
  assert.deepEqual(evenLines(1, 1, 1), []);
  assert.deepEqual(evenLines(0, 1, 0), []);
  assert.deepEqual(evenLines(0, Infinity, 1), []);
});

test("an axis has two numbers at least", () => {
  assert.deepEqual(evenLines(-30, 70, 100), [0, 50]);
  assert.deepEqual(evenLines(2.1, 7, 5), [4, 6]);
  assert.deepEqual(evenLines(2.6, 6, 2.5), [3, 4, 5, 6]);
  for (const [min, max] of [[1e6, 1e6 + 3], [1e-9, 1.2e-9], [-7.3e-5, -7.1e-5], [0.2, 1e300]]) {
    const lines = evenLines(min, max, 10 ** Math.ceil(Math.log10(max - min)));
    assert.ok(lines.length >= 2 && lines.length < 30, `${min} to ${max}: ${lines}`);
    for (const line of lines) assert.ok(line >= min - 1e-6 * (max - min) && line <= max + 1e-6 * (max - min), `${line}`);
  }
});
