// Files of tyre properties: what is read, and what is refused with line, name and remedy.
#include "tyre/tir_file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"

namespace cosimo::tyre {
namespace {

const std::string units = "[UNITS]\nLENGTH = 'mm'\nFORCE = 'kN'\nTIME = 'second'\nANGLE = 'radians'\n";
const std::string model = "[MODEL]\nFITTYP = 61 $ a comment\nVXLOW = 2000\n";
const std::string wheel =
    "[DIMENSION]\nUNLOADED_RADIUS = 310 ! too\n[VERTICAL]\nFNOMIN = 4\nVERTICAL_STIFFNESS = 0.2\n"
    "[STRUCTURAL]\nLONGITUDINAL_STIFFNESS = 0.3\nLATERAL_STIFFNESS = 0.1\n";
const std::string along =
    "[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = +1.1\nPKX1 = 2.2e1\nRBX1 = 12\nRCX1 = 1.05\n";
const std::string across =
    "[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -18\nPKY2 = 1.8\nRBY1 = 10\nRCY1 = 1.04\n";

std::string all() {
  return units + model + wheel + along + across;
}

TEST(TirFile, NumbersComeInTheUnitsOfTheModel) {
  const Spec si = read_tir(all() + "[VERTICAL_FORCE_RANGE]\nFZMIN = 0.1\nFZMAX = 9\n", "t.tir", {});
  EXPECT_DOUBLE_EQ(si.radius, 0.31);
  EXPECT_DOUBLE_EQ(si.stiffness, 2e5);
  EXPECT_DOUBLE_EQ(si.slow, 2);
  const auto& m = std::get<MagicFormula>(si.model);
  EXPECT_TRUE(m.later);
  EXPECT_DOUBLE_EQ(m.load, 4000);
  EXPECT_DOUBLE_EQ(m.longitudinal, 3e5);
  EXPECT_DOUBLE_EQ(m.fz.low, 100);
  EXPECT_DOUBLE_EQ(m.fz.high, 9000);
  EXPECT_EQ(m.pdx1, 1.1);
  EXPECT_EQ(m.pkx1, 22);
  EXPECT_EQ(m.pky4, 2);
  EXPECT_EQ(m.lmux, 1);
  // Millimetres, tonnes, seconds: forces are N.
  const Spec mm = read_tir(all(), "t.tir", {1e3, 1e-3, 1});
  EXPECT_DOUBLE_EQ(mm.radius, 310);
  EXPECT_DOUBLE_EQ(mm.stiffness, 200);
  EXPECT_DOUBLE_EQ(std::get<MagicFormula>(mm.model).load, 4000);
  EXPECT_DOUBLE_EQ(mm.slow, 2000);
}

TEST(TirFile, ANameMayHaveTwoMeaningsInTwoSections) {
  EXPECT_NO_THROW(read_tir("[UNITS]\nMASS = 'kg'\n" + all() + "[INERTIA]\nMASS = 9.3\n", "t.tir", {}));
}

TEST(TirFile, ACurveOfDeflectionTakesThePlaceOfTheStiffness) {
  const Spec spec =
      read_tir(all() + "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n10.0 1.5\n 20 4\n", "t.tir", {});
  ASSERT_EQ(spec.points.size(), 3U);
  EXPECT_DOUBLE_EQ(spec.points[1][0], 0.01);
  EXPECT_DOUBLE_EQ(spec.points[2][1], 4000);
}

TEST(TirFile, PressureAndItsScaleFactorTakePartInTheRadialForce) {
  const std::string pressure = "INFLPRES = 240000\nNOMPRES = 200000\nPFZ1 = 0.75\nLCZ = 1.1\n";
  const Spec spec = read_tir(all() + "Q_FZ2 = 10\n" + pressure, "t.tir", {});
  const Spec usual = read_tir(all() + "Q_FZ2 = 10\n", "t.tir", {});
  EXPECT_DOUBLE_EQ(std::get<MagicFormula>(spec.model).stiffness, 1.1 * 1.15 * 2e5);
  EXPECT_NEAR(spec.stiffness / usual.stiffness, 1.1 * 1.15, 1e-14);
  EXPECT_NEAR(spec.progressive / usual.progressive, 1.1 * 1.15, 1e-14);
  const Spec curve = read_tir(all() + pressure + "[DEFLECTION_LOAD_CURVE]\n0 0\n20 4\n", "t.tir", {});
  EXPECT_NEAR(curve.points[1][1], 1.1 * 1.15 * 4000, 1e-9);
}

TEST(TirFile, AMarkOfTheEncodingIsNoPartOfTheText) {
  EXPECT_NO_THROW(read_tir("\xEF\xBB\xBF" + all(), "t.tir", {}));
}

struct Bad {
  const char* name;
  std::string text;
  int line;
  const char* field;
  const char* says;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}

std::string without(std::string text, const std::string& line) {
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.erase(at, text.find('\n', at) + 1 - at);
}
std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

class BadFiles : public ::testing::TestWithParam<Bad> {};

TEST_P(BadFiles, GetOneMessage) {
  try {
    read_tir(GetParam().text, "bad.tir", {});
    FAIL() << "is read";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.file, "bad.tir");
    EXPECT_EQ(fault.line, GetParam().line) << error.what();
    EXPECT_EQ(fault.field, GetParam().field);
    EXPECT_NE(to_string(fault).find(GetParam().says), std::string::npos) << error.what();
    EXPECT_FALSE(fault.remedy.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadFiles,
    ::testing::Values(
        Bad{"NoFormula", without(all(), "FITTYP"), 6, "FITTYP", "FITTYP = 61"},
        Bad{"AnotherFormula", with(all(), "61 $", "52 $"), 7, "FITTYP", "60, 61, 62"},
        Bad{"MissingCoefficient", without(all(), "PDX1"), 17, "PDX1", "add `PDX1 = ...`"},
        Bad{"MisspeltCoefficient", with(all(), "PKY2", "PKYZ"), 23, "PKY2", "`PKYZ`"},
        Bad{"MissingRadius", without(all(), "UNLOADED"), 9, "UNLOADED_RADIUS", "is missing"},
        Bad{"NoNumber", with(all(), "1.05", "1,05"), 22, "RCX1", "is not a number"},
        Bad{"Twice", all() + "PCX1 = 1.7\n", 30, "PCX1", "line 18"},
        Bad{"Degrees", with(all(), "radians", "degree"), 5, "ANGLE", "RADIANS"},
        Bad{"UnknownLength", with(all(), "'mm'", "'furlong'"), 2, "LENGTH", "METER"},
        Bad{"OtherSigns", with(all(), "-18", "18"), 26, "PKY1", "ISO 8855"},
        Bad{"NoFriction", with(all(), "+1.1", "0"), 19, "PDX1", "must be > 0"},
        Bad{"NoRelaxation", without(all(), "LATERAL_STIFFNESS"), 22, "PTY1", "PTY1 = ..."},
        Bad{"EmptyRange", all() + "FZMIN = 4\nFZMAX = 3\n", 31, "FZMAX", "is not above FZMIN"},
        Bad{"RangeOfSlipWithoutZero", all() + "KPUMIN = 0.1\nKPUMAX = 3\n", 30, "KPUMIN", "no zero"},
        Bad{"RangeOfCamberWithoutZero", all() + "CAMMIN = -1\nCAMMAX = -0.1\n", 31, "CAMMAX", "no zero"},
        Bad{"NegativeRelaxation", all() + "PTX1 = -2\n", 30, "PTX1", "must be > 0"},
        Bad{"NegativeScale", all() + "LKX = -1\n", 30, "LKX", "must be > 0"},
        Bad{"NoCorneringStiffness", all() + "LKY = 0\n", 30, "LKY", "must be > 0"},
        Bad{"NegativeDamping", all() + "VERTICAL_DAMPING = -1\n", 30, "VERTICAL_DAMPING", "must be >= 0"},
        Bad{"NegativePressure", all() + "NOMPRES = 2e5\nINFLPRES = -2e5\n", 31, "INFLPRES", "must be > 0"},
        Bad{"FallingCurve", all() + "[DEFLECTION_LOAD_CURVE]\n0 0\n3 2\n2 4\n", 33, "DEFLECTION_LOAD_CURVE",
            "does not rise"},
        Bad{"OpenSection", all() + "[SHAPE\n", 30, "", "bracket"},
        Bad{"Binary", all() + std::string(1, '\0'), 1, "", "is no text"},
        Bad{"Gibberish", all() + "some text\n", 30, "", "write $"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace cosimo::tyre
