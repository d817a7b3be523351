// Stands in for the bundled template in builds with -DCOSIMO_PAGE=OFF.
#include "apps/report/page.hpp"

namespace cosimo {

bool page_available() {
  return false;
}

std::string page_template() {
  return {};
}

}  // namespace cosimo
