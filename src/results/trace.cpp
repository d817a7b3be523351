#include "results/trace.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "core/check.hpp"
#include "results/new_file.hpp"

namespace cosimo {

namespace {

/// How a kind shows: its name, and one of the colours that the viewers know by name.
struct Look {
  std::string_view name, colour;
};

Look look(Phase kind) {
  switch (kind) {
    case Phase::solve:
      return {"solve", "thread_state_running"};
    case Phase::idle:
      return {"idle", "thread_state_sleeping"};
    case Phase::snapshot:
      return {"snapshot", "rail_animation"};
    case Phase::interface:
      return {"interface", "rail_response"};
    case Phase::transport:
      return {"transport", "thread_state_iowait"};
    case Phase::output:
      return {"output", "rail_load"};
  }
  COSIMO_CHECK(false, "no such kind of event");
  return {};
}

std::int64_t nanoseconds(double seconds) {
  constexpr double limit = 9e9;  // 285 years
  return std::isfinite(seconds) && std::fabs(seconds) < limit ? std::llround(seconds * 1e9) : 0;
}

/// JSON text on its way to the file.
class TraceText {
 public:
  explicit TraceText(const std::filesystem::path& file) : file_(file, "the run itself is complete") {
    text_.reserve(2 * full);
  }

  TraceText& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  TraceText& operator<<(std::int64_t value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }
  /// As microseconds with three decimals.
  void time(std::int64_t ns) {
    if (ns < 0) text_ += '-';
    const std::int64_t size = std::abs(ns), rest = size % 1000;
    *this << size / 1000 << (rest < 10 ? ".00" : rest < 100 ? ".0" : ".") << rest;
  }
  /// Begins the next element of the list of events.
  void next() {
    if (text_.size() > full) write();
    text_ += first_ ? "\n{" : ",\n{";
    first_ = false;
  }
  void finish() {
    write();
    file_.appear();
  }

 private:
  static constexpr std::size_t full = std::size_t{1} << 18;

  void write() {
    file_.write(std::as_bytes(std::span(text_)));
    text_.clear();
  }

  NewFile file_;
  std::string text_;
  bool first_ = true;
};

/// Processes and threads by name, ranks in their order.
void write_names(TraceText& out, const TraceBuffer& buffer) {
  const std::int64_t rank = buffer.rank();
  out.next();
  out << R"("ph":"M","name":"process_name","pid":)" << rank << R"(,"args":{"name":"rank )" << rank << "\"}}";
  out.next();
  out << R"("ph":"M","name":"process_sort_index","pid":)" << rank << R"(,"args":{"sort_index":)" << rank
      << "}}";
  std::set<std::int64_t> threads;
  for (const TraceEvent& event : buffer.events()) threads.insert(event.thread);
  for (const std::int64_t thread : threads) {
    out.next();
    out << R"("ph":"M","name":"thread_name","pid":)" << rank << R"(,"tid":)" << thread
        << R"(,"args":{"name":"thread )" << thread << "\"}}";
  }
}

void write_event(TraceText& out, int rank, const TraceEvent& event) {
  const Look shown = look(event.kind);
  // Ends, not lengths, are rounded: events that touch in time touch in the picture.
  const std::int64_t begin = nanoseconds(event.begin), end = nanoseconds(event.end);
  out.next();
  out << R"("ph":"X","name":")" << shown.name << R"(","cat":")" << shown.name << R"(","cname":")"
      << shown.colour << R"(","pid":)" << std::int64_t{rank} << R"(,"tid":)" << std::int64_t{event.thread}
      << R"(,"ts":)";
  out.time(begin);
  out << R"(,"dur":)";
  out.time(std::max<std::int64_t>(0, end - begin));
  out << R"(,"args":{)";
  if (event.part >= 0) out << R"("part":)" << std::int64_t{event.part} + 1;
  if (event.part >= 0 && event.step >= 0) out << ",";
  if (event.step >= 0) out << R"("step":)" << event.step;
  out << "}}";
}

/// Says in the picture where a full buffer ends.
void write_dropped(TraceText& out, const TraceBuffer& buffer) {
  if (buffer.dropped() == 0) return;
  std::int64_t last = 0;
  for (const TraceEvent& event : buffer.events()) last = std::max(last, nanoseconds(event.end));
  out.next();
  out << R"("ph":"i","s":"p","name":")" << buffer.dropped() << R"( later events were not kept","pid":)"
      << std::int64_t{buffer.rank()} << R"(,"tid":0,"ts":)";
  out.time(last);
  out << "}";
}

}  // namespace

std::string_view name(Phase kind) {
  return look(kind).name;
}

void TraceBuffer::span(int thread, Phase kind, double begin, double end, std::int64_t step,
                       std::int32_t part) {
  if (events_.size() >= capacity_) {
    ++dropped_;
    return;
  }
  if (events_.empty()) events_.reserve(capacity_);
  events_.push_back({.begin = begin,
                     .end = end,
                     .step = step,
                     .part = part,
                     .thread = static_cast<std::int16_t>(thread),
                     .kind = kind});
}

void write_trace(const std::filesystem::path& file, std::span<const TraceBuffer> ranks) {
  std::int64_t dropped = 0;
  for (const TraceBuffer& buffer : ranks) dropped += buffer.dropped();
  TraceText out(file);
  out << R"({"displayTimeUnit":"ms","otherData":{"events_not_kept":)" << dropped << R"(},"traceEvents":[)";
  for (const TraceBuffer& buffer : ranks) {
    write_names(out, buffer);
    for (const TraceEvent& event : buffer.events()) write_event(out, buffer.rank(), event);
    write_dropped(out, buffer);
  }
  out << "\n]}\n";
  out.finish();
}

}  // namespace cosimo
