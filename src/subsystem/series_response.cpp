#include "subsystem/series_response.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

void shape_integrals(const Polynomial& shape, const Window& window, std::span<double> integrals) {
  const Polynomial p = on_window(shape, window);
  // int_0^1 (1 - s)^k / k! s^j ds = j! / (k + j + 1)!
  double power = 1;
  for (std::size_t k = 0; k < integrals.size(); ++k) {
    power *= window.size() / static_cast<double>(k == 0 ? 1 : k);  // H^{k+1} / k!
    double sum = 0, beta = 1 / static_cast<double>(k + 1);         // k! j! / (k + j + 1)!
    for (std::size_t j = 0; j <= static_cast<std::size_t>(p.degree); ++j) {
      sum += p.a[j] * beta;
      beta *= static_cast<double>(j + 1) / static_cast<double>(k + j + 2);
    }
    integrals[k] = power * sum;
  }
}

void SeriesResponse::compute(const Window& window, std::span<const double> q, std::span<const double> v,
                             Response& response) {
  COSIMO_CHECK(response.terms >= 1, "a series needs a term");
  const auto terms = static_cast<std::size_t>(response.terms);
  integrals_.resize(terms + 1);
  shape_integrals(response.shape, window, integrals_);
  answer_.resize(ports_.size());
  response.derivative.resize(part_.inputs() * ports_.size());
  if (terms > 1 && !tangent_) {
    tangent_.emplace(part_.pattern());
    for (std::vector<double>* each : {&before_, &now_, &next_, &product_}) each->resize(part_.size());
  }
  std::int32_t answered = -1;
  for (std::size_t i = 0; i < part_.inputs(); ++i) {
    const InputEffect effect = part_.input_effect(i, window.begin, q.data(), v.data());
    if (effect.dof != answered) {
      answer_first_term(effect.dof);
      if (terms > 1) add_terms(effect.dof, terms, {window.begin, q.data(), v.data()});
      answered = effect.dof;
    }
    for (std::size_t p = 0; p < ports_.size(); ++p)
      response.derivative[i * ports_.size() + p] = {effect.force * answer_[p].x, effect.force * answer_[p].v};
  }
}

void SeriesResponse::answer_first_term(std::int32_t dof) {
  const double w = part_.inverse_mass(static_cast<std::size_t>(dof));
  for (std::size_t p = 0; p < ports_.size(); ++p)
    answer_[p] = ports_[p].dof == dof ? PortState{integrals_[1] * w, integrals_[0] * w} : PortState{};
}

void SeriesResponse::add_terms(std::int32_t dof, std::size_t terms, const At& at) {
  const auto d = static_cast<std::size_t>(dof);
  // Elsewhere than on a path, bodies that are near may have any numbers.
  const Range near = part_.pattern().is_path()
                         ? Range{d - std::min(d, terms - 1), std::min(d + terms, part_.size())}
                         : Range{0, part_.size()};
  const Range rows = part_.tangent_rows(at.t, at.q, at.v, *tangent_, near);
  for (std::vector<double>* each : {&before_, &now_})
    std::fill(each->begin() + static_cast<std::ptrdiff_t>(rows.first),
              each->begin() + static_cast<std::ptrdiff_t>(rows.last), 0.0);
  now_[d] = part_.inverse_mass(d);
  for (std::size_t k = 1; k < terms; ++k) {
    next_term(rows);
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      const auto i = static_cast<std::size_t>(ports_[p].dof);
      if (i < rows.first || i >= rows.last) continue;
      answer_[p].x += integrals_[k + 1] * now_[i];
      answer_[p].v += integrals_[k] * now_[i];
    }
  }
}

/// w_k = -M^-1 (C w_{k-1} + K w_{k-2}); outside the rows both are zero.
void SeriesResponse::next_term(Range rows) {
  const Tangent& t = *tangent_;
  if (part_.pattern().is_path()) {
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      double sum = t.c_diag[i] * now_[i] + t.k_diag[i] * before_[i];
      if (i > rows.first) sum += t.c_edge[i - 1] * now_[i - 1] + t.k_edge[i - 1] * before_[i - 1];
      if (i + 1 < rows.last) sum += t.c_edge[i] * now_[i + 1] + t.k_edge[i] * before_[i + 1];
      next_[i] = -sum / t.mass[i];
    }
  } else {
    multiply(part_.pattern(), t.c_diag, t.c_edge, now_, next_);
    multiply(part_.pattern(), t.k_diag, t.k_edge, before_, product_);
    for (std::size_t i = 0; i < part_.size(); ++i) next_[i] = -(next_[i] + product_[i]) / t.mass[i];
  }
  before_.swap(now_);
  now_.swap(next_);
}

}  // namespace cosimo
