// The program `hocket`: one verb, its options, an exit code.
// 0: done; 1: the program was refused, a diagnostic stands on stderr; 2: the command line was.
#include <iostream>

#include "tools/verbs.h"

int main(int argc, char** argv) {
  return hocket::tools::run_command(argc, argv, std::cout, std::cerr);
}
