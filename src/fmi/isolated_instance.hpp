// An instance of an FMU in a process of its own. Whatever the FMU does there (crash, exit, not come back)
// becomes Result::fatal here, and complaint() says what it was.
//
// Calls that only set something wait until one has an answer: inputs, states, states to be kept. They go over
// together, and a failure of theirs is told by the call that waited for it. What is read after a step comes
// with the answer to the step.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "fmi/instance.hpp"

namespace cosimo::fmi {

/// `limit`: seconds that a call may take; once `interrupt` has become true, half a second. The FMU must be
/// one whose binary is not loaded. Throws Error when the FMU refuses, or does not survive it.
std::unique_ptr<Instance> isolate(std::shared_ptr<const Fmu> fmu, const std::string& name, double limit,
                                  const std::atomic<bool>* interrupt = nullptr);

}  // namespace cosimo::fmi
