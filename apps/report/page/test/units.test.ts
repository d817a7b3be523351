import { strict as assert } from "node:assert";
import test from "node:test";

import { quantityIn, quantityOf, startUnits, withUnits } from "../src/base/units";

const units = { length: "mm", time: "s", angle: "rad", force: "N", torque: "N mm", energy: "mJ", velocity: "mm/s" };

test("labels have the units of what they measure", () => {
  startUnits([{ units }]);
  assert.equal(withUnits("t", ["time"]), "t in s");
  assert.equal(withUnits("position", ["x", "y", "phi"].map((n) => quantityOf(n, false))), "position in mm, rad");
  assert.equal(withUnits("velocity", [quantityOf("x", true)]), "velocity in mm/s");
  assert.equal(withUnits("elements", ["a.Fx", "a.Tz_from"].map((n) => quantityIn("elements", n))), "elements in N, N mm");
  assert.equal(withUnits("energy", [quantityIn("energy", "total")]), "energy in mJ");
  assert.equal(withUnits("outputs", [quantityIn("outputs", "pid.out")]), "outputs");
  assert.equal(withUnits("position", [quantityOf("qw", false)]), "position");
});

test("without units, or where runs disagree, labels stay", () => {
  startUnits([{}]);
  assert.equal(withUnits("t", ["time"]), "t");
  startUnits([null]);
  assert.equal(withUnits("t", ["time"]), "t");
  startUnits([{ units }, { units: { ...units, length: "m" } }]);
  assert.equal(withUnits("t", ["time"]), "t");
  startUnits([{ units }, { units }]);
  assert.equal(withUnits("t", ["time"]), "t in s");
});
