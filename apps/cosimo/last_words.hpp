// What the program says of a user's library that brings it down: by a crash, by ending it, or by not coming
// back when the user wants it to end. The exit code is then 1, as for any run that failed.
#pragma once

namespace cosimo::cli {

/// From now on crashes and exit() inside of a library name it. Others take their usual course.
void watch_libraries();

/// The program was asked to end: a library that a thread is in and does not come out of is named, and the
/// program ends without it. May be called from signal handlers.
void expect_end() noexcept;

}  // namespace cosimo::cli
