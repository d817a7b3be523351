#include "series/leases.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace cosimo::series {
namespace {

namespace fs = std::filesystem;

class Lease : public testing::Test {
 protected:
  Lease() {
    std::string name = testing::TempDir() + "leases-XXXXXX";
    place = ::mkdtemp(name.data());
  }
  ~Lease() override { fs::remove_all(place); }

  /// A process that takes `name`, says so and lives on.
  pid_t holder(const std::string& name) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      Leases leases(place, 1);
      const char took = leases.take(name) ? 'y' : 'n';
      if (::write(ends[1], &took, 1) != 1) ::_exit(1);
      for (;;) {
        leases.beat();
        ::usleep(20000);
      }
    }
    char took = 'n';
    EXPECT_EQ(::read(ends[0], &took, 1), 1);
    EXPECT_EQ(took, 'y');
    ::close(ends[0]);
    ::close(ends[1]);
    return pid;
  }
  static void end(pid_t pid) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  /// A holder of another machine, whose counter somebody has to move on.
  std::string stranger(const std::string& name) {
    const std::string token = "node7~00000000~42-1";
    fs::create_directories(place / "heads");
    fs::create_directories(place / "leases");
    std::ofstream(place / "heads" / token) << "1\n";
    fs::create_symlink(token, place / "leases" / name);
    return token;
  }

  fs::path place;
};

TEST_F(Lease, OneOfTwoHasItUntilItIsGivenBack) {
  Leases a(place, 30), b(place, 30);
  EXPECT_NE(a.token(), b.token());
  EXPECT_TRUE(a.take("x"));
  EXPECT_TRUE(a.take("x"));
  EXPECT_FALSE(b.take("x"));
  EXPECT_TRUE(b.taken("x"));
  EXPECT_FALSE(a.taken("x"));
  EXPECT_TRUE(b.take("y"));
  b.give_back("x");  // it is not b's
  EXPECT_FALSE(b.take("x"));
  a.give_back("x");
  EXPECT_TRUE(b.take("x"));
}

TEST_F(Lease, EndsWithItsHolder) {
  Leases a(place, 30);
  {
    Leases b(place, 30);
    EXPECT_TRUE(b.take("x"));
    EXPECT_FALSE(a.take("x"));
  }
  EXPECT_TRUE(a.take("x"));
}

TEST_F(Lease, OfAKilledProcessIsFreeAtOnce) {
  const pid_t pid = holder("x");
  Leases a(place, 1e6);
  EXPECT_FALSE(a.take("x"));
  end(pid);
  EXPECT_FALSE(a.taken("x"));
  EXPECT_TRUE(a.take("x"));
}

TEST_F(Lease, OfAStoppedProcessIsFreeWhenThePatienceEnds) {
  const pid_t pid = holder("x");
  Leases a(place, 1);
  for (int i = 0; i < 150; ++i) {  // alive for longer than the patience
    EXPECT_FALSE(a.take("x"));
    ::usleep(10000);
  }
  ::kill(pid, SIGSTOP);
  bool taken = false;
  for (int i = 0; i < 400 && !taken; ++i) {
    taken = a.take("x");
    ::usleep(10000);
  }
  EXPECT_TRUE(taken);
  ::kill(pid, SIGCONT);  // it does not know, and takes nothing back
  ::usleep(50000);
  EXPECT_TRUE(a.take("x"));
  EXPECT_EQ(fs::read_symlink(place / "leases" / "x").string(), a.token());
  end(pid);
}

TEST_F(Lease, OfAnotherMachineLivesWhileItsCounterMovesWhateverItsClockSays) {
  const std::string token = stranger("x");
  Leases a(place, 0.2);
  for (int i = 0; i < 40; ++i) {
    std::ofstream(place / "heads" / token) << i << "\n";
    fs::last_write_time(place / "heads" / token, fs::file_time_type::clock::now() - std::chrono::hours(3));
    EXPECT_FALSE(a.take("x"));
    ::usleep(10000);
  }
  bool taken = false;
  for (int i = 0; i < 200 && !taken; ++i) {
    taken = a.take("x");
    ::usleep(10000);
  }
  EXPECT_TRUE(taken);
}

TEST_F(Lease, WhoeverWorksElsewhereIsSeen) {
  const std::string token = stranger("x");
  std::atomic<bool> end{false};
  std::thread other([&] {
    for (int i = 0; !end; ++i) {
      std::ofstream(place / "heads" / token) << i << "\n";
      ::usleep(50000);
    }
  });
  EXPECT_EQ(busy_elsewhere(place), "node7");
  end = true;
  other.join();
  fs::remove_all(place / "heads");
  EXPECT_EQ(busy_elsewhere(place), "");
}

TEST_F(Lease, OfManyTakersOneSucceeds) {
  stranger("x");
  constexpr int takers = 8;
  std::vector<pid_t> processes;
  for (int i = 0; i < takers; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Leases leases(place, 1);
      int mine = 0;
      for (int n = 0; n < 200; ++n) {
        leases.beat();
        mine += leases.take("x") ? 1 : 0;
        ::usleep(10000);
      }
      // Until all have tried: its end would give it back.
      for (int n = 0; n < 50; ++n) {
        leases.beat();
        ::usleep(10000);
      }
      ::_exit(mine > 0 ? 1 : 0);
    }
    processes.push_back(pid);
  }
  int took = 0;
  for (const pid_t pid : processes) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    took += WEXITSTATUS(status);
  }
  EXPECT_EQ(took, 1);
}

}  // namespace
}  // namespace cosimo::series
