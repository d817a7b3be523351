#include "config/robot_look.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>
#include <system_error>

#include "config/number.hpp"

namespace cosimo::config::robot {

bool is_inertia(const Mat3& tensor) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(0) > 1e-12 * solver.eigenvalues()(2);
}

std::string text_of(const Mat3& m) {
  std::string out;
  for (const double x : {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)})
    out += (out.empty() ? "" : ", ") + number_text(x);
  return out;
}

std::optional<std::string> find_mesh(const std::string& name, const std::filesystem::path& robot) {
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(robot, failed);
  const std::filesystem::path folder = (failed ? robot : absolute).parent_path();
  const auto there = [](const std::filesystem::path& file) -> std::optional<std::string> {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
    return file.lexically_normal().string();
  };
  constexpr std::string_view local = "file://";
  if (name.starts_with(local)) return there(name.substr(local.size()));
  constexpr std::string_view package = "package://";
  if (!name.starts_with(package)) return there(folder / name);
  const std::string path = name.substr(package.size());
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return std::nullopt;
  for (std::filesystem::path above = folder;; above = above.parent_path()) {
    if (const auto found = there(above / path)) return found;
    if (above.filename() == path.substr(0, slash))
      if (const auto found = there(above / path.substr(slash + 1))) return found;
    if (above == above.parent_path()) return std::nullopt;
  }
}

bool is_readable_mesh(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".stl" || ending == ".obj";
}

Mass moved(const Mass& mass, const Pose& pose) {
  if (pose.R == Mat3::Identity()) return {mass.mass, mass.center + pose.r, mass.inertia};
  return {mass.mass, pose * mass.center, pose.R * mass.inertia * pose.R.transpose()};
}

Mass sum(const Mass& a, const Mass& b) {
  Mass out;
  out.mass = a.mass + b.mass;
  out.center = (a.mass * a.center + b.mass * b.center) / out.mass;
  out.inertia = a.inertia + b.inertia;
  for (const Mass* part : {&a, &b}) {
    const Vec3 d = part->center - out.center;
    out.inertia += part->mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return out;
}

}  // namespace cosimo::config::robot
