#include "subsystem/variational_step.hpp"

#include <algorithm>
#include <array>

namespace cosimo {

namespace {

constexpr std::size_t stages = 3;
constexpr double root6 = 2.44948974278317809820;
constexpr std::array<double, stages> nodes{(4 - root6) / 10, (4 + root6) / 10, 1};

using Matrix = std::array<std::array<double, stages>, stages>;
constexpr Matrix radau{{{(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
                        {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
                        {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9}}};

constexpr Matrix squared(const Matrix& a) {
  Matrix result{};
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t j = 0; j < stages; ++j)
      for (std::size_t k = 0; k < stages; ++k) result[i][j] += a[i][k] * a[k][j];
  return result;
}
constexpr Matrix radau2 = squared(radau);

/// Bodies first, then edges; of each the blocks (a, a) or (a, b) and (b, a), row by row.
std::vector<SparseLu::Entry> entries_of(const TangentPattern& pattern) {
  std::vector<SparseLu::Entry> entries;
  entries.reserve((pattern.size() + 2 * pattern.edges().size()) * stages * stages);
  const auto add_block = [&](std::int32_t row, std::int32_t column) {
    constexpr auto n = static_cast<std::int32_t>(stages);
    for (std::int32_t i = 0; i < n; ++i)
      for (std::int32_t j = 0; j < n; ++j) entries.push_back({n * row + i, n * column + j});
  };
  for (std::size_t i = 0; i < pattern.size(); ++i)
    add_block(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  for (const Edge& edge : pattern.edges()) {
    add_block(edge.a, edge.b);
    add_block(edge.b, edge.a);
  }
  return entries;
}

}  // namespace

VariationalStep::VariationalStep(const DrivenPart& part, std::span<const CutPort> ports)
    : part_(part),
      ports_(ports),
      lu_(stages * part.size(), entries_of(part.pattern())),
      tangent_(part.pattern()),
      q_(part.size()),
      v_(part.size()),
      effects_(stages * part.inputs()),
      b_(stages * part.size()) {}

/// The rows of one stage, from the tangent there.
void VariationalStep::assemble(std::size_t stage, double h) {
  std::array<double, stages> c{}, k{};
  for (std::size_t j = 0; j < stages; ++j) {
    c[j] = h * radau[stage][j];
    k[j] = h * h * radau2[stage][j];
  }
  double* row = lu_.values().data() + stage * stages;
  constexpr std::size_t block = stages * stages;
  for (std::size_t i = 0; i < part_.size(); ++i, row += block) {
    for (std::size_t j = 0; j < stages; ++j) row[j] = c[j] * tangent_.c_diag[i] + k[j] * tangent_.k_diag[i];
    row[stage] += tangent_.mass[i];
  }
  for (std::size_t e = 0; e < part_.pattern().edges().size(); ++e, row += 2 * block)
    for (std::size_t j = 0; j < stages; ++j)
      row[j] = row[block + j] = c[j] * tangent_.c_edge[e] + k[j] * tangent_.k_edge[e];
}

bool VariationalStep::compute(const Window& window, const MacroStates& states, Response& response) {
  const double h = window.size();
  const std::size_t inputs = part_.inputs();
  for (std::size_t s = 0; s < stages; ++s) {
    const double t = window.begin + nodes[s] * h;
    states.extrapolate(t, q_, v_);
    part_.tangent(t, q_.data(), v_.data(), tangent_);
    assemble(s, h);
    for (std::size_t i = 0; i < inputs; ++i) {
      effects_[s * inputs + i] = part_.input_effect(i, t, q_.data(), v_.data());
      effects_[s * inputs + i].force *= response.shape(t);
    }
  }
  if (!lu_.factor()) return false;
  response.derivative.resize(inputs * ports_.size());
  for (std::size_t i = 0; i < inputs; ++i) {
    std::fill(b_.begin(), b_.end(), 0.0);
    for (std::size_t s = 0; s < stages; ++s) {
      const InputEffect& effect = effects_[s * inputs + i];
      b_[stages * static_cast<std::size_t>(effect.dof) + s] = effect.force;
    }
    lu_.solve(b_);
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      const double* const a = b_.data() + stages * static_cast<std::size_t>(ports_[p].dof);
      PortState& answer = response.derivative[i * ports_.size() + p];
      answer = {};
      for (std::size_t j = 0; j < stages; ++j) {
        answer.x += h * h * radau2[stages - 1][j] * a[j];
        answer.v += h * radau[stages - 1][j] * a[j];
      }
    }
  }
  return true;
}

}  // namespace cosimo
