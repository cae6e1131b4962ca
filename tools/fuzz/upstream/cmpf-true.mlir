// mlir-opt 22.1.8 --canonicalize ends in CmpFIntToFPConst::matchAndRewrite, whose switch
// has no case for predicates that are always true or false.
func.func @f(%x: i32) -> i1 {
  %c = arith.constant -1.0 : f32
  %f = arith.uitofp %x : i32 to f32
  %y = arith.cmpf true, %f, %c : f32
  return %y : i1
}
