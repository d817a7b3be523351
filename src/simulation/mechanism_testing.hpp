// Uncut mechanisms: scenario texts, and what is conserved along their runs.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "mechanics/dynamics.hpp"
#include "simulation/testing.hpp"

namespace cosimo::testing {

/// How it is integrated: method and relative tolerance, absolute ones in proportion.
struct Solver {
  const char* method;
  double rtol;

  std::string text() const {
    return fmt::format("solve: {{method: {}, rtol: {}, atol_pos: {}, atol_vel: {}}}\n", method, rtol,
                       1e-2 * rtol, rtol);
  }
};

inline void PrintTo(const Solver& solver, std::ostream* out) {
  *out << solver.method << " " << solver.rtol;
}

inline std::string scenario_of(const std::string& model, double end, double output, const Solver& solver) {
  return fmt::format("cosimo: 1\nmodel:\n{}simulate: {{end: {}, output: {}}}\n{}", model, end, output,
                     solver.text());
}

/// The model of an example, with all that stands before `simulate`.
inline std::string example_model(const std::string& name) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream file(root / "examples" / (name + ".yaml"));
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("model:");
  EXPECT_NE(begin, std::string::npos) << name;
  return all.substr(begin, all.find("simulate:") - begin);
}

inline std::string example(const std::string& name, double end, double output, const Solver& solver) {
  return "cosimo: 1\n" + example_model(name) +
         fmt::format("simulate: {{end: {}, output: {}}}\n{}", end, output, solver.text());
}

/// A run of a whole mechanism, with its equations.
class WholeRun {
 public:
  explicit WholeRun(const std::string& text)
      : bench_(text), dynamics_(*model().mechanism, bodies(), elements()) {
    const LoopResult result = bench_.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  }

  const Model& model() const { return *bench_.assembly->model; }
  const Dynamics& dynamics() const { return dynamics_; }
  std::size_t rows() const { return bench_.memory.time.size(); }
  double time(std::size_t row) const { return bench_.memory.time[row]; }
  const double* q(std::size_t row) const { return &bench_.memory.position[row * dynamics_.size()]; }
  const double* v(std::size_t row) const { return &bench_.memory.velocity[row * dynamics_.size()]; }
  Frame frame(std::size_t row, const std::string& body) const {
    return dynamics_.frame(model().mechanism->find_body(body).index(), q(row), v(row));
  }
  /// Coordinate of a body at the end.
  double last(const std::string& body, std::size_t coordinate) const {
    const BodyId id = model().mechanism->find_body(body);
    return q(rows() - 1)[model().coordinates(id).first + coordinate];
  }

  double kinetic(std::size_t row) const { return dynamics_.kinetic_energy(q(row), v(row)); }
  double energy(std::size_t row) const {
    return kinetic(row) + dynamics_.potential_energy(time(row), q(row));
  }
  /// Largest change of the energy against the largest kinetic energy.
  double energy_drift() const {
    double most = 0, scale = 0;
    for (std::size_t row = 0; row < rows(); ++row) {
      most = std::max(most, std::fabs(energy(row) - energy(0)));
      scale = std::max(scale, kinetic(row));
    }
    return most / scale;
  }
  /// Largest residuals of the constraints at the output times.
  Dynamics::Residuals residuals() const {
    Dynamics::Residuals most;
    for (std::size_t row = 0; row < rows(); ++row) {
      const Dynamics::Residuals now = dynamics_.residuals(time(row), q(row), v(row));
      most.position = std::max(most.position, now.position);
      most.velocity = std::max(most.velocity, now.velocity);
    }
    return most;
  }

 private:
  std::vector<BodyId> bodies() const {
    std::vector<BodyId> all;
    for (std::size_t i = 0; i < model().bodies.count; ++i) all.emplace_back(i);
    return all;
  }
  std::vector<ElementId> elements() const {
    std::vector<ElementId> all;
    for (std::size_t i = 0; i < model().mechanism->elements.size(); ++i) all.emplace_back(i);
    return all;
  }

  Bench bench_;
  Dynamics dynamics_;
};

}  // namespace cosimo::testing
