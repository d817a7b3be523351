// Messages for the person who watches a run.
//
// A Log is a small value that is handed to whoever has something to say; where the
// words go is decided by the one who made it (the front end, a test). There is no
// global logger, and a default-made Log says nothing.
//
//   const Log log([](LogLevel level, std::string_view text) { ... });
//   log.warning("part 3 switched to rosenbrock at t = 0.1");
//
// Never called per body or per micro step. The sink is called on the thread that speaks.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

namespace cosimo {

enum class LogLevel { info, warning };

class Log {
 public:
  using Sink = std::function<void(LogLevel, std::string_view)>;

  Log() = default;
  explicit Log(Sink sink) : sink_(std::move(sink)) {}

  /// False if nobody listens: then costly messages need not be built.
  bool listening() const { return static_cast<bool>(sink_); }
  void info(std::string_view text) const { say(LogLevel::info, text); }
  void warning(std::string_view text) const { say(LogLevel::warning, text); }

 private:
  void say(LogLevel level, std::string_view text) const {
    if (sink_) sink_(level, text);
  }

  Sink sink_;
};

}  // namespace cosimo
