#include "multibody/place_contacts.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/contact_group.hpp"
#include "core/error.hpp"
#include "multibody/config_values.hpp"

namespace cosimo {

namespace {

class ContactPlacer {
 public:
  explicit ContactPlacer(const config::Scenario& scenario)
      : scenario_(scenario), model_(*scenario.mechanism), bodies_(model_.bodies.size()) {}

  std::unique_ptr<ForceGroup> place(const config::Contact& given) const {
    std::vector<std::uint8_t> sides(bodies_ + model_.ground.size(), 0);
    for (std::size_t k = 0; k < 2; ++k)
      for (const std::int32_t shape : given.sides[k])
        sides[static_cast<std::size_t>(shape)] |= static_cast<std::uint8_t>(1U << k);
    contact::Scene scene;
    std::vector<std::uint32_t> number(bodies_, none);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < bodies_; ++b) {
      if (sides[b] == 0) continue;
      number[b] = static_cast<std::uint32_t>(scene.bodies.size());
      scene.bodies.emplace_back(b);
      const config::Body& body = model_.bodies[b];
      check(given, body.name, *body.shape);
      scene.shapes.push_back(outline_of(given, body.name, *body.shape, Vec3::Zero(), Mat3::Identity()));
      least = std::min(least, effective_mass(body, scene.shapes.back().reach));
      scene.names.push_back(body.name);
      scene.allowed.sides.push_back(sides[b]);
    }
    for (std::size_t g = 0; g < model_.ground.size(); ++g) {
      if (sides[bodies_ + g] == 0) continue;
      scene.shapes.push_back(outline_of(given, model_.ground[g]));
      scene.names.push_back(model_.ground[g].name);
      scene.allowed.sides.push_back(sides[bodies_ + g]);
    }
    if (scene.bodies.empty()) refuse(given, "", "", "only the ground touches itself", "name bodies as well");
    scene.allowed.never = joined(number);
    if (!some_pair(scene))
      refuse(given, "", "", "no two of these can touch: they are one body, or joined with each other",
             "name more bodies, or the `ground`");
    return contact::make_contacts(given.name, std::move(scene), spec(given, least));
  }

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  contact::Outline outline_of(const config::Contact& given, const config::GroundShape& fixed) const {
    const Mat3 turn = rotation(fixed.orientation);
    if (fixed.shape == nullptr) return contact::make_plane(vec(fixed.position), turn * vec(fixed.normal));
    check(given, fixed.name, *fixed.shape);
    // Points of a mesh count from the origin of its file.
    const Vec3 middle(fixed.shape->centroid[0], fixed.shape->centroid[1], fixed.shape->centroid[2]);
    return outline_of(given, fixed.name, *fixed.shape, vec(fixed.position) + turn * middle, turn);
  }

  contact::Outline outline_of(const config::Contact& given, const std::string& name, const SolidShape& shape,
                              const Vec3& at, const Mat3& turn) const {
    contact::Outline out = contact::make_outline(shape, at, turn, given.spacing);
    const double finest = contact::longest_edge(out) / static_cast<double>(contact::most_gaps);
    if (given.spacing > 0 && given.spacing < (1 - 1e-9) * finest)
      refuse(given, ".spacing", fmt::format("{:g}", given.spacing),
             fmt::format("divides an edge of `{}` into more than {} gaps", name, contact::most_gaps),
             fmt::format("write at least {:.3g}, or a contact of its own for that shape", finest));
    return out;
  }

  /// What a point of a body that is pushed along the surface resists with, at least: m/(1 + m r^2/I).
  static double effective_mass(const config::Body& body, double reach) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia_tensor(body.inertia), Eigen::EigenvaluesOnly);
    const double inertia = solver.eigenvalues()(0);
    return inertia > 0 ? body.mass / (1 + body.mass * reach * reach / inertia) : body.mass;
  }

  void check(const config::Contact& given, const std::string& name, const SolidShape& shape) const {
    if (const std::string reason = contact::reason_against(shape); !reason.empty())
      refuse(given, "", name, reason, "give it another shape, or write names that leave it out");
  }

  [[noreturn]] void refuse(const config::Contact& given, const std::string& key, const std::string& value,
                           const std::string& problem, const std::string& remedy) const {
    Fault fault{
        .field = "model.contacts." + given.name + key, .value = value, .problem = problem, .remedy = remedy};
    const auto source = static_cast<std::size_t>(given.place.source);
    if (source < scenario_.sources.size()) fault.file = scenario_.sources[source];
    fault.line = given.place.line;
    fault.column = given.place.column;
    throw Error(std::move(fault));
  }

  static bool some_pair(const contact::Scene& scene) {
    for (std::uint32_t a = 0; a < scene.bodies.size(); ++a)
      for (std::uint32_t b = a + 1; b < scene.shapes.size(); ++b)
        if (scene.allowed(a, b)) return true;
    return false;
  }

  /// Pairs of bodies that a joint holds together.
  std::vector<contact::Pair> joined(const std::vector<std::uint32_t>& number) const {
    std::vector<contact::Pair> pairs;
    for (const config::Joint& joint : model_.joints) {
      if (joint.from == config::on_ground || joint.to == config::on_ground) continue;
      const std::uint32_t a = number[static_cast<std::size_t>(joint.from)],
                          b = number[static_cast<std::size_t>(joint.to)];
      if (a != none && b != none && a != b) pairs.push_back({std::min(a, b), std::max(a, b)});
    }
    std::ranges::sort(pairs);
    return pairs;
  }

  static contact::Spec spec(const config::Contact& given, double least_mass) {
    contact::Spec out{.stiffness = given.stiffness,
                      .exponent = given.exponent,
                      .damping = given.damping,
                      .friction = given.friction,
                      .slip = given.slip};
    if (given.sticking)
      out.sticking = contact::Sticking{
          given.sticking_stiffness,
          given.sticking_damping.value_or(std::sqrt(given.sticking_stiffness * least_mass))};
    return out;
  }

  const config::Scenario& scenario_;
  const config::Mechanism& model_;
  std::size_t bodies_;
};

}  // namespace

std::vector<std::unique_ptr<ForceGroup>> place_contacts(const config::Scenario& scenario) {
  const ContactPlacer placer(scenario);
  std::vector<std::unique_ptr<ForceGroup>> groups;
  for (const config::Contact& given : scenario.mechanism->contacts) groups.push_back(placer.place(given));
  return groups;
}

}  // namespace cosimo
