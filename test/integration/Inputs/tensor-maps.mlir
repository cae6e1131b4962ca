// Copies x, and zeros behind its last rows up to a multiple of 32, tile by tile:
// the copy engine brings 32 x 64 elements, 128-byte swizzled, and the threads store
// them. `first` rows of x are left out.
func.func @main(%x: memref<?x128xf16>, %first: memref<1xi64>) -> memref<?x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %all = memref.dim %x, %c0 : memref<?x128xf16>
  %skipped64 = memref.load %first[%c0] : memref<1xi64>
  %skipped = arith.index_cast %skipped64 : i64 to index
  %rows = arith.subi %all, %skipped : index
  %tiles = arith.ceildivui %all, %c32 : index
  %padded = arith.muli %tiles, %c32 : index
  %y = memref.alloc(%padded) : memref<?x128xf16>
  %part = memref.subview %x[%skipped, 0] [%rows, 128] [1, 1] : memref<?x128xf16> to memref<?x128xf16, strided<[128, 1], offset: ?>>
  %map = nm.tensor_map %part box = [32, 64] swizzle = 128 : memref<?x128xf16, strided<[128, 1], offset: ?>>
  gpu.launch blocks(%tile, %half, %bz) in (%gx = %tiles, %gy = %c2, %gz = %c1)
             threads(%thread, %ty, %tz) in (%bx = %c128, %by = %c1, %bz2 = %c1) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %rowsOfTile = arith.constant 32 : index
    %columns = arith.constant 64 : index
    %threads = arith.constant 128 : index
    %elements = arith.constant 2048 : index
    %arrivals = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    // The tile is first: a swizzle is by the bits of the address.
    %tileMemory = memref.alloc() : memref<32x64xf16, #gpu.address_space<workgroup>>
    %barrierMemory = memref.alloc() : memref<1xi64, #gpu.address_space<workgroup>>
    %tileIndex = memref.extract_aligned_pointer_as_index %tileMemory : memref<32x64xf16, #gpu.address_space<workgroup>> -> index
    %tileAddress = arith.index_cast %tileIndex : index to i64
    %tileShared = llvm.inttoptr %tileAddress : i64 to !llvm.ptr<3>
    %target = llvm.addrspacecast %tileShared : !llvm.ptr<3> to !llvm.ptr<7>
    %barrierIndex = memref.extract_aligned_pointer_as_index %barrierMemory : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %barrierAddress = arith.index_cast %barrierIndex : index to i64
    %barrier = llvm.inttoptr %barrierAddress : i64 to !llvm.ptr<3>
    %row = arith.muli %tile, %rowsOfTile : index
    %column = arith.muli %half, %columns : index
    %isFirst = arith.cmpi eq, %thread, %zero : index
    scf.if %isFirst {
      nvvm.mbarrier.init %barrier, %arrivals : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %isFirst {
      %row32 = arith.index_cast %row : index to i32
      %column32 = arith.index_cast %column : index to i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
      %tensor = builtin.unrealized_conversion_cast %map : !nm.tensor_map to !llvm.ptr
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %tensor, %barrier, box[%column32, %row32] : !llvm.ptr<7>, !llvm.ptr
    }
    scf.while : () -> () {
      %complete = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %complete, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    scf.for %element = %thread to %elements step %threads {
      %i = arith.divui %element, %columns : index
      %j = arith.remui %element, %columns : index
      %chunk = arith.divui %j, %eight : index
      %place = arith.remui %j, %eight : index
      %exchange = arith.remui %i, %eight : index
      %there = arith.xori %chunk, %exchange : index
      %start = arith.muli %there, %eight : index
      %k = arith.addi %start, %place : index
      %value = memref.load %tileMemory[%i, %k] : memref<32x64xf16, #gpu.address_space<workgroup>>
      %toRow = arith.addi %row, %i : index
      %toColumn = arith.addi %column, %j : index
      memref.store %value, %y[%toRow, %toColumn] : memref<?x128xf16>
    }
    gpu.terminator
  }
  return %y : memref<?x128xf16>
}
