#include "fmi/isolated_calls.hpp"

#include <utility>

#include "core/error.hpp"

namespace cosimo::fmi {

namespace {

/// More than any call needs: texts and names, and of all numbers of the FMU values, references and
/// derivatives.
std::size_t capacity_for(const Description& description) {
  std::size_t elements = 0;
  for (const Variable& each : description.variables) elements += each.elements;
  return (std::size_t{1} << 16U) + 192 * elements;
}

}  // namespace

IsolatedCalls::IsolatedCalls(std::shared_ptr<const Fmu> fmu, const std::string& name, double limit,
                             const std::atomic<bool>* interrupt)
    : Instance(std::move(fmu), name),
      limit_(limit),
      host_(fmu_->folder, capacity_for(fmu_->description), interrupt),
      out_(host_.request()) {}

void IsolatedCalls::serve_on_the_way(double t) {
  if (on_the_way) on_the_way(t);
  if (dead_) return;
  if (!queue(Operation::go_on, [] {})) {
    send([](MessageReader&) {});
    queue(Operation::go_on, [] {});
  }
  host_.send(out_.size());
  out_.shrink(0);
}

void IsolatedCalls::refuse(MessageReader& in) {
  Fault fault{.file = fmu_->file};
  for (std::string* text : {&fault.value, &fault.problem, &fault.remedy}) *text = in.get_text();
  dead_ = true;
  throw Error(std::move(fault));
}

Result IsolatedCalls::broken() {
  complaint_ = BadMessage().what();
  dead_ = gone_ = true;
  return Result::fatal;
}

}  // namespace cosimo::fmi
