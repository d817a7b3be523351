#include "bind.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/scenario_text.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace cosimo::python {

void bind_scenario(py::module_& m) {
  using Settings = std::vector<std::string>;
  py::class_<Scenario>(m, "Scenario")
      .def_static(
          "load",
          [](const std::filesystem::path& file, const Settings& settings) {
            return Scenario::load(file, settings);
          },
          Released())
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const Settings& settings) {
            return Scenario::parse(text, name, settings);
          },
          Released())
      .def("uncut", &Scenario::uncut, Released())
      .def("describe", &Scenario::describe, Released())
      .def("effective", [](const Scenario& s) { return effective_text(s); })
      .def("progress", [](const Scenario& s) { return std::string(s.progress()); });
  m.def("schema", &scenario_schema);
  m.def("keys", [] {
    py::list keys;
    for (const ScenarioKey& k : scenario_keys())
      keys.append(py::make_tuple(k.key, k.meaning, k.value, k.fallback, k.dimension, k.words));
    return keys;
  });
}

}  // namespace cosimo::python
