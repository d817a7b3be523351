// stability.svg: the spectral radius of a coupling scheme over the plane of H lambda, as a picture that needs
// nothing else. Colours in bands, the border of the stable region as a line.
#pragma once

#include <span>
#include <string>

namespace cosimo {

struct StabilityPicture {
  std::string title, subtitle;
  std::span<const double> re, im;  ///< of the grid, ascending and equidistant
  std::span<const double> rho;     ///< [row of im * re.size() + column of re]
  double border = 1;               ///< stable up to here
};

/// Needs two points along each axis.
std::string stability_svg(const StabilityPicture& picture);

}  // namespace cosimo
