import { strict as assert } from "node:assert";
import test from "node:test";

import { decadesAround, logLines } from "../src/chart/decades";

test("ranges are whole decades", () => {
  assert.deepEqual(decadesAround(3e-5, 0.2), [1e-5, 1]);
  assert.deepEqual(decadesAround(1e-3, 1e-3), [1e-4, 1e-3]);
  assert.deepEqual(decadesAround(1e-12, 5, 5), [1e-4, 10]);
});

test("lines are powers of ten that fit, or numbers between", () => {
  assert.deepEqual(logLines(1e-5, 1, 10), [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1]);
  assert.deepEqual(logLines(1, 100, 10), [1, 2, 5, 10, 20, 50, 100]);
  assert.equal(logLines(10, 100, 10).length, 10);
  assert.ok(logLines(1e-30, 1, 8).length <= 9);
});

test("very small numbers end", () => {
  assert.ok(logLines(1e-300, 1e-299, 10).length > 0);
  assert.ok(logLines(5e-324, 1, 10).length <= 12);
  assert.deepEqual(logLines(0, 1, 10), []);
});
