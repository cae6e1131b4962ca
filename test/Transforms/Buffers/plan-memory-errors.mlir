// RUN: nm-opt %s --split-input-file --nm-plan-memory --verify-diagnostics

// expected-error @below {{'func.func' op expected structured control flow; run nm-plan-memory before convert-scf-to-cf}}
func.func @branches(%n: i64) -> i64 {
  cf.br ^rest(%n : i64)
^rest(%m: i64):
  return %m : i64
}
