// The library's failures as exceptions of cosimo.errors.
#include "core/error.hpp"

#include "bind.hpp"

namespace cosimo::python {

namespace {

py::list faults_of(const Error& error) {
  py::list faults;
  for (const Fault& f : error.faults())
    faults.append(py::make_tuple(f.file, f.line, f.column, f.field, f.value, f.problem, f.remedy));
  return faults;
}

void raise(const char* name, const py::object& argument) {
  const py::object kind = py::module_::import("cosimo.errors").attr(name);
  const py::object made = kind(argument);
  PyErr_SetObject(kind.ptr(), made.ptr());
}

void translate(std::exception_ptr thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise("Error", faults_of(error));
  } catch (const IoError& error) {
    raise("OutputError", py::str(error.what()));
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator(translate);
}

}  // namespace cosimo::python
