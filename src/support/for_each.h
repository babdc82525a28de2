// HOCKET_FOR_EACH(macro, (a, b), (c), ...): macro(a, b) macro(c) ..., for tables that are macros.
// At most 27 tuples. Used by: readers of *.def tables whose rows have lists.
#pragma once

#define HOCKET_FOR_EACH(macro, ...) \
  __VA_OPT__(HOCKET_RESCAN(HOCKET_FOR_EACH_STEP(macro, __VA_ARGS__)))

#define HOCKET_PARENTHESES ()
#define HOCKET_RESCAN(...) HOCKET_RESCAN_2(HOCKET_RESCAN_2(HOCKET_RESCAN_2(__VA_ARGS__)))
#define HOCKET_RESCAN_2(...) HOCKET_RESCAN_3(HOCKET_RESCAN_3(HOCKET_RESCAN_3(__VA_ARGS__)))
#define HOCKET_RESCAN_3(...) HOCKET_RESCAN_4(HOCKET_RESCAN_4(HOCKET_RESCAN_4(__VA_ARGS__)))
#define HOCKET_RESCAN_4(...) __VA_ARGS__
#define HOCKET_FOR_EACH_STEP(macro, tuple, ...) \
  macro tuple __VA_OPT__(HOCKET_FOR_EACH_AGAIN HOCKET_PARENTHESES(macro, __VA_ARGS__))
#define HOCKET_FOR_EACH_AGAIN() HOCKET_FOR_EACH_STEP
