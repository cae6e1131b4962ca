//===- ThreadLoop.cpp - Ranges of a loop on threads -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLoop.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

void nm::vm::loopOnThreads(int64_t count,
                           const std::function<void(int64_t, int64_t)> &body) {
  int64_t threads = std::max<int64_t>(1, std::thread::hardware_concurrency());
  // More ranges than threads even out what takes longer.
  constexpr int64_t rangesPerThread = 4;
  int64_t size = std::max<int64_t>(1, count / (threads * rangesPerThread));
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t begin = next.fetch_add(size); begin < count;
         begin = next.fetch_add(size))
      body(begin, std::min(count, begin + size));
  };
  // The destructor of a future waits, so that no thread outlives what it uses.
  std::vector<std::future<void>> workers;
  for (int64_t i = 1; i < std::min(threads, count); ++i)
    workers.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void> &worker : workers)
    worker.get();
}
