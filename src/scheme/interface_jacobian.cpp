#include "scheme/interface_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "signal/predictor.hpp"

namespace cosimo {

namespace {

/// Steps that one Jacobian serves at most.
constexpr int oldest = 20;

/// It is scaled to other steps up to this factor. A new one by sensitivity costs little more than a sweep,
/// and saves one where damping is strong: there dy/du does not follow powers of H.
double widest_scaling(JacobianMethod method) {
  return method == JacobianMethod::sensitivity ? 1.3 : 2;
}

/// Share of the running magnitude that a variable is perturbed by at least.
constexpr double least_perturbation = 1e-3;

/// Of all subsystems of all ranks, in global order.
std::vector<InterfaceBlock> blocks_of(const LaneSet& lanes, const CouplingVariables& variables) {
  const Seam& seam = lanes.seam();
  std::vector<InterfaceBlock> blocks(seam.single() ? lanes.size() : seam.parts());
  for (std::size_t i = 0; seam.single() && i < lanes.size(); ++i) {
    const auto inputs = lanes.subsystem(i).inputs();
    blocks[i].inputs.assign(inputs.begin(), inputs.end());
    for (const Port& port : lanes.subsystem(i).ports())
      blocks[i].ports.push_back({port.coupling, port.side, port.outputs});
  }
  for (const auto ends : {seam.own_ends(), seam.foreign_ends()})
    for (const Seam::End& end : ends) {
      InterfaceBlock& block = blocks[seam.global(PartId{end.part}).index()];
      const CouplingId coupling{end.coupling};
      block.ports.push_back({coupling, end.side, end.coordinates});
      const std::size_t first = variables.driving(coupling, end.side);
      for (std::size_t k = 0; k < variables.driving_count(coupling, end.side); ++k)
        block.inputs.push_back(first + k);
    }
  return blocks;
}

bool far_apart(double a, double b, double factor) {
  return !(a < factor * b && b < factor * a);
}

}  // namespace

InterfaceJacobian::InterfaceJacobian(const LaneSet& lanes, const CouplingConditions& conditions,
                                     const JacobianOptions& options)
    : conditions_(conditions),
      options_(options),
      layout_(blocks_of(lanes, conditions.variables())),
      newton_(conditions, layout_),
      gradients_(conditions.variables()),
      perturbations_(conditions.size()),
      perturbed_ends_(conditions.size()),
      feedback_(conditions.size()),
      perturbed_(conditions.size()) {
  for (const InterfaceBlock& block : layout_) now_.blocks.emplace_back(block.inputs.size() * block.outputs());
  kept_ = now_;
  request_.method = options.method == JacobianMethod::rk            ? ResponseMethod::rk
                    : options.method == JacobianMethod::sensitivity ? ResponseMethod::sensitivity
                                                                    : ResponseMethod::series;
  request_.terms = options.terms;
}

void InterfaceJacobian::begin(const History& history, const Window& window, int kappa, bool slow) {
  window_ = window;
  kappa_ = kappa;
  request_.shape = end_shape(history, window.end, kappa);
  std::array<double, max_degree + 2> grid{window.end};
  const std::size_t points = std::min(history.size(), grid.size() - 1);
  for (std::size_t j = 0; j < points; ++j) grid[j + 1] = history.time(j);
  const ErrorConstants c = error_constants(kappa, {grid.data(), points + 1});
  pos_ = c.pos * window.size() * window.size();
  vel_ = c.vel * window.size();
  asked_ = fresh_ = false;
  const double widest = widest_scaling(options_.method);
  const bool free = options_.method == JacobianMethod::sap ||
                    (options_.method == JacobianMethod::series && options_.terms == 1);
  due_ = free || options_.always || slow || !(now_.pos > 0) || now_.age >= oldest ||
         far_apart(vel_, now_.found_vel, widest) ||
         far_apart(std::sqrt(pos_), std::sqrt(now_.found_pos), widest);
  if (!due_) rescale();
}

void InterfaceJacobian::weigh(const CouplingNorms& norms, std::span<const double> u) {
  sizes_.clear();
  for (std::size_t i = 0; i < u.size() && norms.has_signals(); ++i)
    sizes_.push_back(norms.tolerance(i, u[i]) + std::numeric_limits<double>::min());
}

void InterfaceJacobian::rescale() {
  const double x = pos_ / now_.pos, v = vel_ / now_.vel;
  if (x == 1 && v == 1) return;
  for (std::size_t b = 0; b < layout_.size(); ++b) {
    const std::size_t outputs = layout_[b].outputs();
    std::size_t output = 0;
    for (const InterfaceBlock::End& port : layout_[b].ports) {
      const bool motion = conditions_.layout().is_motion(port.coupling.index(), port.side);
      for (std::size_t k = 0; k < port.coordinates; ++k, ++output)
        for (std::size_t i = 0; motion && i < layout_[b].inputs.size(); ++i) {
          OutputDerivative& d = now_.blocks[b][i * outputs + output];
          d = {x * d.x, v * d.v};
        }
    }
  }
  now_.pos = pos_;
  now_.vel = vel_;
}

bool InterfaceJacobian::wanted(bool slow) const {
  if (!fresh_) return due_ || slow;
  // What is found from the state at T_N alone does not change within the step. The others may have been found
  // where the subsystems moved otherwise, or took other micro steps.
  const bool follows =
      options_.method == JacobianMethod::fd || options_.method == JacobianMethod::sensitivity;
  return follows && (options_.always || slow);
}

double InterfaceJacobian::perturbation(std::size_t variable, double change,
                                       const CouplingNorms& norms) const {
  const double least = options_.perturbation_min.value_or(least_perturbation * norms.magnitude(variable) +
                                                          norms.atol(variable));
  // A signal that has been nothing so far has no size: differences over the smallest number would be none.
  constexpr double nothing = 1e-200;
  return std::max(std::fabs(change), least > nothing ? least : least_perturbation);
}

void InterfaceJacobian::ask(const History& history, std::span<const double> ends,
                            std::span<const double> change, const CouplingNorms& norms, LaneStep& step) {
  asked_ = true;
  if (options_.method != JacobianMethod::fd) {
    step.response = &request_;
    return;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    perturbed_ends_[i] = ends[i] + perturbation(i, change[i], norms);
    perturbations_[i] = perturbed_ends_[i] - ends[i];  // as rounded
  }
  approximate(history, window_.end, kappa_, perturbed_ends_, perturbed_);
  step.beside = perturbed_;
}

void InterfaceJacobian::take(const LaneSet& lanes) {
  if (!asked_) return;
  asked_ = false;
  const Seam& seam = lanes.seam();
  for (std::size_t slot = 0; slot < lanes.size(); ++slot) {
    auto& block = now_.blocks[seam.global(PartId{slot}).index()];
    if (block.empty()) continue;
    std::span<const PortState> found = lanes.response(slot);
    if (options_.method == JacobianMethod::fd) {
      differences_.resize(block.size());
      lanes.difference(slot, perturbations_, differences_);
      found = differences_;
    }
    for (std::size_t k = 0; k < block.size(); ++k) block[k] = {found[k].x, found[k].v};
  }
  if (!seam.single()) hear_blocks(seam);
  now_.pos = now_.found_pos = pos_;
  now_.vel = now_.found_vel = vel_;
  now_.age = 0;
  fresh_ = true;
  ++computed_;
}

/// Every rank needs the whole system: it is small, and solved by each for itself.
void InterfaceJacobian::hear_blocks(const Seam& seam) {
  std::vector<std::vector<std::size_t>> of_rank(static_cast<std::size_t>(seam.exchange().ranks()));
  for (std::size_t part = 0; part < seam.parts(); ++part)
    of_rank[static_cast<std::size_t>(seam.rank_of(part))].push_back(seam.global(PartId{part}).index());
  std::vector<int> counts;
  std::vector<double> own, all;
  std::size_t total = 0;
  for (std::size_t r = 0; r < of_rank.size(); ++r) {
    std::size_t count = 0;
    for (const std::size_t b : of_rank[r]) count += 2 * now_.blocks[b].size();
    counts.push_back(static_cast<int>(count));
    total += count;
  }
  for (const std::size_t b : of_rank[static_cast<std::size_t>(seam.exchange().rank())])
    for (const OutputDerivative& d : now_.blocks[b]) {
      own.push_back(d.x);
      own.push_back(d.v);
    }
  all.resize(total);
  seam.exchange().gather_all(own, counts, all);
  const double* number = all.data();
  for (const auto& blocks : of_rank)
    for (const std::size_t b : blocks)
      for (OutputDerivative& d : now_.blocks[b]) {
        d = {number[0], number[1]};
        number += 2;
      }
}

bool InterfaceJacobian::solve(const CutStates& y, std::span<const double> used, std::span<double> residual) {
  conditions_.gradients(window_.end, y, used, gradients_);
  views_.assign(now_.blocks.begin(), now_.blocks.end());
  if (!newton_.factor(gradients_, views_, sizes_)) return false;
  newton_.solve(residual);
  return true;
}

void InterfaceJacobian::close_loop(const CutStates& y, std::span<const double> used, CutStates& error) {
  // (I - R P)^-1 = I + R (I - P R)^-1 P with R = dy/du and P = dphi/dy.
  conditions_.gradients(window_.end, y, used, gradients_);
  const CutLayout& layout = conditions_.layout();
  for (std::size_t i = 0; i < feedback_.size(); ++i) {
    const std::size_t c = conditions_.variables()[i].coupling.index();
    double sum = 0;
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const auto slopes = gradients_.at(i, side);
      const std::size_t first = layout.first(c, side) + gradients_.first_coordinate(i);
      for (std::size_t k = 0; k < slopes.size(); ++k) {
        sum += slopes[k].x * error.x(side)[first + k];
        sum += slopes[k].v * error.v(side)[first + k];
      }
    }
    feedback_[i] = -sum;
  }
  views_.assign(now_.blocks.begin(), now_.blocks.end());
  if (!newton_.factor(gradients_, views_, sizes_)) return;
  newton_.solve(feedback_);
  for (std::size_t b = 0; b < layout_.size(); ++b) add_answers(b, error);
}

/// What the outputs of a subsystem make of the feedback to its inputs.
void InterfaceJacobian::add_answers(std::size_t subsystem, CutStates& error) const {
  const InterfaceBlock& block = layout_[subsystem];
  const std::size_t outputs = block.outputs();
  std::size_t output = 0;
  for (const InterfaceBlock::End& port : block.ports) {
    const std::size_t first = conditions_.layout().first(port.coupling.index(), port.side);
    for (std::size_t k = 0; k < port.coordinates; ++k, ++output) {
      double x = 0, v = 0;
      for (std::size_t i = 0; i < block.inputs.size(); ++i) {
        const OutputDerivative& d = now_.blocks[subsystem][i * outputs + output];
        x += d.x * feedback_[block.inputs[i]];
        v += d.v * feedback_[block.inputs[i]];
      }
      error.x(port.side)[first + k] += x;
      error.v(port.side)[first + k] += v;
    }
  }
}

void InterfaceJacobian::keep() {
  ++now_.age;
  kept_ = now_;
}

void InterfaceJacobian::forget() {
  now_ = kept_;
}

}  // namespace cosimo
