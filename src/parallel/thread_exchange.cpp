#include "parallel/thread_exchange.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "core/check.hpp"

namespace cosimo {

namespace {

enum class Channel { message, collective, parcel };

/// All mailboxes.
class Hub {
 public:
  void put(int from, int to, Channel channel, Bytes bytes) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to, channel}].push_back(std::move(bytes));
    changed_.notify_all();
  }
  Bytes take(int from, int to, Channel channel) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to, channel}];
    changed_.wait(lock, [&] { return closed_ || !box.empty(); });
    if (box.empty()) throw std::runtime_error("another rank has failed");
    Bytes bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::tuple<int, int, Channel>, std::deque<Bytes>> boxes_;
  bool closed_ = false;
};

template <class T>
Bytes bytes_of(std::span<const T> values) {
  Bytes bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
void fill(std::span<T> values, const Bytes& bytes) {
  COSIMO_CHECK(bytes.size() == values.size_bytes(), "a message of another length");
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
}

class ThreadExchange final : public Exchange {
 public:
  ThreadExchange(Hub& hub, int rank, int ranks) : hub_(hub), rank_(rank), ranks_(ranks) {}

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  void start(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    for (const Outgoing& o : out) hub_.put(rank_, o.to, Channel::message, bytes_of(o.numbers));
    expected_.insert(expected_.end(), in.begin(), in.end());
  }
  void finish() override {
    for (const Incoming& i : expected_) fill(i.numbers, hub_.take(i.from, rank_, Channel::message));
    expected_.clear();
  }

  void sum(std::span<std::int64_t> words) override {
    reduce(words, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void max(std::span<double> numbers) override {
    reduce(numbers, [](double a, double b) { return std::max(a, b); });
  }
  void min(std::span<std::int64_t> words) override {
    reduce(words, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  }
  void gather_all(std::span<const double> mine, std::span<const int> counts, std::span<double> all) override {
    std::size_t first = 0;
    for (int r = 0; r < ranks_; ++r) {
      const auto count = static_cast<std::size_t>(counts[static_cast<std::size_t>(r)]);
      Bytes bytes = bytes_of(mine);
      broadcast(r, bytes);
      fill(all.subspan(first, count), bytes);
      first += count;
    }
  }
  void broadcast(int root, Bytes& bytes) override {
    if (rank_ != root) {
      bytes = hub_.take(root, rank_, Channel::collective);
      return;
    }
    for (int r = 0; r < ranks_; ++r)
      if (r != root) hub_.put(root, r, Channel::collective, bytes);
  }
  // NOLINTNEXTLINE(bugprone-exception-escape): it exchanges lists, and is not std::swap
  std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>> lists) override {
    for (int r = 0; r < ranks_; ++r)
      hub_.put(rank_, r, Channel::collective,
               bytes_of(std::span<const std::int64_t>(lists[static_cast<std::size_t>(r)])));
    std::vector<std::vector<std::int64_t>> result;
    for (int r = 0; r < ranks_; ++r) {
      const Bytes bytes = hub_.take(r, rank_, Channel::collective);
      auto& list = result.emplace_back(bytes.size() / sizeof(std::int64_t));
      fill(std::span(list), bytes);
    }
    return result;
  }
  void send(int to, Bytes bytes) override { hub_.put(rank_, to, Channel::parcel, std::move(bytes)); }
  Bytes receive(int from) override { return hub_.take(from, rank_, Channel::parcel); }
  void abort(int) override { hub_.close(); }

 private:
  template <class T, class Join>
  void reduce(std::span<T> values, Join join) {
    Bytes bytes;
    if (leads()) {
      std::vector<T> other(values.size());
      for (int r = 1; r < ranks_; ++r) {
        fill(std::span(other), hub_.take(r, 0, Channel::collective));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = join(values[i], other[i]);
      }
      bytes = bytes_of(std::span<const T>(values));
    } else {
      hub_.put(rank_, 0, Channel::collective, bytes_of(std::span<const T>(values)));
    }
    broadcast(0, bytes);
    fill(values, bytes);
  }

  Hub& hub_;
  int rank_, ranks_;
  std::vector<Incoming> expected_;
};

}  // namespace

void run_ranks(int ranks, const std::function<void(Exchange&)>& rank) {
  Hub hub;
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      ThreadExchange exchange(hub, r, ranks);
      try {
        rank(exchange);
      } catch (...) {
        {
          const std::lock_guard lock(mutex);
          if (!first) first = std::current_exception();
        }
        hub.close();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace cosimo
