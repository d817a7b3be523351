#include "tyre/tir_names.hpp"

#include <array>

namespace cosimo::tyre {

std::span<const Coefficient> coefficients() {
  using M = MagicFormula;
  static constexpr auto all = std::to_array<Coefficient>({
      {"BREFF", &M::breff}, {"DREFF", &M::dreff}, {"FREFF", &M::freff}, {"Q_RE0", &M::q_re0},
      {"LFZO", &M::lfzo},   {"LCX", &M::lcx},     {"LMUX", &M::lmux},   {"LEX", &M::lex},
      {"LKX", &M::lkx},     {"LHX", &M::lhx},     {"LVX", &M::lvx},     {"LGAX", &M::lgax},
      {"LXAL", &M::lxal},   {"LCY", &M::lcy},     {"LMUY", &M::lmuy},   {"LEY", &M::ley},
      {"LKY", &M::lky},     {"LHY", &M::lhy},     {"LVY", &M::lvy},     {"LGAY", &M::lgay},
      {"LKYC", &M::lkyc},   {"LYKA", &M::lyka},   {"LVYKA", &M::lvyka}, {"LTR", &M::ltr},
      {"LRES", &M::lres},   {"LGAZ", &M::lgaz},   {"LKZC", &M::lkzc},   {"LS", &M::ls},
      {"LMX", &M::lmx},     {"LVMX", &M::lvmx},   {"LMY", &M::lmy},     {"LSGKP", &M::lsgkp},
      {"LSGAL", &M::lsgal}, {"PCX1", &M::pcx1},   {"PDX1", &M::pdx1},   {"PDX2", &M::pdx2},
      {"PDX3", &M::pdx3},   {"PEX1", &M::pex1},   {"PEX2", &M::pex2},   {"PEX3", &M::pex3},
      {"PEX4", &M::pex4},   {"PKX1", &M::pkx1},   {"PKX2", &M::pkx2},   {"PKX3", &M::pkx3},
      {"PHX1", &M::phx1},   {"PHX2", &M::phx2},   {"PVX1", &M::pvx1},   {"PVX2", &M::pvx2},
      {"PPX1", &M::ppx1},   {"PPX2", &M::ppx2},   {"PPX3", &M::ppx3},   {"PPX4", &M::ppx4},
      {"RBX1", &M::rbx1},   {"RBX2", &M::rbx2},   {"RBX3", &M::rbx3},   {"RCX1", &M::rcx1},
      {"REX1", &M::rex1},   {"REX2", &M::rex2},   {"RHX1", &M::rhx1},   {"PTX1", &M::ptx1},
      {"PTX2", &M::ptx2},   {"PTX3", &M::ptx3},   {"PCY1", &M::pcy1},   {"PDY1", &M::pdy1},
      {"PDY2", &M::pdy2},   {"PDY3", &M::pdy3},   {"PEY1", &M::pey1},   {"PEY2", &M::pey2},
      {"PEY3", &M::pey3},   {"PEY4", &M::pey4},   {"PEY5", &M::pey5},   {"PKY1", &M::pky1},
      {"PKY2", &M::pky2},   {"PKY3", &M::pky3},   {"PKY4", &M::pky4},   {"PKY5", &M::pky5},
      {"PKY6", &M::pky6},   {"PKY7", &M::pky7},   {"PHY1", &M::phy1},   {"PHY2", &M::phy2},
      {"PHY3", &M::phy3},   {"PVY1", &M::pvy1},   {"PVY2", &M::pvy2},   {"PVY3", &M::pvy3},
      {"PVY4", &M::pvy4},   {"PPY1", &M::ppy1},   {"PPY2", &M::ppy2},   {"PPY3", &M::ppy3},
      {"PPY4", &M::ppy4},   {"PPY5", &M::ppy5},   {"RBY1", &M::rby1},   {"RBY2", &M::rby2},
      {"RBY3", &M::rby3},   {"RBY4", &M::rby4},   {"RCY1", &M::rcy1},   {"REY1", &M::rey1},
      {"REY2", &M::rey2},   {"RHY1", &M::rhy1},   {"RHY2", &M::rhy2},   {"RVY1", &M::rvy1},
      {"RVY2", &M::rvy2},   {"RVY3", &M::rvy3},   {"RVY4", &M::rvy4},   {"RVY5", &M::rvy5},
      {"RVY6", &M::rvy6},   {"PTY1", &M::pty1},   {"PTY2", &M::pty2},   {"QBZ1", &M::qbz1},
      {"QBZ2", &M::qbz2},   {"QBZ3", &M::qbz3},   {"QBZ4", &M::qbz4},   {"QBZ5", &M::qbz5},
      {"QBZ6", &M::qbz6},   {"QBZ9", &M::qbz9},   {"QBZ10", &M::qbz10}, {"QCZ1", &M::qcz1},
      {"QDZ1", &M::qdz1},   {"QDZ2", &M::qdz2},   {"QDZ3", &M::qdz3},   {"QDZ4", &M::qdz4},
      {"QDZ6", &M::qdz6},   {"QDZ7", &M::qdz7},   {"QDZ8", &M::qdz8},   {"QDZ9", &M::qdz9},
      {"QDZ10", &M::qdz10}, {"QDZ11", &M::qdz11}, {"QEZ1", &M::qez1},   {"QEZ2", &M::qez2},
      {"QEZ3", &M::qez3},   {"QEZ4", &M::qez4},   {"QEZ5", &M::qez5},   {"QHZ1", &M::qhz1},
      {"QHZ2", &M::qhz2},   {"QHZ3", &M::qhz3},   {"QHZ4", &M::qhz4},   {"PPZ1", &M::ppz1},
      {"PPZ2", &M::ppz2},   {"SSZ1", &M::ssz1},   {"SSZ2", &M::ssz2},   {"SSZ3", &M::ssz3},
      {"SSZ4", &M::ssz4},   {"QSX1", &M::qsx1},   {"QSX2", &M::qsx2},   {"QSX3", &M::qsx3},
      {"QSX4", &M::qsx4},   {"QSX5", &M::qsx5},   {"QSX6", &M::qsx6},   {"QSX7", &M::qsx7},
      {"QSX8", &M::qsx8},   {"QSX9", &M::qsx9},   {"QSX10", &M::qsx10}, {"QSX11", &M::qsx11},
      {"PPMX1", &M::ppmx1}, {"QSY1", &M::qsy1},   {"QSY2", &M::qsy2},   {"QSY3", &M::qsy3},
      {"QSY4", &M::qsy4},   {"QSY5", &M::qsy5},   {"QSY6", &M::qsy6},   {"QSY7", &M::qsy7},
      {"QSY8", &M::qsy8},
  });
  return all;
}

std::span<const Required> required_coefficients() {
  static constexpr std::string_view x = "LONGITUDINAL_COEFFICIENTS", y = "LATERAL_COEFFICIENTS";
  static constexpr auto all = std::to_array<Required>({{"PCX1", x},
                                                       {"PDX1", x},
                                                       {"PKX1", x},
                                                       {"RBX1", x},
                                                       {"RCX1", x},
                                                       {"PCY1", y},
                                                       {"PDY1", y},
                                                       {"PKY1", y},
                                                       {"PKY2", y},
                                                       {"RBY1", y},
                                                       {"RCY1", y}});
  return all;
}

}  // namespace cosimo::tyre
