#include "multibody/place_tyre.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/source_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "multibody/config_values.hpp"
#include "numerics/units.hpp"
#include "tyre/tir_file.hpp"
#include "tyre/tyre_element.hpp"

namespace cosimo {

namespace {

class TyrePlacer {
 public:
  TyrePlacer(const config::Scenario& scenario, const config::Element& element, MechanismBuilder& builder)
      : scenario_(scenario), element_(element), given_(*element.tyre), builder_(builder) {}

  std::unique_ptr<ForceElement> place(const Vec3& centre) {
    tyre::Spec spec = given_.model == config::TyreModel::brush ? brush() : pacejka();
    if (given_.slow) spec.slow = *given_.slow;
    if (given_.relaxation) spec.relaxation = given_.relaxation;
    spec.mirrored = given_.mirrored;
    spec.planar = planar();
    spec.road.height = element_.road_height;
    for (const config::RoadWave& wave : element_.waves)
      spec.road.waves.push_back({wave.amplitude, wave.wavelength, wave.phase});
    const Marker ground_marker = road();
    const Marker wheel = builder_.marker(BodyId(element_.to), centre, axes_along(axle(ground_marker)));
    remember();
    return tyre::make_tyre(element_.name, ground_marker, wheel, spec);
  }

 private:
  bool planar() const {
    return body_kind(scenario_.mechanism->bodies[static_cast<std::size_t>(element_.to)]) == BodyKind::planar;
  }

  tyre::Spec brush() const {
    tyre::Spec spec;
    spec.radius = given_.radius;
    spec.stiffness = given_.stiffness;
    spec.points = given_.points;
    spec.damping = given_.damping;
    spec.slow = units().length / units().time;
    spec.model = tyre::Brush{.friction = given_.friction * given_.grip,
                             .tread = given_.tread,
                             .patch = given_.patch,
                             .load = given_.load,
                             .rolling = given_.rolling_resistance};
    return spec;
  }

  tyre::Spec pacejka() {
    text_ = text_of(given_.file);
    tyre::Spec spec = tyre::read_tir(text_, given_.file, units());
    auto& formula = std::get<tyre::MagicFormula>(spec.model);
    formula.lmux *= given_.grip;
    formula.lmuy *= given_.grip;
    return spec;
  }

  std::string text_of(const std::string& file) const {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
      const std::string near = config::similar_file(file);
      refuse("file", file, "there is no such file",
             near.empty() ? "names are relative to the file they are written in"
                          : "did you mean `" + near + "`?");
    }
    constexpr std::uintmax_t most = 1U << 20U;
    if (std::filesystem::file_size(file, ignored) > most)
      refuse("file", file, "is larger than 1 MiB: no file of tyre properties is", "check the name");
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) refuse("file", file, "cannot be read", "check its permissions");
    return std::move(text).str();
  }

  /// Without units numbers are SI, as files are.
  tyre::ModelUnits units() const {
    tyre::ModelUnits out;
    if (scenario_.units.empty()) return out;
    const auto in_si = [](const std::string& name) {
      const auto unit = parse_unit(name);
      const auto& found = std::get<Unit>(unit);
      return static_cast<double>(found.denominator / found.numerator);
    };
    out.length = in_si(scenario_.units.length);
    out.mass = in_si(scenario_.units.mass);
    out.time = in_si(scenario_.units.time);
    return out;
  }

  Marker road() const {
    Marker out;
    if (planar()) out.axes << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // x, -z, y
    if (given_.ground.empty()) return out;
    const auto& shapes = scenario_.mechanism->ground;
    const auto found = std::ranges::find(shapes, given_.ground, &config::GroundShape::name);
    if (found == shapes.end() || found->shape != nullptr) {
      std::vector<std::string_view> planes;
      for (const config::GroundShape& each : shapes)
        if (each.shape == nullptr) planes.push_back(each.name);
      const std::string_view near = nearest(given_.ground, planes);
      refuse("ground", given_.ground, found == shapes.end() ? "there is no such plane" : "is no plane",
             !near.empty()    ? "did you mean `" + std::string(near) + "`?"
             : planes.empty() ? "add a plane to `ground`, or leave it out"
                              : "name a plane of `ground`, such as `" + std::string(planes[0]) + "`");
    }
    out.point = vec(found->position);
    out.axes = axes_along((rotation(found->orientation) * vec(found->normal)).normalized());
    return out;
  }

  Vec3 axle(const Marker& ground_marker) const {
    Vec3 axis = planar() ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitY());
    if (given_.axis_given) axis = vec(element_.axis).normalized();
    const double upright = std::fabs(axis.dot(ground_marker.axes.col(2)));
    if (upright > 0.99)
      refuse("axis", "", "the axle is normal to the road: the wheel lies on its side",
             "write the direction of the axle at t = 0");
    return axis;
  }

  /// The road of a tyre that is in the air is not felt at the states by which models are told apart. So the
  /// coefficients are told as a curve that nothing follows.
  void remember() {
    const config::Tyre& g = given_;
    text_ += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(g.model), g.radius,
                         g.stiffness, g.damping, g.friction, g.tread, g.patch, g.load, g.rolling_resistance,
                         g.grip, g.mirrored, element_.road_height);
    for (const auto& [p, force] : g.points) text_ += fmt::format(" {} {}", p, force);
    for (const config::RoadWave& wave : element_.waves)
      text_ += fmt::format(" {} {} {}", wave.amplitude, wave.wavelength, wave.phase);
    if (g.relaxation) text_ += fmt::format(" {} {}", (*g.relaxation)[0], (*g.relaxation)[1]);
    if (g.slow) text_ += fmt::format(" slow {}", *g.slow);
    const std::uint64_t all = digest(text_);
    std::vector<double> times, parts;
    for (int k = 0; k < 4; ++k) {
      times.push_back(k);
      parts.push_back(static_cast<double>((all >> static_cast<unsigned>(16 * k)) & 0xffffU));
    }
    builder_.add(Curve(std::move(times), std::move(parts), CurveShape{}));
  }

  [[noreturn]] void refuse(const char* key, std::string value, std::string problem,
                           std::string remedy) const {
    Fault fault{.field = "model.elements." + element_.name + "." + key,
                .value = std::move(value),
                .problem = std::move(problem),
                .remedy = std::move(remedy)};
    const config::Place& place = element_.place;
    if (const auto source = static_cast<std::size_t>(place.source); source < scenario_.sources.size())
      fault.file = scenario_.sources[source];
    fault.line = place.line;
    fault.column = place.column;
    throw Error(std::move(fault));
  }

  const config::Scenario& scenario_;
  const config::Element& element_;
  const config::Tyre& given_;
  MechanismBuilder& builder_;
  std::string text_;
};

}  // namespace

std::unique_ptr<ForceElement> place_tyre(const config::Scenario& scenario, const config::Element& element,
                                         const Vec3& centre, MechanismBuilder& builder) {
  return TyrePlacer(scenario, element, builder).place(centre);
}

}  // namespace cosimo
