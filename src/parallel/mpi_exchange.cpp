#include "parallel/mpi_exchange.hpp"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"

namespace cosimo {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int message_tag = 1, parcel_tag = 2;

/// Parcels under way to one rank before send() waits.
constexpr std::size_t most_under_way = 4;

/// MPI counts in int; longer parcels travel in pieces.
constexpr std::size_t longest_piece = std::size_t{1} << 30U;

// How long a rank spins, then yields its core, then sleeps in short naps, before the naps get long.
constexpr auto spinning = std::chrono::microseconds(20), yielding = std::chrono::microseconds(1000),
               napping = std::chrono::microseconds(20'000);
constexpr auto short_nap = std::chrono::microseconds(50), long_nap = std::chrono::microseconds(500);

/// Calls `done` until it says so.
template <class Done>
void wait_until(Done done) {
  const auto begin = Clock::now();
  for (;;) {
    for (int i = 0; i < 16; ++i)
      if (done()) return;
    if (Clock::now() - begin > spinning) break;
  }
  while (!done()) {
    const auto waited = Clock::now() - begin;
    if (waited < yielding)
      sched_yield();
    else
      std::this_thread::sleep_for(waited < napping ? short_nap : long_nap);
  }
}

void wait(MPI_Request& request) {
  wait_until([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

void wait_all(std::vector<MPI_Request>& requests) {
  wait_until([&] {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  });
  requests.clear();
}

int count(std::size_t n) {
  COSIMO_CHECK(n < (std::size_t{1} << 31U), "a message of more than 2^31 numbers");
  return static_cast<int>(n);
}

class MpiExchange final : public Exchange {
 public:
  MpiExchange() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw Error(Fault{.problem = "this MPI does not allow threads (MPI_THREAD_SERIALIZED)",
                        .remedy = "use Debian's Open MPI (openmpi-bin)"});
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks_here_);
    MPI_Comm_free(&here);
  }
  ~MpiExchange() override {
    for (auto& parcels : under_way_)
      for (Parcel& parcel : parcels) wait_all(parcel.requests);
    MPI_Finalize();
  }
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  int ranks_here() const override { return ranks_here_; }

  void start(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    const Watch watch(seconds_);
    for (const Incoming& i : in)
      MPI_Irecv(i.numbers.data(), count(i.numbers.size()), MPI_DOUBLE, i.from, message_tag, MPI_COMM_WORLD,
                &messages_.emplace_back());
    for (const Outgoing& o : out)
      MPI_Isend(o.numbers.data(), count(o.numbers.size()), MPI_DOUBLE, o.to, message_tag, MPI_COMM_WORLD,
                &messages_.emplace_back());
  }
  void finish() override {
    const Watch watch(seconds_);
    wait_all(messages_);
  }

  void sum(std::span<std::int64_t> words) override {
    const Watch watch(seconds_);
    reduce(words, MPI_INT64_T, MPI_SUM);
  }
  void max(std::span<double> numbers) override {
    const Watch watch(seconds_);
    reduce(numbers, MPI_DOUBLE, MPI_MAX);
  }
  void min(std::span<std::int64_t> words) override {
    const Watch watch(seconds_);
    reduce(words, MPI_INT64_T, MPI_MIN);
  }

  /// Open MPI's non-blocking gather sends from every rank to every other. A reduction goes by a tree: the
  /// numbers of all ranks stand apart, and zeros as integers change no bit of them.
  void gather_all(std::span<const double> mine, std::span<const int> counts, std::span<double> all) override {
    const Watch watch(seconds_);
    std::size_t first = 0;
    for (int r = 0; r < rank_; ++r) first += static_cast<std::size_t>(counts[static_cast<std::size_t>(r)]);
    words_.assign(all.size(), 0);
    for (std::size_t i = 0; i < mine.size(); ++i) words_[first + i] = std::bit_cast<std::int64_t>(mine[i]);
    reduce(std::span(words_), MPI_INT64_T, MPI_BOR);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::bit_cast<double>(words_[i]);
  }

  void broadcast(int root, Bytes& bytes) override {
    const Watch watch(seconds_);
    auto size = static_cast<std::int64_t>(bytes.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&size, 1, MPI_INT64_T, root, MPI_COMM_WORLD, &request);
    wait(request);
    bytes.resize(static_cast<std::size_t>(size));
    for (std::size_t first = 0; first < bytes.size(); first += longest_piece) {
      MPI_Ibcast(bytes.data() + first, count(std::min(longest_piece, bytes.size() - first)), MPI_BYTE, root,
                 MPI_COMM_WORLD, &request);
      wait(request);
    }
  }

  std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>> lists) override {
    const Watch watch(seconds_);
    const auto n = static_cast<std::size_t>(ranks_);
    std::vector<int> out(n), in(n);
    for (std::size_t r = 0; r < n; ++r) out[r] = count(lists[r].size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
    wait(request);
    std::vector<std::vector<std::int64_t>> result(n);
    std::vector<MPI_Request> requests;
    for (std::size_t r = 0; r < n; ++r) {
      result[r].resize(static_cast<std::size_t>(in[r]));
      if (in[r] > 0)
        MPI_Irecv(result[r].data(), in[r], MPI_INT64_T, static_cast<int>(r), message_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    }
    for (std::size_t r = 0; r < n; ++r)
      if (out[r] > 0)
        MPI_Isend(lists[r].data(), out[r], MPI_INT64_T, static_cast<int>(r), message_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
    wait_all(requests);
    return result;
  }

  void send(int to, Bytes bytes) override {
    const Watch watch(seconds_);
    under_way_.resize(static_cast<std::size_t>(ranks_));
    auto& parcels = under_way_[static_cast<std::size_t>(to)];
    while (parcels.size() >= most_under_way) {
      wait_all(parcels.front().requests);
      parcels.pop_front();
    }
    Parcel& parcel = parcels.emplace_back();
    parcel.size = static_cast<std::int64_t>(bytes.size());
    parcel.bytes = std::move(bytes);
    MPI_Isend(&parcel.size, 1, MPI_INT64_T, to, parcel_tag, MPI_COMM_WORLD, &parcel.requests.emplace_back());
    for (std::size_t first = 0; first < parcel.bytes.size(); first += longest_piece)
      MPI_Isend(parcel.bytes.data() + first, count(std::min(longest_piece, parcel.bytes.size() - first)),
                MPI_BYTE, to, parcel_tag, MPI_COMM_WORLD, &parcel.requests.emplace_back());
  }

  Bytes receive(int from) override {
    const Watch watch(seconds_);
    std::int64_t size = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&size, 1, MPI_INT64_T, from, parcel_tag, MPI_COMM_WORLD, &request);
    wait(request);
    Bytes bytes(static_cast<std::size_t>(size));
    for (std::size_t first = 0; first < bytes.size(); first += longest_piece) {
      MPI_Irecv(bytes.data() + first, count(std::min(longest_piece, bytes.size() - first)), MPI_BYTE, from,
                parcel_tag, MPI_COMM_WORLD, &request);
      wait(request);
    }
    return bytes;
  }

  void abort(int code) override { MPI_Abort(MPI_COMM_WORLD, code); }

  std::string host() const override {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
  }

 private:
  /// Adds the time of a call.
  class Watch {
   public:
    explicit Watch(double& seconds) : seconds_(seconds), begin_(Clock::now()) {}
    ~Watch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    double& seconds_;
    Clock::time_point begin_;
  };
  struct Parcel {
    std::int64_t size = 0;
    Bytes bytes;
    std::vector<MPI_Request> requests;
  };

  template <class T>
  static void reduce(std::span<T> values, MPI_Datatype type, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), count(values.size()), type, op, MPI_COMM_WORLD, &request);
    wait(request);
  }

  int rank_ = 0, ranks_ = 1, ranks_here_ = 1;
  std::vector<MPI_Request> messages_;
  std::vector<std::int64_t> words_;
  std::vector<std::deque<Parcel>> under_way_;  ///< per rank; a deque, as sizes are sent from where they stand
};

bool set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::unique_ptr<Exchange> join_cluster() {
  const bool launched = set("OMPI_COMM_WORLD_SIZE") || set("PMIX_RANK") || set("PMI_RANK");
  if (launched) return std::make_unique<MpiExchange>();
  if (const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS"); tasks != nullptr && std::atoi(tasks) > 1)
    throw Error(Fault{.field = "srun",
                      .value = tasks,
                      .problem = "Slurm started several tasks, but gave them no way to find each other",
                      .remedy = "start them with `srun --mpi=pmix`, or with `mpirun` inside the job"});
  return nullptr;
}

}  // namespace cosimo
