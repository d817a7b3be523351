// Elements whose law depends on an angle. Between bodies in space they remember it from step to step, so that
// it goes on over any number of turns (mechanics/along.hpp); where nobody keeps that memory, and between
// bodies of the plane, they do without. The memory is not essential: a cut may part the bodies, and ends the
// run when a turn is lost there.
#pragma once

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mechanics/element_memory.hpp"

namespace cosimo {

class TurningElement : public ForceElement, private ElementMemory {
 public:
  /// `remembers`: one of the bodies is in space.
  TurningElement(std::string element_name, const Marker& from, const Marker& to, bool remembers)
      : ForceElement(std::move(element_name), from, to),
        remembers_(remembers),
        lost_(
            "element '" + name +
            "': its angle turned by more than half a turn within the shortest step, because its axis has no "
            "direction there; give the bodies a joint that keeps the axis, or keep the angle below pi"),
        undefined_("element '" + name +
                   "': its law has no value there: outside a table with `outside: error`, or where a formula "
                   "is not defined") {}

  bool effort(double t, const Frame& from, const Frame& to, Effort& out) const final {
    if (effort_at(t, from, to, nullptr, out)) return true;
    undefined_at_.store(t, std::memory_order_relaxed);
    return false;
  }
  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const final {
    gradient_at(t, from, to, nullptr, out);
  }
  double potential(double t, const Frame& from, const Frame& to) const final {
    return potential_at(t, from, to, nullptr);
  }
  const ElementMemory* memory() const final { return remembers_ ? this : nullptr; }
  std::string_view complaint(double since) const final {
    if (lost_at_.load(std::memory_order_relaxed) >= since) return lost_;
    return undefined_at_.load(std::memory_order_relaxed) >= since ? std::string_view(undefined_)
                                                                  : std::string_view();
  }

 protected:
  // With the angle at the beginning of the step; null: none is known.
  [[nodiscard]] virtual bool effort_at(double t, const Frame& from, const Frame& to, const double* last,
                                       Effort& out) const = 0;
  virtual void gradient_at(double t, const Frame& from, const Frame& to, const double* last,
                           EffortGradient& out) const = 0;
  virtual double potential_at(double /*t*/, const Frame& /*from*/, const Frame& /*to*/,
                              const double* /*last*/) const {
    return 0;
  }
  virtual double angle_at(const Frame& from, const Frame& to, const double* last) const = 0;
  void remember(bool turns) { remembers_ = turns; }

 private:
  Extent extent() const final { return {.z = 0, .s = 1, .roots = 0}; }
  bool essential() const final { return false; }
  void begin(const Frame& from, const Frame& to, double* /*z*/, double* s) const final {
    *s = angle_at(from, to, nullptr);
  }
  bool effort(double t, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* /*z_rate*/) const final {
    if (effort_at(t, from, to, y.s, out)) return true;
    auto& when = std::isnan(angle_at(from, to, y.s)) ? lost_at_ : undefined_at_;
    when.store(t, std::memory_order_relaxed);
    return false;
  }
  void gradient(double t, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& /*z*/) const final {
    gradient_at(t, from, to, y.s, out);
  }
  double potential(double t, const Frame& from, const Frame& to, const Remembered& y) const final {
    return potential_at(t, from, to, y.s);
  }
  void commit(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, double* s) const final {
    *s = angle_at(from, to, y.s);
  }

  bool remembers_;
  std::string lost_, undefined_;
  mutable std::atomic<double> lost_at_ = -std::numeric_limits<double>::infinity();  ///< when it was last
  mutable std::atomic<double> undefined_at_ = -std::numeric_limits<double>::infinity();
};

}  // namespace cosimo
