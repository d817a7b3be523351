#!/usr/bin/env bash
# Robots from URDF and MJCF: the same motion as that of a model written by hand, energy, and the example against closed forms.
source "$(dirname "$0")/prelude.sh" "$@"

# A double pendulum in space, whose second axis is turned; three times the same.
cat >pendulum.urdf <<'END'
<robot name="pendulum">
  <link name="world"/>
  <link name="a"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.21" izz="0.02"/></inertial></link>
  <link name="b"><inertial><origin xyz="0 0.1 -0.3"/><mass value="1"/><inertia ixx="0.05" iyy="0.06" izz="0.02" iyz="0.01"/></inertial></link>
  <link name="weight"><inertial><origin xyz="0 0 -0.2"/><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <joint name="u" type="continuous"><parent link="world"/><child link="a"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/><dynamics damping="0.1"/></joint>
  <joint name="v" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 -1" rpy="0 0 0.5"/><axis xyz="1 0 0"/></joint>
  <joint name="w" type="fixed"><parent link="b"/><child link="weight"/><origin xyz="0 0 -0.5" rpy="0.3 0 0"/></joint>
</robot>
END
cat >pendulum.xml <<'END'
<mujoco>
  <compiler angle="radian"/>
  <default><joint axis="0 1 0"/></default>
  <worldbody>
    <body name="a" pos="0 0 2">
      <joint name="u" damping="0.1"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.2 0.21 0.02"/>
      <body name="b" pos="0 0 -1" euler="0 0 0.5">
        <joint name="v" axis="1 0 0"/>
        <inertial pos="0 0.1 -0.3" mass="1" fullinertia="0.05 0.06 0.02 0 0 0.01"/>
        <body name="weight" pos="0 0 -0.5" euler="0.3 0 0"><inertial pos="0 0 -0.2" mass="0.5" diaginertia="0.01 0.01 0.01"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
END
# The weight is part of b: centre and inertia by hand.
read -r cy cz xx yy zz yz <<<"$(awk 'BEGIN {
  wy = -0.2 * -sin(0.3); wz = -0.5 - 0.2 * cos(0.3)
  cy = (0.1 + 0.5 * wy) / 1.5; cz = (-0.3 + 0.5 * wz) / 1.5
  dy = 0.1 - cy; dz = -0.3 - cz; ey = wy - cy; ez = wz - cz
  printf "%.17g %.17g %.17g %.17g %.17g %.17g", cy, cz, 0.06 + dy^2 + dz^2 + 0.5 * (ey^2 + ez^2), 0.07 + dz^2 + 0.5 * ez^2,
    0.03 + dy^2 + 0.5 * ey^2, 0.01 - dy * dz - 0.5 * ey * ez }')"
head='cosimo: 1
model:
  gravity: [4, 3, -9.81]'
tail='simulate: {end: 3, output: 0.02}
solve: {method: rk, rtol: 1.0e-10}'
cat >hand.yaml <<END
$head
  bodies:
    - {name: a, kind: rigid, mass: 2, inertia: [0.2, 0.21, 0.02], center: [0, 0, -0.5], position: [0, 0, 2]}
    - {name: b, kind: rigid, mass: 1.5, inertia: [$xx, $yy, $zz, 0, 0, $yz], center: [0, $cy, $cz], position: [0, 0, 1],
       orientation: {axis: [0, 0, 1], angle: 0.5}}
  joints:
    - {name: u, kind: revolute, to: a, at: [0, 0, 2], axis: [0, 1, 0]}
    - {name: v, kind: revolute, from: a, to: b, at: [0, 0, 1], axis: ["cos(0.5)", "sin(0.5)", 0]}
  elements:
    - {name: drag, kind: law, joint: u, force: "0.1*rate"}
$tail
END
expect 0 run hand.yaml --out hand --csv
for file in urdf xml; do
  printf '%s\n  submodels: [{use: pendulum.%s, name: p}]\n%s\n' "$head" $file "$tail" >$file.yaml
  expect 0 run $file.yaml --out $file --csv
  paste -d, hand/results.csv $file/results.csv | awk -F, 'NR > 1 { for (i = 2; i <= NF / 2; ++i) {
      d = $i - $(i + NF / 2); if (d * d > worst) worst = d * d; if ($i * $i > size) size = $i * $i } }
    END { exit !(NR > 150 && size > 1 && worst < 1e-22) }' || fail "$file: not the motion of the model by hand"
done

# An arm that floats, bent by a spring: what it loses in the spring it has in motion.
sed '/<dynamics/d' "$source/examples/parts/robot_arm.urdf" >floating.urdf
cat >floating.yaml <<'END'
cosimo: 1
model:
  submodels: [{use: floating.urdf, name: arm}]
  elements: [{name: bow, kind: spring, from: arm.base, to: arm.flange.tool, c: 400, length: 0.5}]
simulate: {end: 3, output: 0.05}
solve: {rtol: 1.0e-9}
END
expect 0 run floating.yaml --out floating --csv
cp "$source"/examples/robot_arm.{yaml,csv} . && mkdir -p parts && cp "$source"/examples/parts/robot_arm.urdf parts
expect 0 run robot_arm.yaml --out arm --csv
ls floating arm >&2
