#include "results/vtk.hpp"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "core/check.hpp"
#include "core/error.hpp"
#include "results/test_support.hpp"
#include "results/vtk_text.hpp"

namespace cosimo {
namespace {

using test::TemporaryFolder;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<unsigned char> from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> count & 255));
  }
  return bytes;
}

std::string attribute(const std::string& element, const std::string& name) {
  const auto at = element.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const auto from = at + name.size() + 3;
  return element.substr(from, element.find('"', from) - from);
}

/// What a reader of XML PolyData sees. Every element must be closed in order.
struct PolyData {
  explicit PolyData(const std::string& text) {
    std::vector<std::string> open;
    for (std::size_t at = text.find('<', 1); at != std::string::npos; at = text.find('<', at + 1)) {
      const std::string element = text.substr(at, text.find('>', at) - at);
      const std::string name = element.substr(1, element.find_first_of(" /", 1) - 1);
      if (element[1] == '/') {
        EXPECT_FALSE(open.empty());
        EXPECT_EQ(open.back(), element.substr(2));
        open.pop_back();
        continue;
      }
      if (name == "Piece") piece = element;
      if (name == "DataArray") read_array(open.back() + "/", element, text.substr(at + element.size() + 1));
      if (element.back() != '/') open.push_back(name);
    }
    EXPECT_TRUE(open.empty());
  }

  void read_array(const std::string& parent, const std::string& element, const std::string& rest) {
    const std::vector<unsigned char> bytes = from_base64(rest.substr(0, rest.find('<')));
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), 4);
    EXPECT_EQ(size + 4, bytes.size()) << element;
    const std::string type = attribute(element, "type");
    std::vector<double>& values = arrays[parent + attribute(element, "Name")];
    const auto take = [&](auto example) {
      for (std::size_t at = 4; at < bytes.size(); at += sizeof example) {
        std::memcpy(&example, bytes.data() + at, sizeof example);
        values.push_back(static_cast<double>(example));
      }
    };
    if (type == "Float64") take(double{});
    if (type == "Float32") take(float{});
    if (type == "Int64") take(std::int64_t{});
    if (type == "Int32") take(std::int32_t{});
    if (type == "UInt8") take(std::uint8_t{});
  }
  std::vector<double> of(const std::string& name, std::size_t index, std::size_t components) const {
    const auto first = arrays.at(name).begin() + static_cast<std::ptrdiff_t>(index * components);
    return {first, first + static_cast<std::ptrdiff_t>(components)};
  }
  void expect_sizes() const {
    const auto count = [&](const char* name) { return std::stoul(attribute(piece, name)); };
    const std::size_t points = count("NumberOfPoints");
    const std::size_t cells = count("NumberOfVerts") + count("NumberOfLines") + count("NumberOfPolys");
    EXPECT_EQ(arrays.at("Points/points").size(), 3 * points);
    const std::map<std::string, std::size_t> components = {
        {"orientation", 4}, {"axis_x", 3}, {"axis_y", 3}, {"velocity", 3}, {"angular_velocity", 3}};
    for (const auto& [name, values] : arrays) {
      const std::string own = name.substr(name.find('/') + 1);
      const std::size_t width = components.count(own) > 0 ? components.at(own) : 1;
      if (name.rfind("PointData/", 0) == 0) {
        EXPECT_EQ(values.size(), width * points) << name;
      }
      if (name.rfind("CellData/", 0) == 0) {
        EXPECT_EQ(values.size(), cells) << name;
      }
      if (own == "connectivity") {
        for (const double p : values) EXPECT_LT(p, static_cast<double>(points));
      }
    }
    for (const char* kind : {"Verts", "Lines", "Polys"}) {
      const std::string name(kind);
      const std::vector<double>& offsets = arrays.at(name + "/offsets");
      EXPECT_EQ(offsets.size(), count(("NumberOf" + name).c_str()));
      EXPECT_EQ(offsets.empty() ? 0.0 : offsets.back(),
                static_cast<double>(arrays.at(name + "/connectivity").size()));
    }
  }

  std::string piece;
  std::map<std::string, std::vector<double>> arrays;
};

/// Two bodies, one of them with a box, a spring between them and a joint of the second to the ground.
VtkScene pair() {
  VtkScene scene;
  scene.bodies = {{.label = 7, .part = 0, .mass = 2},
                  {.label = 9, .part = 3, .mass = 5, .half_extent = {1, 2, 3}}};
  scene.links = {{VtkLinkKind::element, 21, {0, {0, 0, 0}}, {1, {1, 0, 0}}},
                 {VtkLinkKind::joint, 22, {1, {0, 0, 0}}, {-1, {4, 5, 6}}}};
  return scene;
}

/// The second one is turned by 90 degrees about z, with 10 rad/s.
std::vector<BodyPose> poses_of_pair() {
  const double s = std::sqrt(0.5);
  return {{.place = {1, 2, 3}, .velocity = {4, 5, 6}},
          {.place = {10, 0, 0}, .quaternion = {s, 0, 0, s}, .angular_velocity = {0, 0, 10}}};
}

TEST(Vtk, Base64OfTheStandard) {
  const auto coded = [](const std::string& text) { return base64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(coded(""), "");
  EXPECT_EQ(coded("f"), "Zg==");
  EXPECT_EQ(coded("fo"), "Zm8=");
  EXPECT_EQ(coded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(coded("\xff\xfe"), "//4=");
}

TEST(Vtk, AFrameHoldsBodiesLinksAndBoxes) {
  const TemporaryFolder folder;
  VtkWriter writer(folder / "vtk", pair());
  writer.frame(0.5, poses_of_pair(), std::vector<double>{100, 200});
  const PolyData data(text_of(folder / "vtk/motion_0001.vtp"));
  data.expect_sizes();
  using Values = std::vector<double>;
  ASSERT_EQ(data.arrays.at("PointData/role"), (Values{0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(data.of("Points/points", 0, 3), (Values{1, 2, 3}));
  EXPECT_EQ(data.of("Points/points", 2, 3), (Values{1, 2, 3}));
  const Values end = data.of("Points/points", 3, 3);  // its x axis points along y
  EXPECT_NEAR(end[0], 10, 1e-14);
  EXPECT_NEAR(end[1], 1, 1e-14);
  EXPECT_EQ(data.of("Points/points", 5, 3), (Values{4, 5, 6}));
  EXPECT_EQ(data.of("PointData/body", 0, 6), (Values{7, 9, 7, 9, 9, -1}));
  EXPECT_EQ(data.of("PointData/part", 0, 6), (Values{1, 4, 1, 4, 4, 0}));
  EXPECT_EQ(data.of("PointData/mass", 0, 6), (Values{2, 5, 0, 0, 0, 0}));
  EXPECT_EQ(data.of("PointData/velocity", 0, 3), (Values{4, 5, 6}));
  EXPECT_NEAR(data.of("PointData/velocity", 3, 3)[0], -10, 1e-5);  // w x arm
  EXPECT_NEAR(data.of("PointData/axis_x", 1, 3)[1], 1, 1e-6);
  EXPECT_NEAR(data.of("PointData/axis_y", 1, 3)[0], -1, 1e-6);
  EXPECT_NEAR(data.of("PointData/orientation", 1, 4)[3], std::sqrt(0.5), 1e-7);
  EXPECT_EQ(data.arrays.at("Lines/connectivity"), (Values{2, 3, 4, 5}));
  EXPECT_EQ(data.arrays.at("CellData/kind"), (Values{0, 0, 1, 2, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(data.arrays.at("CellData/id"), (Values{7, 9, 21, 22, 9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(data.of("CellData/force", 0, 5), (Values{0, 0, 100, 200, 0}));
}

TEST(Vtk, FacesOfABoxLookOutwards) {
  const TemporaryFolder folder;
  VtkScene scene;
  scene.bodies = {{.half_extent = {1, 2, 3}}};
  VtkWriter(folder / "vtk", scene).frame(0, std::vector<BodyPose>(1));
  const PolyData data(text_of(folder / "vtk/motion_0001.vtp"));
  for (std::size_t face = 0; face < 6; ++face) {
    std::array<std::array<double, 3>, 4> corner{};
    for (std::size_t k = 0; k < 4; ++k) {
      const auto index = static_cast<std::size_t>(data.arrays.at("Polys/connectivity")[4 * face + k]);
      for (std::size_t c = 0; c < 3; ++c) corner[k][c] = data.of("Points/points", index, 3)[c];
    }
    double outwards = 0;  // (b - a) x (c - b) . a
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      outwards += corner[0][c] * ((corner[1][d] - corner[0][d]) * (corner[2][e] - corner[1][e]) -
                                  (corner[1][e] - corner[0][e]) * (corner[2][d] - corner[1][d]));
    }
    EXPECT_GT(outwards, 0) << face;
  }
}

TEST(Vtk, TheCollectionListsWholeFrames) {
  const TemporaryFolder folder;
  const auto times = [&] {
    std::vector<std::string> result;
    std::istringstream in(text_of(folder / "vtk/motion.pvd"));
    for (std::string line; std::getline(in, line);) {
      const std::string file = attribute(line, "file");
      if (file.empty()) continue;
      EXPECT_TRUE(std::filesystem::exists(folder / "vtk" / file)) << file;
      result.push_back(attribute(line, "timestep"));
    }
    return result;
  };
  {
    VtkWriter writer(folder / "vtk", pair());
    writer.frame(0, poses_of_pair());
    EXPECT_FALSE(std::filesystem::exists(folder / "vtk/motion.pvd"));
    writer.frame(0.1, poses_of_pair());
    writer.flush();
    writer.frame(1e-7, poses_of_pair());
    EXPECT_EQ(times(), (std::vector<std::string>{"0", "0.1"}));
    EXPECT_EQ(writer.frames(), 3u);
  }
  EXPECT_EQ(times(), (std::vector<std::string>{"0", "0.1", "1e-07"}));
  VtkWriter(folder / "vtk", pair()).frame(2, poses_of_pair());  // a shorter one takes its place
  EXPECT_EQ(times(), (std::vector<std::string>{"2"}));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "vtk"))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 2u);
}

TEST(Vtk, RefusesWhatIsNotFinite) {
  const TemporaryFolder folder;
  VtkWriter writer(folder / "vtk", pair());
  auto poses = poses_of_pair();
  poses[1].velocity[2] = std::nan("");
  try {
    writer.frame(0, poses);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body 9"), std::string::npos) << error.what();
  }
  EXPECT_THROW(writer.frame(0, poses_of_pair(), std::vector<double>{0, INFINITY}), Error);
  EXPECT_THROW(writer.frame(std::nan(""), poses_of_pair()), Error);
  EXPECT_THROW(writer.frame(0, std::vector<BodyPose>(1)), Bug);
  EXPECT_EQ(writer.frames(), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder / "vtk/motion_0001.vtp"));
}

TEST(Vtk, AFullDiskLeavesNoHalfFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file").close();
  EXPECT_THROW(VtkWriter(folder / "file", pair()), IoError);
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit small{3000, 3000};
              if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
              VtkScene scene;
              scene.bodies.resize(1000);
              VtkWriter writer(folder / "vtk", scene);
              try {
                writer.frame(0, std::vector<BodyPose>(1000));
              } catch (const IoError& error) {
                return std::string(error.what()).find("motion_0001.vtp: cannot write: File too large") !=
                               std::string::npos
                           ? 0
                           : 2;
              }
              return 3;
            })),
            0);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "vtk"))
    EXPECT_EQ(entry.path().filename(), "motion.pvd");
}

}  // namespace
}  // namespace cosimo
