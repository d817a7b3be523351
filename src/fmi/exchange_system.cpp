#include "fmi/exchange_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cosimo::fmi {

namespace {

constexpr int most_rounds_of_events = 1000;

}  // namespace

ExchangeSystem::ExchangeSystem(const ExchangeSetup& setup, std::shared_ptr<SharedInstance> shared,
                               std::shared_ptr<SavedState> initial)
    : setup_(setup),
      shared_(std::move(shared)),
      input_(setup.wires.inputs.size()),
      output_(setup.wires.outputs.size()),
      before_(output_.size()),
      rates_(setup.exchange.states),
      moved_(setup.exchange.states),
      z_(setup.exchange.states),
      indicators_(setup.exchange.indicators) {
  shared_->join();
  if (initial) states_.push_back({0, std::move(initial)});
  const Turn turn(*shared_, *this);
  turn->get(setup_.wires.inputs, input_);
  for (std::size_t k = 0; k < setup_.wires.held.size(); ++k)
    if (setup_.wires.held[k] != 0) {
      held_.push_back(k);
      wanted_.push_back(input_[setup_.wires.input_place[k]]);
    }
  begun_with_ = wanted_;
}

std::vector<double> ExchangeSystem::initial_memory() const {
  if (!setup_.exchange.eventful) return {};
  std::vector<double> s(memory_size);
  s[next_event] = setup_.next_time;
  s.insert(s.end(), wanted_.begin(), wanted_.end());
  return s;
}

bool ExchangeSystem::hold(double t, std::span<const Polynomial> inputs) {
  for (std::size_t j = 0; j < held_.size(); ++j) {
    const double value = inputs[held_[j]](t);
    wanted_[j] = setup_.wires.rounded[held_[j]] != 0 ? std::nearbyint(value) : value;
  }
  return t > 0 || wanted_ == begun_with_;
}

bool ExchangeSystem::others_held(const double* s) const {
  return !std::equal(wanted_.begin(), wanted_.end(), s + memory_size);
}

Extent ExchangeSystem::extent() const {
  const Exchange& e = setup_.exchange;
  if (!e.eventful) return {.z = e.states};
  return {.z = e.states, .s = memory_size + held_.size(), .roots = e.indicators + 2};
}

std::shared_ptr<SavedState> ExchangeSystem::find(double number) const {
  for (const Numbered& each : states_)
    if (each.number == number) return each.state;
  return nullptr;
}

void ExchangeSystem::adopt(double number, std::shared_ptr<SavedState> state) {
  states_.clear();
  last_number_ = number;  // a step that is repeated gives the same numbers
  if (state) states_.push_back({number, std::move(state)});
}

bool ExchangeSystem::judge(Instance& instance, Result result) const {
  if (result == Result::ok) return true;
  if (result != Result::discard) complaint_ = story_of(instance, result);
  return false;
}

bool ExchangeSystem::place(Instance& instance, double t, const Whole& y, std::span<const double> in) const {
  if (keeps_states()) {
    const std::shared_ptr<SavedState> wanted = find(y.s[state_number]);
    if (!wanted) return false;
    if (wanted != current_) {
      if (!judge(instance, instance.restore(wanted->raw))) return false;
      current_ = wanted;
    }
  }
  const Wires& wires = setup_.wires;
  for (std::size_t k = 0; k < wires.input_place.size(); ++k)
    input_[wires.input_place[k]] = in[wires.ends.input_number[k]];
  for (std::size_t j = 0; j < held_.size(); ++j) input_[wires.input_place[held_[j]]] = y.s[memory_size + j];
  return judge(instance, instance.set_time(t)) && judge(instance, instance.set(wires.inputs, input_)) &&
         (setup_.exchange.states == 0 || judge(instance, instance.set_states({y.z, setup_.exchange.states})));
}

bool ExchangeSystem::evaluate(double t, const Whole& y, double* /*a*/, double* rate) const {
  if (setup_.exchange.eventful && y.s[asked] == the_end) {
    if (complaint_.empty()) complaint_ = "the FMU ends the simulation";
    return false;
  }
  const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
  if (!place(*turn, t, y, inputs_at(t))) return false;
  if (setup_.exchange.states > 0 && !judge(*turn, turn->derivatives({rate, setup_.exchange.states})))
    return false;
  complaint_.clear();
  return true;
}

/// By the FMU's directional derivatives where it has them, otherwise by differences.
void ExchangeSystem::state_tangent(double t, const Whole& y, StateTangent& out) const {
  for (auto* block : {&out.M, &out.C, &out.K, &out.z.f_z, &out.z.z_x, &out.z.z_w, &out.z.z_z}) block->clear();
  const std::size_t n = setup_.exchange.states;
  const bool exact =
      setup_.prepared.fmu().abilities().directional_derivatives && setup_.derivative_references.size() == n;
  if (!evaluate(t, y, nullptr, rates_.data())) std::fill(rates_.begin(), rates_.end(), 0.0);
  std::copy_n(y.z, n, z_.begin());
  for (std::size_t k = 0; k < n; ++k) {
    if (exact) {
      const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
      const double one = 1;
      if (!place(*turn, t, y, inputs_at(t)) ||
          !judge(*turn, turn->directional(setup_.derivative_references, {&setup_.state_references[k], 1},
                                          {&one, 1}, moved_)))
        std::fill(moved_.begin(), moved_.end(), 0.0);
    } else {
      const double by = 1e-7 * std::max(std::fabs(y.z[k]), setup_.nominals[k]);
      z_[k] = y.z[k] + by;
      const double step = z_[k] - y.z[k];
      if (!evaluate(t, {y.q, y.v, z_.data(), y.s}, nullptr, moved_.data())) moved_ = rates_;
      z_[k] = y.z[k];
      for (std::size_t i = 0; i < n; ++i) moved_[i] = (moved_[i] - rates_[i]) / step;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!setup_.depends.empty() &&
          std::find(setup_.depends[i].begin(), setup_.depends[i].end(), k) == setup_.depends[i].end())
        continue;
      out.z.z_z.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), moved_[i]});
    }
  }
  const double ahead = 1e-7 * std::max(1.0, std::fabs(t));
  if (!evaluate(t + ahead, y, nullptr, moved_.data())) moved_ = rates_;
  for (std::size_t i = 0; i < n; ++i) out.z_t[i] = (moved_[i] - rates_[i]) / ahead;
}

void ExchangeSystem::roots(double t, const Whole& y, double* g) const {
  const std::size_t n = setup_.exchange.indicators;
  const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
  const bool ok = place(*turn, t, y, inputs_at(t)) && (n == 0 || judge(*turn, turn->indicators({g, n})));
  if (!ok) std::fill_n(g, n, std::numeric_limits<double>::quiet_NaN());
  g[n] = std::isfinite(y.s[next_event]) ? t - y.s[next_event] : -1;
  g[n + 1] = y.s[asked] == step_event || others_held(y.s) ? 1 : -1;
}

bool ExchangeSystem::keep(Instance& instance, double from, double& number) const {
  if (!keeps_states()) return true;
  // Integrators look back from a rehearsed event to the step before it, and no farther: what is older is
  // known to snapshots, if to anybody.
  constexpr std::size_t enough = 8;
  if (states_.size() > enough) {
    const auto needed = [&](const Numbered& each) { return each.number == from; };
    if (needed(states_.front())) std::swap(states_.front(), states_.back());
    states_.erase(states_.begin());
  }
  auto state = std::make_shared<SavedState>(shared_);
  if (!judge(instance, instance.save(state->raw))) return false;
  current_ = state;
  number = ++last_number_;
  states_.push_back({number, std::move(state)});
  return true;
}

/// Event mode, until the FMU has settled; then what has become of its states and when the next event is.
bool ExchangeSystem::settle(Instance& instance, double t, Editable& y) const {
  if (!judge(instance, instance.enter_events())) return false;
  for (std::size_t j = 0; j < held_.size(); ++j) {
    input_[setup_.wires.input_place[held_[j]]] = wanted_[j];
    y.s[memory_size + j] = wanted_[j];
  }
  if (!held_.empty() && !judge(instance, instance.set(setup_.wires.inputs, input_))) return false;
  EventInfo info;
  bool again = true;
  for (int round = 0; again; ++round) {
    if (round == most_rounds_of_events) {
      complaint_ = "the events of the FMU follow from each other without end";
      return false;
    }
    if (!judge(instance, instance.update_events(info, again))) return false;
    again = again || info.next_time <= t;  // one that is due now
  }
  if (!judge(instance, instance.resume())) return false;
  if (info.states_changed && !y.z.empty() && !judge(instance, instance.get_states(y.z))) return false;
  y.s[next_event] = info.next_time;
  y.s[asked] = info.terminate ? the_end : nothing;
  return true;
}

/// Advances end just before an event, and an FMU judges by its own indicators whether there is one: along its
/// rates it goes as far as these need to be on the other side, which is less than anybody can see.
bool ExchangeSystem::cross(Instance& instance, double& t, std::span<const std::int8_t> crossed,
                           Editable& y) const {
  const std::size_t n = setup_.exchange.indicators, states = setup_.exchange.states;
  const auto over = [&] {
    if (!judge(instance, instance.indicators(indicators_))) return false;
    for (std::size_t k = 0; k < n; ++k)
      if (crossed[k] != 0 && !(indicators_[k] * crossed[k] > 0)) return false;
    return true;
  };
  if (std::all_of(crossed.begin(), crossed.begin() + static_cast<std::ptrdiff_t>(n),
                  [](std::int8_t side) { return side == 0; }) ||
      over())
    return true;
  if (states == 0 || !judge(instance, instance.derivatives(rates_))) return complaint_.empty();
  constexpr double farthest = 1e-6;
  const double scale = std::max(1.0, std::fabs(t));
  for (double ahead = 1e-15 * scale; ahead < farthest * scale; ahead *= 4) {
    for (std::size_t i = 0; i < states; ++i) z_[i] = y.z[i] + ahead * rates_[i];
    if (!judge(instance, instance.set_time(t + ahead)) || !judge(instance, instance.set_states(z_)))
      return false;
    if (!over()) continue;
    std::copy(z_.begin(), z_.end(), y.z.begin());
    t += ahead;
    return true;
  }
  return judge(instance, instance.set_time(t)) && judge(instance, instance.set_states(y.z));
}

Fired ExchangeSystem::fire(double t, std::span<const std::int8_t> crossed, Editable& y) const {
  const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
  const Whole now{y.q.data(), y.v.data(), y.z.data(), y.s.data()};
  const double from = y.s[state_number];
  // A time event is found to within rounding; the FMU wants to be there, and may ask for equality.
  double at = t;
  if (std::isfinite(y.s[next_event]) && std::fabs(t - y.s[next_event]) < 1e-9 * (1 + std::fabs(t)))
    at = y.s[next_event];
  bool ok = place(*turn, at, now, inputs_at(t)) && cross(*turn, at, crossed, y) &&
            judge(*turn, turn->get(setup_.wires.outputs, before_));
  current_ = nullptr;  // until it is kept
  ok = ok && settle(*turn, at, y) && keep(*turn, from, y.s[state_number]) &&
       judge(*turn, turn->get(setup_.wires.outputs, output_));
  if (!ok) {
    y.s[asked] = the_end;  // there is no motion after it
    return Fired::inside;
  }
  return output_ != before_ ? Fired::outputs : Fired::inside;
}

void ExchangeSystem::commit(double t, const Whole& y, double* s) const {
  if (!setup_.prepared.fmu().abilities().completed_step) return;
  const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
  bool event = false, terminate = false;
  if (!place(*turn, t, y, inputs_at(t))) return;
  current_ = nullptr;
  if (!judge(*turn, turn->completed_step(event, terminate)) ||
      !keep(*turn, y.s[state_number], s[state_number]))
    terminate = true;
  s[asked] = terminate ? the_end : event ? step_event : nothing;
}

bool ExchangeSystem::fetch(double t, const Whole& y, std::span<const double> in) const {
  const Turn turn(*shared_, const_cast<ExchangeSystem&>(*this));
  return place(*turn, t, y, in) && judge(*turn, turn->get(setup_.wires.outputs, output_));
}

double ExchangeSystem::output(std::size_t number, double t, const Whole& y,
                              std::span<const double> in) const {
  const auto& numbers = setup_.wires.ends.output_number;
  const auto k =
      static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
  return fetch(t, y, in) ? output_[setup_.wires.output_place[k]] : std::numeric_limits<double>::quiet_NaN();
}

void ExchangeSystem::outputs(double t, const Whole& state, std::span<const double> inputs,
                             std::span<PortState> y) const {
  const auto now = inputs_at(t);
  given_.assign(now.begin(), now.end());
  for (std::size_t k = 0; k < inputs.size(); ++k) given_[setup_.wires.ends.input_number[k]] = inputs[k];
  const bool ok = fetch(t, state, given_);
  for (std::size_t o = 0; o < y.size(); ++o)
    y[o] = {ok ? output_[setup_.wires.output_place[o]] : std::numeric_limits<double>::quiet_NaN(), 0};
}

std::string_view ExchangeSystem::complaint(double) const {
  told_ = complaint_;  // who is told reads it later, when other calls may have failed as well
  return told_;
}

}  // namespace cosimo::fmi
