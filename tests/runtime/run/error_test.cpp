// Errors: the default handler, replaced handlers, texts, printing, the table of names.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "abi/hocket_abi.h"

namespace {

std::string last_message() {
  char text[512];
  hocket_error_message(hocket_last_error(), text, sizeof text);
  return text;
}

TEST(errors, the_default_handler_remembers_per_thread) {
  hocket_clear_last_error();
  EXPECT_EQ(hocket_last_error(), nullptr);
  EXPECT_EQ(hocket_fail_size(nullptr, "gemm", "N", 0), HOCKET_ERROR_SIZE_TOO_SMALL);
  ASSERT_NE(hocket_last_error(), nullptr);
  EXPECT_EQ(last_message(), "`gemm`: `N` is a size and must be at least 1, is 0");
  std::thread([] { EXPECT_EQ(hocket_last_error(), nullptr); }).join();
  hocket_clear_last_error();
  EXPECT_EQ(hocket_last_error(), nullptr);
}

TEST(errors, texts_are_copied) {
  {
    std::string pipeline = "short lived", text(300, 'x');
    hocket_fail_check(nullptr, pipeline.c_str(), text.c_str());
    pipeline[0] = text[0] = '?';
  }
  EXPECT_EQ(last_message(), "`short lived`: check failed: " + std::string(127, 'x'));
}

TEST(errors, reports_of_generated_code) {
  EXPECT_EQ(hocket_fail_range(nullptr, "p", "n", 1, 5, 9), HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  EXPECT_EQ(last_message(), "`p`: `n` must be from 1 to 5, is 9");
  EXPECT_EQ(hocket_fail_memory(nullptr, "p", "bh", 4096), HOCKET_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(last_message(), "`p`: `bh` needs 4096 bytes that cannot be allocated");
  EXPECT_EQ(hocket_fail_internal(nullptr, "p", "why"), HOCKET_ERROR_INTERNAL);
  EXPECT_EQ(last_message(), "`p`: bug in Hocket: why");
}

TEST(errors, every_code_has_words_of_its_own) {
  std::set<std::string> messages;
  for (int32_t code = HOCKET_ERROR_INTERNAL; code < 0; ++code) {
    hocket_error_t error = {};
    error.code = code;
    char text[256];
    hocket_error_message(&error, text, sizeof text);
    EXPECT_EQ(std::string(text).find("error "), std::string::npos) << text;
    EXPECT_TRUE(messages.insert(text).second) << text;
  }
  hocket_error_t unknown = {};
  unknown.code = 12345;
  char text[64];
  hocket_error_message(&unknown, text, sizeof text);
  EXPECT_STREQ(text, "error 12345");
}

TEST(errors, messages_are_cut_to_the_buffer_and_terminated) {
  hocket_error_t error = {};
  error.code = HOCKET_ERROR_BUFFER_NULL;
  error.pipeline = "blur";
  error.argument = "input";
  const std::string whole = "`blur`: `input` is null";
  EXPECT_EQ(hocket_error_message(&error, nullptr, 0), whole.size());
  for (size_t size = 1; size < 40; ++size) {
    char text[48];
    std::memset(text, '#', sizeof text);
    EXPECT_EQ(hocket_error_message(&error, text, size), whole.size());
    EXPECT_EQ(std::string(text), whole.substr(0, size - 1));
    EXPECT_EQ(text[size], size > whole.size() ? '#' : text[size]);
    EXPECT_EQ(text[size + 1], '#');
  }
}

TEST(errors, handler_of_the_context_before_that_of_the_process) {
  static int of_context, of_process;
  of_context = of_process = 0;
  hocket_hooks_t hooks = {};
  hooks.error = [](const hocket_context_t* context, int32_t, const hocket_error_t*) {
    ++*static_cast<int*>(context->user);
  };
  const hocket_context_t context = {&of_context, &hooks};
  const hocket_error_fn process = [](const hocket_context_t*, int32_t, const hocket_error_t*) {
    ++of_process;
  };
  hocket_clear_last_error();
  hocket_set_error_handler(process);
  hocket_fail_check(&context, "p", "t");
  hocket_fail_check(nullptr, "p", "t");
  const hocket_context_t bare = {nullptr, nullptr};
  hocket_fail_check(&bare, "p", "t");
  EXPECT_EQ(hocket_set_error_handler(nullptr), process);
  EXPECT_EQ(of_context, 1);
  EXPECT_EQ(of_process, 2);
  EXPECT_EQ(hocket_last_error(), nullptr);
  hocket_fail_check(nullptr, "p", "t");
  EXPECT_NE(hocket_last_error(), nullptr);
}

TEST(print, goes_to_the_hook) {
  static std::string printed;
  printed.clear();
  hocket_set_print([](const hocket_context_t*, const char* text) { printed += text; });
  hocket_print(nullptr, "a\n");
  hocket_hooks_t hooks = {};
  hooks.print = [](const hocket_context_t*, const char* text) {
    printed += std::string("<") + text;
  };
  const hocket_context_t context = {nullptr, &hooks};
  hocket_print(&context, "b\n");
  hocket_set_print(nullptr);
  EXPECT_EQ(printed, "a\n<b\n");
}

TEST(table, names_and_addresses) {
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  std::set<std::string> names;
  ASSERT_GT(count, 10);
  for (int i = 0; i < count; ++i) {
    EXPECT_TRUE(names.insert(table[i].name).second) << table[i].name;
    EXPECT_NE(table[i].address, nullptr);
  }
  void* const wanted = reinterpret_cast<void*>(&hocket_do_par_for);
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(table[i].name, "hocket_do_par_for") == 0) {
      EXPECT_EQ(table[i].address, wanted);
    }
  }
  for (const char* name : {"hocket_call", "hocket_malloc", "hocket_free", "hocket_do_par_for",
                           "hocket_do_parallel_tasks", "hocket_semaphore_acquire",
                           "hocket_fail_check", "hocket_fp_enter"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

}  // namespace
