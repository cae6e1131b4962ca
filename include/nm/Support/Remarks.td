//===- Remarks.td - What passes report ---------------------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each remark of each pass is a row of this table, and so is each key that a
// remark may have. llvm-tblgen makes the C++ table of them (nm/Support/
// Remarks.h), tools/scripts/remark_table.py the page docs/generated/Remarks.md.
// Users, tests and nm's report read the names and the keys.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// What a remark says under one name. MLIR sorts a remark's keys when it prints
/// them.
class RemarkKeyRow<string spelling, string meaning> {
  string Spelling = spelling;
  string Meaning = meaning;
  RemarkKeyRow Id = !cast<RemarkKeyRow>(NAME);
}

def RemarkKey : GenericEnum {
  let FilterClass = "RemarkKeyRow";
}

def RemarkKeyTable : GenericTable {
  let FilterClass = "RemarkKeyRow";
  let Fields = ["Id", "Spelling"];
  string TypeOf_Id = "RemarkKey";
  let PrimaryKey = ["Id"];
  let PrimaryKeyName = "lookupRemarkKey";
}

// "Reason" and "Remark" are MLIR's own words.
def BeforeA : RemarkKeyRow<"before A",
    "number of loads of the weight that stand before the tile of A now">;
def Blocks : RemarkKeyRow<"blocks", "number of blocks that share a tile">;
def Bytes : RemarkKeyRow<"bytes",
    "bytes of memory that the pass takes, or would take">;
def BytesOfConstants : RemarkKeyRow<"bytes of constants",
    "bytes of the constants that the op reads">;
def Callee : RemarkKeyRow<"Callee", "function that is called">;
def Constant : RemarkKeyRow<"Constant", "name of a weight's data">;
def Copies : RemarkKeyRow<"copies", "number of copies of tiles in a step">;
def Folded : RemarkKeyRow<"Folded",
    "ops between the constant and the product, computed by the compiler">;
def Kernels : RemarkKeyRow<"kernels",
    "number of kernels, the one that stays included">;
def Layer : RemarkKeyRow<"Layer",
    "layer of the model that the op's location names">;
def Loads : RemarkKeyRow<"loads",
    "number of loads of operands, and of their positions, in a loop">;
def Means : RemarkKeyRow<"means",
    "what blocks add their sums in: `cluster` or `workspace`">;
def Members : RemarkKeyRow<"ops", "number of ops that are one kernel now">;
def OfRows : RemarkKeyRow<"of rows", "rows of a step, read or not">;
def Op : RemarkKeyRow<"Op", "name of the op">;
def Operand : RemarkKeyRow<"operand",
    "operand of `nm.tile_mma`: `A`, `values` or `indices`">;
def PanelColumns : RemarkKeyRow<"panel columns",
    "columns of a packed weight whose values of a step lie in one range">;
def Parts : RemarkKeyRow<"parts", "number of parts of the copies of a step">;
def Pattern : RemarkKeyRow<"Pattern", "N:M pattern">;
def Products : RemarkKeyRow<"Products",
    "number of products, one for each weight of a batch">;
def Reason : RemarkKeyRow<"Reason", "why">;
def Reductions : RemarkKeyRow<"reductions",
    "number of reductions of a row in a kernel">;
def Right : RemarkKeyRow<"Right", "number that is meant">;
def Rows : RemarkKeyRow<"Rows",
    "rows of the weight that are kept, or rows of A that a step reads">;
def Slices : RemarkKeyRow<"slices", "number of products of a step">;
def Slots : RemarkKeyRow<"slots", "number of buffers in the ring">;
def Steps : RemarkKeyRow<"Steps", "what the product computes after its sums">;
def Text : RemarkKeyRow<"Remark", "a sentence">;
def Threads : RemarkKeyRow<"threads", "threads of a block that ptxas is told of">;
def Warps : RemarkKeyRow<"warps", "number of warps that only copy">;
def Weight : RemarkKeyRow<"Weight", "type of the condensed weight">;
def Written : RemarkKeyRow<"Written", "number in the module">;

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// A remark of the pass `Category`. Every remark names the function that it is
/// about, and has the key `Layer` where the location names one; `Keys` are the
/// others that it may have.
class RemarkRow<string kind, string name, list<RemarkKeyRow> keys,
                string description> {
  string Kind = kind;
  string Category;
  string Name = name;
  list<RemarkKeyRow> Keys = keys;
  string Description = description;
  // What the C++ table has of these.
  RemarkRow Id = !cast<RemarkRow>(NAME);
  string KindCode = "RemarkKind::Remark" # kind;
  string KeySet = !interleave(
      !foreach(key, keys, "makeKeySet(RemarkKey::" # key # ")"), " | ");
}

/// The pass changed something.
class Passed<string name, list<RemarkKeyRow> keys, string description>
    : RemarkRow<"Passed", name, keys, description>;

/// The pass left something as it was that a user may want changed.
class Missed<string name, list<RemarkKeyRow> keys, string description>
    : RemarkRow<"Missed", name, keys, description>;

/// The pass found something.
class Analysis<string name, list<RemarkKeyRow> keys, string description>
    : RemarkRow<"Analysis", name, keys, description>;

def RemarkId : GenericEnum {
  let FilterClass = "RemarkRow";
}

def RemarkTable : GenericTable {
  let FilterClass = "RemarkRow";
  let Fields = ["Id", "KindCode", "Category", "Name", "KeySet"];
  string TypeOf_Id = "RemarkId";
  string TypeOf_KindCode = "code";
  string TypeOf_KeySet = "code";
  let PrimaryKey = ["Id"];
  let PrimaryKeyName = "lookupRemark";
}

def lookupRemarkByName : SearchIndex {
  let Table = RemarkTable;
  let Key = ["Category", "Name"];
}

let Category = "nm-correct-gelu" in {
def GeluCorrected : Passed<"corrected", [Written, Right],
    "The constant of a GELU is PyTorch's again.">;
}

let Category = "nm-correct-views" in {
def ViewCorrected : Passed<"corrected", [Text],
    "A view merges the dimensions that its module meant; the text has both "
    "types.">;
def ViewNotCorrected : Missed<"not-corrected", [Op, Reason],
    "A size is taken for 1 and stays so, since an op on the way cannot grow.">;
}

let Category = "nm-assign-roles" in {
def RolesAssigned : Passed<"roles", [Bytes, Warps],
    "Warps of a block do nothing but copy, into a ring of buffers.">;
def RolesNotAssigned : Missed<"no-roles", [Reason],
    "All warps of a block do the same, though the schedule has producers.">;
}

let Category = "nm-async-copies" in {
def CopiesAsync : Passed<"async", [Copies],
    "Large copies that nothing overlaps are on their way at once, without registers.">;
}

let Category = "nm-bulk-copies" in {
def BulkCopied : Passed<"bulk", [Bytes, Copies],
    "The copy engine brings tiles of a step, row by row.">;
def NotBulkCopied : Missed<"not-bulk", [Reason],
    "Threads copy what the schedule wants the copy engine to.">;
}

let Category = "nm-double-buffer" in {
def LoopBuffered : Passed<"buffered", [Bytes, Slots],
    "The loop over steps copies tiles ahead, into a ring of buffers.">;
def LoopNotBuffered : Missed<"not-buffered", [Reason],
    "The loop over steps waits for its copies.">;
}

let Category = "nm-fit-registers" in {
def RegistersFitted : Passed<"fitted", [Threads],
    "ptxas may give a thread the registers that its sums want.">;
}

let Category = "nm-fold-constant-ops" in {
def ConstantNotFolded : Missed<"not-folded", [Bytes, BytesOfConstants],
    "An op of constants stays, since its result would make the program larger "
    "than `max-growth` allows.">;
}

let Category = "nm-form-kernels" in {
def KernelFormed : Passed<"formed", [Members, Reductions],
    "Reductions of rows, and what is computed around them, are one kernel.">;
def KernelNotFormed : Missed<"not-formed", [Reason],
    "A reduction is in no kernel of rows; the reason says why.">;
def KernelsNotMerged : Missed<"not-merged", [Reason],
    "A kernel of rows reads what another one computes; the reason says why they "
    "are two.">;
}

let Category = "nm-fuse-broadcasts" in {
def BroadcastFused : Passed<"fused", [Op],
    "An op reads what a broadcast would have copied for it.">;
}

let Category = "nm-fuse-epilogue" in {
def EpilogueFused : Passed<"fused", [Steps, Reason],
    "A product does what followed it; the reason says why a rest stays.">;
def EpilogueNotFused : Missed<"not-fused", [Reason],
    "A product does nothing of what follows it.">;
}

let Category = "nm-import-linalg" in {
def ClaimDropped : Missed<"claim-dropped", [Reason],
    "What a `sparse_tensor` encoding says of a weight is of no use to its "
    "product.">;
def NotRaised : Missed<"not-raised", [Op, Pattern, Reason, Constant],
    "A product with constants stays dense; it has a pattern where weights "
    "that are chosen at run time have one.">;
def Raised : Passed<"raised", [Op, Weight, Rows, Products, Folded],
    "A product of linalg became one of nm.">;
}

let Category = "nm-import-sparse-encodings" in {
def Claimed : Passed<"claimed", [Op, Pattern],
    "The pattern of a `sparse_tensor` encoding is required of a product's "
    "weight.">;
def EncodingDropped : Missed<"encoding-dropped", [Reason],
    "A `sparse_tensor` encoding says something other than a pattern, or "
    "nothing that a product could use.">;
}

let Category = "nm-fuse-launches" in {
def LaunchesFused : Passed<"launches-fused", [Copies],
    "A kernel computes its product's tile and then that of the next product, "
    "which reads the first; so many copies of what is still in shared memory "
    "are left out.">;
def LaunchesNotFused : Missed<"launches-not-fused", [Reason],
    "A product that reads the result of the one before has a launch of its own.">;
}

let Category = "nm-inline-calls" in {
def Inlined : Passed<"inlined", [Callee],
    "The body of a function is where it was called.">;
def NotInlined : Missed<"not-inlined", [Callee, Reason],
    "A call hands constants to a function in vain.">;
}

let Category = "nm-limit-occupancy" in {
def OccupancyLimited : Passed<"limited", [Bytes],
    "A block claims shared memory so that no SM holds more blocks than its share.">;
def OccupancyLimitedByCall : Passed<"limited-by-call", [Bytes],
    "How much a block claims for it is computed from the grid, and at least this.">;
}

let Category = "nm-load-ahead" in {
def LoadsAhead : Passed<"ahead", [Loads],
    "Operands of a loop on tensor cores are loaded between the products before.">;
}

let Category = "nm-load-columns-ahead" in {
def ColumnsAhead : Passed<"columns-ahead", [Loads],
    "A step loads which rows of A the next one copies.">;
}

let Category = "nm-load-weights-ahead" in {
def WeightsAhead : Passed<"weights-ahead", [Loads, BeforeA],
    "Threads load the weight a turn before, and first before the tile of A.">;
def WeightsNotAhead : Missed<"weights-not-ahead", [Reason],
    "Threads load the weight of a turn when it begins.">;
}

let Category = "nm-merge-kernels" in {
def KernelsMerged : Passed<"merged", [Kernels],
    "Equal kernels became one, whose name is the function's.">;
}

let Category = "nm-merge-products" in {
def ProductMerged : Passed<"merged", [Reason],
    "A product is part of one that has the columns of several.">;
def ProductNotMerged : Missed<"not-merged", [Reason],
    "A product reads what others read, and stays a launch of its own.">;
}

let Category = "nm-overlap-launches" in {
def NotOverlapped : Missed<"not-overlapped", [Reason],
    "A kernel is launched when the one before has ended.">;
def WaitsFirst : Missed<"waits-first", [Reason],
    "A kernel loads nothing of its weight before it waits for the one before.">;
}

let Category = "nm-overlap-tiles" in {
def TilesOverlapped : Passed<"overlapped", [Copies],
    "A block issues the first copies of a tile before it stores the one before.">;
def TilesNotOverlapped : Missed<"not-overlapped", [Reason],
    "A block begins a tile when it has stored the one before.">;
}

let Category = "nm-pack-tile" in {
def TilePacked : Passed<"packed", [Rows, OfRows],
    "A copy of A's tile became a gather of the rows that the weight reads.">;
def TileNotPacked : Missed<"not-packed", [Reason],
    "A's tile is copied as a whole.">;
}

let Category = "nm-pack-weights" in {
def WeightPacked : Passed<"packed", [Rows, OfRows, PanelColumns],
    "A constant weight lies as the blocks of its kernel read it.">;
def WeightNotPacked : Missed<"not-packed", [Reason],
    "A weight stays as the pattern has it.">;
}

let Category = "nm-place-deallocs" in {
def NotFreed : Missed<"not-freed", [Text],
    "A buffer is never freed.">;
}

let Category = "nm-plan-memory" in {
def AllocatedInCall : Missed<"allocated-in-call", [Text],
    "A call allocates a buffer itself, for its caller cannot.">;
}

let Category = "nm-prefetch-fragments" in {
def FragmentsPrefetched : Passed<"prefetched", [Slices],
    "A step loads the first operands of the next before its last product.">;
def FragmentsNotPrefetched : Missed<"not-prefetched", [Reason],
    "A step begins with a barrier and loads.">;
}

let Category = "nm-promote-shared" in {
def Promoted : Passed<"promoted", [Operand, Bytes],
    "An operand goes through a buffer in shared memory.">;
}

let Category = "nm-propagate-layouts" in {
def LayoutPropagated : Passed<"layout-propagated", [Reason],
    "A product reads a feature-major A; the reason says where that comes from, "
    "and what it is predicted to gain.">;
def LayoutNotPropagated : Missed<"not-propagated", [Reason],
    "A product reads a token-major A, which takes longer than a feature-major "
    "one.">;
def TransposeFolded : Passed<"transpose-folded", [Reason],
    "What was transposed is computed in that order.">;
}

let Category = "nm-select-schedule" in {
def ScheduleSelected : Passed<"selected", [Reason],
    "A product has a schedule; the reason names the strategy and its tile, and "
    "the times by which it was chosen.">;
def MeasurementIgnored : Missed<"measurement-ignored", [Reason],
    "A schedule of the tuning database does not count: it is none of the "
    "product's candidates, or no schedule any more.">;
}

let Category = "nm-spread-copies" in {
def CopiesSpread : Passed<"spread", [Parts],
    "The copies of a step stand between its products.">;
def CopiesNotSpread : Missed<"not-spread", [Reason],
    "The copies of a step stand at its beginning.">;
}

let Category = "nm-stage-transposes" in {
def TransposeStaged : Passed<"staged", [Bytes],
    "A token-major A is copied in chunks of 16 bytes, that threads transpose.">;
def TransposeNotStaged : Missed<"not-staged", [Reason],
    "A token-major A is copied element by element.">;
}

let Category = "nm-tensor-copies" in {
def TensorsCopied : Passed<"tensors", [Bytes, Copies],
    "The copy engine fetches tiles of a step, in a few boxes each.">;
def TensorsNotCopied : Missed<"no-tensors", [Reason],
    "Threads copy what the schedule wants the copy engine to.">;
}

let Category = "nm-tile" in {
def TileShared : Passed<"shared", [Blocks, Means],
    "Several blocks share the steps of each tile of a product.">;
def TilesLooped : Passed<"persistent", [Blocks],
    "Each block computes several tiles of a product, one after another.">;
}

let Category = "nm-tile-transposes" in {
def TransposeTiled : Passed<"tiled", [Bytes],
    "A matrix is transposed in tiles, through shared memory.">;
}

let Category = "nm-verify-host" in {
def HostRead : Analysis<"host-read", [Text],
    "The host waits for the device, to read one number.">;
}
