#include "results/trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::TemporaryFolder;

nlohmann::json written(const std::vector<TraceBuffer>& ranks) {
  const TemporaryFolder folder;
  write_trace(folder / "trace.json", ranks);
  EXPECT_FALSE(std::filesystem::exists(folder / "trace.json.part"));
  return nlohmann::json::parse(test::bytes_of(folder / "trace.json"));
}

TEST(Trace, EmptyBuffersAreValid) {
  EXPECT_TRUE(written({}).at("traceEvents").empty());
  const auto trace = written({TraceBuffer(0), TraceBuffer(1)});
  ASSERT_EQ(trace.at("traceEvents").size(), 4u);
  EXPECT_EQ(trace["traceEvents"][2]["args"]["name"], "rank 1");
}

TEST(Trace, EventsComeBack) {
  TraceBuffer first(0), second(3);
  first.span(0, Phase::solve, 1.0000012345, 1.25, 7, 2);
  first.span(1, Phase::idle, 0, 1e-9);
  second.span(0, Phase::transport, 86400.000000001, 86400.5, 8);
  second.span(0, Phase::output, 2, 1);  // a clock that went back
  second.span(0, Phase::interface, -0.5e-6, std::numeric_limits<double>::quiet_NaN(), -1, 0);
  const auto trace = written({first, second});
  std::set<std::string> names;
  std::vector<nlohmann::json> events;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M") {
      if (event.at("name") != "process_sort_index")
        names.insert(std::to_string(event.at("pid").get<int>()) + ": " +
                     event.at("args").at("name").get<std::string>());
    } else {
      events.push_back(event);
    }
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"0: rank 0", "0: thread 0", "0: thread 1", "3: rank 3", "3: thread 0"}));
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0]["ph"], "X");
  EXPECT_EQ(events[0]["name"], "solve");
  EXPECT_EQ(events[0]["cat"], "solve");
  EXPECT_EQ(events[0]["ts"], 1000001.235);  // rounded to nanoseconds
  EXPECT_EQ(events[0]["dur"], 249998.765);
  EXPECT_EQ(events[0]["args"], (nlohmann::json{{"part", 3}, {"step", 7}}));
  EXPECT_EQ(events[1]["tid"], 1);
  EXPECT_EQ(events[1]["dur"], 0.001);
  EXPECT_TRUE(events[1]["args"].empty());
  EXPECT_EQ(events[2]["ts"], 86400000000.001);
  EXPECT_EQ(events[2]["args"], (nlohmann::json{{"step", 8}}));
  EXPECT_EQ(events[3]["dur"], 0);
  EXPECT_EQ(events[4]["ts"], -0.5);
  EXPECT_EQ(events[4]["args"], (nlohmann::json{{"part", 1}}));
}

TEST(Trace, ABufferIsBoundedAndSaysSo) {
  TraceBuffer buffer(0, 3);
  for (int i = 0; i < 10; ++i) buffer.span(0, Phase::solve, i, i + 1);
  EXPECT_EQ(buffer.events().size(), 3u);
  EXPECT_EQ(buffer.dropped(), 7);
  const auto trace = written({buffer});
  EXPECT_EQ(trace["otherData"]["events_not_kept"], 7);
  EXPECT_EQ(trace["traceEvents"].back()["name"], "7 later events were not kept");
  EXPECT_EQ(trace["traceEvents"].back()["ts"], 3e6);
}

TEST(Trace, BuffersTravel) {
  TraceBuffer buffer(2, 1), copy;
  buffer.span(0, Phase::snapshot, 1, 2, 3, 4);
  buffer.span(0, Phase::snapshot, 2, 3);
  Archive out;
  buffer.archive(out);
  const auto bytes = out.take();
  Archive in(bytes);
  copy.archive(in);
  in.finish();
  EXPECT_EQ(copy.rank(), 2);
  EXPECT_EQ(copy.dropped(), 1);
  ASSERT_EQ(copy.events().size(), 1u);
  EXPECT_EQ(copy.events()[0].part, 4);
  EXPECT_EQ(name(copy.events()[0].kind), "snapshot");
}

TEST(Trace, ManyEvents) {
  TraceBuffer buffer(0);
  for (int i = 0; i < 100'000; ++i) buffer.span(i % 8, Phase::solve, 1e-6 * i, 1e-6 * (i + 1), i, i % 5);
  const auto trace = written({buffer});
  EXPECT_EQ(trace["traceEvents"].size(), 100'000u + 2 + 8);
}

TEST(Trace, FullDiskIsAnIoErrorWithoutAHalfFile) {
  const TemporaryFolder folder;
  TraceBuffer buffer(0);
  for (int i = 0; i < 10'000; ++i) buffer.span(0, Phase::solve, i, i + 1);
  for (std::size_t budget = 0; budget < 3; ++budget) {
    test::disk_calls_left = budget;
    const std::string message = test::message_of<IoError>(
        [&] { write_trace(folder / "trace.json", std::span<const TraceBuffer>(&buffer, 1)); });
    test::disk_calls_left = test::endless;
    EXPECT_NE(message.find("trace.json: cannot write: No space left on device"), std::string::npos)
        << message;
    EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
  }
}

}  // namespace
}  // namespace cosimo
