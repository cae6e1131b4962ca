// RUN: nm-opt %s --nm-index-to-arith | FileCheck %s

// Nothing is folded on the way.
// CHECK-LABEL: @wraps
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[D:.*]] = arith.subi %arg0, %arg1 : index
// CHECK: arith.cmpi slt, %[[D]], %[[ZERO]] : index
func.func @wraps(%x: index, %y: index) -> i1 {
  %zero = index.constant 0
  %0 = index.sub %x, %y
  %1 = index.cmp slt(%0, %zero)
  return %1 : i1
}

// CHECK-LABEL: @all
// CHECK-NOT: index.
// CHECK: arith.constant 64 : index
// CHECK: arith.constant true
// CHECK: arith.addi
// CHECK: arith.muli
// CHECK: arith.divsi
// CHECK: arith.divui
// CHECK: arith.ceildivsi
// CHECK: arith.ceildivui
// CHECK: arith.floordivsi
// CHECK: arith.remsi
// CHECK: arith.remui
// CHECK: arith.maxsi
// CHECK: arith.maxui
// CHECK: arith.minsi
// CHECK: arith.minui
// CHECK: arith.shli
// CHECK: arith.shrsi
// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: arith.ori
// CHECK: arith.xori
// CHECK: arith.index_cast %{{.*}} : index to i8
// CHECK: arith.index_castui %{{.*}} : i8 to index
// CHECK: arith.cmpi eq
// CHECK: arith.cmpi ne
// CHECK: arith.cmpi sle
// CHECK: arith.cmpi sgt
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ule
// CHECK: arith.cmpi ugt
// CHECK: arith.cmpi uge
func.func @all(%x: index) -> (i1, index) {
  %bits = index.sizeof
  %true = index.bool.constant true
  %0 = index.add %x, %bits
  %1 = index.mul %0, %x
  %2 = index.divs %1, %x
  %3 = index.divu %2, %x
  %4 = index.ceildivs %3, %x
  %5 = index.ceildivu %4, %x
  %6 = index.floordivs %5, %x
  %7 = index.rems %6, %x
  %8 = index.remu %7, %x
  %9 = index.maxs %8, %x
  %10 = index.maxu %9, %x
  %11 = index.mins %10, %x
  %12 = index.minu %11, %x
  %13 = index.shl %12, %x
  %14 = index.shrs %13, %x
  %15 = index.shru %14, %x
  %16 = index.and %15, %x
  %17 = index.or %16, %x
  %18 = index.xor %17, %x
  %19 = index.casts %18 : index to i8
  %20 = index.castu %19 : i8 to index
  %21 = index.cmp eq(%20, %x)
  %22 = index.cmp ne(%20, %x)
  %23 = index.cmp sle(%20, %x)
  %24 = index.cmp sgt(%20, %x)
  %25 = index.cmp sge(%20, %x)
  %26 = index.cmp ult(%20, %x)
  %27 = index.cmp ule(%20, %x)
  %28 = index.cmp ugt(%20, %x)
  %29 = index.cmp uge(%20, %x)
  return %true, %20 : i1, index
}
