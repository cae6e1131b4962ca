// The parser asks any type of a dense array for its width, and index has none.
// mlir-opt ends with a segmentation fault.
func.func @f() attributes {a = array<index: 1>} { return }
