#include "integrator/ida_memory.hpp"

#include <ida/ida_impl.h>
#include <ida/ida_ls_impl.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "core/check.hpp"

// Part of the library but of no header: IDA's own files declare it like this where they need it.
extern "C" int IDAInitialSetup(IDAMem ida);  // NOLINT(readability-identifier-naming)

namespace cosimo {

namespace {

using NewtonContent = std::remove_pointer_t<SUNNonlinearSolverContent_Newton>;

// What a step leaves behind for the next one. Not listed, and why:
// - options and function pointers: the same in every integrator made with the same arguments;
// - ewt, yypredict, yppredict, ee, delta, savres, tempv*: computed anew in every step before use;
// - cvals, dvals, Xvecs, Zvecs: scratch of the fused operations;
// - IDACalcIC and root finding: not used.
constexpr auto ida_scalars = std::make_tuple(
    // method coefficients: kept over steps of equal size and order
    &IDAMemRec::ida_psi, &IDAMemRec::ida_alpha, &IDAMemRec::ida_beta, &IDAMemRec::ida_sigma,
    &IDAMemRec::ida_gamma,
    // where and how the next step begins
    &IDAMemRec::ida_kk, &IDAMemRec::ida_kused, &IDAMemRec::ida_knew, &IDAMemRec::ida_phase,
    &IDAMemRec::ida_ns, &IDAMemRec::ida_h0u, &IDAMemRec::ida_hh, &IDAMemRec::ida_hused, &IDAMemRec::ida_eta,
    &IDAMemRec::ida_tn, &IDAMemRec::ida_tretlast, &IDAMemRec::ida_hmax_inv, &IDAMemRec::ida_tstopset,
    &IDAMemRec::ida_tstop, &IDAMemRec::ida_SetupDone,
    // Newton iteration: age of the matrix and rate of convergence
    &IDAMemRec::ida_cj, &IDAMemRec::ida_cjlast, &IDAMemRec::ida_cjold, &IDAMemRec::ida_cjratio,
    &IDAMemRec::ida_ss, &IDAMemRec::ida_oldnrm, &IDAMemRec::ida_epsNewt, &IDAMemRec::ida_toldel,
    &IDAMemRec::ida_tolsf,
    // counters
    &IDAMemRec::ida_nst, &IDAMemRec::ida_nre, &IDAMemRec::ida_ncfn, &IDAMemRec::ida_netf, &IDAMemRec::ida_nni,
    &IDAMemRec::ida_nnf, &IDAMemRec::ida_nsetups);

// The interface to the linear solver holds counters only; the factors are the NewtonMatrix's.
constexpr auto linear_scalars =
    std::make_tuple(&IDALsMemRec::nje, &IDALsMemRec::ncfl, &IDALsMemRec::last_flag);

// jcur says whether a failed iteration may ask for a new matrix.
constexpr auto newton_scalars = std::make_tuple(&NewtonContent::jcur, &NewtonContent::curiter,
                                                &NewtonContent::niters, &NewtonContent::nconvfails);

template <class T>
void copy_value(const T& from, T& to) {
  if constexpr (std::is_array_v<T>) {
    std::copy(std::begin(from), std::end(from), std::begin(to));
  } else {
    to = from;
  }
}

template <class Record, class Members>
void copy_members(const Members& members, const Record& from, Record& to) {
  std::apply([&](auto... member) { (copy_value(from.*member, to.*member), ...); }, members);
}

template <class T>
void archive_value(Archive& a, T& value) {
  if constexpr (std::is_array_v<T>) {
    a(std::span(value));
  } else {
    a(value);
  }
}

template <class Record, class Members>
void archive_members(Archive& a, const Members& members, Record& values) {
  std::apply([&](auto... member) { (archive_value(a, values.*member), ...); }, members);
}

IDAMemRec& record(void* ida) {
  return *static_cast<IDAMemRec*>(ida);
}
IDALsMemRec& linear_record(void* ida) {
  return *static_cast<IDALsMemRec*>(record(ida).ida_lmem);
}
NewtonContent& newton_record(void* ida) {
  return *static_cast<NewtonContent*>(record(ida).NLS->content);
}

// phi_0 ... phi_k of the order in use, and one more: the last correction, from which IDA judges
// an increase of the order. After an order decrease the row above is never read again.
std::size_t live_history(const IDAMemRec& ida) {
  const int order = ida.ida_nst == 0 ? 0 : std::max(ida.ida_kk, ida.ida_kused);
  return static_cast<std::size_t>(std::min(order + 1, ida.ida_maxord)) + 1;
}

}  // namespace

struct IdaState::Scalars {
  IDAMemRec ida{};
  IDALsMemRec linear{};
  NewtonContent newton{};
};

IdaState::IdaState() : scalars_(std::make_unique<Scalars>()) {}
IdaState::~IdaState() = default;

void IdaState::archive(Archive& a, ValueArchive& vectors) {
  archive_members(a, ida_scalars, scalars_->ida);
  archive_members(a, linear_scalars, scalars_->linear);
  archive_members(a, newton_scalars, scalars_->newton);
  for (VectorValue& row : history_) vectors(row);
}

IdaMemory::IdaMemory(void* ida) : ida_(ida) {
  COSIMO_CHECK(record(ida_).ida_maxord < static_cast<int>(IdaState::max_history), "IDA's largest order");
}

double IdaMemory::time() const {
  return record(ida_).ida_tn;
}

bool IdaMemory::fresh() const {
  return record(ida_).ida_nst == 0;
}

double IdaMemory::last_step() const {
  return record(ida_).ida_hused;
}

double IdaMemory::next_step() const {
  return record(ida_).ida_hh;
}

void IdaMemory::set_next_step(double h) {
  COSIMO_CHECK(!fresh() && h > 0, "step of " + std::to_string(h));
  record(ida_).ida_hh = h;
}

void IdaMemory::set_time(double t) {
  record(ida_).ida_tn = record(ida_).ida_tretlast = t;
}

void IdaMemory::clear_stop_time() {
  record(ida_).ida_tstopset = SUNFALSE;
}

// IDASetCoeffs() and IDACompleteStep(): of the rows only those from ns on are scaled, the factors of the
// others are those of an earlier step. Coefficients of the next step are not computed before it begins.
StepFormula IdaMemory::last_formula() const {
  const IDAMemRec& ida = record(ida_);
  StepFormula out;
  out.order = static_cast<std::size_t>(ida.ida_kused);
  out.h = ida.ida_hused;
  for (std::size_t j = 0; j <= out.order; ++j) {
    out.beta[j] = static_cast<int>(j) >= ida.ida_ns ? ida.ida_beta[j] : 1.0;
    out.gamma[j] = ida.ida_gamma[j];
  }
  out.cj = ida.ida_cj;
  out.cj_ratio = ida.ida_cj / ida.ida_cjold;
  return out;
}

// The Newton form of the interpolating polynomial, as in IDAGetSolution(): with D = t - t_n,
// c_0 = 1, c_j = c_{j-1} (D + psi_{j-2}) / psi_{j-1}, where psi_{-1} = 0.
Interpolation IdaMemory::interpolation(double t) const {
  const IDAMemRec& ida = record(ida_);
  Interpolation out;
  out.count = static_cast<std::size_t>(std::max(ida.ida_kused, fresh() ? 0 : 1)) + 1;
  const double delta = t - ida.ida_tn;
  out.c[0] = 1;
  for (std::size_t j = 1; j < out.count; ++j)
    out.c[j] = out.c[j - 1] * (delta + (j > 1 ? ida.ida_psi[j - 2] : 0.0)) / ida.ida_psi[j - 1];
  return out;
}

N_Vector IdaMemory::history(std::size_t j) const {
  return record(ida_).ida_phi[j];
}

void IdaMemory::drop_scratch() {
  const IDAMemRec& ida = record(ida_);
  for (N_Vector x : {ida.ida_ee, ida.ida_delta, ida.ida_savres, ida.ida_yypredict, ida.ida_yppredict,
                     ida.ida_tempv1, linear_record(ida_).x, newton_record(ida_).delta})
    assign(x, {});
}

Counters IdaMemory::counters() const {
  const IDAMemRec& ida = record(ida_);
  Counters out;
  out.steps = ida.ida_nst;
  out.rejected = ida.ida_netf + ida.ida_ncfn;
  out.evaluations = ida.ida_nre;
  out.factorizations = ida.ida_nsetups;
  out.solves = ida.ida_nni;
  return out;
}

void IdaMemory::save(IdaState& state) const {
  copy_members(ida_scalars, record(ida_), state.scalars_->ida);
  copy_members(linear_scalars, linear_record(ida_), state.scalars_->linear);
  copy_members(newton_scalars, newton_record(ida_), state.scalars_->newton);
  const std::size_t live = live_history(record(ida_));
  for (std::size_t j = 0; j < IdaState::max_history; ++j)
    state.history_[j] = j < live ? share(history(j)) : VectorValue{};
}

void IdaMemory::restore(const IdaState& state) {
  IDAMemRec& ida = record(ida_);
  for (std::size_t j = 0; j < IdaState::max_history; ++j) assign(history(j), state.history_[j]);
  if (state.scalars_->ida.ida_SetupDone && !ida.ida_SetupDone) {
    // this integrator has never taken a step: connect its solvers as IDASolve() would on the first
    const int flag = IDAInitialSetup(&ida);
    COSIMO_CHECK(flag == IDA_SUCCESS, "IDA's initial setup");
  }
  copy_members(ida_scalars, state.scalars_->ida, ida);
  copy_members(linear_scalars, state.scalars_->linear, linear_record(ida_));
  copy_members(newton_scalars, state.scalars_->newton, newton_record(ida_));
}

}  // namespace cosimo
