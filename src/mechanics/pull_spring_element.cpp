#include "mechanics/pull_spring_element.hpp"

#include <utility>

#include "mechanics/pull.hpp"

namespace cosimo {

namespace {

class PullSpring final : public ForceElement {
 public:
  PullSpring(std::string element_name, const Marker& from, const Marker& to, const PowerLaw& law,
             double length)
      : ForceElement(std::move(element_name), from, to), law_(law), length_(length) {}

  EffortMask components() const override { return components_along(Along::length); }
  std::string_view kind() const override { return "spring"; }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    out = {};
    if (stretch(from, to) <= 0) return true;
    const Travel at = travel(Along::length, from, to);
    out = effort_along(Along::length, at, pull_of(law_, at.s - length_, at.rate).force);
    return out.force.allFinite();
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    out = {};
    if (stretch(from, to) <= 0) return;
    const Travel at = travel(Along::length, from, to);
    gradient_along(Along::length, from, to, pull_of(law_, at.s - length_, at.rate), out);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    return energy_of_pull(law_, stretch(from, to));
  }

  std::size_t switch_count() const override { return pull_switches; }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    const Vec3 delta = to.r - from.r, u = to.v - from.v;
    const double length = delta.norm(), rate = length > 0 ? delta.dot(u) / length : u.norm();
    put_pull_switches(law_, length - length_, rate, u.norm(), out);
  }

 private:
  double stretch(const Frame& from, const Frame& to) const { return (to.r - from.r).norm() - length_; }

  PowerLaw law_;
  double length_;
};

}  // namespace

std::unique_ptr<ForceElement> make_pull_spring(std::string name, const Marker& from, const Marker& to,
                                               const PowerLaw& law, double length) {
  return std::make_unique<PullSpring>(std::move(name), from, to, law, length);
}

}  // namespace cosimo
