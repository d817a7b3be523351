// Threads that go through one piece of work together, each with its own share, and wait for each other at
// points that the work names:
//
//   Team team;
//   team.hire(4);
//   auto work = [&](Team::Member& me) {
//     fill(share_of(me));
//     me.meet();                      // what everybody has filled is there
//     use(share_of(me));
//   };
//   team.run(3, work);                // on three of the four; returns when all are done
//
// Meetings are short waits in a loop. Members that keep the others waiting, because other programs want
// their cores, are left out for a while: so the number of members that take part may differ from run to run,
// and what is computed must not depend on it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cosimo {

class Team {
 public:
  Team();  ///< the caller alone
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// From now on so many, including the caller of run(), or as many as the system grants. More than the
  /// process has cores would only be in each other's way: they are hired where tests want a crowd.
  void hire(int members, bool crowd = false);
  int members() const;

  class Member {
   public:
    int number() const { return number_; }  ///< the caller of run() is 0
    int count() const { return count_; }    ///< that take part in this run
    /// Returns when all of them have come here.
    void meet();

   private:
    friend class Team;
    Member(Team& team, int number, int count) : team_(team), number_(number), count_(count) {}
    Team& team_;
    int number_, count_;
  };

  /// Calls work(member) on at most `wanted` members at the same time; it must not throw. Allocates nothing.
  template <class F>
  void run(int wanted, F& work) {
    run_on(
        wanted, [](void* context, Member& member) { (*static_cast<F*>(context))(member); }, &work);
  }

  int largest() const;            ///< number of members that took part in a run so far
  std::int64_t meetings() const;  ///< of all runs so far, the end of each included
  std::int64_t left_out() const;  ///< how often a member was left out
  /// Seconds that every member worked between meetings, the caller first; of runs on several members, from a
  /// sample of them.
  std::vector<double> worked() const;

 private:
  using Function = void (*)(void*, Member&);
  void run_on(int wanted, Function function, void* context);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
