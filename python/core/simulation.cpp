// A run that Python drives (cosimo/simulation.hpp).
#include "cosimo/simulation.hpp"

#include "bind.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>

namespace cosimo::python {

namespace {

/// Signals are looked after while it advances: a KeyboardInterrupt ends the step in order, and is raised
/// then.
class Driven {
 public:
  Driven(const Scenario& scenario, const std::filesystem::path& out, int threads, bool open_end, bool replace)
      : signals_(std::make_unique<Signals>()) {
    RunOptions options;
    options.output_dir = out;
    options.threads = threads;
    options.open_end = open_end;
    options.replace = replace;
    options.interrupt = &signals_->interrupt;
    options.progress = [signals = signals_.get()](const Progress&) { signals->look(); };
    simulation_.emplace(scenario, std::move(options));
  }

  bool advance(double until) {
    signals_->interrupt.store(false, std::memory_order_relaxed);
    {
      const Unlocked released;
      last_ = simulation_->advance(until);
    }
    if (signals_->raised) {
      const py::error_already_set raised = std::move(*signals_->raised);
      signals_->raised.reset();
      throw py::error_already_set(raised);
    }
    return last_.ok;
  }

  Simulation& simulation() { return *simulation_; }
  const std::string& reason() const { return last_.reason; }

 private:
  struct Signals {
    std::atomic<bool> interrupt{false};
    std::optional<py::error_already_set> raised;

    void look() {
      stay_when_closed();
      const py::gil_scoped_acquire held;
      if (interrupt || PyErr_CheckSignals() == 0) return;
      raised.emplace();
      interrupt = true;
    }
  };

  std::unique_ptr<Signals> signals_;
  std::optional<Simulation> simulation_;
  Simulation::Outcome last_;
};

}  // namespace

void bind_simulation(py::module_& m) {
  py::class_<Driven>(m, "Simulation")
      .def(py::init<const Scenario&, const std::filesystem::path&, int, bool, bool>(), Released())
      .def("advance", &Driven::advance)
      .def("reason", &Driven::reason)
      .def("time", [](Driven& d) { return d.simulation().time(); })
      .def("end", [](Driven& d) { return d.simulation().end(); })
      .def("variables", [](Driven& d) { return d.simulation().variables(); })
      .def("index", [](Driven& d, std::string_view name) { return d.simulation().index(name); })
      .def("is_input", [](Driven& d, std::size_t i) { return d.simulation().is_input(i); })
      .def("get", [](Driven& d, std::string_view name) { return d.simulation().get(name); })
      .def("get", [](Driven& d, std::size_t i) { return d.simulation().get(i); })
      .def("set", [](Driven& d, std::string_view name, double value) { d.simulation().set(name, value); })
      .def("set", [](Driven& d, std::size_t i, double value) { d.simulation().set(i, value); })
      .def("set_course",
           [](Driven& d, std::string_view name, const std::vector<double>& derivatives) {
             d.simulation().set_course(d.simulation().index(name), derivatives);
           })
      .def("values", [](Driven& d) { return taken(d.simulation().values()); })
      .def("save",
           [](Driven& d) {
             std::vector<std::byte> state;
             {
               const Unlocked released;
               state = d.simulation().save();
             }
             return py::bytes(reinterpret_cast<const char*>(state.data()), state.size());
           })
      .def("restore",
           [](Driven& d, const py::bytes& bytes) {
             const auto text = bytes.cast<std::string_view>();
             const auto* first = reinterpret_cast<const std::byte*>(text.data());
             const std::vector<std::byte> state(first, first + text.size());
             const Unlocked released;
             d.simulation().restore(state);
           })
      .def(
          "report", [](Driven& d) { return d.simulation().report(); }, Released());
}

}  // namespace cosimo::python
