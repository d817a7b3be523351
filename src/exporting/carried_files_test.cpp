// Scenarios with the files they name, copied to where nothing else is: they load there, to the same model.
#include "exporting/carried_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"
#include "simulation/load.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::exporting {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class CarriedFiles : public ::testing::Test {
 protected:
  fs::path put(const std::string& name, const std::string& text) const {
    const fs::path file = place_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

  /// Carried to another folder; what they came from is gone when they are loaded.
  config::Scenario alone(const fs::path& scenario, const std::vector<std::string>& settings = {}) const {
    const Carried carried = carry_files(scenario, settings, copy_.path());
    fs::rename(place_.path() / "in", place_.path() / "gone");
    return cosimo::load(copy_.path() / carried.scenario, carried.settings);
  }

  test::TemporaryFolder place_, copy_;
};

const char* const tail = "simulate: {end: 1, output: 0.1}\n";

TEST(CarriedExamples, LoadWhereTheyAreCopied) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(COSIMO_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    const test::TemporaryFolder copy;
    const config::Scenario there = cosimo::load(entry.path(), {});
    const Carried carried = carry_files(entry.path(), {}, copy.path());
    EXPECT_NO_THROW({
      const config::Scenario here = cosimo::load(copy.path() / carried.scenario, {});
      EXPECT_EQ(here.simulate.end, there.simulate.end) << entry.path();
    }) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 30);
}

TEST_F(CarriedFiles, SubmodelsTablesAndMeshesTravel) {
  put("in/data/push's \"one\".csv", "t,y\n0,0\n1,1\n2,0\n");
  put("in/data/course.csv", "t,y\n0,0\n1,1\n2,0\n");
  put("in/data/box.stl",
      "solid s\n"
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
      "endsolid s\n");
  put("in/parts/scenario.yaml", R"(parameters: {m: 1}
curves: [{name: course, file: '../data/push''s "one".csv'}]
bodies:
  - {name: disc, kind: planar, mass: m, inertia: 1, position: [0, 0]}
joints:
  - {name: pin, kind: revolute, to: disc, at: [0, 0]}
  - {name: drive, kind: motor, joint: pin, speed: {table: {file: ../data/course.csv, x: t, y: y}}}
)");
  const fs::path file = put("in/deep/scenario.yaml", std::string(R"(cosimo: 1
model:
  submodels: [{use: ../parts/scenario.yaml, name: a}, {use: "../parts/\x73cenario.yaml", name: b, set: {m: 2}}]
  bodies:
    - {name: block, kind: rigid, position: [0, 0, 0], density: 1000, shape: {mesh: {file: &mesh ../data/box.stl}}}
    - {name: other, kind: rigid, position: [0, 0, 0], density: 1000, shape: {mesh: {file: *mesh}}}
)") + tail);
  const config::Scenario before = cosimo::load(file, {});
  EXPECT_EQ(alone(file).simulate.end, 1);
  int copies = 0;
  for (const auto& each : fs::recursive_directory_iterator(copy_.path())) copies += each.is_regular_file();
  EXPECT_EQ(copies, 5);
}

TEST_F(CarriedFiles, RobotsTravelWithTheirMeshes) {
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  put("in/robot_description/meshes/link.obj", tetrahedron);
  put("in/shapes/weight.obj", tetrahedron);
  put("in/robot_description/urdf/arm.urdf", R"(<?xml version="1.0"?>
<!-- a note: with a colon, and a "quotation -->
<robot name="arm"><link name="world"/><link name="a">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://robot_description/meshes/link.obj"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint></robot>
)");
  put("in/robots/swing.xml", R"(<mujoco><compiler meshdir="../shapes"/><include file="inner.xml"/>
<worldbody><body name="b"><joint name="h"/><geom type="mesh" mesh="weight"/></body></worldbody></mujoco>
)");
  put("in/robots/inner.xml", "<mujoco><include file=\"asset.xml\"/></mujoco>");
  put("in/robots/asset.xml", "<mujoco><asset><mesh file=\"weight.obj\"/></asset></mujoco>");
  const fs::path file = put("in/deep/model.yaml", std::string(R"(cosimo: 1
model:
  submodels:
    - {use: ../robot_description/urdf/arm.urdf, name: arm}
    - {use: ../robots/swing.xml, name: swing}
)") + tail);
  const config::Scenario before = cosimo::load(file, {});
  const config::Scenario after = alone(file);
  ASSERT_EQ(after.mechanism->bodies.size(), 2U);
  EXPECT_EQ(after.mechanism->bodies[1].mass, before.mechanism->bodies[1].mass);
  EXPECT_EQ(after.mechanism->bodies[1].inertia, before.mechanism->bodies[1].inertia);
  int meshes = 0;
  for (const auto& each : fs::recursive_directory_iterator(copy_.path()))
    meshes += each.path().extension() == ".obj";
  EXPECT_EQ(meshes, 2);
}

TEST_F(CarriedFiles, SettingsNameFilesToo) {
  put("in/elsewhere/course.csv", "t,y\n0,0\n1,1\n2,0\n");
  const fs::path file = put("in/deep/model.yaml", std::string(R"(cosimo: 1
model:
  curves: [{name: course, file: missing.csv}]
  chain: {masses: 1, mass: 1, spring: {c: 1}, initial: {x: 1, v: 0}}
)") + tail);
  EXPECT_EQ(alone(file, {"model.curves.1.file=../elsewhere/course.csv"}).simulate.end, 1);
}

TEST_F(CarriedFiles, ANameOnSeveralLinesIsRefusedWhereItStands) {
  put("in/course.csv", "t,y\n0,0\n1,1\n2,0\n");
  const fs::path file = put("in/deep/model.yaml", std::string(R"(cosimo: 1
model:
  curves:
    - name: course
      file: >-
        ../course.csv
  chain: {masses: 1, mass: 1, spring: {c: 1}, initial: {x: 1, v: 0}}
)") + tail);
  try {
    alone(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("model.yaml:5:"));
    EXPECT_THAT(error.what(), HasSubstr("on one line"));
  }
}

}  // namespace
}  // namespace cosimo::exporting
