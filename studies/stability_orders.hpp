// Figure C.2: orders of the explicit methods, measured with every way to cut and to advance, with and without
// update of the accelerations.
#pragma once

#include <string>
#include <vector>

#include "studies/oscillator_orders.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

struct OrderRow {
  std::string name;       ///< "accRel, kappa_a = 0, kappa_lambda = 1, omega = 1/6"
  std::string predictor;  ///< of the section `couple`, `UPDATE` where that of the accelerations stands
  int kappa;              ///< kappa_lambda
  double pos, vel, global;
  bool in_figure = true;  ///< false: the course of acc itself instead of a polynomial to its end
};

struct MeasuredRow {
  const OrderRow* row = nullptr;
  Orders plain{};             ///< force/force, Jacobi, with update
  int couplings = 0;          ///< that were measured, with and without update counted apart
  double off = 0;             ///< largest distance of any observed order from the published one
  double update_matters = 0;  ///< largest difference of orders with and without update
  double least_global = 0;    ///< smallest global order
  bool agrees() const { return off <= 0.25; }
};

/// All rows; `thorough`: all four couplings and both updates, else the plainest.
std::vector<MeasuredRow> measure_order_rows(OscillatorBench& bench, std::span<const double> steps,
                                            bool thorough);

void report_order_rows(const std::vector<MeasuredRow>& rows, bool thorough, Finding& finding);

}  // namespace cosimo::studies
