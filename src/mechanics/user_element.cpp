// Elements from shared libraries: the C interface of include/cosimo/user_element.h.
#include "cosimo/user_element.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

#include "core/error.hpp"
#include "core/shared_library.hpp"
#include "core/user_call.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/provided_elements.hpp"

namespace cosimo {

namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;

constexpr const char* not_finite = "returned numbers that are not finite";

Error wrong(const std::string& element, const char* field, const std::string& value, std::string problem,
            std::string remedy) {
  return Error(Fault{.field = element + "." + field,
                     .value = value,
                     .problem = std::move(problem),
                     .remedy = std::move(remedy)});
}

/// The system's loader would wait at a pipe, and die of a signal where a part is missing.
void require_whole(const std::string& element, const std::filesystem::path& library) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(library, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw wrong(element, "library", library.string(),
                std::filesystem::is_directory(status) ? "is a folder" : "is a pipe or a device, not a file",
                "name the file of a shared library, see examples/user_element");
  const std::uint64_t size = std::filesystem::file_size(library, code);
  const std::optional<std::uint64_t> promised = promised_size(library);
  if (code || !promised || size >= *promised) return;
  throw wrong(element, "library", library.string(),
              "is cut off: it has " + std::to_string(size) + " bytes, and its header speaks of " +
                  std::to_string(*promised),
              "build it or copy it again");
}

/// A call into the library. An exception that comes out of it names nobody: this one does. The end of the
/// thread comes as one that cannot be stopped.
template <class Function>
auto calling(const UserCall& call, Function function) {
  const InUserCall inside(call);
  const auto thrown = [&](const std::string& what) {
    return wrong(call.element, "library", call.library,
                 std::string("threw an exception in ") + call.function + what,
                 "catch it there; the interface is C");
  };
  try {
    return function();
  } catch (const abi::__forced_unwind&) {
    inside.thread_ends();
  } catch (const std::exception& exception) {
    throw thrown(std::string(": ") + exception.what());
  } catch (...) {
    throw thrown("");
  }
}

/// The library of an element while it is loaded, asked and closed; or this program, where none is named.
class Library {
 public:
  Library(const std::string& element, const UserSpec& spec)
      : element_(element), path_(spec.library.string()), function_(spec.function) {
    if (spec.library.empty()) {
      path_ = "(none: " + function_ + " is of this program)";
      provided_ = provided_element(function_);
      if (provided_ == nullptr)
        throw refused("this program provides no element of that name",
                      "name its `library`, or run the scenario in the program that has the function");
      return;
    }
    require_whole(element, spec.library);
    // Without a folder the system's libraries would be searched instead.
    handle_ = calling(call("its initialisation"), [&] {
      return dlopen(std::filesystem::absolute(spec.library).c_str(), RTLD_NOW | RTLD_LOCAL);
    });
    if (handle_ != nullptr) return;
    const char* reason = dlerror();
    throw wrong(element, "library", path_, reason != nullptr ? reason : "cannot be opened",
                "build it as a shared library, see examples/user_element");
  }
  ~Library() {
    if (handle_ == nullptr) return;
    const UserCall closing = call("its end");
    const InUserCall inside(closing);
    dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// In messages.
  std::string name() const {
    return provided_ != nullptr ? "the function '" + function_ + "' of this program" : "the library " + path_;
  }

  /// Of one of its functions; valid as long as the library.
  UserCall call(const char* function) const { return {path_.c_str(), element_.c_str(), function}; }

  /// Whole, whatever the version of the library.
  cosimo_user_element description() const {
    const cosimo_user_element* found = provided_ != nullptr ? provided_.get() : exported();
    if (found == nullptr || found->version < 1 || found->version > COSIMO_USER_ELEMENT_VERSION)
      throw refused("made for version " + (found != nullptr ? std::to_string(found->version) : "?") +
                        " of the interface, not " + std::to_string(COSIMO_USER_ELEMENT_VERSION),
                    "compile it again with the present cosimo/user_element.h");
    cosimo_user_element whole{};
    if (found->version == 1) {
      whole.version = found->version;
      whole.parameter_count = found->parameter_count;
      whole.effort = found->effort;
      whole.gradient = found->gradient;
      whole.potential = found->potential;
    } else {
      whole = *found;
    }
    if (whole.state_count < 0 || whole.memory_count < 0)
      throw refused("declares a negative number of states", "set .state_count and .memory_count");
    if (whole.state_count + whole.memory_count > 0 ? whole.remembering == nullptr : whole.effort == nullptr)
      throw refused("describes an element without effort",
                    whole.effort == nullptr && whole.state_count + whole.memory_count == 0
                        ? "set .effort"
                        : "set .remembering, which an element with states has in its place");
    if (found->parameter_count < -1)
      throw refused("asks for " + std::to_string(found->parameter_count) + " parameters",
                    "set .parameter_count to their number, or to -1 for any");
    return whole;
  }

 private:
  const cosimo_user_element* exported() const {
    void* symbol = dlsym(handle_, function_.c_str());
    if (symbol == nullptr)
      throw refused("the library does not export it", "export a function that returns a cosimo_user_element");
    const UserCall asking = call(function_.c_str());
    return calling(asking, reinterpret_cast<cosimo_user_element_function>(symbol));
  }

  Error refused(std::string problem, std::string remedy) const {
    return wrong(element_, "function", function_, std::move(problem), std::move(remedy));
  }

  const std::string element_;
  std::string path_;
  const std::string function_;
  void* handle_ = nullptr;
  std::shared_ptr<const cosimo_user_element> provided_;
};

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

class UserElement final : public ForceElement, private ElementMemory {
 public:
  UserElement(std::string element_name, const Marker& from, const Marker& to, const UserSpec& spec)
      : ForceElement(std::move(element_name), from, to),
        library_(name, spec),
        own_(library_.description()),
        effort_(library_.call(own_.remembering == nullptr ? "effort" : "remembering")),
        gradient_(library_.call("gradient")),
        potential_(library_.call("potential")),
        begin_(library_.call("begin")),
        commit_(library_.call("commit")),
        parameters_(spec.parameters) {
    if (own_.parameter_count >= 0 && static_cast<std::size_t>(own_.parameter_count) != parameters_.size())
      throw wrong(name, "values", std::to_string(parameters_.size()) + " of them",
                  spec.function + " needs " + std::to_string(own_.parameter_count), "give as many");
  }

  EffortMask components() const override { return EffortMask().set(); }

  /// An element that remembers: as it begins here.
  bool effort(double t, const Frame& from, const Frame& to, Effort& out) const override {
    if (memory() != nullptr) {
      const Beginning at(*this, from, to);
      return effort(t, from, to, at.remembered(), out, nullptr);
    }
    Vec9 all;
    const bool ok = evaluate(t, from, to, all);
    out = effort_of(all);
    return ok;
  }

  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const override {
    out = {};
    if (memory() != nullptr) {
      const Beginning at(*this, from, to);
      StateGradient by_states;
      by_states.reset(extent().z);
      return gradient(t, from, to, at.remembered(), out, by_states);
    }
    if (own_.gradient != nullptr && own_gradient(t, from, to, out)) return;
    for (Eigen::Index i = 0; i < 12; ++i) {
      out.from.col(i) =
          slope([&](double h, Vec9& e) { return evaluate(t, moved(from, i, h), to, e); }, place(from, i));
      out.to.col(i) =
          slope([&](double h, Vec9& e) { return evaluate(t, from, moved(to, i, h), e); }, place(to, i));
    }
  }

  Effort time_derivative(double t, const Frame& from, const Frame& to) const override {
    if (memory() != nullptr) return {};  // nobody asks
    return effort_of(slope([&](double h, Vec9& e) { return evaluate(t + h, from, to, e); }, t));
  }

  double potential(double t, const Frame& from, const Frame& to) const override {
    if (own_.potential == nullptr) return 0;
    const cosimo_frame a = plain(from), b = plain(to);
    return calling(potential_, [&] { return own_.potential(t, &a, &b, parameters_.data()); });
  }

  const ElementMemory* memory() const override {
    return own_.state_count + own_.memory_count > 0 ? this : nullptr;
  }
  std::string_view kind() const override { return "user"; }
  bool foreign() const override { return true; }
  std::string_view complaint(double since) const override {
    const std::scoped_lock lock(failing_);
    return failure_ != nullptr && failed_at_ >= since ? std::string_view(*failure_) : std::string_view();
  }

 private:
  /// What it remembers at the start of a run.
  struct Beginning {
    Beginning(const UserElement& element, const Frame& from, const Frame& to)
        : z(element.extent().z), s(element.extent().s) {
      element.begin(from, to, z.data(), s.data());
    }
    Remembered remembered() const { return {z.data(), s.data()}; }
    std::vector<double> z, s;
  };

  Extent extent() const override {
    return {.z = static_cast<std::size_t>(own_.state_count),
            .s = static_cast<std::size_t>(own_.memory_count),
            .roots = 0};
  }
  bool essential() const override { return true; }
  std::span<const double> nominals() const override {
    return own_.nominals == nullptr ? std::span<const double>() : std::span(own_.nominals, extent().z);
  }
  void begin(const Frame& from, const Frame& to, double* z, double* s) const override {
    std::fill_n(z, extent().z, 0.0);
    std::fill_n(s, extent().s, 0.0);
    if (own_.begin == nullptr) return;
    const cosimo_frame a = plain(from), b = plain(to);
    calling(begin_, [&] { own_.begin(&a, &b, parameters_.data(), z, s); });
  }
  bool effort(double t, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* z_rate) const override {
    Eigen::VectorXd all(static_cast<Eigen::Index>(9 + extent().z));
    const bool ok = evaluate(t, from, to, y, all);
    out = effort_of(all.head<9>());
    if (z_rate != nullptr) std::copy_n(all.data() + 9, extent().z, z_rate);
    return ok;
  }
  void gradient(double t, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& states) const override {
    const auto n = static_cast<Eigen::Index>(extent().z);
    const auto column = [&](const auto& f, double at) {
      const Eigen::VectorXd none = Eigen::VectorXd::Zero(9 + n);
      return slope([&](double h, Eigen::VectorXd& all) { return f(h, all = none); }, at, none);
    };
    for (Eigen::Index i = 0; i < 12; ++i) {
      const Eigen::VectorXd by_from =
          column([&](double h, Eigen::VectorXd& all) { return evaluate(t, moved(from, i, h), to, y, all); },
                 place(from, i));
      const Eigen::VectorXd by_to =
          column([&](double h, Eigen::VectorXd& all) { return evaluate(t, from, moved(to, i, h), y, all); },
                 place(to, i));
      out.from.col(i) = by_from.head<9>();
      out.to.col(i) = by_to.head<9>();
      states.from.col(i) = by_from.tail(n);
      states.to.col(i) = by_to.tail(n);
    }
    std::vector<double> z(y.z, y.z + n);
    for (Eigen::Index k = 0; k < n; ++k) {
      double& moving = z[static_cast<std::size_t>(k)];
      const double here = moving;
      const Eigen::VectorXd by_z = column(
          [&](double h, Eigen::VectorXd& all) {
            moving = here + h;
            return evaluate(t, from, to, {z.data(), y.s}, all);
          },
          here);
      moving = here;
      states.effort.col(k) = by_z.head<9>();
      states.own.col(k) = by_z.tail(n);
    }
  }
  double potential(double t, const Frame& from, const Frame& to, const Remembered& /*y*/) const override {
    return potential(t, from, to);
  }
  void commit(double t, const Frame& from, const Frame& to, const Remembered& y, double* s) const override {
    if (own_.commit == nullptr) return;
    const cosimo_frame a = plain(from), b = plain(to);
    calling(commit_, [&] { own_.commit(t, &a, &b, parameters_.data(), y.z, s); });
  }

  /// The effort, and behind it the rates of z.
  bool evaluate(double t, const Frame& from, const Frame& to, const Remembered& y,
                Eigen::VectorXd& out) const {
    const cosimo_frame a = plain(from), b = plain(to);
    out.setZero();
    return judged(t, out, [&] {
      return own_.remembering(t, &a, &b, parameters_.data(), y.z, y.s, out.data(), out.data() + 9);
    });
  }

  bool evaluate(double t, const Frame& from, const Frame& to, Vec9& out) const {
    const cosimo_frame a = plain(from), b = plain(to);
    out.setZero();
    return judged(t, out, [&] { return own_.effort(t, &a, &b, parameters_.data(), out.data()); });
  }

  /// Whether the library has an effort; remembers why not.
  template <class Numbers, class Call>
  bool judged(double t, const Numbers& out, const Call& call) const {
    try {
      const int status = calling(effort_, call);
      if (status == 0 && out.allFinite()) return true;
      failed(t, status == 0 ? not_finite
                            : "returned error code " + std::to_string(status) + " from " + effort_.function);
    } catch (const Error& thrown) {
      failed(t, thrown.faults().front().problem);
    }
    return false;
  }

  bool own_gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const {
    using Rows = Eigen::Matrix<double, 9, 12, Eigen::RowMajor>;
    Rows by_from = Rows::Zero(), by_to = Rows::Zero();
    const cosimo_frame a = plain(from), b = plain(to);
    try {
      const int status = calling(gradient_, [&] {
        return own_.gradient(t, &a, &b, parameters_.data(), by_from.data(), by_to.data());
      });
      if (status != 0) return false;
    } catch (const Error& thrown) {
      failed(t, thrown.faults().front().problem);
      return false;
    }
    if (!by_from.allFinite() || !by_to.allFinite()) {
      failed(t, not_finite);
      return false;
    }
    out.from = by_from;
    out.to = by_to;
    return true;
  }

  /// Remembers it for messages; the steps that met it are taken back.
  void failed(double t, const std::string& how) const {
    const std::scoped_lock lock(failing_);
    failure_ = &*failures_.insert(library_.name() + " of element '" + name + "' " + how).first;
    failed_at_ = t;
  }

  static Effort effort_of(const Vec9& all) { return {all.head<3>(), all.segment<3>(3), all.tail<3>()}; }

  /// The value that a step along component i is added to; rotations have none.
  static double place(const Frame& frame, Eigen::Index i) {
    const Eigen::Index axis = i % 3;
    return i < 3 ? frame.r[axis] : (i < 6 ? 0.0 : (i < 9 ? frame.v[axis] : frame.w[axis]));
  }

  /// Central differences of fourth order; `none` where the element has no effort.
  template <class Function, class Numbers = Vec9>
  static Numbers slope(const Function& f, double at, const Numbers& none = Vec9::Zero()) {
    const double h = std::ldexp(1.0, -14) * std::max(1.0, std::fabs(at));
    Numbers far_up, up, down, far_down;
    if (!f(2 * h, far_up) || !f(h, up) || !f(-h, down) || !f(-2 * h, far_down)) return none;
    return (8 * (up - down) - (far_up - far_down)) / (12 * h);
  }

  Library library_;
  cosimo_user_element own_;
  UserCall effort_, gradient_, potential_, begin_, commit_;
  std::vector<double> parameters_;
  mutable std::mutex failing_;
  mutable double failed_at_ = -std::numeric_limits<double>::infinity();  ///< when it last had no effort
  mutable const std::string* failure_ = nullptr;                         ///< and why
  mutable std::set<std::string> failures_;  ///< all of them: reasons of failed steps refer to them
};

}  // namespace

std::unique_ptr<ForceElement> make_user_element(std::string name, const Marker& from, const Marker& to,
                                                const UserSpec& spec) {
  return std::make_unique<UserElement>(std::move(name), from, to, spec);
}

}  // namespace cosimo
