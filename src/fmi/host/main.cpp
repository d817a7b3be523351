// The process that an isolated FMU runs in (fmi/isolated_instance.hpp). It is started with two open files:
// the memory that it shares with the program, and a pipe that closes when the program ends, however it ends.
//
// It knows nothing of archives or descriptions: the first message says which binary to load and how.
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "fmi/shared_calls.hpp"

namespace cosimo::fmi {
namespace {

/// A channel of the last request; most requests have the same.
class KnownChannel {
 public:
  const Channel& read(MessageReader& in, std::span<const std::byte> message) {
    const std::size_t begin = in.place();
    std::vector<Channel::Group>& groups = groups_;
    groups.resize(in.get<std::uint32_t>());
    for (Channel::Group& group : groups) {
      group.type = in.get<Type>();
      const auto references = in.get<std::uint32_t>();
      group.values = in.get<std::uint64_t>();
      const auto bytes = in.take(references * sizeof(std::uint32_t));
      group.references.resize(references);
      std::memcpy(group.references.data(), bytes.data(), bytes.size());
    }
    const auto code = message.subspan(begin, in.place() - begin);
    if (!std::equal(code.begin(), code.end(), code_.begin(), code_.end())) {
      code_.assign(code.begin(), code.end());
      channel_ = Channel(groups);
    }
    values.resize(channel_.size());
    return channel_;
  }

  std::vector<double> values;

 private:
  std::vector<std::byte> code_;
  std::vector<Channel::Group> groups_;
  Channel channel_;
};

class Host {
 public:
  Host(SharedCalls& calls, std::size_t capacity)
      : calls_(calls), request_(request_of(calls, capacity)), answer_(answer_of(calls, capacity)) {}

  /// Until it is told to leave.
  void serve() {
    for (wait(); carry_out(); wait()) hand_over(calls_, Side::caller);
  }

 private:
  void wait() {
    while (!patience_.look(calls_, Side::host)) sleep(calls_, Side::host, nullptr);
  }

  /// All operations of a request, and the answer to the last. False: it was to leave, or to go on.
  bool carry_out() {
    const std::span<const std::byte> request =
        request_.first(std::min<std::size_t>(calls_.size, request_.size()));
    MessageReader in(request);
    begin_answer(Result::ok);
    Result result = Result::ok;
    while (in.place() < request.size()) {
      const auto operation = in.get<Operation>();
      if (operation == Operation::leave) instance_.reset();
      if (operation == Operation::leave || operation == Operation::go_on) return false;
      const Result own = carry_out(operation, in, request, result == Result::ok);
      if (result == Result::ok) result = own;
    }
    if (result == Result::ok || refused_) return true;
    begin_answer(result);
    out_.put_text(instance_ ? instance_->complaint() : "");
    return true;
  }

  void begin_answer(Result result) {
    out_ = MessageWriter(answer_);
    out_.put(Answer::done);
    out_.put(result);
  }

  std::span<const double> read_numbers(MessageReader& in, std::vector<double>& into) {
    const auto count = in.get<std::uint64_t>();
    const auto bytes = in.take(count * sizeof(double));
    into.resize(count);
    std::memcpy(into.data(), bytes.data(), bytes.size());
    return into;
  }
  std::span<const std::uint32_t> read_references(MessageReader& in, std::vector<std::uint32_t>& into) {
    into.resize(in.get<std::uint64_t>());
    in.get_all(std::span(into));
    return into;
  }
  RawState& state(std::uint64_t number) {
    if (number >= states_.size()) states_.resize(number + 1, nullptr);
    return states_[number];
  }

  /// `go`: nothing before it has failed; otherwise its arguments are skipped, and only what is given back
  /// is.
  Result carry_out(Operation operation, MessageReader& in, std::span<const std::byte> message, bool go) {
    switch (operation) {
      case Operation::begin:
        return begin(in);
      case Operation::set: {
        const Channel& channel = set_.read(in, message);
        in.get_all(std::span(set_.values));
        return go ? instance_->set(channel, set_.values) : Result::ok;
      }
      case Operation::get:
        return get(in, message, go);
      case Operation::set_text:
        return set_text(in, go);
      case Operation::configure: {
        const bool begin = in.get<std::uint8_t>() != 0;
        return go ? instance_->configure(begin) : Result::ok;
      }
      case Operation::enter_initialisation: {
        const auto start = in.get<double>(), stop = in.get<double>(), tolerance = in.get<double>();
        return go ? instance_->enter_initialisation(start, stop, tolerance) : Result::ok;
      }
      case Operation::exit_initialisation:
        return go ? instance_->exit_initialisation() : Result::ok;
      case Operation::save:
      case Operation::restore:
      case Operation::release:
      case Operation::write:
      case Operation::take:
      case Operation::give:
      case Operation::read:
        return keep(operation, in, go);
      case Operation::enter_events:
        return go ? instance_->enter_events() : Result::ok;
      case Operation::update_events: {
        EventInfo info;
        bool again = false;
        const Result result = go ? instance_->update_events(info, again) : Result::ok;
        out_.put(info);
        out_.put(static_cast<std::uint8_t>(again));
        return result;
      }
      case Operation::resume:
        return go ? instance_->resume() : Result::ok;
      case Operation::do_step:
        return do_step(in, message, go);
      case Operation::set_input_derivatives: {
        const auto references = read_references(in, references_);
        orders_.resize(references.size());
        in.get_all(std::span(orders_));
        const auto values = read_numbers(in, numbers_);
        return go ? instance_->set_input_derivatives(references, orders_, values) : Result::ok;
      }
      default:
        return exchange(operation, in, go);
    }
  }

  Result get(MessageReader& in, std::span<const std::byte> message, bool go) {
    const Channel& channel = get_.read(in, message);
    const Result result = go ? instance_->get(channel, get_.values) : Result::ok;
    out_.put_all(std::span<const double>(get_.values));
    return result;
  }

  Result set_text(MessageReader& in, bool go) {
    Variable variable;
    variable.reference = in.get<std::uint32_t>();
    variable.type = in.get<Type>();
    std::vector<std::string> texts(in.get<std::uint64_t>());
    for (std::string& text : texts) text = in.get_text();
    return go ? instance_->set_text(variable, texts) : Result::ok;
  }

  Result keep(Operation operation, MessageReader& in, bool go) {
    if (operation == Operation::take) {
      const auto from = in.get<std::uint64_t>(), count = in.get<std::uint64_t>();
      if (from > bytes_.size() || count > bytes_.size() - from) return Result::error;
      out_.put_all(std::span<const std::byte>(bytes_).subspan(from, count));
      return Result::ok;
    }
    if (operation == Operation::give) {
      if (in.get<std::uint8_t>() != 0) bytes_.clear();
      const auto piece = in.take(in.get<std::uint64_t>());
      bytes_.insert(bytes_.end(), piece.begin(), piece.end());
      return Result::ok;
    }
    RawState& raw = state(in.get<std::uint64_t>());
    if (operation == Operation::release) {
      instance_->release(raw);
      raw = nullptr;
      return Result::ok;
    }
    if (!go) return Result::ok;
    if (operation == Operation::save) return instance_->save(raw);
    if (operation == Operation::restore) return raw != nullptr ? instance_->restore(raw) : Result::error;
    if (operation == Operation::read) return instance_->read(bytes_, raw);
    const Result result = instance_->write(raw, bytes_);
    out_.put(static_cast<std::uint64_t>(bytes_.size()));
    return result;
  }

  Result do_step(MessageReader& in, std::span<const std::byte> message, bool go) {
    const auto t = in.get<double>(), h = in.get<double>();
    const bool keeps = in.get<std::uint8_t>() != 0, and_get = in.get<std::uint8_t>() != 0;
    const Channel* channel = and_get ? &get_.read(in, message) : nullptr;
    if (!go) return Result::ok;
    const Stepped done = instance_->do_step(t, h, keeps);
    begin_answer(Result::ok);  // others may have written there, on the way; what became of the step is inside
    out_.put(done);
    if (done.result != Result::ok) {
      out_.put(std::uint8_t{0});
      out_.put_text(instance_->complaint());
      return Result::ok;
    }
    const bool given = channel != nullptr && instance_->get(*channel, get_.values) == Result::ok;
    out_.put(static_cast<std::uint8_t>(given));
    if (given) out_.put_all(std::span<const double>(get_.values));
    return Result::ok;
  }

  Result exchange(Operation operation, MessageReader& in, bool go) {
    switch (operation) {
      case Operation::set_time: {
        const auto t = in.get<double>();
        return go ? instance_->set_time(t) : Result::ok;
      }
      case Operation::set_states: {
        const auto z = read_numbers(in, numbers_);
        return go ? instance_->set_states(z) : Result::ok;
      }
      case Operation::get_states:
        return give_numbers(in, go, [&](std::span<double> z) { return instance_->get_states(z); });
      case Operation::derivatives:
        return give_numbers(in, go, [&](std::span<double> z) { return instance_->derivatives(z); });
      case Operation::indicators:
        return give_numbers(in, go, [&](std::span<double> g) { return instance_->indicators(g); });
      case Operation::nominals:
        return give_numbers(in, go, [&](std::span<double> z) { return instance_->nominals(z); });
      case Operation::completed_step: {
        bool event = false, terminate = false;
        const Result result = go ? instance_->completed_step(event, terminate) : Result::ok;
        out_.put(static_cast<std::uint8_t>(event));
        out_.put(static_cast<std::uint8_t>(terminate));
        return result;
      }
      case Operation::directional: {
        const auto unknowns = read_references(in, references_), knowns = read_references(in, knowns_);
        const auto seed = read_numbers(in, numbers_);
        return give_numbers(
            in, go, [&](std::span<double> d) { return instance_->directional(unknowns, knowns, seed, d); });
      }
      default:
        throw BadMessage();
    }
  }

  template <class Ask>
  Result give_numbers(MessageReader& in, bool go, Ask ask) {
    given_.assign(in.get<std::uint64_t>(), 0.0);
    const Result result = go ? ask(std::span(given_)) : Result::ok;
    out_.put_all(std::span<const double>(given_));
    return result;
  }

  /// Loads the binary and makes the instance.
  Result begin(MessageReader& in) {
    auto fmu = std::make_shared<Fmu>();
    fmu->file = in.get_text();
    fmu->folder = in.get_text();
    fmu->binary = in.get_text();
    fmu->use = in.get<Use>();
    const std::string name = in.get_text();
    Description& d = fmu->description;
    d.version = in.get<int>();
    d.token = in.get_text();
    Abilities can;
    can.identifier = in.get_text();
    can.get_set_state = in.get<std::uint8_t>() != 0;
    can.event_mode = in.get<std::uint8_t>() != 0;
    can.intermediate_update = in.get<std::uint8_t>() != 0;
    (fmu->use == Use::cosimulation ? d.cosimulation : d.model_exchange) = can;
    for (const std::uint32_t reference : read_references(in, references_)) {
      Variable& input = d.variables.emplace_back();
      input.reference = reference;
      input.causality = Causality::input;
    }
    try {
      std::strcpy(calls_.function, "its loading");
      fmu->library =
          std::make_unique<const Library>(fmu->binary, d.version, fmu->use == Use::cosimulation, fmu->file);
      instance_ = instantiate(std::move(fmu), name, &calls_.function);
    } catch (const Error& error) {
      refused_ = true;
      const Fault& fault = error.faults().front();
      out_ = MessageWriter(answer_);
      out_.put(Answer::refused);
      for (const std::string& text : {fault.value, fault.problem, fault.remedy}) out_.put_text(text);
      return Result::error;
    }
    if (can.intermediate_update) instance_->on_the_way = [this](double t) { ask_on_the_way(t); };
    return Result::ok;
  }

  /// The program may now set inputs: in the middle of a step, the last operation of its request, it is served
  /// as always.
  void ask_on_the_way(double t) {
    out_ = MessageWriter(answer_);
    out_.put(Answer::on_the_way);
    out_.put(t);
    hand_over(calls_, Side::caller);
    for (wait(); carry_out(); wait()) hand_over(calls_, Side::caller);
  }

  SharedCalls& calls_;
  std::span<std::byte> request_, answer_;
  MessageWriter out_;
  Patience patience_;
  std::unique_ptr<Instance> instance_;
  bool refused_ = false;
  KnownChannel set_, get_;
  std::vector<RawState> states_;
  std::vector<std::byte> bytes_;
  std::vector<double> numbers_, given_;
  std::vector<std::uint32_t> references_, knowns_;
  std::vector<int> orders_;
};

/// Whatever the FMU is doing, this process ends with the program.
void end_with(int pipe) {
  std::thread([pipe] {
    char byte = 0;
    while (::read(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
    ::_exit(1);
  }).detach();
}

int run(int memory, int pipe) {
  struct stat facts {};
  if (::fstat(memory, &facts) != 0) return 1;
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (at == MAP_FAILED || size <= message_offset) return 1;
  ::close(memory);
  // Interrupts are for the program: it may want to write a checkpoint first.
  for (const int interrupt : {SIGINT, SIGTERM, SIGHUP}) ::signal(interrupt, SIG_IGN);
  end_with(pipe);
  Host(*static_cast<SharedCalls*>(at), (size - message_offset) / 2).serve();
  return 0;
}

}  // namespace
}  // namespace cosimo::fmi

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const int code = cosimo::fmi::run(std::atoi(argv[1]), std::atoi(argv[2]));
  std::fflush(nullptr);
  ::_exit(code);  // what the FMU has registered for the end of a program need not come to one
}
