//===- CallBench.cpp - What a prepared call costs the host ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: nm-call-bench MODEL.nm... [--extent=N]
//
// Loads each program, prepares it on the GPU and calls its only function, whose
// dynamic extents are N (16), on arrays of zeros. Prints a line of JSON for
// each: microseconds that the host needs for a call (the median of 50 batches
// of 20 calls, between which it waits), of a call in a captured graph and of
// its kernels (with events, of 20 in a row), and the runtime's counters of the
// calls.
//
//===----------------------------------------------------------------------===//

#include "nm-c/Program.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "nm-call-bench: %s\n", message.c_str());
  std::exit(1);
}

void check(nmrtStatus status) {
  if (status != NMRT_OK)
    fail(nmrtLastError());
}

/// The driver's calls that the runtime has no use for.
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);

  /// Makes the context that the runtime uses current for this thread.
  void makeCurrent() const {
    void *primary = nullptr;
    call("cuDevicePrimaryCtxRetain", &primary, 0);
    call("cuCtxSetCurrent", primary);
  }

  template <typename... Arguments>
  void call(const char *name, Arguments... arguments) const {
    auto function =
        reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
    int result = function ? function(arguments...) : -1;
    if (result != 0)
      fail(std::string(name) + " gave " + std::to_string(result));
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// One program with its arrays.
class Subject {
public:
  Subject(const char *path, int64_t extent, nmrtContext *context)
      : context(context), stream(nmrtContextStream(context)) {
    auto start = std::chrono::steady_clock::now();
    check(nmProgramLoad(path, &program));
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    loadMilliseconds = elapsed.count();
    check(nmProgramPrepare(program, context, &prepared));
    check(nmProgramFindFunction(program, nullptr, &call.function));
    makeArrays(extent);
  }
  ~Subject() {
    for (void *memory : owned)
      (void)nmrtFree(context, memory);
    nmPreparedRelease(prepared);
    nmProgramRelease(program);
  }

  void run() { check(nmPreparedRun(prepared, &call)); }
  void wait() { check(nmrtSynchronize(context)); }
  void *getStream() const { return stream; }
  double loadMilliseconds = 0;

private:
  void *allocate(uint64_t bytes) {
    void *memory = nullptr;
    check(nmrtAlloc(context, bytes, &memory));
    std::vector<char> zeros(bytes);
    check(nmrtUpload(context, memory, zeros.data(), bytes));
    owned.push_back(memory);
    return memory;
  }
  void *allocate(const nmArray &array) {
    uint64_t bytes = array.element.bits / 8;
    for (int32_t axis = 0; axis < array.rank; ++axis)
      bytes *= static_cast<uint64_t>(array.extents[axis]);
    return allocate(bytes);
  }
  nmArray describe(const nmValueInfo &info, int64_t extent) {
    std::vector<int64_t> &shape =
        shapes.emplace_back(info.extents, info.extents + info.rank);
    std::replace(shape.begin(), shape.end(), int64_t(-1), extent);
    return {nullptr, info.type, info.rank, shape.data(), nullptr};
  }
  void makeArrays(int64_t extent) {
    nmFunctionInfo function;
    check(nmProgramGetFunction(program, call.function, &function));
    shapes.reserve(function.arguments + function.results);
    for (uint32_t i = 0; i < function.arguments; ++i) {
      nmValueInfo info;
      check(nmProgramGetArgument(program, call.function, i, &info));
      nmArray array = describe(info, extent);
      array.data = info.isNumber ? &number : allocate(array);
      arguments.push_back(array);
    }
    for (uint32_t i = 0; i < function.results; ++i) {
      nmValueInfo info;
      check(nmProgramGetResult(program, call.function, i, &info));
      results.push_back(describe(info, extent));
    }
    check(nmProgramPlan(program, call.function, arguments.data(),
                        results.data(), &call.workspaceBytes));
    for (nmArray &array : results)
      array.data = allocate(array);
    call.workspace = allocate(call.workspaceBytes);
    call.arguments = arguments.data();
    call.results = results.data();
  }

  nmrtContext *context;
  void *stream;
  nmProgram *program = nullptr;
  nmPrepared *prepared = nullptr;
  nmCall call = {};
  std::vector<nmArray> arguments, results;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<void *> owned;
  char number[16] = {};
};

constexpr int kBatches = 50, kCalls = 20, kLaunches = 200;

/// Microseconds of the host for one of `calls` calls of `body`, after which
/// `wait` is called.
template <typename Body, typename Wait>
double measureHost(int calls, Body body, Wait wait) {
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      body();
    std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    wait();
    times.push_back(elapsed.count() / calls);
  }
  return median(times);
}

/// What a launch costs that nobody is between.
void measureDriver(const Driver &driver, nmrtContext *context) {
  const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry empty() { ret; }\n";
  void *module = nullptr, *kernel = nullptr;
  driver.call("cuModuleLoadData", &module, static_cast<const void *>(ptx));
  driver.call("cuModuleGetFunction", &kernel, module, "empty");
  void *stream = nmrtContextStream(context);
  double host = measureHost(
      kLaunches,
      [&] {
        driver.call("cuLaunchKernel", kernel, 1u, 1u, 1u, 128u, 1u, 1u, 0u,
                    stream, static_cast<void **>(nullptr),
                    static_cast<void **>(nullptr));
      },
      [&] { check(nmrtSynchronize(context)); });
  std::printf("{\"driver_launch_us\": %.2f}\n", host);
}

/// Microseconds between events around `kCalls` calls of `body`, for one.
template <typename Body>
double measureDevice(const Driver &driver, Subject &subject, Body body) {
  void *start = nullptr, *stop = nullptr;
  driver.call("cuEventCreate", &start, 0u);
  driver.call("cuEventCreate", &stop, 0u);
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    driver.call("cuEventRecord", start, subject.getStream());
    for (int i = 0; i < kCalls; ++i)
      body();
    driver.call("cuEventRecord", stop, subject.getStream());
    driver.call("cuEventSynchronize", stop);
    float milliseconds = 0;
    driver.call("cuEventElapsedTime", &milliseconds, start, stop);
    times.push_back(milliseconds * 1000.0 / kCalls);
  }
  return median(times);
}

void measure(const Driver &driver, nmrtContext *context, const char *path,
             int64_t extent) {
  Subject subject(path, extent, context);
  for (int i = 0; i < 10; ++i)
    subject.run();
  subject.wait();

  nmrtCounters before, after;
  check(nmrtGetCounters(context, &before));
  subject.run();
  check(nmrtGetCounters(context, &after));
  auto kernels = static_cast<double>(after.launches - before.launches);
  uint64_t other = after.allocations - before.allocations +
                   after.synchronizations - before.synchronizations +
                   after.moduleLoads - before.moduleLoads + after.uploads -
                   before.uploads + after.downloads - before.downloads +
                   after.copies - before.copies;
  subject.wait();

  int calls = std::max(1, static_cast<int>(kLaunches / std::max(kernels, 1.0)));
  double host =
      measureHost(calls, [&] { subject.run(); }, [&] { subject.wait(); });
  double direct = measureDevice(driver, subject, [&] { subject.run(); });
  void *graph = nullptr, *executable = nullptr;
  driver.call("cuStreamBeginCapture_v2", subject.getStream(), 2);
  subject.run();
  driver.call("cuStreamEndCapture", subject.getStream(), &graph);
  driver.call("cuGraphInstantiateWithFlags", &executable, graph, 0ull);
  double captured = measureDevice(driver, subject, [&] {
    driver.call("cuGraphLaunch", executable, subject.getStream());
  });
  const char *name = std::strrchr(path, '/');
  std::printf("{\"program\": \"%s\", \"kernels\": %.0f, \"load_ms\": %.3f, "
              "\"host_us\": %.2f, \"allowed_us\": %.0f, \"stream_us\": %.2f, "
              "\"graph_us\": %.2f, \"other_calls\": %llu}\n",
              name ? name + 1 : path, kernels, subject.loadMilliseconds, host,
              5 + 3 * kernels, direct, captured,
              static_cast<unsigned long long>(other));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  int64_t extent = 16;
  nmrtContextOptions options = {};
  options.apiVersion = NMRT_API_VERSION;
  options.device = NMRT_DEVICE_CUDA;
  nmrtContext *context = nullptr;
  char error[1024];
  if (nmrtContextCreate(&options, &context, error, sizeof(error)) != NMRT_OK)
    fail(error);
  Driver driver;
  driver.makeCurrent();
  measureDriver(driver, context);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--extent=", 9) == 0) {
      char *end = nullptr;
      extent = std::strtoll(argv[i] + 9, &end, 10);
      if (*end != '\0' || extent < 0)
        fail(std::string("expected --extent=N, got ") + argv[i]);
    } else {
      measure(driver, context, argv[i], extent);
    }
  }
  nmrtContextDestroy(context);
  return 0;
}
