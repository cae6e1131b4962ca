//===- ClusterOps.cpp - Blocks of a cluster -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/ClusterOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

gpu::LaunchOp nm::createLaunch(ImplicitLocOpBuilder &b, Value blocks,
                               int64_t numThreads, int64_t cluster) {
  Value one = indexConstant(b, 1);
  Value threads = indexConstant(b, numThreads);
  bool hasCluster = cluster > 1;
  Value extent = hasCluster ? indexConstant(b, cluster) : Value();
  Value single = hasCluster ? one : Value();
  auto launch = gpu::LaunchOp::create(
      b, blocks, one, one, threads, one, one,
      /*dynamicSharedMemorySize=*/Value(),
      /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(),
      /*workgroupAttributions=*/TypeRange(),
      /*privateAttributions=*/TypeRange(), /*clusterSizeX=*/extent,
      /*clusterSizeY=*/single, /*clusterSizeZ=*/single);
  // MLIR's builder makes no arguments for the places in a cluster.
  while (launch.getBody().getNumArguments() <
         launch.getNumConfigRegionAttributes())
    launch.getBody().addArgument(b.getIndexType(), b.getLoc());
  return launch;
}

Value nm::createClusterRank(ImplicitLocOpBuilder &b) {
  return gpu::ClusterBlockIdOp::create(b, gpu::Dimension::x);
}

void nm::createClusterArrive(ImplicitLocOpBuilder &b) {
  NVVM::ClusterArriveOp::create(b, /*aligned=*/b.getUnitAttr());
}

void nm::createClusterWait(ImplicitLocOpBuilder &b) {
  NVVM::ClusterWaitOp::create(b, /*aligned=*/b.getUnitAttr());
}

Value nm::createClusterAddress(ImplicitLocOpBuilder &b, Value buffer,
                               Value place, Value rank) {
  auto inSpace = [&](NVVM::NVVMMemorySpace space) {
    return LLVM::LLVMPointerType::get(b.getContext(), unsigned(space));
  };
  Type own = inSpace(NVVM::NVVMMemorySpace::Shared);
  Type shared = inSpace(NVVM::NVVMMemorySpace::SharedCluster);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  Value bytes =
      arith::IndexCastOp::create(b, b.getI64Type(), addIndex(b, start, place));
  Value address = LLVM::IntToPtrOp::create(b, own, bytes);
  return NVVM::MapaOp::create(b, shared, address, rank);
}
