// Calibrate, check every answer, time what is right, write the document; see row_main.h.
// In: options and a registry. Out: JSON {machine, calibration, aa, rows}. Called by: bench/rows.
#include "row_main.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "json.h"
#include "machine.h"

namespace hocket::bench {
namespace {

bool real_time = false;

void write_calibration(JsonWriter& json, const Calibration& c, bool well, const std::string& why) {
  json.begin_object();
  json.key("clock_ghz").number(c.clock_ghz);
  json.key("fma256_gflops").number(c.fma256_gflops);
  json.key("fma512_gflops").number(c.fma512_gflops);
  json.key("fma256_two_gflops").number(c.fma256_two_gflops);
  json.key("fma512_two_gflops").number(c.fma512_two_gflops);
  json.key("l2_copy_gbs").number(c.l2_copy_gbs);
  json.key("l3_copy_gbs").number(c.l3_copy_gbs);
  json.key("dram_copy_gbs").number(c.dram_copy_gbs);
  json.key("l2_copy_two_gbs").number(c.l2_copy_two_gbs);
  json.key("l3_copy_two_gbs").number(c.l3_copy_two_gbs);
  json.key("dram_copy_two_gbs").number(c.dram_copy_two_gbs);
  json.key("reaches_usual").boolean(well);
  json.key("falls_short").string(why);
  json.end_object();
}

std::string case_of(const RowOptions& options, const Place& place) {
  return place.variant.empty() ? options.frame : options.frame + " " + place.variant;
}

void write_row(JsonWriter& json, const RowOptions& options, const Place& place,
               const Contestant& contestant, double error, const Samples* samples, bool valid) {
  json.begin_object();
  json.key("id").string(place.id);
  json.key("case").string(case_of(options, place));
  json.key("threads").integer(options.threads);
  json.key("contestant").string(contestant.name);
  json.key("ours").boolean(contestant.ours);
  json.key("version").string(contestant.version);
  json.key("target").string(contestant.target);
  json.key("error").number(error);
  json.key("valid").boolean(valid);
  json.key("samples").numbers(samples ? samples->warm_ms : std::vector<double>{});
  json.key("cold_samples").numbers(samples ? samples->cold_ms : std::vector<double>{});
  if (options.work > 0) {
    json.key("work").number(options.work);
    json.key("work_unit").string(options.work_unit);
  }
  json.key("schedule_ms").known(contestant.schedule_ms);
  json.key("compile_ms").known(contestant.compile_ms);
  json.key("object_bytes").known(static_cast<double>(contestant.object_bytes));
  json.key("scratch_bytes").known(static_cast<double>(contestant.scratch_bytes));
  json.end_object();
}

void write_absent(JsonWriter& json, const RowOptions& options, const Place& place,
                  const Absent& absent) {
  json.begin_object();
  json.key("id").string(place.id);
  json.key("case").string(case_of(options, place));
  json.key("threads").integer(options.threads);
  json.key("contestant").string(absent.name);
  json.key("ours").boolean(absent.ours);
  json.key("samples").begin_array().end_array();
  json.key("error").null();
  json.key("valid").boolean(false);
  json.key("absent").string(absent.why);
  json.end_object();
}

// Infinity where the contestant throws: a contestant that fails is wrong, not absent.
double error_of(const Contestant& contestant) {
  try {
    return contestant.check_error();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", contestant.name.c_str(), failure.what());
    return INFINITY;
  }
}

}  // namespace

RowOptions start_row(int argc, char** argv) {
  RowOptions options;
  for (int i = 1; i < argc; ++i) {
    auto value = [&] { return i + 1 < argc ? argv[++i] : argv[0]; };
    if (!std::strcmp(argv[i], "--frame"))
      options.frame = value();
    else if (!std::strcmp(argv[i], "--threads"))
      options.threads = std::atoi(value());
    else if (!std::strcmp(argv[i], "--out"))
      options.out = value();
    else if (!std::strcmp(argv[i], "--rounds"))
      options.measure.rounds = std::atoi(value());
    else if (!std::strcmp(argv[i], "--budget"))
      options.measure.budget_s = std::atof(value());
    else if (!std::strcmp(argv[i], "--attempts"))
      options.measure.attempts = std::atoi(value());
    else if (!std::strcmp(argv[i], "--ours-only"))
      options.ours_only = true;
    else if (!std::strcmp(argv[i], "--usual-fma"))
      options.usual.fma256_gflops = std::atof(value());
    else if (!std::strcmp(argv[i], "--usual-fma-two"))
      options.usual.fma256_two_gflops = std::atof(value());
    else if (!std::strcmp(argv[i], "--usual-l2"))
      options.usual.l2_copy_gbs = std::atof(value());
    else {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      std::exit(2);
    }
  }
  options.measure.aa_limit = options.threads > 1 ? 0.03 : 0.02;
  pin_environment(options.threads);
  real_time = enter_real_time();
  return options;
}

int finish_row(const RowOptions& options, Registry& registry, double tolerance) {
  Calibration calibration = calibrate();
  std::string why;
  bool well = reaches_usual(calibration, options.usual, why);

  std::vector<Contestant> right;
  std::vector<double> right_errors;
  std::vector<std::pair<Contestant, double>> wrong;
  for (Contestant& contestant : registry.contestants()) {
    double error = error_of(contestant);
    if (error <= tolerance) {
      right.push_back(contestant);
      right_errors.push_back(error);
    } else {
      std::fprintf(stderr, "%s: error %g\n", contestant.name.c_str(), error);
      wrong.emplace_back(contestant, error);
    }
  }

  double usual_fma =
      options.usual.fma256_gflops > 0 ? options.usual.fma256_gflops : 32 * calibration.clock_ghz;
  Measurement measured = measure(right, options.measure, [&] {
    if (!well) {
      calibration = calibrate();
      well = reaches_usual(calibration, options.usual, why);
    }
    return well && quick_fma_gflops() >= 0.9 * usual_fma;
  });

  JsonWriter json;
  json.begin_object();
  json.key("machine");
  write_machine(json, real_time);
  json.key("calibration");
  write_calibration(json, calibration, well, well ? "" : why);
  json.key("aa").begin_array();
  if (!right.empty()) {
    json.begin_object();
    json.key("frame").string(options.frame);
    json.key("threads").integer(options.threads);
    json.key("contestant").string(right[0].name);
    json.key("ids").begin_array();
    std::vector<std::string> seen;
    for (const Contestant& contestant : right) {
      for (const Place& place : contestant.places) {
        bool is_new = true;
        for (const std::string& id : seen) is_new = is_new && id != place.id;
        if (is_new) seen.push_back(place.id);
      }
    }
    for (const std::string& id : seen) json.string(id);
    json.end_array();
    json.key("first").numbers(measured.samples[0].warm_ms);
    json.key("twin").numbers(measured.twin_ms);
    json.key("ratio").number(measured.aa_ratio);
    json.key("limit").number(options.measure.aa_limit);
    json.key("attempts").integer(measured.attempts);
    json.key("valid").boolean(measured.valid);
    json.end_object();
  }
  json.end_array();
  json.key("rows").begin_array();
  for (size_t i = 0; i < right.size(); ++i) {
    for (const Place& place : right[i].places) {
      write_row(json, options, place, right[i], right_errors[i], &measured.samples[i],
                measured.valid);
    }
  }
  for (const auto& [contestant, error] : wrong) {
    for (const Place& place : contestant.places) {
      write_row(json, options, place, contestant, error, nullptr, false);
    }
  }
  for (const Absent& absent : registry.absent()) {
    for (const Place& place : absent.places) write_absent(json, options, place, absent);
  }
  json.end_array();
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  json.key("peak_rss_kib").integer(usage.ru_maxrss);
  json.end_object();

  FILE* file = options.out.empty() ? stdout : std::fopen(options.out.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "cannot write %s\n", options.out.c_str());
    return 2;
  }
  std::fprintf(file, "%s\n", json.text().c_str());
  if (file != stdout) std::fclose(file);
  if (!wrong.empty()) return 1;
  return measured.valid ? 0 : 3;
}

}  // namespace hocket::bench
