// CRC-32C (Castagnoli), the checksum of the blobs of a checkpoint: private to results/.
//
// The polynomial 0x1EDC6F41 of RFC 3720, appendix B.4 (iSCSI): finds every burst of errors up to 32 bits and
// all odd numbers of flipped bits. The processor's instruction where the build may use it, tables otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cosimo {

/// Of `bytes` behind others whose checksum is `before`; 0: behind nothing.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The same by tables alone.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace cosimo
