// Users' elements: descriptions that Python has filled in (cosimo/user_element.h).
#include "bind.hpp"
#include "cosimo/provided_elements.hpp"

#include <cstdint>
#include <memory>

namespace cosimo::python {

namespace {

/// A description and the Python objects that its functions belong to. Models may end in any thread, and after
/// the interpreter.
struct Held {
  cosimo_user_element element{};
  PyObject* objects = nullptr;

  explicit Held(const py::object& kept) : objects(kept.ptr()) { Py_XINCREF(objects); }
  ~Held() {
    if (Py_IsInitialized() == 0) return;
    const py::gil_scoped_acquire held;
    Py_XDECREF(objects);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

}  // namespace

void bind_elements(py::module_& m) {
  m.attr("user_element_version") = COSIMO_USER_ELEMENT_VERSION;
  m.attr("user_element_size") = sizeof(cosimo_user_element);
  m.def("provide_element", [](const std::string& name, std::uintptr_t address, const py::object& kept) {
    const auto held = std::make_shared<Held>(kept);
    held->element = *reinterpret_cast<const cosimo_user_element*>(address);
    const Unlocked released;
    provide_element(name, std::shared_ptr<const cosimo_user_element>(held, &held->element));
  });
  m.def("withdraw_element", &withdraw_element, Released());
}

}  // namespace cosimo::python
