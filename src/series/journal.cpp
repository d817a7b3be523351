#include "series/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/error.hpp"

namespace cosimo::series {

namespace {

constexpr const char* extension = ".frames";
constexpr std::size_t group = 256;  ///< records that one sync is for
constexpr std::chrono::seconds interval{1};

std::string bytes_of(const std::filesystem::path& file, std::size_t from) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw IoError(fmt::format("{}: cannot be written: {}; what has ended so far is kept", file.string(),
                            std::strerror(error)));
}

}  // namespace

Frame to_frame(const Record& r) {
  Json head{{"is", r.done ? "done" : "failed"},
            {"id", r.identity},
            {"measures", r.measures},
            {"wall_s", r.wall_s},
            {"cpu_s", r.cpu_s},
            {"memory_mb", r.memory_mb},
            {"threads", r.threads},
            {"machine", r.machine},
            {"cpu", r.cpu}};
  if (r.kept) head["kept"] = true;
  if (r.done)
    head["lengths"] = r.lengths;
  else
    head.update({{"fault", r.fault}, {"message", r.message}, {"log", r.log}, {"lasting", r.lasting}});
  return {std::move(head), r.numbers};
}

Record to_record(Frame frame) {
  const Json& head = frame.head;
  Record r;
  r.done = head.at("is") == "done";
  r.identity = head.at("id");
  r.measures = head.at("measures");
  r.wall_s = head.value("wall_s", 0.0);
  r.cpu_s = head.value("cpu_s", 0.0);
  r.memory_mb = head.value("memory_mb", 0.0);
  r.threads = head.value("threads", 1.0);
  r.machine = head.value("machine", "");
  r.cpu = head.value("cpu", "");
  r.kept = head.value("kept", false);
  if (r.done) r.lengths = head.at("lengths").get<std::vector<std::int64_t>>();
  r.fault = head.value("fault", "");
  r.message = head.value("message", "");
  r.log = head.value("log", "");
  r.lasting = head.value("lasting", true);
  r.numbers = std::move(frame.numbers);
  return r;
}

Journal::Journal(std::filesystem::path folder) : folder_(std::move(folder)) {
  refresh();
  open_ = true;
}

void Journal::refresh() {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, none))
    if (entry.path().extension() == extension && entry.path() != own_) sources_.try_emplace(entry.path());
  for (auto& [file, source] : sources_) {  // names begin with the time
    const std::string bytes = bytes_of(file, source.read);
    source.read += bytes.size();
    source.reader.feed(bytes);
    while (auto frame = source.reader.next()) {
      if (!frame->head.contains("id")) continue;
      try {
        Record record = to_record(std::move(*frame));
        if (open_) news_.emplace(record.identity, record.measures);
        take(std::move(record));
      } catch (const Json::exception&) {
        // Of a version that says other things: what it knows is not known here.
      }
    }
  }
}

Journal::~Journal() {
  if (file_) fdatasync(file_.get());
}

void Journal::take(Record record) {
  const std::pair key{record.identity, record.measures};
  const auto at = records_.find(key);
  if (at == records_.end()) {
    records_.emplace(key, std::move(record));
  } else if (!at->second.done || (record.done && record.kept && !at->second.kept)) {
    at->second = std::move(record);
  }
}

const Record* Journal::find(std::uint64_t identity, std::uint64_t measures) const {
  const auto at = records_.find({identity, measures});
  return at != records_.end() ? &at->second : nullptr;
}

void Journal::open() {
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  char host[256] = "host";
  gethostname(host, sizeof host - 1);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  own_ = folder_ / fmt::format("{:016d}-{}-{}{}", micros, host, ::getpid(), extension);
  file_ = FileDescriptor(::open(own_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC, 0666));
  if (!file_) refuse(own_, errno);
  synced_ = std::chrono::steady_clock::now();
}

void Journal::append(Record record) {
  if (!file_) open();
  const std::string bytes = encoded(to_frame(record));
  const off_t before = lseek(file_.get(), 0, SEEK_END);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file_.get(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n < 0 ? errno : ENOSPC;
      // Half a record would hide those behind it.
      if (ftruncate(file_.get(), before) != 0) file_.close();
      refuse(own_, error);
    }
    done += static_cast<std::size_t>(n);
  }
  ++unsynced_;
  take(std::move(record));
}

void Journal::sync(bool now) {
  if (unsynced_ == 0) return;
  const auto time = std::chrono::steady_clock::now();
  if (!now && unsynced_ < group && time - synced_ < interval) return;
  if (fdatasync(file_.get()) != 0) refuse(own_, errno);
  unsynced_ = 0;
  synced_ = time;
}

}  // namespace cosimo::series
