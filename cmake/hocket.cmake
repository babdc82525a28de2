# What a room's and a test folder's CMakeLists.txt call:
#
#   hocket_room(NAME [LINK lib...] [EXCLUDE regex...])   library hocket_NAME from src/NAME/**
#   hocket_tests(NAME [ROOMS room...] [LINK lib...] [TIMEOUT seconds])
#                                                        gtest binary test_NAME from tests/NAME/**
#   hocket_fuzzer(NAME FILE [ROOMS room...])             libFuzzer binary, built by `hocket_fuzz`
#
# Rooms link what the table in rooms.cmake allows them, so a room cannot reach another one by
# accident; LLVM's headers are visible to src/codegen/llvm alone.

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(HOCKET_ROOMS "")
foreach(line IN LISTS HOCKET_ROOM_TABLE)
  string(REGEX MATCH "^([a-z]+):(.*)$" _ "${line}")
  list(APPEND HOCKET_ROOMS ${CMAKE_MATCH_1})
  separate_arguments(HOCKET_MAY_USE_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_2}")
endforeach()
foreach(room IN LISTS HOCKET_ROOMS)
  if(HOCKET_MAY_USE_${room} STREQUAL "*")
    set(HOCKET_MAY_USE_${room} ${HOCKET_ROOMS})
    list(REMOVE_ITEM HOCKET_MAY_USE_${room} tools python compat)
  endif()
endforeach()

# A room exists once it has a CMakeLists.txt.
function(hocket_existing_rooms out)
  set(found "")
  foreach(room IN LISTS ARGN)
    if(EXISTS ${PROJECT_SOURCE_DIR}/src/${room}/CMakeLists.txt)
      list(APPEND found hocket_${room})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(hocket_room name)
  cmake_parse_arguments(ROOM "" "" "LINK;EXCLUDE" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*.c)
  foreach(pattern IN LISTS ROOM_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  hocket_existing_rooms(uses ${HOCKET_MAY_USE_${name}})

  if(NOT sources)
    add_library(hocket_${name} INTERFACE)
    set(scope INTERFACE)
    set(private INTERFACE)
  else()
    add_library(hocket_${name} STATIC ${sources})
    set(scope PUBLIC)
    set(private PRIVATE)
  endif()
  target_include_directories(hocket_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(hocket_${name} ${scope} cxx_std_20)
  if(name STREQUAL "abi" OR name STREQUAL "api")
    target_include_directories(hocket_${name} ${scope} ${PROJECT_SOURCE_DIR}/include)
  endif()
  target_link_libraries(hocket_${name} ${scope} ${uses} ${private} ${ROOM_LINK})
  if(sources)  # a room of headers alone would pass the warnings on to its users
    target_link_libraries(hocket_${name} PRIVATE hocket_warnings)
  endif()

  if(name STREQUAL "codegen")
    set(llvm_sources ${sources})
    list(FILTER llvm_sources INCLUDE REGEX "/src/codegen/llvm/")
    if(llvm_sources)
      separate_arguments(defines NATIVE_COMMAND "${LLVM_DEFINITIONS}")
      set_property(SOURCE ${llvm_sources} APPEND PROPERTY COMPILE_OPTIONS
        -isystem ${LLVM_INCLUDE_DIRS} ${defines})
      target_link_libraries(hocket_codegen PRIVATE LLVM)
    endif()
  endif()
endfunction()

function(hocket_tests name)
  cmake_parse_arguments(TESTS "" "TIMEOUT" "ROOMS;LINK" ${ARGN})
  if(NOT TESTS_TIMEOUT)
    set(TESTS_TIMEOUT 240)
  endif()
  set(dir ${PROJECT_SOURCE_DIR}/tests/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_fuzzer\\.cpp$")
  if(NOT sources)
    return()
  endif()
  hocket_existing_rooms(uses ${name} ${TESTS_ROOMS})
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE
    ${uses} ${TESTS_LINK} hocket_testing hocket_warnings GTest::gmock GTest::gtest GTest::gtest_main)
  # Memory that is not to be had is an error that tests provoke; a sanitizer would end them there.
  set(environment)
  if(HOCKET_SANITIZE MATCHES "thread")
    set(environment ENVIRONMENT TSAN_OPTIONS=allocator_may_return_null=1)
  elseif(HOCKET_SANITIZE)
    set(environment ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1)
  endif()
  # Listed when ctest starts, not when the binary is linked: a build stays a build.
  gtest_discover_tests(test_${name}
    TEST_PREFIX ${name}.
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 180
    PROPERTIES TIMEOUT ${TESTS_TIMEOUT} ENVIRONMENT_MODIFICATION HOCKET_VERIFY=set:1 ${environment})
endfunction()

function(hocket_fuzzer name file)
  cmake_parse_arguments(FUZZER "" "" "ROOMS;LINK" ${ARGN})
  if(NOT HOCKET_SANITIZE MATCHES "fuzzer")
    return()
  endif()
  hocket_existing_rooms(uses ${FUZZER_ROOMS})
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${file})
  target_link_libraries(fuzz_${name} PRIVATE ${uses} ${FUZZER_LINK} hocket_testing hocket_warnings)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(hocket_fuzz fuzz_${name})
endfunction()
