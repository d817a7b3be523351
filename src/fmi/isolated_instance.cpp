#include "fmi/isolated_instance.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "fmi/isolated_calls.hpp"

namespace cosimo::fmi {

namespace {

class IsolatedInstance final : public IsolatedCalls {
 public:
  IsolatedInstance(std::shared_ptr<const Fmu> fmu, const std::string& name, double limit,
                   const std::atomic<bool>* interrupt)
      : IsolatedCalls(std::move(fmu), name, limit, interrupt) {
    begin();
  }
  ~IsolatedInstance() override {
    if (dead_) return;
    out_.shrink(0);  // nobody hears of what waits
    out_.put(Operation::leave);
    host_.send_off(out_.size());
  }

  Result set(const Channel& channel, std::span<const double> values) override {
    return later(Operation::set, [&] {
      out_.put_channel(channel);
      out_.put_all(values);
    });
  }
  Result get(const Channel& channel, std::span<double> values) override {
    if (dead_) return Result::fatal;
    code_.resize(16 + 16 * channel.groups().size() + 4 * channel.size());
    MessageWriter code(code_);
    code.put_channel(channel);
    code_.resize(code.size());
    if (ahead_ && code_ == wanted_) {
      std::copy(ahead_values_.begin(), ahead_values_.end(), values.begin());
      return Result::ok;
    }
    const Result result = call(
        Operation::get, [&] { out_.put_all(std::span<const std::byte>(code_)); },
        [&](MessageReader& in) { in.get_all(values); });
    std::swap(wanted_, code_);
    ahead_values_.resize(channel.size());
    return result;
  }
  Result set_text(const Variable& variable, std::span<const std::string> values) override {
    return call(Operation::set_text, [&] {
      out_.put(variable.reference);
      out_.put(variable.type);
      out_.put(static_cast<std::uint64_t>(values.size()));
      for (const std::string& each : values) out_.put_text(each);
    });
  }
  Result configure(bool begins) override {
    return call(Operation::configure, [&] { out_.put(static_cast<std::uint8_t>(begins)); });
  }
  Result enter_initialisation(double start, double stop, double tolerance) override {
    return call(Operation::enter_initialisation, [&] {
      for (const double each : {start, stop, tolerance}) out_.put(each);
    });
  }
  Result exit_initialisation() override {
    const Result result = call(Operation::exit_initialisation, [] {});
    started_ = result == Result::ok;
    return result;
  }

  // States are known here by numbers, which begin at one.
  Result save(RawState& state) override {
    if (dead_) return Result::fatal;
    if (state == nullptr) state = fresh_number();
    return later(Operation::save, [&] { out_.put(number(state)); });
  }
  Result restore(RawState state) override {
    return later(Operation::restore, [&] { out_.put(number(state)); });
  }
  void release(RawState& state) override {
    if (state == nullptr) return;
    later(Operation::release, [&] { out_.put(number(state)); });
    free_.push_back(number(std::exchange(state, nullptr)));
  }
  Result write(RawState state, std::vector<std::byte>& bytes) override {
    std::uint64_t size = 0;
    const Result result = call(
        Operation::write, [&] { out_.put(number(state)); },
        [&](MessageReader& in) { size = in.get<std::uint64_t>(); });
    if (result != Result::ok) return result;
    constexpr std::uint64_t most = std::uint64_t{16} << 30U;
    if (size > most) return broken();
    bytes.resize(size);
    for (std::size_t at = 0; at < size;) {
      const std::size_t n = std::min<std::size_t>(piece(), size - at);
      const Result got = call(
          Operation::take,
          [&] {
            out_.put(static_cast<std::uint64_t>(at));
            out_.put(static_cast<std::uint64_t>(n));
          },
          [&](MessageReader& in) { in.get_all(std::span(bytes).subspan(at, n)); });
      if (got != Result::ok) return got;
      at += n;
    }
    return Result::ok;
  }
  Result read(std::span<const std::byte> bytes, RawState& state) override {
    if (dead_) return Result::fatal;
    for (std::size_t at = 0; at == 0 || at < bytes.size(); at += piece()) {
      const auto part = bytes.subspan(at, std::min(piece(), bytes.size() - at));
      const Result given = call(Operation::give, [&] {
        out_.put(static_cast<std::uint8_t>(at == 0));
        out_.put(static_cast<std::uint64_t>(part.size()));
        out_.put_all(part);
      });
      if (given != Result::ok) return given;
    }
    if (state == nullptr) state = fresh_number();
    return call(Operation::read, [&] { out_.put(number(state)); });
  }

  Result enter_events() override {
    return later(Operation::enter_events, [] {});
  }
  Result update_events(EventInfo& info, bool& again) override {
    return call(
        Operation::update_events, [] {},
        [&](MessageReader& in) {
          const auto own = in.get<EventInfo>();
          info.states_changed = info.states_changed || own.states_changed;
          info.nominals_changed = info.nominals_changed || own.nominals_changed;
          info.terminate = info.terminate || own.terminate;
          info.next_time = own.next_time;
          again = in.get<std::uint8_t>() != 0;
        });
  }
  Result resume() override {
    return later(Operation::resume, [] {});
  }

  Stepped do_step(double t, double h, bool keeps) override {
    Stepped done;
    bool ahead = false;
    const Result result = call(
        Operation::do_step,
        [&] {
          out_.put(t);
          out_.put(h);
          out_.put(static_cast<std::uint8_t>(keeps));
          out_.put(static_cast<std::uint8_t>(!wanted_.empty()));
          out_.put_all(std::span<const std::byte>(wanted_));
        },
        [&](MessageReader& in) {
          done = in.get<Stepped>();
          ahead = in.get<std::uint8_t>() != 0;
          if (done.result != Result::ok) complaint_ = in.get_text();
          if (ahead) in.get_all(std::span(ahead_values_));
        });
    ahead_ = ahead;
    if (result != Result::ok) return {.result = result, .reached = t};
    if (done.result == Result::fatal) dead_ = true;
    return done;
  }
  Result set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                               std::span<const double> values) override {
    return later(Operation::set_input_derivatives, [&] {
      put_counted(references);
      out_.put_all(orders);
      put_counted(values);
    });
  }

  Result set_time(double t) override {
    return later(Operation::set_time, [&] { out_.put(t); });
  }
  Result set_states(std::span<const double> z) override {
    return later(Operation::set_states, [&] { put_counted(z); });
  }
  Result get_states(std::span<double> z) override { return ask_for(Operation::get_states, z); }
  Result derivatives(std::span<double> rates) override { return ask_for(Operation::derivatives, rates); }
  Result indicators(std::span<double> g) override { return ask_for(Operation::indicators, g); }
  Result nominals(std::span<double> values) override { return ask_for(Operation::nominals, values); }
  Result completed_step(bool& event, bool& terminate) override {
    return call(
        Operation::completed_step, [] {},
        [&](MessageReader& in) {
          event = in.get<std::uint8_t>() != 0;
          terminate = in.get<std::uint8_t>() != 0;
        });
  }
  Result directional(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                     std::span<const double> seed, std::span<double> out) override {
    return call(
        Operation::directional,
        [&] {
          put_counted(unknowns);
          put_counted(knowns);
          put_counted(seed);
          out_.put(static_cast<std::uint64_t>(out.size()));
        },
        [&](MessageReader& in) { in.get_all(out); });
  }

 private:
  static std::uint64_t number(RawState state) { return reinterpret_cast<std::uintptr_t>(state); }
  RawState fresh_number() {
    if (free_.empty()) return reinterpret_cast<RawState>(static_cast<std::uintptr_t>(++last_number_));
    const std::uint64_t again = free_.back();
    free_.pop_back();
    return reinterpret_cast<RawState>(static_cast<std::uintptr_t>(again));
  }
  std::size_t piece() const { return host_.request().size() / 2; }

  void begin() {
    const Abilities& can = fmu_->abilities();
    std::vector<std::uint32_t> inputs;
    for (const Variable& each : fmu_->description.variables)
      if (each.causality == Causality::input && is_real(each.type)) inputs.push_back(each.reference);
    const Result result = call(Operation::begin, [&] {
      for (const std::string& text : {fmu_->file, fmu_->folder.string(), fmu_->binary.string()})
        out_.put_text(text);
      out_.put(fmu_->use);
      out_.put_text(name_);
      out_.put(fmu_->description.version);
      for (const std::string& text : {fmu_->description.token, can.identifier}) out_.put_text(text);
      for (const bool ability : {can.get_set_state, can.event_mode, can.intermediate_update})
        out_.put(static_cast<std::uint8_t>(ability));
      put_counted(std::span<const std::uint32_t>(inputs));
    });
    if (result != Result::ok)
      throw Error(Fault{.file = fmu_->file,
                        .value = name_,
                        .problem = "the FMU cannot be instantiated: " + complaint_,
                        .remedy = "try the FMU in the tool that made it, or export it again"});
  }

  std::vector<std::byte> wanted_, code_;  ///< the channel that was read last, as it is written
  std::vector<double> ahead_values_;      ///< its values, where they are known
  std::uint64_t last_number_ = 0;
  std::vector<std::uint64_t> free_;
};

}  // namespace

std::unique_ptr<Instance> isolate(std::shared_ptr<const Fmu> fmu, const std::string& name, double limit,
                                  const std::atomic<bool>* interrupt) {
  return std::make_unique<IsolatedInstance>(std::move(fmu), name, limit, interrupt);
}

}  // namespace cosimo::fmi
