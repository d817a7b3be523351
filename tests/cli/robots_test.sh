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
    END { exit !(NR > 150 && size > 1 && worst < 1e-26) }' || fail "$file: not the motion of the model by hand"
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
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) { if ($i ~ /kinetic/) k = i; if ($i ~ /total/) e = i }; next }
  NR == 2 { first = $e }
  { d = $e - first; if (d * d > worst) worst = d * d; if ($k > most) most = $k }
  END { exit !(k && e && most > 5 && worst < (1e-7 * most)^2) }' floating/results_energy.csv || fail "an arm that floats does not keep its energy"

# The example: the tool is where the angles of the profile put it.
cp "$source"/examples/robot_arm.{yaml,csv} . && mkdir -p parts && cp "$source"/examples/parts/robot_arm.urdf parts
expect 0 check robot_arm.yaml
prints "limits of position are left out" "limits of effort and velocity are left out" "flange.gripper, flange.tool"
expect 0 run robot_arm.yaml --out arm --csv
awk -F, '
  function abs(x) { return x < 0 ? -x : x }
  FNR == NR { if (!/^#/ && $1 + 0 == $1) { for (i = 1; i <= 6; ++i) angle[$1 + 0, i] = $(i + 1); times[$1 + 0] = 1 } next }
  FNR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  ($1 + 0) in times {
    t = $1 + 0; s = angle[t, 2]; a = s + angle[t, 3]; r = angle[t, 4]; p = angle[t, 5]; w = angle[t, 1]
    # Beyond the roll axis, then along the forearm, then about the waist.
    fx = 0.16 + 0.26 + 0.24 * cos(p); fy = 0.24 * sin(p) * sin(r); fz = 0.06 - 0.24 * sin(p) * cos(r)
    x = 0.08 + 0.5 * sin(s) + fx * cos(a) + fz * sin(a); z = 0.45 + 0.5 * cos(s) - fx * sin(a) + fz * cos(a)
    X = x * cos(w) - fy * sin(w); Y = x * sin(w) + fy * cos(w)
    q0 = $column["arm.flange.qw"]; q1 = $column["arm.flange.qx"]; q2 = $column["arm.flange.qy"]; q3 = $column["arm.flange.qz"]
    gx = $column["arm.flange.x"] + 0.16 * (1 - 2 * (q2^2 + q3^2))
    gy = $column["arm.flange.y"] + 0.16 * 2 * (q1 * q2 + q0 * q3)
    gz = $column["arm.flange.z"] + 0.16 * 2 * (q1 * q3 - q0 * q2)
    off = abs(gx - X) + abs(gy - Y) + abs(gz - z); if (off > worst) worst = off; ++seen
  }
  END { printf "tool: %d places, off by %g\n", seen, worst; exit !(seen == 9 && worst < 1e-6) }' robot_arm.csv arm/results.csv >tool ||
  fail "the tool: $(cat tool)"

# At rest the motors hold the weight of what is beyond them.
awk -F, '
  function abs(x) { return x < 0 ? -x : x }
  function add(mass, x) { shoulder += mass * (0.5 * sin(s) + x); elbow += mass * x }
  NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  $1 + 0 == 5.5 {
    w = -1.2; s = 0.4; a = s + 0.8; r = -0.4; p = 0.4; phi = 1.2 + atan2(1, 1); g = 9.81
    add(8, 0.08 * cos(a) + 0.06 * sin(a))
    bx = 0.16; bz = 0.06  # the roll axis on the forearm
    add(4, (bx + 0.1) * cos(a) + bz * sin(a))
    add(1.5, (bx + 0.26 + 0.02 * cos(p)) * cos(a) + (bz - 0.02 * sin(p) * cos(r)) * sin(a))
    add(0.3, (bx + 0.26 + 0.09 * cos(p)) * cos(a) + (bz - 0.09 * sin(p) * cos(r)) * sin(a))
    # The gripper is off the axis of the last joint.
    ux = 0.15; uy = -0.01 * sin(phi); uz = 0.01 * cos(phi)
    vx = ux * cos(p) + uz * sin(p); vz = -ux * sin(p) + uz * cos(p)
    add(0.9, (bx + 0.26 + vx) * cos(a) + (bz + uy * sin(r) + vz * cos(r)) * sin(a))
    shoulder += 12 * 0.24 * sin(s)
    of["shoulder"] = -g * shoulder; of["elbow"] = -g * elbow
    for (name in of) {
      T = -sin(w) * $column[name " drive.Tx"] + cos(w) * $column[name " drive.Ty"]
      printf "%s: %.9g, by hand %.9g\n", name, T, of[name]
      if (abs(T - of[name]) > 1e-5 * abs(of[name])) wrong = 1
      ++seen
    }
  }
  END { exit wrong || seen != 2 }' arm/results_reactions.csv >torques || fail "the torques at rest: $(cat torques)"
cat tool torques

# A wrong file is refused with its line.
sed -i 's/<mass value="8"\/>/<mass value="eight"\/>/' parts/robot_arm.urdf
expect 2 check robot_arm.yaml
says "robot_arm.urdf:47" "forearm.inertial.mass.value" "eight" "is not a number"
