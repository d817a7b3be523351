#include "simulation/gather.hpp"

#include <algorithm>
#include <cstring>

#include "core/archive.hpp"

namespace cosimo {

namespace {

/// Numbers of all ranks together that make a message worth sending; a wider row is sent at once.
constexpr std::size_t worth_sending = std::size_t{1} << 18U;
constexpr std::size_t most_rows = 1024;

/// Rows of this many columns and more are passed on in blocks.
constexpr std::size_t wide = std::size_t{1} << 17U;

Bytes bytes_of(std::span<const double> numbers) {
  Bytes bytes(numbers.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::vector<double> numbers_of(const Bytes& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

RowGather::RowGather(Exchange& exchange, std::vector<std::size_t> own, std::size_t columns,
                     std::size_t fields, bool blocks)
    : exchange_(exchange),
      shares_(static_cast<std::size_t>(exchange.ranks())),
      columns_(columns),
      fields_(fields) {
  const auto side_by_side = [](const std::vector<std::size_t>& c) {
    return c.empty() || c.back() - c.front() + 1 == c.size();
  };
  const auto me = static_cast<std::size_t>(exchange.rank());
  shares_[me] = {std::move(own), false};
  // A block is told by its ends.
  const auto& mine = shares_[me].columns;
  shares_[me].block = side_by_side(mine);
  if (exchange.leads()) {
    for (std::size_t r = 1; r < shares_.size(); ++r) {
      const Bytes bytes = exchange.receive(static_cast<int>(r));
      Archive in(bytes);
      in(shares_[r].block, shares_[r].columns);
    }
  } else {
    std::vector<std::size_t> told = mine;
    if (shares_[me].block && !mine.empty()) told = {mine.front(), mine.back()};
    Archive out;
    out(shares_[me].block, told);
    exchange.send(0, out.take());
  }
  if (!exchange.leads()) return;
  for (std::size_t r = 1; r < shares_.size(); ++r)
    if (auto& c = shares_[r].columns; shares_[r].block && c.size() == 2) {
      const std::size_t first = c[0], last = c[1];
      c.resize(last - first + 1);
      for (std::size_t k = 0; k < c.size(); ++k) c[k] = first + k;
    }
  if (!blocks || !std::all_of(shares_.begin(), shares_.end(), [](const Share& s) { return s.block; })) return;
  for (std::size_t r = 0; r < shares_.size(); ++r)
    if (!shares_[r].columns.empty()) order_.push_back(r);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return shares_[a].columns.front() < shares_[b].columns.front();
  });
}

void RowGather::push(std::span<const double> a, std::span<const double> b) {
  own_.insert(own_.end(), a.begin(), a.end());
  own_.insert(own_.end(), b.begin(), b.end());
  ++rows_;
}

bool RowGather::full() const {
  return rows_ > 0 && (rows_ >= most_rows || rows_ * columns_ * fields_ >= worth_sending);
}

void RowGather::drain(const Visit& visit) {
  if (rows_ > 0) {
    if (columns_ >= wide)
      drain_blocks(visit);
    else
      drain_whole(visit);
  }
  own_.clear();
  rows_ = 0;
}

/// Row after row, and of each row rank after rank.
void RowGather::drain_blocks(const Visit& visit) {
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto mine = std::span<const double>(own_).subspan(row * width(), width());
    if (!exchange_.leads()) {
      if (!mine.empty()) exchange_.send(0, bytes_of(mine));
      continue;
    }
    if (order_.empty()) {
      visit_rows({row, row + 1}, visit);  // shares that do not stand side by side
      continue;
    }
    for (const std::size_t r : order_) {
      const std::size_t first = shares_[r].columns.front(), n = shares_[r].columns.size();
      std::vector<double> theirs;
      if (r != 0) theirs = numbers_of(exchange_.receive(static_cast<int>(r)));
      const std::span<const double> block = r == 0 ? mine : std::span<const double>(theirs);
      visit(row, first, block.first(n), block.subspan(n));
    }
  }
}

/// All rows in one message per rank.
void RowGather::drain_whole(const Visit& visit) {
  if (exchange_.leads())
    visit_rows({0, rows_}, visit);
  else if (width() > 0)
    exchange_.send(0, bytes_of(own_));
}

/// Rows that come in one message per rank.
void RowGather::visit_rows(Range rows, const Visit& visit) {
  const std::size_t row_size = fields_ * columns_;
  std::vector<double> whole(rows.size() * row_size);
  for (std::size_t r = 0; r < shares_.size(); ++r) {
    const auto& columns = shares_[r].columns;
    if (columns.empty()) continue;
    std::vector<double> theirs;
    if (r != 0) theirs = numbers_of(exchange_.receive(static_cast<int>(r)));
    const double* number = r == 0 ? own_.data() + rows.first * width() : theirs.data();
    for (std::size_t begin = 0; begin < whole.size(); begin += columns_)
      for (const std::size_t column : columns) whole[begin + column] = *number++;
  }
  for (std::size_t row = rows.first; row < rows.last; ++row) {
    const auto all = std::span<const double>(whole).subspan((row - rows.first) * row_size, row_size);
    visit(row, 0, all.first(columns_), all.subspan(columns_));
  }
}

}  // namespace cosimo
