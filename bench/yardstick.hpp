// Prototypes as yardsticks: foreign programs, built by bench/run and named by environment variables,
// that print what they measured.
#pragma once

#include <string>
#include <string_view>

namespace cosimo::bench {

/// Runs the program that the environment variable names with `arguments` and reads the number after the
/// last `key` of its output. NaN without a program or when it does not print one.
double yardstick(const char* variable, const std::string& arguments, std::string_view key);

}  // namespace cosimo::bench
