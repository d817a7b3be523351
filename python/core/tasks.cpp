// What a Task does for Python: runs and plans.
#include "bind.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/plan.hpp"
#include "cosimo/result_memory.hpp"
#include "task.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace cosimo::python {

namespace {

struct RunTask {
  Task task;
  std::shared_ptr<Report> report;
};

std::unique_ptr<RunTask> start_run(const Scenario& scenario, const RunOptions& given, ResultMemory* memory,
                                   bool watched) {
  auto report = std::make_shared<Report>();
  auto work = [scenario, given, report, watched,
               kept = memory != nullptr ? std::optional(*memory) : std::nullopt](Task::Line& line) mutable {
    RunOptions options = given;
    options.interrupt = &line.interrupt;
    options.notice = [&line](const std::string& text) { line.note(text); };
    if (watched)
      options.progress = [&line](const Progress& progress) {
        line.tell(progress.end > 0 ? progress.time / progress.end : 1, to_text(progress));
      };
    *report = kept ? run(scenario, options, *kept) : run(scenario, options);
  };
  return std::unique_ptr<RunTask>(new RunTask{Task(std::move(work)), report});
}

struct PlanTask {
  Task task;
  std::shared_ptr<CutPlan> plan;
};

std::unique_ptr<PlanTask> start_plan(const Scenario& scenario, const PlanOptions& given) {
  auto plan = std::make_shared<CutPlan>();
  auto work = [scenario, given, plan](Task::Line& line) {
    PlanOptions options = given;
    options.interrupt = &line.interrupt;
    options.progress = [&line](const PlanProgress& progress) {
      line.tell(progress.limit_s > 0 ? progress.wall_s / progress.limit_s : 0, progress.doing);
    };
    *plan = cosimo::plan(scenario, options);
  };
  return std::unique_ptr<PlanTask>(new PlanTask{Task(std::move(work)), plan});
}

py::object news_of(Task& task) {
  const auto news = task.news();
  if (!news) return py::none();
  return py::make_tuple(news->share, news->text);
}

/// What all kinds of tasks have.
template <class Of>
py::class_<Of> bind_task(py::module_& m, const char* name) {
  return py::class_<Of>(m, name)
      .def(
          "wait", [](Of& t, double seconds) { return t.task.wait(seconds); }, Released())
      .def("interrupt", [](Of& t) { t.task.interrupt(); })
      .def("news", [](Of& t) { return news_of(t.task); })
      .def("notes", [](Of& t) { return t.task.notes(); })
      .def(
          "finish", [](Of& t) { t.task.finish(); }, Released());
}

}  // namespace

void bind_tasks(py::module_& m) {
  py::class_<Report>(m, "Report")
      .def_readonly("status", &Report::status)
      .def_property_readonly("reason", [](const Report& r) { return r.outcome.reason; })
      .def_property_readonly("time", [](const Report& r) { return r.outcome.time; })
      .def_property_readonly("culprit", [](const Report& r) { return r.outcome.culprit; })
      .def_readonly("t_end", &Report::t_end)
      .def_readonly("resumable", &Report::resumable)
      .def_readonly("advice", &Report::advice)
      .def("table", [](const Report& r) { return to_table(r); })
      .def("json", [](const Report& r) { return to_json(r); });
  bind_task<RunTask>(m, "RunTask").def("report", [](RunTask& t) { return *t.report; });
  bind_task<PlanTask>(m, "PlanTask")
      .def("json", [](PlanTask& t) { return to_json(*t.plan); })
      .def("text", [](PlanTask& t) { return to_text(*t.plan); })
      .def("scenario", [](PlanTask& t) { return t.plan->scenario; })
      .def("status", [](PlanTask& t) {
        return t.plan->status == CutPlan::Status::ok       ? "ok"
               : t.plan->status == CutPlan::Status::failed ? "failed"
                                                           : "interrupted";
      });
  m.def(
      "start_run",
      [](const Scenario& scenario, const std::filesystem::path& out, int threads, bool csv, bool trace,
         bool resume, bool replace, const std::string& command, ResultMemory* memory, bool watched) {
        RunOptions options;
        options.output_dir = out;
        options.threads = threads;
        options.csv = csv;
        options.trace = trace;
        options.resume = resume;
        options.replace = replace;
        options.command = command;
        return start_run(scenario, options, memory, watched);
      },
      py::arg("scenario"), py::kw_only(), py::arg("out"), py::arg("threads"), py::arg("csv"),
      py::arg("trace"), py::arg("resume"), py::arg("replace"), py::arg("command"),
      py::arg("memory").none(true), py::arg("watched"));
  m.def(
      "start_plan",
      [](const Scenario& scenario, const std::filesystem::path& out, const std::filesystem::path& write,
         int threads, double pilot_s, double total_s, std::optional<double> error,
         std::optional<double> latency, std::optional<double> bandwidth) {
        PlanOptions options;
        options.output_dir = out;
        options.write = write;
        options.threads = threads;
        options.pilot_s = pilot_s;
        options.total_s = total_s;
        options.error = error;
        options.latency = latency;
        options.bandwidth = bandwidth;
        return start_plan(scenario, options);
      },
      py::arg("scenario"), py::kw_only(), py::arg("out"), py::arg("write"), py::arg("threads"),
      py::arg("pilot_s"), py::arg("total_s"), py::arg("error"), py::arg("latency"), py::arg("bandwidth"));
}

}  // namespace cosimo::python
