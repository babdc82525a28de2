# The street of rooms, as data. One line a room: its name, then every room it may include.
#
# Read by cmake/hocket.cmake (what a room's library links) and by scripts/check_arrows.py (what a
# room's #include lines may name). A room may always include itself. `*` means every room.
# Changing a line needs a record in docs/decisions/.

set(HOCKET_ROOM_TABLE
  "abi:"
  "support:"
  "diag: support"
  "ir: support diag"
  "analysis: support diag ir"
  "target: support diag ir"
  "interp: support diag abi ir"
  "schedule: support diag ir analysis interp"
  "rewrite: support diag ir analysis target interp"
  "lower: support diag abi ir analysis schedule target"
  "check: support diag abi ir analysis interp"
  "text: support diag ir schedule rewrite target"
  "codegen: support diag abi ir target"
  "runtime: abi"
  "image: support diag abi"
  "driver: abi support diag ir analysis target interp schedule rewrite lower check text codegen runtime"
  "api: abi support diag ir schedule rewrite target text driver image"
  "tune: abi support diag ir analysis target schedule rewrite driver"
  "graph: abi support diag ir analysis schedule target driver api tune"
  "tools: *"
  "python: *"
  "compat: *"
)
