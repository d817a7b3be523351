#include "results/vtk.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "core/check.hpp"
#include "core/error.hpp"
#include "results/vtk_frame.hpp"
#include "results/vtk_text.hpp"

namespace cosimo {

namespace {

bool finite(const BodyPose& pose) {
  const auto all = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  return all(pose.place) && all(pose.quaternion) && all(pose.velocity) && all(pose.angular_velocity);
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::error_code& error) {
  throw IoError(file.string() + ": cannot write: " + error.message());
}

/// Whole under its own name, or not there at all.
void write_whole(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::path part = file;
  part += ".part";
  std::FILE* out = std::fopen(part.c_str(), "wb");
  bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  int error = written ? 0 : errno;
  if (out != nullptr && std::fclose(out) != 0 && written) {
    error = errno;
    written = false;
  }
  std::error_code ignored, renaming;
  if (written) std::filesystem::rename(part, file, renaming);
  if (written && !renaming) return;
  std::filesystem::remove(part, ignored);
  fail(file, written ? renaming : std::error_code(error, std::generic_category()));
}

constexpr const char* list_name = "motion.pvd";

/// "motion_0001.vtp".
std::string frame_name(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "motion_" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + ".vtp";
}

/// "motion_0001.vtp", "motion_0001.vtp.part", "motion.pvd".
bool named_by_us(std::string name) {
  if (name.ends_with(".part")) name.resize(name.size() - 5);
  if (name == list_name) return true;
  const std::string digits =
      name.starts_with("motion_") && name.ends_with(".vtp") ? name.substr(7, name.size() - 11) : "";
  return digits.size() >= 4 && digits.find_first_not_of("0123456789") == digits.npos;
}

/// A part of a file may have been cut off before its head was written.
bool begun_by_us(const std::filesystem::path& file) {
  const std::string head =
      vtk_head(file.filename().string().starts_with(list_name) ? "Collection" : "PolyData");
  std::string found(head.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(found.data(), static_cast<std::streamsize>(found.size()));
  found.resize(static_cast<std::size_t>(in.gcount()));
  return found == head || (file.extension() == ".part" && head.starts_with(found));
}

}  // namespace

void remove_motion(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return;
  std::vector<std::filesystem::path> own;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && named_by_us(entry.path().filename().string()) &&
        begun_by_us(entry.path()))
      own.push_back(entry.path());
  for (const auto& file : own) std::filesystem::remove(file, ignored);
  std::filesystem::remove(folder, ignored);  // if nothing else is in it
}

struct VtkWriter::Impl {
  Impl(const std::filesystem::path& folder_, VtkScene scene_)
      : folder(folder_), scene(std::move(scene_)), content(scene) {}

  std::filesystem::path folder;
  VtkScene scene;
  VtkFrame content;
  std::string list;  ///< the lines of motion.pvd
  std::size_t frames = 0, listed = 0;
  bool closed = false;
};

VtkWriter::VtkWriter(const std::filesystem::path& folder, VtkScene scene, bool keep)
    : impl_(std::make_unique<Impl>(folder, std::move(scene))) {
  if (!keep) remove_motion(folder);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(folder, error);
}

VtkWriter::Frames VtkWriter::written() const {
  return {impl_->frames, impl_->list};
}

void VtkWriter::resume(const Frames& frames) {
  impl_->frames = frames.count;
  impl_->list = frames.list;
  impl_->listed = 0;
}

VtkWriter::~VtkWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // Nobody is left to tell; the frames are whole files.
  }
}

std::size_t VtkWriter::frames() const {
  return impl_->frames;
}

void VtkWriter::frame(double t, std::span<const BodyPose> poses, std::span<const double> forces) {
  COSIMO_CHECK(!impl_->closed, "frame() after close()");
  COSIMO_CHECK(poses.size() == impl_->scene.bodies.size(), "one pose per body");
  COSIMO_CHECK(forces.empty() || forces.size() == impl_->scene.links.size(), "one force per link");
  const std::filesystem::path file = impl_->folder / frame_name(impl_->frames + 1);
  const auto refuse = [&](const std::string& what) {
    throw Error(Fault{.file = file.string(),
                      .field = what,
                      .problem = "is not a finite number at t = " + std::to_string(t),
                      .remedy = "the motion can be shown up to there only"});
  };
  if (!std::isfinite(t)) refuse("time");
  for (std::size_t i = 0; i < poses.size(); ++i)
    if (!finite(poses[i])) refuse("body " + std::to_string(impl_->scene.bodies[i].label));
  for (std::size_t i = 0; i < forces.size(); ++i)
    if (!std::isfinite(forces[i])) refuse("force of " + std::to_string(impl_->scene.links[i].id));

  write_whole(file, impl_->content.text(poses, forces));
  ++impl_->frames;
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, t);
  impl_->list.append("<DataSet timestep=\"").append(digits, end.ptr).append("\" part=\"0\" file=\"");
  impl_->list.append(file.filename().string()).append("\"/>\n");
}

void VtkWriter::flush() {
  COSIMO_CHECK(!impl_->closed, "flush() after close()");
  if (impl_->listed == impl_->frames && impl_->frames > 0) return;
  write_whole(impl_->folder / list_name,
              vtk_head("Collection") + "<Collection>\n" + impl_->list + "</Collection>\n</VTKFile>\n");
  impl_->listed = impl_->frames;
}

void VtkWriter::close() {
  if (impl_->closed) return;
  flush();
  impl_->closed = true;
}

}  // namespace cosimo
