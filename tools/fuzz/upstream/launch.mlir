// gpu.launch does not check the sign of workgroup_attributions: its verifier reads
// before its list of arguments. mlir-opt ends with a segmentation fault.
"func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
^bb0(%c: index):
  "gpu.launch"(%c, %c, %c, %c, %c, %c) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%0: index, %1: index, %2: index, %3: index, %4: index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index):
    "gpu.terminator"() : () -> ()
  }) {workgroup_attributions = -1 : i64} : (index, index, index, index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
