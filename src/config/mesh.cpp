#include "config/mesh.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "config/mesh_shells.hpp"
#include "core/counted.hpp"

namespace cosimo::config {

namespace {

constexpr std::size_t header_size = 80, triangle_size = 50;  ///< of binary STL

/// Equal points become one: STL repeats them in every triangle.
class Gatherer {
 public:
  std::size_t point(Point p) {
    for (double& x : p) x += 0.0;  // -0 is 0
    const auto [found, added] = known_.emplace(p, mesh_.points.size());
    if (added) mesh_.points.push_back(p);
    return found->second;
  }
  void triangle(std::size_t a, std::size_t b, std::size_t c) { mesh_.triangles.push_back({a, b, c}); }
  Mesh take() { return std::move(mesh_); }

 private:
  std::map<Point, std::size_t> known_;
  Mesh mesh_;
};

MeshFault not_finite(int line) {
  return {line, "", {"has a coordinate that is not a finite number", "export the mesh again"}};
}

bool finite(const Point& p) {
  return std::ranges::all_of(p, [](double x) { return std::isfinite(x); });
}

std::uint32_t count_of(std::string_view binary) {
  std::uint32_t count = 0;
  std::memcpy(&count, binary.data() + header_size, sizeof count);
  return count;
}

/// A binary file may begin with "solid" as well: its length decides.
bool is_binary(std::string_view text) {
  return text.size() >= header_size + 4 &&
         text.size() == header_size + 4 + triangle_size * static_cast<std::size_t>(count_of(text));
}

std::variant<Mesh, MeshFault> read_binary(std::string_view text) {
  Gatherer out;
  for (std::size_t at = header_size + 4; at < text.size(); at += triangle_size) {
    std::array<float, 12> numbers{};  // the normal, and three points
    std::memcpy(numbers.data(), text.data() + at, sizeof numbers);
    std::array<std::size_t, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Point p{numbers[3 * k + 3], numbers[3 * k + 4], numbers[3 * k + 5]};
      if (!finite(p)) return not_finite(0);
      corner[k] = out.point(p);
    }
    out.triangle(corner[0], corner[1], corner[2]);
  }
  return out.take();
}

/// Lines as words.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number;
      words.clear();
      constexpr std::string_view blank = " \t\r";
      for (std::size_t i = line.find_first_not_of(blank); i != std::string_view::npos;) {
        const std::size_t stop = std::min(line.find_first_of(blank, i), line.size());
        words.push_back(line.substr(i, stop - i));
        i = line.find_first_not_of(blank, stop);
      }
      if (!words.empty()) return true;
    }
    return false;
  }
  /// In letters of either case.
  bool begins(std::string_view word) const {
    return std::ranges::equal(words[0], word, {},
                              [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  }
  MeshFault fault(std::string problem, std::string remedy) const {
    std::string line;
    for (const std::string_view word : words) line += (line.empty() ? "" : " ") + std::string(word);
    return {number, std::move(line), {std::move(problem), std::move(remedy)}};
  }
  /// The words after the first one.
  std::optional<Point> point() const {
    if (words.size() < 4) return std::nullopt;
    Point p{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::string_view word = words[k + 1];
      if (word.starts_with('+')) word.remove_prefix(1);
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), p[k]);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(p[k]))
        return std::nullopt;
    }
    return p;
  }

  std::vector<std::string_view> words;
  int number = 0;

 private:
  std::string_view rest_;
};

std::variant<Mesh, MeshFault> read_stl(std::string_view text) {
  Gatherer out;
  Lines line(text);
  std::vector<std::size_t> corners;
  while (line.next()) {
    if (line.begins("vertex")) {
      const auto p = line.point();
      if (!p) return line.fault("is no point", "write `vertex x y z` with finite numbers");
      corners.push_back(out.point(*p));
    } else if (line.begins("endfacet")) {
      if (corners.size() != 3)
        return line.fault("ends a facet of " + counted(corners.size(), "point"),
                          "give every facet three points");
      out.triangle(corners[0], corners[1], corners[2]);
      corners.clear();
    }
  }
  return out.take();
}

std::variant<Mesh, MeshFault> read_obj(std::string_view text) {
  Gatherer out;
  Lines line(text);
  std::vector<std::size_t> points;
  while (line.next()) {
    if (line.begins("v")) {
      const auto p = line.point();
      if (!p) return line.fault("is no point", "write `v x y z` with finite numbers");
      points.push_back(out.point(*p));
    } else if (line.begins("f")) {
      std::vector<std::size_t> corners;
      for (std::size_t k = 1; k < line.words.size(); ++k) {
        std::int64_t index = 0;
        const std::string_view word = line.words[k];
        const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
        const auto count = static_cast<std::int64_t>(points.size());
        if (index < 0) index += count + 1;
        if (read.ec != std::errc() || index < 1 || index > count)
          return line.fault("names a point that does not stand before it",
                            "write numbers of points from 1 to " + std::to_string(count));
        corners.push_back(points[static_cast<std::size_t>(index - 1)]);
      }
      if (corners.size() < 3) return line.fault("is no face", "give every face at least three points");
      for (std::size_t k = 2; k < corners.size(); ++k) out.triangle(corners[0], corners[k - 1], corners[k]);
    }
  }
  return out.take();
}

/// Every edge must be walked once in each direction; null: all are.
std::optional<MeshFault> open_edge(const Mesh& mesh) {
  std::map<std::pair<std::size_t, std::size_t>, int> walks;
  for (const auto& corner : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t a = corner[k], b = corner[(k + 1) % 3];
      if (a != b) walks[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  const auto open = std::ranges::find_if(walks, [](const auto& edge) { return edge.second != 0; });
  if (open == walks.end()) return std::nullopt;
  return MeshFault{
      0,
      text_of(mesh.points[open->first.first]) + " to " + text_of(mesh.points[open->first.second]),
      {"the surface is not closed, or its triangles look in different directions, at this edge",
       "close the surface, and let all triangles be counterclockwise seen from outside"}};
}

}  // namespace

std::variant<Mesh, MeshFault> read_mesh(std::string_view text) {
  if (is_binary(text)) return read_binary(text);
  Lines line(text);
  while (line.next()) {
    if (line.begins("facet")) return read_stl(text);
    if (line.begins("v")) return read_obj(text);
    if (line.words[0].find('\0') != std::string_view::npos) break;
  }
  if (text.size() >= header_size + 4 && text.find('\0') != std::string_view::npos) {
    const std::size_t promised = count_of(text);
    return MeshFault{0,
                     "",
                     {"is no mesh: as binary STL its header promises " + counted(promised, "triangle") +
                          ", " + counted(header_size + 4 + triangle_size * promised, "byte") +
                          ", but it has " + std::to_string(text.size()),
                      "export the mesh again, or name an STL or OBJ file"}};
  }
  return MeshFault{0, "", {"is no mesh", "name an STL or an OBJ file with triangles"}};
}

std::variant<Solid, MeshFault> solid_inside(const Mesh& mesh) {
  if (mesh.triangles.empty()) return MeshFault{0, "", {"has no triangles", "export the mesh again"}};
  if (auto open = open_edge(mesh)) return std::move(*open);
  // Tetrahedra from the first point, so that a solid far from the origin loses no digits.
  const Point origin = mesh.points[mesh.triangles[0][0]];
  double volume = 0;
  Point first{};
  std::array<double, 6> second{};  // integrals of xx, yy, zz, xy, xz, yz
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> pairs{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  for (const auto& corner : mesh.triangles) {
    std::array<Point, 3> p{};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) p[k][i] = mesh.points[corner[k]][i] - origin[i];
    const auto& [a, b, c] = p;
    const double six = triple(a, b, c);
    volume += six / 6;
    Point sum{};
    for (std::size_t i = 0; i < 3; ++i) sum[i] = a[i] + b[i] + c[i];
    for (std::size_t i = 0; i < 3; ++i) first[i] += six / 24 * sum[i];
    for (std::size_t n = 0; n < 6; ++n) {
      const auto [i, j] = pairs[n];
      second[n] += six / 120 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  Solid out;
  if (volume < 0)
    return MeshFault{0,
                     "",
                     {"is inside out: its triangles look inwards, so its volume is negative",
                      "turn all triangles round: counterclockwise seen from outside"}};
  if (!(volume > 0)) return MeshFault{0, "", {"encloses no volume", "export a solid body"}};
  if (auto stray = stray_hollow(mesh)) return std::move(*stray);
  out.volume = volume;
  for (std::size_t i = 0; i < 3; ++i) out.center[i] = first[i] / volume;
  std::array<double, 6> about{};
  for (std::size_t n = 0; n < 6; ++n)
    about[n] = second[n] - volume * out.center[pairs[n].first] * out.center[pairs[n].second];
  out.inertia = {about[1] + about[2], about[0] + about[2], about[0] + about[1],
                 -about[3],           -about[4],           -about[5]};
  for (std::size_t i = 0; i < 3; ++i) out.center[i] += origin[i];
  return out;
}

}  // namespace cosimo::config
