// Rows given in blocks of columns: the same bytes as whole rows, without holding one.
#include <sys/resource.h>

#include "core/check.hpp"
#include "core/random.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::bytes_of;
using test::KnownRun;
using test::TemporaryFolder;

/// One row in blocks of sizes that `random` chooses; empty blocks and single columns among them.
void write_in_blocks(ResultsWriter& writer, const KnownRun& run, std::size_t row,
                     const RandomStream& random) {
  const auto position = KnownRun::values(row, run.bodies, 1),
             velocity = KnownRun::values(row, run.bodies, -1);
  writer.output_begin(KnownRun::time(row));
  for (std::size_t first = 0, k = 1000 * row; first < run.bodies; ++k) {
    const double u = random.uniform(k, 0, 1);
    const std::size_t n = std::min(run.bodies - first, static_cast<std::size_t>(u * u * u * 250'000));
    writer.output_block(first, std::span(position).subspan(first, n), std::span(velocity).subspan(first, n));
    first += n;
    if (n == 0) {
      writer.output_block(first, std::span(position).subspan(first, 1),
                          std::span(velocity).subspan(first, 1));
      ++first;
    }
  }
  writer.output_end();
}

TEST(ResultsBlocks, AnyBlocksGiveTheBytesOfWholeRows) {
  const TemporaryFolder folder;
  const RandomStream random(5, 1);
  for (const std::size_t bodies : {0, 1, 40, 70'000, 131'072, 131'073, 300'001}) {
    const KnownRun run{.bodies = bodies, .couplings = 1, .local_bodies = 0};
    const std::size_t rows = bodies < 100 ? 600 : 7;
    {
      ResultsWriter whole(folder / "whole.h5", run.layout()), blocks(folder / "blocks.h5", run.layout());
      for (std::size_t row = 0; row < rows; ++row) {
        whole.output(KnownRun::time(row), KnownRun::values(row, bodies, 1),
                     KnownRun::values(row, bodies, -1));
        write_in_blocks(blocks, run, row, random);
        if (row % 3 != 0) continue;
        whole.flush();
        blocks.flush();
      }
      whole.close();
      blocks.close();
    }
    EXPECT_TRUE(bytes_of(folder / "whole.h5") == bytes_of(folder / "blocks.h5")) << bodies;
    const Results results = read_results(folder / "blocks.h5");
    EXPECT_EQ(results.time.size(), rows);
    EXPECT_EQ(run.first_fault(results, 0), "");
  }
}

TEST(ResultsBlocks, ARowThatIsNotEndedIsNotThere) {
  const TemporaryFolder folder;
  for (const std::size_t bodies : {3, 300'001}) {
    const KnownRun run{.bodies = bodies, .couplings = 1, .local_bodies = 0};
    {
      ResultsWriter writer(folder / "results.h5", run.layout());
      for (std::size_t row = 0; row < 4; ++row) run.write_row(writer, row);
      writer.flush();
      const auto values = KnownRun::values(4, bodies, 1);
      writer.output_begin(KnownRun::time(4));
      writer.output_block(0, std::span(values).first(bodies - 1), std::span(values).first(bodies - 1));
    }
    ASSERT_TRUE(test::opens_plainly(folder / "results.h5"));
    const Results results = read_results(folder / "results.h5");
    EXPECT_EQ(results.time.size(), 4u);
    EXPECT_EQ(run.first_fault(results, 4), "");
  }
}

TEST(ResultsBlocks, MisuseIsABug) {
  const TemporaryFolder folder;
  const KnownRun run;
  ResultsWriter writer(folder / "results.h5", run.layout());
  const std::vector<double> two(2), four(4);
  EXPECT_THROW(writer.output_block(0, two, two), Bug);
  EXPECT_THROW(writer.output_end(), Bug);
  writer.output_begin(0);
  EXPECT_THROW(writer.output_begin(0), Bug);
  EXPECT_THROW(writer.output_block(1, two, two), Bug);
  EXPECT_THROW(writer.output_block(0, four, four), Bug);
  writer.output_block(0, two, two);
  EXPECT_THROW(writer.output_end(), Bug);
  EXPECT_THROW(writer.flush(), Bug);
  EXPECT_THROW(writer.position(), Bug);
  EXPECT_THROW(writer.close(), Bug);
}

TEST(ResultsBlocks, WideRowsAreNeverHeld) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer holds on to freed memory";
#endif
  const TemporaryFolder folder;
  const KnownRun run{.bodies = 2'000'000, .couplings = 1, .local_bodies = 0};  // 2 x 16 MB a row
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              const auto peak_bytes = [] {
                rusage usage;
                ::getrusage(RUSAGE_SELF, &usage);
                return 1024 * usage.ru_maxrss;
              };
              const std::vector<double> block(10'000, 1.5);
              const auto write = [&](ResultsWriter& writer, double t) {
                writer.output_begin(t);
                for (std::size_t first = 0; first < run.bodies; first += block.size())
                  writer.output_block(first, block, block);
                writer.output_end();
              };
              const ResultsLayout layout = run.layout();
              ResultsPosition position;
              {
                ResultsWriter writer(folder / "results.h5", layout);
                const long before = peak_bytes();
                for (int row = 0; row < 3; ++row) write(writer, row);
                writer.flush();
                position = writer.position();
                if (peak_bytes() - before > 8 << 20) return 1;
              }
              const long before = peak_bytes();
              ResultsWriter resumed(folder / "results.h5", layout, {position});
              write(resumed, 3);
              resumed.close();
              if (peak_bytes() - before > 8 << 20) return 2;
              return read_results(folder / "results.h5").position == std::vector<double>(4 * run.bodies, 1.5)
                         ? 0
                         : 3;
            })),
            0);
}

}  // namespace
}  // namespace cosimo
