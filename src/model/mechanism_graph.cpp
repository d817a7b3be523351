#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mechanics/coordinate_names.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/mechanism.hpp"
#include "mechanics/space.hpp"
#include "model/graphs.hpp"

namespace cosimo {

namespace {

/// M^-1/2 of a body; zero in the components that it is not free to have.
Mat6 inverse_root_of_mass(const Body& body, const Frame& frame) {
  Mat6 root = Mat6::Zero();
  for (const std::uint8_t i : freedom_components(body.kind))
    if (i < 3) root(i, i) = 1 / std::sqrt(body.mass);
  if (body.kind == BodyKind::planar) root(5, 5) = 1 / std::sqrt(body.inertia(2, 2));
  if (body.kind == BodyKind::rigid) {
    const Mat3 inertia = frame.R * body.inertia * frame.R.transpose();
    root.bottomRightCorner<3, 3>() = Eigen::SelfAdjointEigenSolver<Mat3>(inertia).operatorInverseSqrt();
  }
  return root;
}

/// Largest eigenvalue of a symmetric matrix, by Jacobi's rotations.
double greatest_eigenvalue(Mat6 a) {
  constexpr int most_sweeps = 30;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const double off = a.squaredNorm() - a.diagonal().squaredNorm();
    if (!(off > 1e-24 * a.squaredNorm())) break;
    for (int p = 0; p < 5; ++p)
      for (int q = p + 1; q < 6; ++q) {
        if (a(p, q) == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = std::copysign(1 / (std::fabs(theta) + std::hypot(theta, 1.0)), theta);
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (int k = 0; k < 6; ++k) {
          const double kp = a(k, p), kq = a(k, q);
          a(k, p) = c * kp - s * kq;
          a(k, q) = s * kp + c * kq;
        }
        for (int k = 0; k < 6; ++k) {
          const double pk = a(p, k), qk = a(q, k);
          a(p, k) = c * pk - s * qk;
          a(q, k) = s * pk + c * qk;
        }
      }
  }
  return a.diagonal().maxCoeff();
}

/// Largest eigenvalue of root (-W) root, W the derivative of a wrench; at least zero.
double greatest_rate(const Mat6& root, const Mat6& wrench_gradient) {
  if (!wrench_gradient.allFinite()) return 0;
  const Mat6 symmetric = -0.5 * (wrench_gradient + wrench_gradient.transpose());
  const Mat6 half = root.lazyProduct(symmetric);
  const Mat6 scaled = half.lazyProduct(root);
  return std::max(0.0, greatest_eigenvalue(scaled));
}

class MechanismRates {
 public:
  explicit MechanismRates(const Model& model) : mechanism_(*model.mechanism) {
    for (std::size_t i = 0; i < mechanism_.bodies.size(); ++i) {
      const std::size_t q = model.coordinates(BodyId{i}).first;
      frame_.push_back(frame_of(mechanism_.bodies[i].kind, &model.bodies.x[q], &model.bodies.v[q]));
      root_.push_back(inverse_root_of_mass(mechanism_.bodies[i], frame_.back()));
    }
  }

  ElementRates of(const ForceElement& element) const {
    const auto marker = [&](const Marker& m) {
      return marker_frame(m.body == ground ? Frame{} : frame_[m.body.index()], m);
    };
    EffortGradient gradient;
    const Frame from = marker(element.at_from), to = marker(element.at_to);
    if (const ElementMemory* memory = element.memory()) {
      const Extent extent = memory->extent();
      std::vector<double> z(extent.z), s(extent.s);
      StateGradient by_z;
      by_z.reset(extent.z);
      memory->begin(from, to, z.data(), s.data());
      memory->gradient(0, from, to, {z.data(), s.data()}, gradient, by_z);
    } else {
      element.gradient(0, from, to, gradient);
    }
    const EffortMask mask = element.components();
    const bool opposite = (mask[3] || mask[4] || mask[5]) && !(mask[6] || mask[7] || mask[8]);
    if (opposite)
      for (EffortGradient::Block* block : {&gradient.from, &gradient.to})
        block->bottomRows<3>() = -block->middleRows<3>(3);
    return {at_end(element.at_from, gradient.from, +1, 3), at_end(element.at_to, gradient.to, -1, 6)};
  }

 private:
  /// `sign` of the force and first row of the torque on that side.
  EndRates at_end(const Marker& marker, const EffortGradient::Block& gradient, double sign,
                  Eigen::Index torque) const {
    if (marker.body == ground) return {};
    const std::size_t b = marker.body.index();
    const Frame& frame = frame_[b];
    const EffortGradient::Block of_body = gradient.lazyProduct(marker_jacobian(frame, marker));
    const Vec3 arm = frame.R * marker.point;
    Eigen::Matrix<double, 6, 12> wrench;
    wrench.topRows<3>() = sign * of_body.topRows<3>();
    wrench.bottomRows<3>() =
        skew(sign * arm).lazyProduct(of_body.topRows<3>()) + of_body.middleRows<3>(torque);
    return {greatest_rate(root_[b], wrench.leftCols<6>()), greatest_rate(root_[b], wrench.rightCols<6>())};
  }

  const Mechanism& mechanism_;
  std::vector<Frame> frame_;
  std::vector<Mat6> root_;
};

/// Bodies of any kind in space, joints, elements of any kind.
class MechanismGraph final : public BodyGraph {
 public:
  explicit MechanismGraph(const Model& model)
      : BodyGraph(model.bodies.count, element_count(model)),
        model_(model),
        mechanism_(*model.mechanism),
        load_(model.bodies.count, Load::none) {
    for (const auto& element : mechanism_.elements) {
      if (!element->is_load()) continue;
      const Load what = element->strikes() ? Load::contact : Load::formula;
      for (const BodyId body : {element->at_from.body, element->at_to.body})
        if (body != ground) load_[body.index()] = std::max(load_[body.index()], what);
    }
    for (const auto& group : mechanism_.groups)
      for (const BodyId body : group->bodies())
        if (group->strikes()) load_[body.index()] = Load::contact;
  }

  ElementEnds ends(ElementId element) const override { return ends_of(model_, element); }
  std::vector<std::span<const BodyId>> joints() const override {
    std::vector<std::span<const BodyId>> joined;
    for (const auto& constraint : mechanism_.constraints) joined.push_back(constraint->bodies());
    return joined;
  }
  std::vector<std::span<const BodyId>> together() const override {
    std::vector<std::span<const BodyId>> all;
    for (const auto& group : mechanism_.groups) all.push_back(group->bodies());
    return all;
  }
  std::vector<ElementId> uncut() const override {
    std::vector<ElementId> all;
    for (std::size_t e = 0; e < elements(); ++e)
      if (const ElementMemory* memory = at(ElementId{e}).memory(); memory != nullptr && memory->essential())
        all.push_back(ElementId{e});
    return all;
  }
  double mass(BodyId body) const override { return mechanism_.bodies[body.index()].mass; }
  std::size_t coordinates(BodyId body) const override { return coordinates_of(kind(body)); }
  std::size_t freedoms(BodyId body) const override { return freedoms_of(kind(body)); }
  std::string coordinate(BodyId body, std::size_t number) const override {
    return coordinate_names(kind(body))[number];
  }
  bool is_angle(BodyId body, std::size_t number) const override {
    return cosimo::is_angle(kind(body), number);
  }
  std::string force(BodyId body, std::size_t freedom) const override {
    return force_name(kind(body), freedom);
  }
  double arm(BodyId body) const override {
    const bool planar = kind(body) == BodyKind::planar;
    if (!planar && kind(body) != BodyKind::rigid) return 0;
    const Mat3& inertia = mechanism_.bodies[body.index()].inertia;
    return std::sqrt((planar ? inertia(2, 2) : inertia.trace() / 3) / mass(body));
  }
  std::size_t components(ElementId element) const override {
    return coupling_components(model_, element).count();
  }

  /// At the initial state, whatever the motion.
  ElementRates element_rates(ElementId element, const TypicalMotion& /*at*/) const override {
    std::call_once(rated_, [this] {
      const MechanismRates rates(model_);
      for (const auto& each : mechanism_.elements) {
        const bool joins = each->at_from.body != each->at_to.body;
        rates_.push_back(joins ? rates.of(*each) : ElementRates{});
      }
    });
    return rates_[element.index()];
  }

  Load load(BodyId body) const override { return load_[body.index()]; }
  bool sets_in(ElementId element) const override {
    return at(element).is_load() && at(element).switch_count() > 0;
  }
  bool holds(ElementId element) const override { return !at(element).is_load() || at(element).strikes(); }
  bool has_gravity() const override { return mechanism_.gravity.norm() > 0; }
  double next_breakpoint(double t) const override {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& element : mechanism_.elements) next = std::min(next, element->next_jump(t));
    for (const auto& group : mechanism_.groups) next = std::min(next, group->next_breakpoint(t));
    for (const auto& joint : mechanism_.constraints) next = std::min(next, joint->next_breakpoint(t));
    return next;
  }

  bool named() const override { return true; }
  bool is_joint(const std::string& name) const override {
    return std::ranges::any_of(mechanism_.constraints, [&](const auto& each) { return each->name == name; });
  }
  std::string label(BodyId body) const override { return mechanism_.bodies[body.index()].name; }
  std::string label(ElementId element) const override { return at(element).name; }
  std::vector<std::array<double, 3>> places() const override {
    std::vector<std::array<double, 3>> all;
    bool any_of_plane = false;
    for (std::size_t i = 0; i < bodies(); ++i) {
      const std::size_t q = model_.coordinates(BodyId{i}).first;
      const Vec3 r = frame_of(kind(BodyId{i}), &model_.bodies.x[q], &model_.bodies.v[q]).r;
      all.push_back({r.x(), r.y(), r.z()});
      any_of_plane = any_of_plane || kind(BodyId{i}) != BodyKind::point1;
    }
    if (!any_of_plane) all.clear();
    return all;
  }

 private:
  BodyKind kind(BodyId body) const { return mechanism_.bodies[body.index()].kind; }
  const ForceElement& at(ElementId element) const { return *mechanism_.elements[element.index()]; }

  const Model& model_;
  const Mechanism& mechanism_;
  std::vector<Load> load_;
  mutable std::once_flag rated_;
  mutable std::vector<ElementRates> rates_;
};

}  // namespace

std::unique_ptr<BodyGraph> make_mechanism_graph(const Model& model) {
  return std::make_unique<MechanismGraph>(model);
}

}  // namespace cosimo
