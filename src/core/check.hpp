// A bug found at run time: always checked, never caught except at the top.
#pragma once

#include <stdexcept>
#include <string>

namespace cosimo {

/// The program itself is wrong.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line, const std::string& context);

}  // namespace cosimo

/// Assert an invariant; `context` says what was being done with which values.
#define COSIMO_CHECK(condition, context) \
  ((condition) ? void(0) : ::cosimo::fail_check(#condition, __FILE__, __LINE__, (context)))
