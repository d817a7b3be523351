#include "partition/element_rates.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mechanics/mechanism.hpp"

namespace cosimo {

namespace {

std::vector<ElementRates> scalar_rates(const Model& model) {
  const std::size_t n = model.elements.count();
  const LazyArray<double>&x = model.bodies.x, &v = model.bodies.v;
  const auto at = [](const LazyArray<double>& state, BodyId body) {
    return body == ground || state.empty() ? 0.0 : state[body.index()];
  };
  double dx2 = 0, dv2 = 0, counted = 0;
  for (std::size_t e = 0; e < n; ++e) {
    const BodyId from = model.elements.from[e], to = model.elements.to[e];
    if (from == to) continue;
    dx2 += std::pow(at(x, to) - at(x, from), 2);
    dv2 += std::pow(at(v, to) - at(v, from), 2);
    counted += 1;
  }
  const double dx = counted > 0 ? std::sqrt(dx2 / counted) : 0;
  const double dv = counted > 0 ? std::sqrt(dv2 / counted) : 0;
  std::vector<ElementRates> result(n);
  for (std::size_t e = 0; e < n; ++e) {
    const SpringLaw law = model.elements.law(ElementId{e});
    const BodyId from = model.elements.from[e], to = model.elements.to[e];
    if (from == to) continue;
    const double k = std::max(0.0, law.stiffness(dx)), d = std::max(0.0, law.damping(dv));
    const auto end = [&](BodyId body) {
      return body == ground
                 ? EndRates{}
                 : EndRates{k / model.bodies.mass[body.index()], d / model.bodies.mass[body.index()]};
    };
    result[e] = {end(from), end(to)};
  }
  return result;
}

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
    element.gradient(0, marker(element.at_from), marker(element.at_to), gradient);
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

}  // namespace

std::vector<ElementRates> element_rates(const Model& model) {
  if (!model.mechanism) return scalar_rates(model);
  const MechanismRates rates(model);
  std::vector<ElementRates> result;
  for (const auto& element : model.mechanism->elements) {
    const bool joins = element->at_from.body != element->at_to.body;
    result.push_back(joins ? rates.of(*element) : ElementRates{});
  }
  return result;
}

}  // namespace cosimo
