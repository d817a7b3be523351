// Ownership of the C objects behind one IDA integrator.
#pragma once

#include <ida/ida.h>

#include "core/check.hpp"
#include "integrator/ida_problem.hpp"

namespace cosimo {

/// One context per integrator: SUNDIALS then shares nothing between lanes.
struct ContextOwner {
  SUNContext context = nullptr;
  ContextOwner() { COSIMO_CHECK(SUNContext_Create(nullptr, &context) == 0, "SUNDIALS context"); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
  ~ContextOwner() { SUNContext_Free(&context); }
};

class VectorOwner {
 public:
  explicit VectorOwner(VectorSpace& space) : vector_(space.make()) {}
  VectorOwner(const VectorOwner&) = delete;
  VectorOwner& operator=(const VectorOwner&) = delete;
  ~VectorOwner() { N_VDestroy(vector_); }
  N_Vector get() const { return vector_; }

 private:
  N_Vector vector_;
};

class IdaOwner {
 public:
  IdaOwner(SUNContext context, IdaProblem& problem, N_Vector y, N_Vector yp) : ida_(IDACreate(context)) {
    COSIMO_CHECK(ida_, "IDACreate");
    problem.attach(ida_, y, yp);
  }
  IdaOwner(const IdaOwner&) = delete;
  IdaOwner& operator=(const IdaOwner&) = delete;
  ~IdaOwner() { IDAFree(&ida_); }
  void* get() const { return ida_; }

 private:
  void* ida_;
};

}  // namespace cosimo
