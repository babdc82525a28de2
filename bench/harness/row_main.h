// The road of every row program: pin the environment, calibrate, register, check, time, write.
// In: command line (written by bench/run) and a function that registers the row's contestants.
// Out: one JSON document {machine, calibration, aa, rows}. Called by: main() of bench/rows/*.cpp.
#pragma once

#include <functional>
#include <string>

#include "calibrate.h"
#include "contestant.h"
#include "measure.h"

namespace hocket::bench {

struct RowOptions {
  std::string frame;  // which size or form of the problem: `12 MP`, `1024`, ...
  int threads = 2;
  // How much one run does, so that a table can print ms/MP or GFLOP/s: set by the row's program.
  double work = 0;
  std::string work_unit;
  std::string out;         // file for the JSON; empty: standard output
  bool ours_only = false;  // leaves the rivals out, for work on a schedule; never a result
  Usual usual;
  MeasureOptions measure;
};

// Reads the options, pins thread counts and scheduling. Call first in main(), before any library
// with threads is opened.
RowOptions start_row(int argc, char** argv);

// Checks, times and writes; returns the exit status (0: valid, 3: void, 1: a wrong answer).
// A contestant whose error exceeds `tolerance` is written with its error and without samples.
int finish_row(const RowOptions& options, Registry& registry, double tolerance);

}  // namespace hocket::bench
