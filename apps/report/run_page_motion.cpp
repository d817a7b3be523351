#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t most_groups = 400, most_frames = 400, fewest_frames = 60;
constexpr std::size_t most_read = 500'000'000;                // numbers
constexpr std::size_t block_columns = std::size_t{1} << 19U;  // of a frame, at a time
constexpr std::size_t float_bytes = 6;                        // of JSON per number of 4 bytes

/// What is too large becomes infinite: motion of a run that diverged.
float to_float(double x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (std::fabs(x) > static_cast<double>(std::numeric_limits<float>::max()))
    return x > 0 ? infinity : -infinity;
  return static_cast<float>(x);
}

/// Numbers of one frame, column by column from the left.
template <class Visit>
void visit_row(const ResultFolder& folder, std::size_t row, Visit visit) {
  const std::size_t columns = folder.columns().size();
  for (std::size_t first = 0; first < columns; first += block_columns) {
    const std::vector<double> block =
        folder.positions(row, 1, first, std::min(block_columns, columns - first));
    for (std::size_t i = 0; i < block.size(); ++i) visit(first + i, block[i]);
  }
}

std::vector<std::size_t> frames_of(const ResultFolder& folder, std::size_t bytes_per_frame,
                                   std::size_t bytes) {
  const std::size_t readable =
      std::max<std::size_t>(2, most_read / std::max<std::size_t>(1, folder.columns().size()));
  const std::size_t fitting = std::max<std::size_t>(1, bytes / std::max<std::size_t>(1, bytes_per_frame));
  return spread(folder.time().size(), std::min({most_frames, readable, fitting}));
}

std::vector<double> times_of(const ResultFolder& folder, std::span<const std::size_t> frames) {
  std::vector<double> times;
  for (const std::size_t row : frames) times.push_back(folder.time()[row]);
  return times;
}

/// How far every body moves, from frame to frame. Orientations do not count where there are places.
class Travel {
 public:
  Travel(const ResultFolder& folder, const BodyList& list) : body_of_(folder.columns().size()) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    low_.assign(body_of_.size(), infinity);
    high_.assign(body_of_.size(), -infinity);
    counts_.assign(body_of_.size(), 1);
    travel_.resize(list.bodies.size());
    for (std::size_t b = 0; b < list.bodies.size(); ++b)
      for (std::size_t k = 0; k < list.bodies[b].columns; ++k) {
        const std::size_t column = list.bodies[b].first + k;
        body_of_[column] = b;
        counts_[column] = folder.columns()[column].coordinate.starts_with('q') ? 0 : 1;
      }
  }
  void see(std::size_t column, double x) {
    low_[column] = std::min(low_[column], x);
    high_[column] = std::max(high_[column], x);
  }
  std::vector<double> take() {
    for (std::size_t c = 0; c < body_of_.size(); ++c)
      if (counts_[c] != 0 && high_[c] >= low_[c])
        travel_[body_of_[c]] = std::max(travel_[body_of_[c]], high_[c] - low_[c]);
    return std::move(travel_);
  }

 private:
  std::vector<std::size_t> body_of_;
  std::vector<double> low_, high_, travel_;
  std::vector<char> counts_;
};

/// Neighbours drawn together.
struct Groups {
  std::vector<std::int64_t> first, last;
  std::vector<std::int32_t> part;
  std::vector<std::size_t> of_body;
};

/// Groups of equal size that end where a subsystem ends, unless there are too many of these.
Groups make_groups(const ResultFolder& folder, const BodyList& list) {
  const auto part_of = [&](std::size_t b) { return folder.columns()[list.bodies[b].first].part; };
  const std::size_t n = list.bodies.size();
  std::size_t stretches = 1;
  for (std::size_t b = 1; b < n; ++b) stretches += part_of(b) != part_of(b - 1) ? 1 : 0;
  const bool respect = n <= most_groups || stretches <= most_groups / 2;
  const std::size_t size =
      n <= most_groups ? 1 : (n - 1) / (respect ? most_groups - stretches : most_groups) + 1;
  Groups groups;
  std::size_t in_group = 0;
  for (std::size_t b = 0; b < n; ++b) {
    if (b == 0 || in_group == size || (respect && part_of(b) != part_of(b - 1))) {
      groups.first.push_back(list.bodies[b].label);
      groups.last.push_back(0);
      groups.part.push_back(part_of(b));
      in_group = 0;
    }
    ++in_group;
    groups.last.back() = list.bodies[b].label;
    groups.of_body.push_back(groups.first.size() - 1);
  }
  return groups;
}

Motion chain(const ResultFolder& folder, const BodyList& list, std::size_t bytes) {
  const Groups groups = make_groups(folder, list);
  const std::size_t n = groups.first.size();
  const std::size_t fixed = n * 3 * 10;
  const auto frames = frames_of(folder, 2 * n * float_bytes + 12, bytes > fixed ? bytes - fixed : 0);
  std::vector<float> low(frames.size() * n, std::numeric_limits<float>::quiet_NaN()), high = low;
  Travel travel(folder, list);
  for (std::size_t f = 0; f < frames.size(); ++f)
    visit_row(folder, frames[f], [&](std::size_t column, double x) {
      travel.see(column, x);
      const std::size_t place = f * n + groups.of_body[column];
      const float value = to_float(x);
      if (std::isnan(value)) return;
      if (!(low[place] <= value)) low[place] = value;
      if (!(high[place] >= value)) high[place] = value;
    });
  Motion motion;
  motion.json = {{"kind", "chain"},
                 {"t", numbers(std::span<const double>(times_of(folder, frames)))},
                 {"first", groups.first},
                 {"last", groups.last},
                 {"part", groups.part},
                 {"low", numbers(std::span<const float>(low))},
                 {"high", numbers(std::span<const float>(high))}};
  motion.travel = travel.take();
  return motion;
}

/// Columns of one body that tell where it is and how it is turned; -1: there is none.
struct Pose {
  std::array<std::ptrdiff_t, 3> place{-1, -1, -1};
  std::array<std::ptrdiff_t, 4> turn{-1, -1, -1, -1};
  std::ptrdiff_t angle = -1;
};

Pose pose_of(const ResultFolder& folder, const BodyList::Entry& body) {
  static const std::map<std::string, std::size_t> places = {{"x", 0}, {"y", 1}, {"z", 2}},
                                                  turns = {{"qw", 0}, {"qx", 1}, {"qy", 2}, {"qz", 3}};
  Pose pose;
  for (std::size_t k = 0; k < body.columns; ++k) {
    const std::string& name = folder.columns()[body.first + k].coordinate;
    const auto column = static_cast<std::ptrdiff_t>(body.first + k);
    if (const auto place = places.find(name); place != places.end()) pose.place[place->second] = column;
    if (const auto turn = turns.find(name); turn != turns.end()) pose.turn[turn->second] = column;
    if (name == "phi") pose.angle = column;
  }
  return pose;
}

void append_turn(const Pose& pose, std::span<const double> row, std::vector<float>& turn) {
  std::array<double, 4> q = {1, 0, 0, 0};
  if (pose.turn[0] >= 0)
    for (std::size_t k = 0; k < 4; ++k)
      q[k] = pose.turn[k] < 0 ? 0 : row[static_cast<std::size_t>(pose.turn[k])];
  else if (pose.angle >= 0)
    q = {std::cos(row[static_cast<std::size_t>(pose.angle)] / 2), 0, 0,
         std::sin(row[static_cast<std::size_t>(pose.angle)] / 2)};
  for (const double component : q) turn.push_back(to_float(component));
}

/// Pairs of places in the list of bodies drawn; -1 is the ground.
Json links_of(const ResultFolder& folder, const std::vector<std::int64_t>& labels) {
  std::unordered_map<std::int64_t, int> place = {{0, -1}};
  for (std::size_t i = 0; i < labels.size(); ++i) place.emplace(labels[i], static_cast<int>(i));
  Json links = Json::array();
  for (const auto& [a, b] : folder.links()) {
    const auto from = place.find(a), to = place.find(b);
    if (from == place.end() || to == place.end()) continue;
    links.push_back(from->second);
    links.push_back(to->second);
  }
  return links;
}

Motion space(const ResultFolder& folder, const BodyList& list, std::size_t bytes, Remarks& remarks) {
  const auto has = [&](std::string_view name) {
    return std::any_of(folder.columns().begin(), folder.columns().end(),
                       [&](const RecordedColumn& column) { return column.coordinate == name; });
  };
  const std::size_t dimensions = has("z") ? 3 : 2;
  const bool turns = has("qw") || has("phi");
  const std::size_t body_bytes = (dimensions + (turns ? 4 : 0)) * float_bytes;
  const std::size_t room = std::max<std::size_t>(1, bytes / (fewest_frames * body_bytes + 60));
  const auto drawn = spread(list.bodies.size(), room);
  if (drawn.size() < list.bodies.size())
    remarks.push_back(
        fmt::format("{} of {} bodies are drawn in motion, evenly spaced.", drawn.size(), list.bodies.size()));

  std::vector<Pose> poses;
  std::vector<std::string> names;
  std::vector<std::int64_t> labels;
  std::vector<std::int32_t> parts;
  for (const std::size_t b : drawn) {
    const RecordedColumn& column = folder.columns()[list.bodies[b].first];
    poses.push_back(pose_of(folder, list.bodies[b]));
    names.push_back(column.body_name);
    labels.push_back(column.body);
    parts.push_back(column.part);
  }
  Json links = links_of(folder, labels);
  const std::size_t fixed = drawn.size() * 40 + links.size() * 6;
  const auto frames = frames_of(folder, drawn.size() * body_bytes + 12, bytes > fixed ? bytes - fixed : 0);
  std::vector<float> place, turn;
  std::vector<double> row(folder.columns().size());
  Travel travel(folder, list);
  for (const std::size_t frame : frames) {
    visit_row(folder, frame, [&](std::size_t column, double x) {
      row[column] = x;
      travel.see(column, x);
    });
    for (const Pose& pose : poses) {
      for (std::size_t k = 0; k < dimensions; ++k)
        place.push_back(pose.place[k] < 0 ? 0.0F : to_float(row[static_cast<std::size_t>(pose.place[k])]));
      if (turns) append_turn(pose, row, turn);
    }
  }
  Motion motion;
  motion.json = {{"kind", "space"},
                 {"t", numbers(std::span<const double>(times_of(folder, frames)))},
                 {"names", names},
                 {"labels", labels},
                 {"part", parts},
                 {"dimensions", dimensions},
                 {"place", numbers(std::span<const float>(place))},
                 {"turn", turns ? numbers(std::span<const float>(turn)) : Json(nullptr)},
                 {"links", std::move(links)}};
  motion.travel = travel.take();
  return motion;
}

}  // namespace

Motion motion_json(const ResultFolder& folder, const BodyList& bodies, std::size_t bytes, Remarks& remarks) {
  if (bodies.bodies.empty() || folder.time().empty()) return {};
  return bodies.scalar ? chain(folder, bodies, bytes) : space(folder, bodies, bytes, remarks);
}

}  // namespace cosimo::page
