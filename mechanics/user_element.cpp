// Elements from shared libraries: the C interface of include/cosimo/user_element.h.
#include "cosimo/user_element.h"

#include <dlfcn.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {

namespace {

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

using Vec9 = Eigen::Matrix<double, 9, 1>;

Error wrong(const std::string& element, const char* field, const std::string& value, std::string problem,
            std::string remedy) {
  return Error(Fault{.field = element + "." + field,
                     .value = value,
                     .problem = std::move(problem),
                     .remedy = std::move(remedy)});
}

Library open(const std::string& element, const std::filesystem::path& path) {
  // Without a folder the system's libraries would be searched instead.
  Library library(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library) {
    const char* reason = dlerror();
    throw wrong(element, "library", path.string(), reason != nullptr ? reason : "cannot be opened",
                "build it as a shared library, see examples/user_element");
  }
  return library;
}

const cosimo_user_element& find(const std::string& element, void* library, const std::string& function) {
  void* symbol = dlsym(library, function.c_str());
  if (symbol == nullptr)
    throw wrong(element, "function", function, "the library does not export it",
                "export a function that returns a cosimo_user_element");
  const auto* description = reinterpret_cast<cosimo_user_element_function>(symbol)();
  if (description == nullptr || description->version != COSIMO_USER_ELEMENT_VERSION)
    throw wrong(element, "function", function,
                "made for version " + (description != nullptr ? std::to_string(description->version) : "?") +
                    " of the interface, not " + std::to_string(COSIMO_USER_ELEMENT_VERSION),
                "compile it again with the present cosimo/user_element.h");
  if (description->effort == nullptr)
    throw wrong(element, "function", function, "describes an element without effort", "set .effort");
  return *description;
}

cosimo_frame plain(const Frame& frame) {
  cosimo_frame out;
  Eigen::Map<Vec3>(out.position) = frame.r;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(out.rotation) = frame.R;
  Eigen::Map<Vec3>(out.velocity) = frame.v;
  Eigen::Map<Vec3>(out.angular_velocity) = frame.w;
  return out;
}

/// Moved along component i of (dr, dtheta, dv, dw).
Frame moved(const Frame& frame, Eigen::Index i, double step) {
  Frame out = frame;
  const Eigen::Index axis = i % 3;
  if (i < 3)
    out.r[axis] += step;
  else if (i < 6)
    out.R = Eigen::AngleAxisd(step, Vec3::Unit(axis)) * frame.R;
  else if (i < 9)
    out.v[axis] += step;
  else
    out.w[axis] += step;
  return out;
}

class UserElement final : public ForceElement {
 public:
  UserElement(std::string element_name, const Marker& from, const Marker& to, const UserSpec& spec)
      : ForceElement(std::move(element_name), from, to),
        library_(open(name, spec.library)),
        own_(find(name, library_.get(), spec.function)),
        parameters_(spec.parameters) {
    if (own_.parameter_count >= 0 && static_cast<std::size_t>(own_.parameter_count) != parameters_.size())
      throw wrong(name, "parameters", std::to_string(parameters_.size()) + " of them",
                  spec.function + " needs " + std::to_string(own_.parameter_count), "give as many");
  }

  EffortMask components() const override { return EffortMask().set(); }

  bool effort(double t, const Frame& from, const Frame& to, Effort& out) const override {
    Vec9 all;
    const bool ok = evaluate(t, from, to, all);
    out = effort_of(all);
    return ok;
  }

  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const override {
    out = {};
    if (own_.gradient != nullptr) {
      using Rows = Eigen::Matrix<double, 9, 12, Eigen::RowMajor>;
      Rows by_from = Rows::Zero(), by_to = Rows::Zero();
      const cosimo_frame a = plain(from), b = plain(to);
      if (own_.gradient(t, &a, &b, parameters_.data(), by_from.data(), by_to.data()) == 0) {
        out.from = by_from;
        out.to = by_to;
        return;
      }
    }
    for (Eigen::Index i = 0; i < 12; ++i) {
      out.from.col(i) =
          slope([&](double h, Vec9& e) { return evaluate(t, moved(from, i, h), to, e); }, place(from, i));
      out.to.col(i) =
          slope([&](double h, Vec9& e) { return evaluate(t, from, moved(to, i, h), e); }, place(to, i));
    }
  }

  Effort time_derivative(double t, const Frame& from, const Frame& to) const override {
    return effort_of(slope([&](double h, Vec9& e) { return evaluate(t + h, from, to, e); }, t));
  }

  double potential(double t, const Frame& from, const Frame& to) const override {
    if (own_.potential == nullptr) return 0;
    const cosimo_frame a = plain(from), b = plain(to);
    return own_.potential(t, &a, &b, parameters_.data());
  }

  std::string_view kind() const override { return "user"; }

 private:
  bool evaluate(double t, const Frame& from, const Frame& to, Vec9& out) const {
    const cosimo_frame a = plain(from), b = plain(to);
    out.setZero();
    return own_.effort(t, &a, &b, parameters_.data(), out.data()) == 0 && out.allFinite();
  }

  static Effort effort_of(const Vec9& all) { return {all.head<3>(), all.segment<3>(3), all.tail<3>()}; }

  /// The value that a step along component i is added to; rotations have none.
  static double place(const Frame& frame, Eigen::Index i) {
    const Eigen::Index axis = i % 3;
    return i < 3 ? frame.r[axis] : (i < 6 ? 0.0 : (i < 9 ? frame.v[axis] : frame.w[axis]));
  }

  /// Central differences of fourth order; zero where the element has no effort.
  template <class Function>
  static Vec9 slope(const Function& f, double at) {
    const double h = std::ldexp(1.0, -14) * std::max(1.0, std::fabs(at));
    Vec9 far_up, up, down, far_down;
    if (!f(2 * h, far_up) || !f(h, up) || !f(-h, down) || !f(-2 * h, far_down)) return Vec9::Zero();
    return (8 * (up - down) - (far_up - far_down)) / (12 * h);
  }

  Library library_;
  const cosimo_user_element& own_;  ///< lives in the library
  std::vector<double> parameters_;
};

}  // namespace

std::unique_ptr<ForceElement> make_user_element(std::string name, const Marker& from, const Marker& to,
                                                const UserSpec& spec) {
  return std::make_unique<UserElement>(std::move(name), from, to, spec);
}

}  // namespace cosimo
