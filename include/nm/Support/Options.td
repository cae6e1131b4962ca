//===- Options.td - How a user steers the stages -----------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each option of the stages is a row of this table. From it follow the option
// of the pass that reads it (a Passes.td takes its rows by `OptionsOf`), that of
// every pipeline (nm/Pipelines/PipelineOptions.h), the flag of nm-compile, their
// help, and the check of values. docs/guides/add-an-option.md adds one.
//
// An option of one pass that no pipeline hands on is declared in its Passes.td
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_OPTIONS
#define NM_SUPPORT_OPTIONS

include "llvm/TableGen/SearchableTable.td"
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Kinds of rows
//===----------------------------------------------------------------------===//

/// An option called `argument`: the member `cppName` of the pass that reads it.
class CompileOption<string kind, string cppName, string argument, string type,
                    string default, string what>
    : Option<cppName, argument, type, default, what> {
  /// An OptionKind.
  string kindCode = "OptionKind::" # kind;
  /// The pass that reads it; empty for an option of the pipelines themselves.
  string pass = "";
  /// The part of nm-compile's --help that has the flag. Nowhere: nm-compile sets
  /// the option by a flag of its own form.
  string flag = "Nowhere";
  string flagCode = "OptionFlag::" # flag;
  assert !or(!ne(kind, "Text"), !eq(flag, "Nowhere")),
         "expected a flag of nm-compile's own for the text " # argument;
  /// What the flag calls its value.
  string value = "n";
  /// Bounds of a number, both included; empty where there is none.
  string least = "";
  string most = "";
  string range = !cond(!empty(least): "", !empty(most): "of at least " # least,
                       true: "from " # least # " to " # most);
  let description = what # !if(!empty(most), "", ", " # range) #
                    !if(!empty(default), "", " (default: " # default # ")");
  /// What nm-compile's flag of a switch does, which turns it off.
  string off = "";
  // What the C++ table has of these.
  CompileOption Id = !cast<CompileOption>(NAME);
  string leastCode = !if(!empty(least), "-kUnbounded", least);
  string mostCode = !if(!empty(most), "kUnbounded", most);
}

class IntegerOption<string cppName, string argument, string default,
                    string what>
    : CompileOption<"Integer", cppName, argument, "int64_t", default, what>;

class RealOption<string cppName, string argument, string default, string what>
    : CompileOption<"Real", cppName, argument, "double", default, what> {
  let value = "r";
}

/// A pipeline hands it to its pass itself.
class TextOption<string cppName, string argument, string what>
    : CompileOption<"Text", cppName, argument, "std::string", "", what>;

/// On unless it is turned off: nm-compile has the flag --no-`argument`.
class SwitchOption<string cppName, string argument, string what,
                   string without>
    : CompileOption<"Switch", cppName, argument, "bool", "true", what> {
  let off = without;
}

/// The options that the pass `name` reads, for its Passes.td.
class OptionsOf<string name> {
  list<Option> rows =
      !filter(row, !instances<CompileOption>(), !eq(row.pass, name));
}

def OptionId : GenericEnum {
  let FilterClass = "CompileOption";
}

def OptionTable : GenericTable {
  let FilterClass = "CompileOption";
  let CppTypeName = "OptionRow";
  let Fields = ["Id", "kindCode", "argument", "pass", "flagCode", "value",
                "defaultValue", "description", "leastCode", "mostCode",
                "range", "off"];
  string TypeOf_Id = "OptionId";
  string TypeOf_kindCode = "code";
  string TypeOf_flagCode = "code";
  string TypeOf_leastCode = "code";
  string TypeOf_mostCode = "code";
  let PrimaryKey = ["Id"];
  let PrimaryKeyName = "lookupOption";
}

//===----------------------------------------------------------------------===//
// Which products are raised
//===----------------------------------------------------------------------===//

let pass = "nm-import-linalg" in {
let flag = "Import" in {
def Keep : IntegerOption<"keep", "keep", "0",
    "units kept of each window, N; 0 searches for the tightest pattern"> {
  let least = "0";
}

def Window : IntegerOption<"window", "window", "0",
    "units of a window, M, with keep; 0 is all of k"> {
  let least = "0";
}

def MaxRatio : RealOption<"maxRatio", "max-ratio", "0.5",
    "largest share of the units of a window, N / M, that is raised"> {
  let least = "0";
  let most = "1";
}

def MaxRatioWide : RealOption<"maxRatioWide", "max-ratio-wide", "0.75",
    "the same for units of 8 or more columns"> {
  let least = "0";
  let most = "1";
}
} // flag

// nm-compile takes both as --unit=KxN.
def UnitK : IntegerOption<"unitK", "unit-k", "1",
    "rows (along k) of a unit, with keep"> {
  let least = "1";
}

def UnitN : IntegerOption<"unitN", "unit-n", "1",
    "columns (along n) of a unit, with keep"> {
  let least = "1";
}
} // pass

//===----------------------------------------------------------------------===//
// What kernels are made
//===----------------------------------------------------------------------===//

// nm-compile and nm-run say themselves which chip is the default one.
def Chip : TextOption<"chip", "chip",
    "chip to compile for; the module's (`nm.target`), or the default one, when "
    "not given"> {
  let pass = "nm-set-target";
}

// nm-compile has a flag of its own for a text.
def TuningDatabase : TextOption<"tuningDatabase", "tuning-database",
    "file of measured schedules, which count before those that nm has"> {
  let pass = "nm-select-schedule";
}

let flag = "Schedule" in {
def Fuse : SwitchOption<"fuse", "fuse", "let products do what follows them",
    "leave what follows a product in kernels of its own">;

def MergeProducts : SwitchOption<"mergeProducts", "merge-products",
    "compute products that read the same A together where that is faster",
    "leave products that read the same A apart">;

def PropagateLayouts : SwitchOption<"propagateLayouts", "propagate-layouts",
    "let products read and write transposed tensors where that is faster",
    "leave the layouts of A and C as the module has them">;

let pass = "nm-select-schedule" in {
def Stages : IntegerOption<"stages", "stages", "2",
    "buffers of the ring of tiles, at most what shared memory holds"> {
  let least = "1";
  // As many as a schedule may have.
  let most = "4";
}

def PackingThreshold : RealOption<"packingThreshold", "packing-threshold", "0.7",
    "least share of pruned units from which only the rows of A that are read "
    "are copied"> {
  let least = "0";
  let most = "1";
}

def Tuning : SwitchOption<"tuning", "tuning",
    "choose among schedules that were measured, where there are some",
    "choose schedules by their predicted times alone">;

def Variants : SwitchOption<"variants", "variants",
    "compile kernels for few, some and many rows where their number is not known",
    "compile one kernel where the number of rows is not known">;
} // pass

def Promote : SwitchOption<"promote", "promote", "bring tiles into shared memory",
    "leave tiles in global memory">;

def PackTile : SwitchOption<"packTile", "pack-tile",
    "copy only the rows of A that are read", "copy all rows of A's tiles">;

def DoubleBuffer : SwitchOption<"doubleBuffer", "double-buffer",
    "overlap copies and products", "do not overlap copies and products">;

def AssignRoles : SwitchOption<"assignRoles", "assign-roles",
    "let warps of their own copy where the schedule says so",
    "let all warps copy and compute">;

def AsyncCopies : SwitchOption<"asyncCopies", "async-copies",
    "copy large tiles that nothing overlaps without registers",
    "copy large tiles that nothing overlaps by loads and stores">;

def BulkCopies : SwitchOption<"bulkCopies", "bulk-copies",
    "let the copy engine copy tiles where the schedule says so",
    "let threads copy all tiles">;

def TensorCopies : SwitchOption<"tensorCopies", "tensor-copies",
    "let the copy engine fetch tiles in boxes where the schedule says so",
    "let producers copy all tiles by threads">;

def OverlapTiles : SwitchOption<"overlapTiles", "overlap-tiles",
    "copy for the next tile of a block before one is stored",
    "copy for a tile of a block when the one before is stored">;

def StageTransposes : SwitchOption<"stageTransposes", "stage-transposes",
    "copy a token-major A in chunks that threads transpose",
    "copy a token-major A element by element">;

def SpreadCopies : SwitchOption<"spreadCopies", "spread-copies",
    "put the copies of a step between its products",
    "issue the copies of a step together">;

def PrefetchFragments : SwitchOption<"prefetchFragments", "prefetch-fragments",
    "load the first operands of a step before the last product of the one before",
    "load the operands of a step when it begins">;

def LoadAhead : SwitchOption<"loadAhead", "load-ahead",
    "put loads of operands between the products before, on tensor cores",
    "load the operands of a slice together">;

def LoadColumnsAhead : SwitchOption<"loadColumnsAhead", "load-columns-ahead",
    "load which rows of A a step copies in the step before",
    "load which rows of A a step copies when it copies them">;

def FuseLaunches : SwitchOption<"fuseLaunches", "fuse-launches",
    "compute a gate and the product that it gates in one kernel, for few rows",
    "compute a gate and the product that it gates in two kernels">;

def LoadWeightsAhead : SwitchOption<"loadWeightsAhead", "load-weights-ahead",
    "load the weight that threads multiply a turn before",
    "load the weight when it is multiplied">;

def BypassL1 : SwitchOption<"bypassL1", "bypass-l1",
    "let loads of a weight that comes from DRAM leave no line in L1",
    "let all loads go through L1">;

def FormKernels : SwitchOption<"formKernels", "form-kernels",
    "compute reductions, and what is computed around them, in one kernel each",
    "compute each op of linalg in a kernel of its own, a thread a row">;

def KeepRoundings : SwitchOption<"keepRoundings", "keep-roundings",
    "round what is computed in f16 or bf16 after each op, as PyTorch does",
    "round results in f16 and bf16 alone, and nothing on the way to them">;

def TileTransposes : SwitchOption<"tileTransposes", "tile-transposes",
    "transpose matrices in tiles, through shared memory",
    "transpose element by element">;

def LimitOccupancy : SwitchOption<"limitOccupancy", "limit-occupancy",
    "let an SM hold no more blocks of a kernel than all need, where they overlap",
    "let an SM hold as many blocks as fit">;

def FitRegisters : SwitchOption<"fitRegisters", "fit-registers",
    "let ptxas give threads the registers that they want",
    "let ptxas choose the registers of a thread by the blocks that fit an SM">;

def OverlapLaunches : SwitchOption<"overlapLaunches", "overlap-launches",
    "let a kernel be launched before the one before it has ended",
    "launch each kernel when the one before it has ended">;

def VerifyStages : SwitchOption<"verifyStages", "verify-stages",
    "check after each stage what it promises",
    "do not check what each stage promises">;

def OptLevel : IntegerOption<"optLevel", "opt-level", "3",
    "LLVM's optimization level"> {
  let pass = "nm-attach-target";
  let least = "1";
  let most = "3";
}
} // flag

#endif // NM_SUPPORT_OPTIONS
