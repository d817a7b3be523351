# The Python module: COSIMO_PYTHON is AUTO (built where Debian's pybind11-dev and python3-dev are installed), ON or OFF.
#
# It is made for Debian's interpreter, whichever python3 comes first on PATH: NumPy and pandas are packages of that one.
set(COSIMO_PYTHON AUTO CACHE STRING "Build the Python module: AUTO, ON or OFF")
set(COSIMO_PYTHON_PROGRAM /usr/bin/python3 CACHE FILEPATH "The interpreter that the Python module is made for")
# Debian's python3 looks there by itself below /usr and /usr/local; below another prefix its user names the folder, or
# `cosimo python` does.
if(COSIMO_DEBIAN)
  set(folder lib/python3/dist-packages)
else()
  set(folder lib/python3.11/dist-packages)
endif()
set(COSIMO_PYTHON_FOLDER ${folder} CACHE STRING "Where the Python module is installed, below the prefix")

if(NOT COSIMO_PYTHON OR COSIMO_SANITIZE) # a sanitizer would have to be in the interpreter
  return()
endif()

find_path(COSIMO_PYBIND11_INCLUDE pybind11/pybind11.h)
set(Python3_EXECUTABLE ${COSIMO_PYTHON_PROGRAM})
find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
if(NOT COSIMO_PYBIND11_INCLUDE OR NOT Python3_Development.Module_FOUND)
  if(COSIMO_PYTHON STREQUAL "AUTO")
    message(STATUS "Without the Python module: pybind11-dev and python3-dev are not there")
    return()
  endif()
  message(FATAL_ERROR "The Python module needs pybind11-dev and python3-dev (or -DCOSIMO_PYTHON=OFF)")
endif()
set(COSIMO_PYTHON_FOUND ON)
