#include "config/read.hpp"

#include <optional>
#include <utility>

#include "config/interval.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// Numbers and names of a list of labels.
void read_labels(const Value& value, std::vector<std::int64_t>& numbers, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < value.integers.size(); ++i) {
    if (value.words[i].empty()) {
      numbers.push_back(value.integers[i]);
    } else {
      names.push_back(value.words[i]);
    }
  }
}

Simulate read_simulate(const Value& value) {
  Simulate simulate;
  simulate.end = number(value, "end");
  simulate.output = number_or_word(value, "output");
  const Value& record = at(value, "record");
  simulate.record = record.is(Kind::word) ? chosen<Record>(value, "record") : Record::list;
  read_labels(record, simulate.record_bodies, simulate.record_names);
  simulate.local_error = at(value, "local_error").boolean;
  simulate.vtk = at(value, "vtk").boolean;
  return simulate;
}

Partition read_partition(const Value* given) {
  Partition partition;
  if (given == nullptr) return partition;
  const Value& value = *given;
  partition.whole = value.is(Kind::word);
  if (partition.whole) return partition;
  partition.given = true;
  partition.parts = integer_or_word(value, "parts").value_or(0);
  partition.method = chosen<CutMethod>(value, "method");
  read_labels(at(value, "cuts"), partition.cuts, partition.cut_names);
  read_labels(at(value, "fix"), partition.fix.numbers, partition.fix.names);
  read_labels(at(value, "forbid"), partition.forbid.numbers, partition.forbid.names);
  read_labels(at(value, "add"), partition.add.numbers, partition.add.names);
  return partition;
}

void read_decomposition(const Value& value, Couple& couple) {
  if (value.is(Kind::word)) {
    couple.decomposition = choice_of<Decomposition>(value.word);
  } else if (value.is(Kind::section)) {
    couple.decomposition = chosen<Decomposition>(value, "kind");
    take_choice(value, "displaced", couple.displaced);
  } else {
    couple.decomposition = Decomposition::force_force;
    for (const Value& entry : value.items) {
      CutDecomposition& cut = couple.cuts.emplace_back();
      cut.cut = integer(entry, "cut");
      cut.cut_name = word(entry, "cut");
      cut.kind = chosen<Decomposition>(entry, "kind");
      take_choice(entry, "displaced", cut.displaced);
    }
  }
}

void read_predictor(const Value& value, Couple& couple) {
  couple.predictor = choice_of<Predictor>(choice_name(&value)).value();
  if (value.is(Kind::word)) return;
  const Value& described = value.items[0];
  if (couple.predictor == Predictor::least_squares) {
    couple.least_squares = described.integer;
    return;
  }
  couple.predictor_degree = integer(described, "degree");
  couple.predictor_update = chosen<Update>(described, "update") == Update::consistent;
  if (described.find("course") != nullptr)
    couple.predictor_whole_course = chosen<Course>(described, "course") == Course::whole;
  if (const Value* omega = described.find("omega")) couple.predictor_omega = omega->number;
}

/// Keys that the scheme does not have are absent.
void read_corrector(const Value& value, Couple& couple) {
  if (const Value* relaxation = value.find("relaxation")) couple.relaxation = relaxation->number;
  take_choice(value, "jacobian", couple.jacobian);
  if (const Value* terms = value.find("jacobian.series")) couple.series_terms = terms->integer;
  take_choice(value, "refresh", couple.refresh);
  if (const Value* most = value.find("max_iterations")) couple.max_iterations = most->integer;
  if (const Value* tau = value.find("tau")) couple.tau = tau->number;
  const auto take = [&](std::string_view name, std::optional<double>& member) {
    if (value.find(name) != nullptr) member = number_or_word(value, name);
  };
  take("perturbation_min", couple.perturbation_min);
  take("corrector_rtol", couple.corrector_rtol);
  take("corrector_atol", couple.corrector_atol);
}

Couple read_couple(const Value& value) {
  Couple couple;
  couple.scheme = choice_of<SchemeKind>(word(value, "scheme"));
  couple.sequence = chosen<Sweep>(value, "sequence");
  if (const Value* order = value.find("sequence.gauss-seidel")) couple.order = order->integers;
  if (const Value* decomposition = value.find("decomposition")) read_decomposition(*decomposition, couple);
  if (value.find("layers") != nullptr) couple.layers = integer_or_word(value, "layers");
  couple.update = chosen<Update>(value, "update");
  read_predictor(at(value, "predictor"), couple);
  read_corrector(value, couple);
  return couple;
}

Control read_control(const Value& value) {
  Control control;
  control.step = number_or_word(value, "step");
  if (value.find("estimator") != nullptr) control.estimator = chosen<Estimator>(value, "estimator");
  if (control.estimator == Estimator::none) control.estimator.reset();
  if (const Value* rtol = value.find("rtol")) control.rtol = rtol->number;
  control.atol_pos = number_or_word(value, "atol_pos");
  control.atol_vel = number_or_word(value, "atol_vel");
  control.atol_u = number_or_word(value, "atol_u");
  control.safety = number(value, "safety");
  control.r_min = number(value, "r_min");
  control.r_max = number(value, "r_max");
  control.dead_zone = at(value, "dead_zone").boolean;
  control.first_step = number_or_word(value, "first_step");
  control.min_step = number_or_word(value, "min_step");
  control.max_step = number_or_word(value, "max_step");
  control.max_steps = integer_or_word(value, "max_steps").value_or(control.max_steps);
  const Value* order = value.find("order");
  if (order == nullptr) return control;
  if (order->is(Kind::integer)) {
    control.order = order->integer;
  } else {
    control.order_max = integer(*order, "max");
    control.strategy = chosen<OrderStrategy>(*order, "strategy");
  }
  return control;
}

/// `solve` with everything that `value` says changed.
Solve read_solve(const Value& value, Solve solve) {
  const auto take_number = [&](std::string_view name, std::optional<double>& member) {
    if (value.find(name) != nullptr) member = number_or_word(value, name);
  };
  take_choice(value, "method", solve.method);
  take_choice(value, "linear", solve.linear);
  if (const Value* rtol = value.find("rtol")) solve.rtol = rtol->number;
  take_number("atol_pos", solve.atol_pos);
  take_number("atol_vel", solve.atol_vel);
  if (const Value* stop = value.find("stop")) {
    solve.stop = chosen<Stop>(value, "stop");
    solve.limit = solve.stop == Stop::limit ? stop->items[0].integer : 1;
  }
  if (value.find("max_step") != nullptr) {
    solve.max_step = number_or_word(value, "max_step").value_or(std::numeric_limits<double>::infinity());
  }
  return solve;
}

}  // namespace

Scenario read_scenario(const Value& root, FilesRead files) {
  Scenario scenario;
  scenario.curves = std::move(files.curves);
  scenario.model = model_source(root);
  if (scenario.model) read_model(at(root, "model"), files.shapes, scenario);
  read_subsystems(root, scenario);
  scenario.simulate = read_simulate(at(root, "simulate"));
  scenario.partition = read_partition(root.find("partition"));
  scenario.couple = read_couple(at(root, "couple"));
  scenario.control = read_control(at(root, "control"));
  scenario.solve = read_solve(at(root, "solve"), {});
  for (const Value& entry : at(root, "solve.parts").items) {
    scenario.solve_overrides.push_back({at(entry, "parts").integers, read_solve(entry, scenario.solve)});
  }
  scenario.run.threads = integer_or_word(at(root, "run"), "threads");
  scenario.run.progress = chosen<Progress>(root, "run.progress");
  if (const Value* every = root.find("run.checkpoint.every"); every != nullptr) {
    const Interval interval = parse_interval(every->word).value();
    scenario.run.checkpoint = {interval.seconds, interval.steps};
  }
  const auto names = [&](std::string_view key, std::vector<std::string>& all) {
    if (const Value* list = root.find(key))
      for (const Value& item : list->items) all.push_back(item.word);
  };
  names("export.outputs", scenario.exported.outputs);
  names("export.parameters", scenario.exported.parameters);
  return scenario;
}

}  // namespace cosimo::config
