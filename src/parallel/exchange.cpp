#include "parallel/exchange.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

namespace {

class Alone final : public Exchange {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  void start(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    COSIMO_CHECK(out.empty() && in.empty(), "a single rank has no neighbours");
  }
  void finish() override {}
  void sum(std::span<std::int64_t>) override {}
  void max(std::span<double>) override {}
  void min(std::span<std::int64_t>) override {}
  void gather_all(std::span<const double> mine, std::span<const int>, std::span<double> all) override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
  void broadcast(int, Bytes&) override {}
  std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>> lists) override {
    return {lists.begin(), lists.end()};
  }
  void send(int, Bytes) override { COSIMO_CHECK(false, "a single rank has nobody to send to"); }
  Bytes receive(int) override { COSIMO_CHECK(false, "a single rank has nobody to hear from"); }
  void abort(int) override {}
};

}  // namespace

std::unique_ptr<Exchange> alone() {
  return std::make_unique<Alone>();
}

bool any(Exchange& exchange, bool here) {
  std::int64_t no = here ? 0 : 1;
  exchange.min({&no, 1});
  return no == 0;
}

}  // namespace cosimo
