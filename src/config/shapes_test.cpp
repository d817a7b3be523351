// Bodies by shape and density: closed forms, meshes of the same solids, and what is wrong with files.
#include "config/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

class Shapes : public ::testing::Test {
 protected:
  Shapes() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("shapes_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Shapes() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text, const std::string& name) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Scenario parse(const std::string& keys) const {
    return parse_scenario(
        "cosimo: 1\nmodel:\n  parameters: {rho: 7850}\n  bodies:\n    - {name: a, kind: rigid, " + keys +
            "}\nsimulate: {end: 1, output: 0.1}\n",
        (folder_ / "s.yaml").string());
  }
  Body body(const std::string& keys) const { return parse(keys).mechanism->bodies.at(0); }
  Fault fault(const std::string& keys) const {
    try {
      parse(keys);
    } catch (const Error& error) {
      EXPECT_EQ(error.faults().size(), 1U) << error.what();
      return error.faults().at(0);
    }
    ADD_FAILURE() << "accepted: " << keys;
    return {};
  }

  std::filesystem::path folder_;
};

/// Density times the integrals over a box that holds the solid, by a fine grid of points.
Body by_points(const std::function<bool(double, double, double)>& inside, const std::array<double, 3>& half,
               double density) {
  constexpr int n = 120;
  Body out;
  const double cell = 8 * half[0] * half[1] * half[2] / (static_cast<double>(n) * n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double x = half[0] * (2 * (i + 0.5) / n - 1), y = half[1] * (2 * (j + 0.5) / n - 1),
                     z = half[2] * (2 * (k + 0.5) / n - 1), m = density * cell;
        if (!inside(x, y, z)) continue;
        out.mass += m;
        const std::array<double, 6> more{y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
        for (std::size_t c = 0; c < 6; ++c) out.inertia[c] += m * more[c];
      }
  return out;
}

void expect_alike(const Body& a, const Body& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  const double size = b.inertia[0] + b.inertia[1] + b.inertia[2];
  for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(a.inertia[c], b.inertia[c], tolerance * size) << c;
}

TEST_F(Shapes, AreWhatTheirIntegralsAre) {
  expect_alike(body("shape: {box: [2, 1, 0.5]}, density: rho"),
               by_points([](double, double, double) { return true; }, {1, 0.5, 0.25}, 7850), 2e-4);
  expect_alike(body("shape: {sphere: 0.5}, density: 2"),
               by_points([](double x, double y, double z) { return x * x + y * y + z * z < 0.25; },
                         {0.5, 0.5, 0.5}, 2),
               2e-3);
  expect_alike(body("shape: {tube: {radius: 0.5, inner: 0.3, length: 2}}, density: 2"),
               by_points(
                   [](double x, double y, double) {
                     const double s = x * x + y * y;
                     return s < 0.25 && s > 0.09;
                   },
                   {0.5, 0.5, 1}, 2),
               4e-3);
  expect_alike(body("shape: {capsule: {radius: 0.5, length: 1, axis: [1, 1, 0]}}, density: 2"),
               by_points(
                   [](double x, double y, double z) {
                     const double along = (x + y) / std::sqrt(2.0),
                                  beyond = std::max(0.0, std::fabs(along) - 0.5);
                     return x * x + y * y + z * z - along * along + beyond * beyond < 0.25;
                   },
                   {1, 1, 1}, 2),
               4e-3);
}

TEST_F(Shapes, MassMayBeGivenInsteadOfDensity) {
  const Body a =
      body("shape: {cylinder: {radius: 0.2, length: 0.6, axis: [0, 3, 0]}}, mass: 5, center: [0, 1, 0]");
  EXPECT_DOUBLE_EQ(a.mass, 5);
  EXPECT_DOUBLE_EQ(a.inertia[1], 0.5 * 5 * 0.04);
  EXPECT_DOUBLE_EQ(a.inertia[0], 5 * (3 * 0.04 + 0.36) / 12);
  EXPECT_DOUBLE_EQ(a.center[1], 1);
}

/// A box as an OBJ file, from (x, y, z) with these edges.
std::string obj_box(double x, double y, double z, double a, double b, double c) {
  std::string out = "# a box\no box\n";
  for (int i = 0; i < 8; ++i)
    out += "v " + std::to_string(x + (i & 1 ? a : 0)) + " " + std::to_string(y + (i & 2 ? b : 0)) + " " +
           std::to_string(z + (i & 4 ? c : 0)) + "\n";
  return out + "f 1/1/1 3/1/1 4/1/1 2/1/1\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf -7 -5 -1 -3\n";
}

TEST_F(Shapes, MeshOfABoxIsABox) {
  write(obj_box(10, -2, 1, 2, 1, 0.5), "box.obj");
  const Body mesh = body("shape: {mesh: {file: box.obj}}, density: rho");
  expect_alike(mesh, body("shape: {box: [2, 1, 0.5]}, density: rho"), 1e-12);
  EXPECT_THAT(mesh.center, ::testing::ElementsAre(11, -1.5, 1.25));
  write(obj_box(0, 0, 0, 2000, 1000, 500), "mm.obj");
  expect_alike(body("shape: {mesh: {file: mm.obj, scale: 1e-3}}, mass: 7850"), mesh, 1e-12);
}

TEST_F(Shapes, AMeshAtTwoScalesIsTwoBodies) {
  write(obj_box(0, 0, 0, 2, 1, 1), "box.obj");
  const auto mass_ratio = [&](const std::string& first, const std::string& second) {
    const auto shape = [](const std::string& scale) {
      return "shape: {mesh: {file: box.obj, scale: " + scale + "}}, density: 1e21";
    };
    const Mechanism m = *parse(shape(first) + "}\n    - {name: b, kind: rigid, " + shape(second)).mechanism;
    return m.bodies.at(1).mass / m.bodies.at(0).mass;
  };
  EXPECT_NEAR(mass_ratio("1e-7", "3e-7"), 27, 1e-9);
  EXPECT_NEAR(mass_ratio("1.0e-3", "1.0003e-3"), std::pow(1.0003, 3), 1e-9);
}

const std::array<std::array<int, 3>, 4> faces{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
const std::array<std::array<float, 3>, 4> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

std::string text_stl(bool inside_out = false, std::size_t count = 4) {
  std::string out = "solid t\n";
  for (std::size_t k = 0; k < count; ++k) {
    auto face = faces[k];
    if (inside_out) std::swap(face[0], face[1]);
    out += "facet normal 0 0 0\nouter loop\n";
    for (const int i : face) {
      const auto& p = corners[static_cast<std::size_t>(i)];
      out +=
          "vertex " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
    }
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid t\n";
}

TEST_F(Shapes, StlMayBeTextOrBinary) {
  write(text_stl(), "t.stl");
  const Body text = body("shape: {mesh: {file: t.stl}}, density: 6");
  EXPECT_NEAR(text.mass, 1, 1e-14);
  for (const double x : text.center) EXPECT_NEAR(x, 0.25, 1e-14);
  // About the corner xx = 2 * 1/60 * 6; shifted to the centre by 2/16.
  EXPECT_NEAR(text.inertia[0], 0.2 - 0.125, 1e-14);
  EXPECT_NEAR(text.inertia[3], -(6.0 / 120 - 1.0 / 16), 1e-14);
  std::string binary = "solid, says a careless program" + std::string(50, ' ');
  binary.append("\4\0\0\0", 4);
  for (const auto& face : faces) {
    std::array<float, 12> numbers{};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        numbers[3 + 3 * k + i] = corners[static_cast<std::size_t>(face[k])][i];
    binary.append(reinterpret_cast<const char*>(numbers.data()), 48).append(2, '\0');
  }
  write(binary, "b.stl");
  expect_alike(body("shape: {mesh: {file: b.stl}}, density: 6"), text, 1e-14);
}

TEST_F(Shapes, FaultsOfMeshes) {
  const std::string mesh = "shape: {mesh: {file: t.stl}}, density: 1";
  EXPECT_THAT(fault(mesh).problem, HasSubstr("no such file"));
  write(text_stl(true), "t.stl");
  const Fault inside_out = fault(mesh);
  EXPECT_THAT(inside_out.problem, HasSubstr("inside out"));
  EXPECT_THAT(inside_out.file, HasSubstr("s.yaml"));
  EXPECT_EQ(inside_out.line, 5);
  EXPECT_EQ(inside_out.value, "t.stl");
  EXPECT_EQ(inside_out.field, "model.bodies.1.shape.mesh.file");
  write(text_stl(false, 3), "t.stl");
  EXPECT_THAT(fault(mesh).problem, HasSubstr("not closed"));
  std::string bad = text_stl();
  bad.replace(bad.find("vertex 0.000000 1.0"), 19, "vertex 0.000000 nan");
  write(bad, "t.stl");
  const Fault nan = fault(mesh);
  EXPECT_THAT(nan.problem, HasSubstr("is no point"));
  EXPECT_EQ(nan.line, 5);
  write("hello\n", "t.stl");
  EXPECT_THAT(fault(mesh).problem, HasSubstr("is no mesh"));
  write("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "t.stl");
  EXPECT_THAT(fault(mesh).problem, HasSubstr("does not stand before it"));
  write("", "t.stl");
  EXPECT_THAT(fault(mesh).problem, HasSubstr("is no mesh"));
}

TEST_F(Shapes, StlMayShout) {
  std::string loud = text_stl();
  for (char& c : loud) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  write(loud, "t.stl");
  EXPECT_NEAR(body("shape: {mesh: {file: t.stl}}, density: 6").mass, 1, 1e-14);
}

TEST_F(Shapes, BinaryStlThatIsCutSaysWhatItPromises) {
  std::string binary(80, ' ');
  binary.append("\4\0\0\0", 4).append(150, '\0');
  write(binary, "t.stl");
  const Fault cut = fault("shape: {mesh: {file: t.stl}}, density: 6");
  EXPECT_THAT(cut.problem, HasSubstr("promises 4 triangles, 284 bytes, but it has 234"));
}

/// Two boxes in one file, the second inside out.
std::string with_hollow(const std::string& solid, double x, double edge) {
  const std::string hollow = obj_box(x, 0.2, 0.2, edge, 0.5, 0.5);
  std::string out = solid + hollow.substr(0, hollow.find("f "));
  for (const char* face :
       {"-8 -7 -5 -6", "-4 -2 -1 -3", "-8 -4 -3 -7", "-6 -5 -1 -2", "-8 -6 -2 -4", "-7 -3 -1 -5"})
    out += "f " + std::string(face) + "\n";
  return out;
}

TEST_F(Shapes, HollowsLieInSolids) {
  const std::string mesh = "shape: {mesh: {file: t.obj}}, density: 1";
  write(with_hollow(obj_box(0, 0, 0, 2, 1, 1), 0.5, 1), "t.obj");
  EXPECT_NEAR(body(mesh).mass, 2 - 0.25, 1e-12);
  write(with_hollow(obj_box(0, 0, 0, 2, 1, 1), 3, 1), "t.obj");
  EXPECT_THAT(fault(mesh).problem, HasSubstr("does not lie within another"));
}

TEST_F(Shapes, FaultsOfKeys) {
  EXPECT_THAT(fault("inertia: [1, 1, 1]").problem, HasSubstr("is missing"));
  EXPECT_THAT(fault("mass: 1").remedy, HasSubstr("`shape` and `density`"));
  EXPECT_EQ(fault("shape: {sphere: 1}").field, "model.bodies.1.density");
  EXPECT_THAT(fault("shape: {sphere: 1}, mass: 1, density: 1").problem, HasSubstr("follows from"));
  EXPECT_THAT(fault("shape: {sphere: 1}, mass: 1, inertia: [1, 1, 1]").problem, HasSubstr("follows from"));
  EXPECT_THAT(fault("mass: 1, inertia: [1, 1, 1], density: 1").problem, HasSubstr("no `shape`"));
  EXPECT_THAT(fault("shape: {box: [1, -1, 1]}, density: 1").problem, HasSubstr("> 0"));
  EXPECT_THAT(fault("shape: {tube: {radius: 1, inner: 1, length: 1}}, density: 1").problem,
              HasSubstr("not less than `radius`"));
  EXPECT_THAT(fault("shape: {cylinder: {radius: 1, length: 1, axis: [0, 0, 0]}}, density: 1").problem,
              HasSubstr("no direction"));
  write(text_stl(), "t.stl");
  EXPECT_THAT(fault("shape: {mesh: {file: t.stl}}, density: 1, center: [0, 0, 1]").problem,
              HasSubstr("follows from the mesh"));
}

TEST_F(Shapes, EffectiveFileMeansTheSame) {
  write(text_stl(), "t.stl");
  const Scenario once = parse("shape: {mesh: {file: t.stl}}, density: 6");
  const Scenario again = parse_scenario(once.effective, "/elsewhere/scenario.effective.yaml");
  expect_alike(again.mechanism->bodies[0], once.mechanism->bodies[0], 0);
}

}  // namespace
}  // namespace cosimo::config
