# `cmake --install BUILD --prefix P`: what stands outside once the tree is gone.
#
#   bin/hocket                       the command line; carries targets/ and the pages of errors
#   lib/libhocket.so                 the C++ front end and the compiler: every room in one library
#   lib/libhocket_runtime.a          the C11 runtime, for what `hocket compile` writes
#   include/hocket/, hocket_abi.h    headers (scripts/install_headers.py), one include folder
#   share/hocket/                    hocket_runtime.c (the runtime as one file), targets/, LICENSE
#   lib/cmake/hocket/, pkgconfig/    find_package(hocket); pkg-config hocket, hocket-runtime
#
# Called by the top CMakeLists.txt where Hocket is the project itself. All paths are relative to where
# the files that name them lie, so an installed tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# One shared library, so that a user links one name and needs no development files of LLVM and Z3.
# It is made of the rooms' archives, whole: nothing is compiled twice.
set(library_source ${CMAKE_CURRENT_BINARY_DIR}/library.cpp)
file(CONFIGURE OUTPUT ${library_source} CONTENT "// libhocket.so is made of the rooms' archives.\n")
add_library(hocket_library SHARED ${library_source})
set(archives "")
foreach(room IN LISTS HOCKET_MAY_USE_api ITEMS api)
  if(TARGET hocket_${room})
    get_target_property(kind hocket_${room} TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
      list(APPEND archives hocket_${room})
    endif()
  endif()
endforeach()
list(REMOVE_DUPLICATES archives)
target_link_libraries(hocket_library PRIVATE ${archives})
list(JOIN archives "," whole)
set_target_properties(hocket_library PROPERTIES
  LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${whole}"
  OUTPUT_NAME hocket
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# LLVM's folder stays in the run path where it is not one of the system's.
set_target_properties(hocket hocket_library PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

set(headers ${CMAKE_CURRENT_BINARY_DIR}/headers)
file(GLOB_RECURSE header_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.def)
add_custom_command(OUTPUT ${headers}.stamp
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/install_headers.py ${headers}
  COMMAND ${CMAKE_COMMAND} -E touch ${headers}.stamp
  DEPENDS ${header_sources} ${PROJECT_SOURCE_DIR}/scripts/install_headers.py
  COMMENT "Gathering the public headers")
add_custom_target(hocket_headers ALL DEPENDS ${headers}.stamp)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hocket)
configure_package_config_file(cmake/hocketConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/hocketConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR
  CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/hocketConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH prefix_of_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name hocket hocket-runtime)
  configure_file(cmake/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
endforeach()

install(TARGETS hocket RUNTIME)
install(TARGETS hocket_library LIBRARY)
install(TARGETS hocket_runtime ARCHIVE)
install(DIRECTORY ${headers}/ TYPE INCLUDE)
install(DIRECTORY targets DESTINATION ${CMAKE_INSTALL_DATADIR}/hocket)
install(FILES ${HOCKET_RUNTIME_C} LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/hocket)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hocketConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/hocketConfigVersion.cmake DESTINATION ${package})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hocket.pc ${CMAKE_CURRENT_BINARY_DIR}/hocket-runtime.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
