// The parts of the extension module `cosimo._core`. It is thin: words, defaults and display are in Python
// (python/cosimo), and everything that computes is in the library.
//
// The interpreter's lock is released in every call that may take long, and taken back by what calls Python.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unlocked.hpp"

namespace cosimo::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_scenario(py::module_& m);
void bind_results(py::module_& m);
void bind_tasks(py::module_& m);
void bind_simulation(py::module_& m);
void bind_elements(py::module_& m);

using Released = py::call_guard<Unlocked>;

/// A read-only view of numbers that live as long as `owner`.
py::array view(std::span<const double> numbers, const py::object& owner);
py::array view(std::span<const int> numbers, const py::object& owner);
/// An array that takes the numbers over.
py::array taken(std::vector<double>&& numbers);

}  // namespace cosimo::python
