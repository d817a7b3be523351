// The one place that knows the inside of IDA (ida/ida_impl.h, SUNDIALS 6.4): exact snapshots
// of its memory, step sizes between steps, and the history for dense output. Everything else
// goes through IDA's public interface.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/archive.hpp"
#include "integrator/integrator.hpp"
#include "integrator/nvector.hpp"
#include "integrator/nvector_archive.hpp"

namespace cosimo {

/// All of IDA's memory that decides what it does next. Sharing the history costs no copies.
class IdaState {
 public:
  IdaState();
  IdaState(const IdaState&) = delete;
  IdaState& operator=(const IdaState&) = delete;
  ~IdaState();

  /// `vectors` goes into the same archive.
  void archive(Archive& a, ValueArchive& vectors);

 private:
  friend class IdaMemory;
  struct Scalars;
  static constexpr std::size_t max_history = 6;
  std::unique_ptr<Scalars> scalars_;
  std::array<VectorValue, max_history> history_;
};

/// Dense output at one time: y(t) = sum_j c[j] * history(j), of the order of the last step.
struct Interpolation {
  std::size_t count = 0;
  std::array<double, 6> c{};
};

/// The formula of the last step, of order k, with the rows of the history it began with made to fit its size:
///   y = sum_{j<=k} beta_j phi_j + e,   y' = sum_{1<=j<=k} gamma_j beta_j phi_j + cj e,
/// where e is the correction; then phi_{k+1} = e (k < 5) and phi_j becomes sum_{i=j}^{k} beta_i phi_i + e.
struct StepFormula {
  std::size_t order = 0;
  double h = 0;
  std::array<double, 6> beta{}, gamma{};
  double cj = 0;
  double cj_ratio = 1;  ///< cj over that of the Newton matrix in use
};

class IdaMemory {
 public:
  /// `ida` comes from IDACreate(), after IDAInit() and IDASetLinearSolver().
  explicit IdaMemory(void* ida);

  double time() const;  ///< tn: the end of the last step, or the start
  bool fresh() const;   ///< no step since (re)initialisation
  double last_step() const;
  double next_step() const;
  /// Changes the size of the next step; IDA recomputes its coefficients for it. Not while fresh().
  void set_next_step(double h);
  void set_time(double t);  ///< within rounding of time()
  void clear_stop_time();

  StepFormula last_formula() const;
  Interpolation interpolation(double t) const;
  N_Vector history(std::size_t j) const;  ///< phi_j; history(0) is y at time()

  /// Lets go of the arrays of scratch vectors, which no later step reads: fewer arrays stay in cache.
  void drop_scratch();

  Counters counters() const;  ///< since (re)initialisation

  void save(IdaState& state) const;
  void restore(const IdaState& state);

 private:
  void* ida_;
};

}  // namespace cosimo
