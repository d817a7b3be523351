// How an instance in a process of its own is talked to: operations that wait for one with an answer, and what
// comes back. The operations themselves are in isolated_instance.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "fmi/host_process.hpp"
#include "fmi/instance.hpp"

namespace cosimo::fmi {

class IsolatedCalls : public Instance {
 public:
  IsolatedCalls(std::shared_ptr<const Fmu> fmu, const std::string& name, double limit,
                const std::atomic<bool>* interrupt);

  std::string complaint() const override { return complaint_; }
  bool gone() const override { return gone_; }

 protected:
  Result ask_for(Operation operation, std::span<double> values) {
    return call(
        operation, [&] { out_.put(static_cast<std::uint64_t>(values.size())); },
        [&](MessageReader& in) { in.get_all(values); });
  }
  template <class T>
  void put_counted(std::span<const T> values) {
    out_.put(static_cast<std::uint64_t>(values.size()));
    out_.put_all(values);
  }

  /// Nothing can be told apart from the next answer, but before the start every value is answered for.
  template <class Write>
  Result later(Operation operation, Write write) {
    if (!started_) return call(operation, write);
    if (dead_) return Result::fatal;
    if (queue(operation, write)) return Result::ok;
    const Result before = send([](MessageReader&) {});
    if (before != Result::ok) return before;
    return queue(operation, write) ? Result::ok : broken();
  }
  template <class Write>
  Result call(Operation operation, Write write) {
    return call(operation, write, [](MessageReader&) {});
  }
  template <class Write, class Read>
  Result call(Operation operation, Write write, Read read) {
    if (dead_) return Result::fatal;
    if (!queue(operation, write)) {
      const Result before = send([](MessageReader&) {});
      if (before != Result::ok) return before;
      if (!queue(operation, write)) return broken();
    }
    return send(read);
  }

  /// False: there is no room for it.
  template <class Write>
  bool queue(Operation operation, Write write) {
    const std::size_t before = out_.size();
    try {
      out_.put(operation);
      write();
    } catch (const BadMessage&) {
      out_.shrink(before);
      return false;
    }
    ahead_ = ahead_ && (operation == Operation::save || operation == Operation::release);
    return true;
  }
  template <class Read>
  Result send(Read read) {
    host_.send(out_.size());
    out_.shrink(0);
    enter("a call in its process");
    for (;;) {
      const InUserCall inside(call_);
      if (!host_.wait(limit_)) {
        complaint_ = host_.story();
        dead_ = gone_ = true;
        return Result::fatal;
      }
      try {
        MessageReader in(host_.answer());
        switch (in.get<Answer>()) {
          case Answer::done:
            return finish(in, read);
          case Answer::on_the_way:
            serve_on_the_way(in.get<double>());
            break;
          default:
            refuse(in);
        }
      } catch (const BadMessage& problem) {
        return broken();
      }
    }
  }

  template <class Read>
  Result finish(MessageReader& in, Read& read) {
    const auto result = in.get<Result>();
    if (result == Result::ok) {
      read(in);
      return result;
    }
    complaint_ = in.get_text();
    if (result == Result::fatal) dead_ = true;
    return result == Result::discard || result == Result::fatal ? result : Result::error;
  }

  void serve_on_the_way(double t);
  [[noreturn]] void refuse(MessageReader& in);
  Result broken();

  double limit_;
  HostProcess host_;
  MessageWriter out_;
  bool started_ = false, gone_ = false;
  bool ahead_ = false;  ///< values came before they were asked for
  std::string complaint_;
};

}  // namespace cosimo::fmi
