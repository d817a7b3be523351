#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "apps/report/run_page_parts.hpp"
#include "apps/report/script_text.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t good_points = 1200;   // as many as a screen has pixels
constexpr std::size_t least_points = 400;   // worth showing when all bodies fit in with that
constexpr std::size_t body_frame = 120;     // {"label": ..., "name": ..., "columns": [
constexpr std::size_t column_frame = 60;    // {"name": "qw", "position": ..., "velocity": ...}
constexpr std::size_t shown_in_remark = 8;  // bodies

std::size_t body_bytes(const BodyList::Entry& body, std::size_t points) {
  return body_frame + body.columns * (column_frame + 2 * series_bytes(points));
}

std::size_t all_bytes(std::span<const BodyList::Entry> bodies, std::size_t points) {
  std::size_t bytes = 0;
  for (const BodyList::Entry& body : bodies) bytes += body_bytes(body, points);
  return bytes;
}

/// Most points for which the bodies fit.
std::size_t fitting_points(std::span<const BodyList::Entry> bodies, std::size_t rows, std::size_t bytes) {
  std::size_t columns = 0;
  for (const BodyList::Entry& body : bodies) columns += body.columns;
  const std::size_t frames = bodies.size() * body_frame + columns * column_frame;
  if (columns == 0 || bytes <= frames) return 0;
  return std::min(rows, points_in((bytes - frames) / (2 * columns)));
}

/// Bodies at the cuts, the busiest cuts first.
std::vector<std::int64_t> coupling_bodies(const ResultFolder& folder) {
  const std::vector<RecordedCut>& cuts = folder.cuts();
  std::vector<std::size_t> order(cuts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cuts[a].largest_error > cuts[b].largest_error;
  });
  std::vector<std::int64_t> labels;
  for (const std::size_t cut : order)
    labels.insert(labels.end(), cuts[cut].bodies.begin(), cuts[cut].bodies.end());
  return labels;
}

/// Places in the list: a half at the cuts, a quarter that moves most, the rest evenly spaced.
std::vector<std::size_t> choose(const ResultFolder& folder, const BodyList& list,
                                std::span<const double> travel, std::size_t room) {
  std::set<std::size_t> chosen;
  const auto fill = [&](std::size_t upto, std::size_t place) {
    if (chosen.size() < upto) chosen.insert(place);
  };
  for (const std::int64_t label : coupling_bodies(folder)) {
    if (chosen.size() >= room / 2) break;
    if (const auto place = list.find(label)) fill(room / 2, *place);
  }
  if (travel.size() == list.bodies.size()) {
    std::vector<std::size_t> order(travel.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t most = std::min(order.size(), room);
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
        [&](std::size_t a, std::size_t b) { return travel[a] != travel[b] ? travel[a] > travel[b] : a < b; });
    for (std::size_t i = 0; i < most && chosen.size() < room * 3 / 4; ++i) fill(room * 3 / 4, order[i]);
  }
  for (const std::size_t place : spread(list.bodies.size(), room - chosen.size())) fill(room, place);
  return {chosen.begin(), chosen.end()};
}

/// The bodies asked for, those that this run has recorded.
std::vector<std::size_t> find_asked(const BodyList& list, std::span<const std::int64_t> asked,
                                    Remarks& remarks) {
  std::set<std::size_t> places;
  std::vector<std::int64_t> missing;
  for (const std::int64_t label : asked) {
    if (const auto place = list.find(label))
      places.insert(*place);
    else
      missing.push_back(label);
  }
  if (!missing.empty()) {
    const std::size_t some = std::min(missing.size(), shown_in_remark);
    remarks.push_back(
        fmt::format("Not recorded in this run: bodies {}{}.",
                    fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(some), ", "),
                    some < missing.size() ? ", ..." : ""));
  }
  return {places.begin(), places.end()};
}

std::vector<BodyList::Entry> pick(const BodyList& list, std::span<const std::size_t> places) {
  std::vector<BodyList::Entry> bodies;
  for (const std::size_t place : places) bodies.push_back(list.bodies[place]);
  return bodies;
}

struct Selection {
  std::vector<BodyList::Entry> bodies;
  std::size_t points = 0;  ///< per course
};

Selection select(const ResultFolder& folder, const BodyList& list, std::span<const double> travel,
                 std::span<const std::int64_t> asked, std::size_t bytes, Remarks& remarks) {
  const std::size_t rows = folder.time().size();
  if (!asked.empty()) {
    Selection selection{pick(list, find_asked(list, asked, remarks)), 0};
    const std::size_t wanted = selection.bodies.size();
    while (selection.bodies.size() > 1 &&
           all_bytes(selection.bodies, std::min<std::size_t>(rows, 100)) > bytes)
      selection.bodies.resize(selection.bodies.size() - (selection.bodies.size() + 9) / 10);
    if (selection.bodies.size() < wanted)
      remarks.push_back(fmt::format("Of the {} bodies asked for the first {} fit into the page.", wanted,
                                    selection.bodies.size()));
    selection.points = fitting_points(selection.bodies, rows, bytes);
    return selection;
  }
  const std::size_t some = std::min(rows, least_points);
  if (all_bytes(list.bodies, some) <= bytes)
    return {list.bodies, std::max(some, fitting_points(list.bodies, rows, bytes))};
  const std::size_t points = std::min(rows, good_points);
  const std::size_t mean = all_bytes(list.bodies, points) / list.bodies.size() + 1;
  const std::size_t room = std::max<std::size_t>(1, bytes / mean);
  Selection selection{pick(list, choose(folder, list, travel, room)), points};
  while (selection.bodies.size() > 1 && all_bytes(selection.bodies, points) > bytes)
    selection.bodies.pop_back();
  remarks.push_back(
      fmt::format("Courses of {} of {} bodies are in the page: those at the cuts, those that move most, and "
                  "others evenly "
                  "spaced. To see others: cosimo report {} --bodies 17,99",
                  selection.bodies.size(), list.bodies.size(), folder.name()));
  selection.points = std::max<std::size_t>(std::min<std::size_t>(rows, 8),
                                           std::min(points, fitting_points(selection.bodies, rows, bytes)));
  return selection;
}

}  // namespace

namespace {

/// A Series of data.ts. `t` is the text of the times before: most courses have the same.
class SeriesText {
 public:
  void append(Thinner& series, std::string& text) {
    series.finish();
    if (t_text_.empty() || series.t() != t_) {
      t_ = series.t();
      t_text_ = numbers_text(t_);
    }
    text += "{\"t\":" + t_text_ + ",\"y\":" + numbers_text(series.y()) +
            fmt::format(",\"of\":{}}}", series.total());
  }

 private:
  std::vector<double> t_;
  std::string t_text_;
};

}  // namespace

Courses bodies_text(const ResultFolder& folder, const BodyList& list, std::span<const double> travel,
                    std::span<const std::int64_t> asked, std::size_t bytes, Remarks& remarks) {
  const std::vector<double>& time = folder.time();
  if (list.bodies.empty() || time.empty()) return {};
  const Selection selection = select(folder, list, travel, asked, bytes, remarks);
  std::vector<std::size_t> wanted;
  for (const BodyList::Entry& body : selection.bodies)
    for (std::size_t k = 0; k < body.columns; ++k) wanted.push_back(body.first + k);

  std::vector<Thinner> position(wanted.size(), Thinner(time.size(), selection.points)), velocity = position;
  const auto read = [&](std::vector<Thinner>& into, auto block) {
    scan(time.size(), folder.columns().size(), wanted, block,
         [&](std::size_t row, std::span<const double> values) {
           for (std::size_t k = 0; k < values.size(); ++k) into[k].push(time[row], values[k]);
         });
  };
  read(position, [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
    return folder.positions(row, rows, column, columns);
  });
  read(velocity, [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
    return folder.velocities(row, rows, column, columns);
  });

  std::string text = "[";
  SeriesText series;
  std::size_t next = 0;
  for (const BodyList::Entry& body : selection.bodies) {
    const RecordedColumn& first = folder.columns()[body.first];
    text += fmt::format("{}{{\"label\":{},\"name\":{},\"part\":{},\"columns\":", text.size() > 1 ? "," : "",
                        first.body, dump(first.body_name), first.part);
    for (std::size_t k = 0; k < body.columns; ++k, ++next) {
      text += fmt::format("{}{{\"name\":{},\"position\":", k == 0 ? '[' : ',',
                          dump(folder.columns()[wanted[next]].coordinate));
      series.append(position[next], text);
      text += ",\"velocity\":";
      series.append(velocity[next], text);
      text += '}';
    }
    text += "]}";
  }
  Courses courses{text + ']', {}};
  for (const BodyList::Entry& body : selection.bodies) courses.labels.push_back(body.label);
  return courses;
}

}  // namespace cosimo::page
