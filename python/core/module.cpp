#include "bind.hpp"
#include "cosimo/cosimo.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace cosimo::python;
  m.doc() = "Cosimo's library; use the package cosimo.";
  m.attr("version") = std::string(cosimo::version());
  m.def("close_interpreter", &close_interpreter);
  bind_errors(m);
  bind_scenario(m);
  bind_results(m);
  bind_tasks(m);
  bind_simulation(m);
  bind_elements(m);
}
