// Results in memory and on disk, and how they are compared.
#include "apps/report/run_page.hpp"
#include "bind.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"
#include "cosimo/result_memory.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace cosimo::python {

namespace {

template <class T>
py::array view_of(const T* data, std::size_t size, const py::dtype& type, const py::object& owner) {
  py::array array(type, {size}, {sizeof(T)}, data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// The columns of the history of steps; `owner` keeps it.
py::dict steps_of(const StepHistory& steps, const py::object& owner) {
  py::dict columns;
  columns["t"] = view(steps.t, owner);
  columns["H"] = view(steps.H, owner);
  columns["error"] = view(steps.error, owner);
  columns["kappa"] = view(steps.kappa, owner);
  columns["iterations"] = view(steps.iterations, owner);
  columns["layers"] = view(steps.layers, owner);
  columns["accepted"] = view_of(steps.accepted.data(), steps.accepted.size(), py::dtype::of<bool>(), owner);
  columns["cut"] = view_of(steps.cut.data(), steps.cut.size(), py::dtype::of<std::int32_t>(), owner);
  return columns;
}

py::dict numbers_of(const Comparison& c) {
  py::dict d;
  d["position"] = c.position;
  d["velocity"] = c.velocity;
  d["both"] = c.both;
  d["position_rms"] = c.position_rms;
  d["velocity_rms"] = c.velocity_rms;
  d["worst"] = c.worst;
  d["worst_name"] = c.worst_name;
  d["rows"] = c.rows;
  d["bodies"] = c.bodies;
  d["outputs"] = c.outputs;
  d["output"] = c.output;
  d["output_rms"] = c.output_rms;
  d["worst_output"] = c.worst_output;
  d["worst_output_name"] = c.worst_output_name;
  d["same_model"] = c.same_model;
  return d;
}

/// Any two of memory and disk.
template <class A, class Reference>
py::tuple compared(const A& a, const Reference& reference, const std::vector<std::int64_t>& bodies) {
  Comparison c;
  {
    const Unlocked released;
    c = compare(a, reference, CompareOptions{bodies});
  }
  return py::make_tuple(numbers_of(c), to_text(c));
}

void bind_memory(py::module_& m) {
  py::class_<ResultMemory>(m, "ResultMemory")
      .def(py::init<>())
      .def("names", &ResultMemory::names)
      .def("index", &ResultMemory::index)
      .def("bytes", &ResultMemory::bytes)
      .def("time", [](const py::object& self) { return view(self.cast<ResultMemory&>().time(), self); })
      .def("column", [](const py::object& self,
                        std::size_t index) { return view(self.cast<ResultMemory&>().column(index), self); })
      .def("steps",
           [](const py::object& self) { return steps_of(self.cast<ResultMemory&>().steps(), self); });
}

void bind_folder(py::module_& m) {
  py::class_<ResultFolder>(m, "ResultFolder")
      .def(py::init<const std::filesystem::path&>(), Released())
      .def("name", &ResultFolder::name)
      .def("remarks", &ResultFolder::remarks)
      .def("summary", &ResultFolder::summary)
      .def("scenario", &ResultFolder::scenario)
      .def("names", &ResultFolder::names)
      .def("index", &ResultFolder::index)
      .def("rows_of", &ResultFolder::rows_of)
      .def("time", [](const py::object& self) { return view(self.cast<ResultFolder&>().time(), self); })
      .def("column",
           [](const ResultFolder& self, std::size_t index, std::size_t row, std::size_t rows) {
             std::vector<double> numbers;
             {
               const Unlocked released;
               numbers = self.column(index, row, rows);
             }
             return taken(std::move(numbers));
           })
      .def("steps",
           [](const py::object& self) { return steps_of(self.cast<ResultFolder&>().steps(), self); });
}

}  // namespace

py::array view(std::span<const double> numbers, const py::object& owner) {
  return view_of(numbers.data(), numbers.size(), py::dtype::of<double>(), owner);
}

py::array view(std::span<const int> numbers, const py::object& owner) {
  return view_of(numbers.data(), numbers.size(), py::dtype::of<int>(), owner);
}

py::array taken(std::vector<double>&& numbers) {
  auto kept = std::make_unique<std::vector<double>>(std::move(numbers));
  const std::vector<double>& all = *kept;
  const py::capsule owner(kept.release(), [](void* p) { delete static_cast<std::vector<double>*>(p); });
  return py::array_t<double>(static_cast<py::ssize_t>(all.size()), all.data(), owner);
}

void bind_results(py::module_& m) {
  using Path = std::filesystem::path;
  bind_memory(m);
  bind_folder(m);
  m.def("compare", &compared<ResultMemory, ResultMemory>);
  m.def("compare", &compared<ResultMemory, Path>);
  m.def("compare", &compared<Path, ResultMemory>);
  m.def("compare", &compared<Path, Path>);
  m.def(
      "write_page",
      [](const std::vector<Path>& folders, const Path& file) {
        write_run_page({.folders = folders, .file = file});
      },
      Released());
}

}  // namespace cosimo::python
