#include "codegen/common/header_names.h"

#include <sstream>
#include <unordered_set>

namespace hocket::codegen {

namespace {

using Words = std::unordered_set<std::string>;

Words words(const char* text) {
  std::istringstream in(text);
  Words out;
  for (std::string word; in >> word;) out.insert(word);
  return out;
}

// Functions and objects of <stdlib.h> and <string.h>, those of <math.h> that come in one form, and
// what else of libc the runtime and a usual program call by name.
const Words& functions() {
  static const Words all = words(
      "a64l abort abs accept access alarm aligned_alloc alloca arc4random arc4random_buf "
      "arc4random_uniform at_quick_exit atexit atof atoi atol atoll bcmp bcopy bind brk "
      "bsearch bzero calloc chdir clearenv clock clock_gettime close connect div drand48 "
      "drand48_r drem dremf dreml dup ecvt ecvt_r environ erand48 erand48_r execv execve "
      "exit explicit_bzero fclose fcvt fcvt_r fflush ffs ffsl ffsll finite finitef finitel "
      "fopen fork fprintf fputs fread free fstat fwrite gamma gammaf gammal gcvt getenv "
      "getline getloadavg getpid getsubopt index initstate initstate_r ioctl isinf isinff "
      "isinfl isnan isnanf isnanl j0 j0f j0l j1 j1f j1l jn jnf jnl jrand48 jrand48_r kill "
      "l64a labs lcong48 lcong48_r ldiv lgamma_r lgammaf_r lgammal_r link listen llabs "
      "lldiv lrand48 lrand48_r lseek madvise malloc mblen mbstowcs mbtowc memccpy memchr "
      "memcmp memcpy memmem memmove mempcpy memset mkdtemp mkstemp mkstemps mktemp mmap "
      "mprotect mrand48 mrand48_r munmap nanosleep nrand48 nrand48_r on_exit open pause "
      "perror pipe poll posix_memalign printf pselect putenv puts qecvt qecvt_r qfcvt "
      "qfcvt_r qgcvt qsort quick_exit raise rand rand_r random random_r read realloc "
      "reallocarray realpath recv remove rename rindex roundeven roundevenf rpmatch sbrk "
      "scalb scalbf scalbl sched_getaffinity sched_yield seed48 seed48_r select send setenv "
      "setstate setstate_r sigaction sigfillset signal signgam significand significandf "
      "significandl sleep snprintf socket sprintf srand srand48 srand48_r srandom srandom_r "
      "stat stderr stdin stdout stpcpy stpncpy strcasecmp strcasecmp_l strcat strchr strcmp "
      "strcoll strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r strlen "
      "strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen strpbrk strrchr "
      "strsep strsignal strspn strstr strtod strtof strtok strtok_r strtol strtold strtoll "
      "strtoq strtoul strtoull strtouq strxfrm strxfrm_l sysconf system time times unlink "
      "unsetenv usleep valloc vsnprintf wait waitpid wcstombs wctomb write y0 y0f y0l y1 "
      "y1f y1l yn ynf ynl");
  return all;
}

// Without a family of their own (below).
const Words& macros() {
  static const Words all = words(
      "BIG_ENDIAN BYTE_ORDER EOF EXIT_FAILURE EXIT_SUCCESS FD_CLR FD_ISSET FD_SET "
      "FD_SETSIZE FD_ZERO FP_FAST_FMA FP_FAST_FMAF FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN "
      "FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF HUGE_VALL INFINITY LITTLE_ENDIAN "
      "MATH_ERREXCEPT MATH_ERRNO MB_CUR_MAX M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 "
      "M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN NFDBITS NULL PDP_ENDIAN "
      "PTRDIFF_MAX PTRDIFF_MIN RAND_MAX SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIZE_MAX WCHAR_MAX "
      "WCHAR_MIN WCONTINUED WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED "
      "WIFSTOPPED WINT_MAX WINT_MIN WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED "
      "be16toh be32toh be64toh errno fpclassify htobe16 htobe32 htobe64 htole16 htole32 "
      "htole64 i386 isfinite isgreater isgreaterequal isinf isless islessequal "
      "islessgreater isnan isnormal isunordered le16toh le32toh le64toh linux "
      "math_errhandling offsetof signbit unix");
  return all;
}

const Words& types() {
  static const Words all = words(
      "FILE blkcnt_t blksize_t caddr_t clock_t clockid_t daddr_t dev_t div_t double_t "
      "fd_mask fd_set float_t fsblkcnt_t fsfilcnt_t fsid_t gid_t id_t ino_t intmax_t "
      "intptr_t key_t ldiv_t lldiv_t locale_t loff_t max_align_t mode_t nlink_t off_t pid_t "
      "ptrdiff_t quad_t register_t sigset_t size_t ssize_t suseconds_t time_t timer_t "
      "u_char u_int u_long u_quad_t u_short uid_t uint uintmax_t uintptr_t ulong ushort "
      "va_list");
  return all;
}

// int8_t, u_int32_t, uint_fast16_t.
bool is_integer_type(const std::string& name) {
  for (const char* start :
       {"int", "uint", "u_int", "int_fast", "uint_fast", "int_least", "uint_least"})
    for (const char* bits : {"8", "16", "32", "64"})
      if (name == std::string(start) + bits + "_t") return true;
  return false;
}

// Limits of the integer types: INT8_MAX, UINT_FAST64_MAX, INT64_C.
bool is_limit(const std::string& name) {
  if (!name.starts_with("INT") && !name.starts_with("UINT")) return false;
  return name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C") ||
         name.ends_with("_WIDTH");
}

}  // namespace

bool is_function_of_headers(const std::string& name) {
  return functions().contains(name);
}

bool is_header_name(const std::string& name) {
  if (macros().contains(name) || types().contains(name)) return true;
  if (is_integer_type(name) || is_limit(name)) return true;
  for (const char* family : {"HK_", "HOCKET_", "pthread_"}) {
    if (name.starts_with(family)) return true;
  }
  return false;
}

}  // namespace hocket::codegen
