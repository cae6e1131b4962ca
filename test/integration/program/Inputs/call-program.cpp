// Loads a program, calls it and compares the result: call MODEL.nm X.bin Y.bin
// [emulator|cuda]. It needs the runtime, and neither a compiler nor CUDA.

#include "nm-c/Program.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

static std::vector<char> read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main(int argc, char **argv) {
  bool onGPU = argc > 4 && std::string(argv[4]) == "cuda";
  std::vector<char> input = read(argv[2]), expected = read(argv[3]);
  try {
    nmrt::Context context(onGPU ? NMRT_DEVICE_CUDA : NMRT_DEVICE_EMULATOR);
    nmrt::Program program(argv[1]);
    nmrt::Prepared prepared(program, context);
    nmrt::Memory x(context, input.size());
    x.upload(input.data());
    nmrt::Call call(prepared, {{nmrt::kFloat32, {16, 64}, x}});
    for (int i = 0; i < 3; ++i)
      call.run();
    std::vector<float> y(call.getResult(0).bytes() / sizeof(float));
    call.getResult(0).download(y.data());
    const float *right = reinterpret_cast<const float *>(expected.data());
    double error = 0, norm = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      error += std::pow(y[i] - right[i], 2);
      norm += std::pow(right[i], 2);
    }
    std::printf("relative error: %.2e\n", std::sqrt(error / norm));
    nmrt::Call wrong(prepared, {{nmrt::kFloat32, {64, 16}, x}});
  } catch (const nmrt::Error &error) {
    std::printf("status %d: %s\n", error.status, error.what());
  }
  return 0;
}
