#include "core/shared_library.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

namespace cosimo {

namespace {

constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
  return size > endless - offset ? endless : offset + size;
}

}  // namespace

std::optional<std::uint64_t> promised_size(const std::filesystem::path& library) {
  using Header = ElfW(Ehdr);
  using Segment = ElfW(Phdr);
  std::ifstream in(library, std::ios::binary);
  Header header;
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != own_class)
    return std::nullopt;
  std::uint64_t size = sizeof header;
  if (header.e_shoff != 0) size = end_of(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize);
  size = std::max(size, end_of(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Segment)));
  in.seekg(static_cast<std::streamoff>(
      std::min<std::uint64_t>(header.e_phoff, std::numeric_limits<std::int64_t>::max())));
  Segment segment;
  for (int i = 0; i < header.e_phnum && in.read(reinterpret_cast<char*>(&segment), sizeof segment); ++i)
    size = std::max(size, end_of(segment.p_offset, segment.p_filesz));
  return size;
}

}  // namespace cosimo
