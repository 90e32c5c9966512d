# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder of src/ is one library.  A module's headers are reachable only through the include directory that its own
# target exports (its window), so `#include "learn/model.h"` compiles only in targets that link fluidsplat_learn: the
# dependency graph is enforced by the compiler, not by habit.

# fluidsplat_module(NAME [FOLDER folder] [DEPENDS module...] [LINK lib...] [EXCLUDE subfolder...]
#                   [SOURCES file... HEADERS file... TESTS file... LONG_TESTS file...])
#
# Every *.cpp of src/FOLDER and its sub-folders belongs to the library, except those of the sub-folders under EXCLUDE;
# *_test.cpp become the executable test_NAME, and *_long_test.cpp (checks of minutes, which CTest runs only with the
# label `long`) test_NAME_long.  FOLDER is NAME if not given.
#
# Several modules that share a FOLDER list their SOURCES, TESTS and LONG_TESTS instead.  The header of a source is part
# of its module; HEADERS are those that have no source.
#
# A module DEPENDS on modules that were declared before it, so the graph has no cycles.
function(fluidsplat_module NAME)
  cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS;LINK;EXCLUDE;SOURCES;HEADERS;TESTS;LONG_TESTS" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${NAME})
  endif()
  get_property(declared GLOBAL PROPERTY FLUIDSPLAT_MODULES)
  foreach(dependency ${ARG_DEPENDS})
    if(NOT dependency IN_LIST declared)
      message(FATAL_ERROR "${NAME} depends on ${dependency}, which is no module declared before it (${declared})")
    endif()
  endforeach()

  set(dir ${PROJECT_SOURCE_DIR}/src/${ARG_FOLDER})
  set(window ${CMAKE_BINARY_DIR}/include-windows/${NAME})
  file(REMOVE_RECURSE ${window})
  file(MAKE_DIRECTORY ${window})
  if(ARG_SOURCES)
    foreach(source ${ARG_SOURCES})
      string(REGEX REPLACE "\\.cpp$" ".h" header ${source})
      if(EXISTS ${dir}/${header})
        list(APPEND ARG_HEADERS ${header})
      endif()
    endforeach()
    file(MAKE_DIRECTORY ${window}/${ARG_FOLDER})
    foreach(header ${ARG_HEADERS})
      file(CREATE_LINK ${dir}/${header} ${window}/${ARG_FOLDER}/${header} SYMBOLIC)
    endforeach()
    list(TRANSFORM ARG_SOURCES PREPEND ${dir}/)
    list(TRANSFORM ARG_TESTS PREPEND ${dir}/)
    list(TRANSFORM ARG_LONG_TESTS PREPEND ${dir}/)
  else()
    file(GLOB_RECURSE ARG_SOURCES CONFIGURE_DEPENDS ${dir}/*.cpp)
    file(GLOB_RECURSE ARG_HEADERS CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/*.h)
    foreach(subfolder ${ARG_EXCLUDE})
      list(FILTER ARG_SOURCES EXCLUDE REGEX "^${dir}/${subfolder}/")
      list(FILTER ARG_HEADERS EXCLUDE REGEX "^${subfolder}/")
    endforeach()
    set(ARG_TESTS ${ARG_SOURCES})
    list(FILTER ARG_SOURCES EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER ARG_TESTS INCLUDE REGEX "_test\\.cpp$")
    set(ARG_LONG_TESTS ${ARG_TESTS})
    list(FILTER ARG_TESTS EXCLUDE REGEX "_long_test\\.cpp$")
    list(FILTER ARG_LONG_TESTS INCLUDE REGEX "_long_test\\.cpp$")
    file(CREATE_LINK ${dir} ${window}/${ARG_FOLDER} SYMBOLIC)
  endif()

  # What the layering tests and the graph are made of.
  list(TRANSFORM ARG_HEADERS PREPEND ${ARG_FOLDER}/)
  set_property(GLOBAL APPEND PROPERTY FLUIDSPLAT_MODULES ${NAME})
  set_property(GLOBAL PROPERTY FLUIDSPLAT_DEPENDS_${NAME} ${ARG_DEPENDS})
  set_property(GLOBAL PROPERTY FLUIDSPLAT_HEADERS_${NAME} ${ARG_HEADERS})

  set(lib fluidsplat_${NAME})
  add_library(${lib} STATIC ${ARG_SOURCES})
  target_include_directories(${lib} PUBLIC ${window})
  list(TRANSFORM ARG_DEPENDS PREPEND fluidsplat_)
  target_link_libraries(${lib} PUBLIC ${ARG_DEPENDS} ${ARG_LINK} PRIVATE fluidsplat_flags)

  if(ARG_TESTS)
    add_executable(test_${NAME} ${ARG_TESTS})
    target_link_libraries(test_${NAME} PRIVATE ${lib} fluidsplat_flags GTest::gtest_main GTest::gmock)
    gtest_discover_tests(test_${NAME} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${NAME}." DISCOVERY_TIMEOUT 60)
  endif()
  if(ARG_LONG_TESTS)
    add_executable(test_${NAME}_long ${ARG_LONG_TESTS})
    target_link_libraries(test_${NAME}_long PRIVATE ${lib} fluidsplat_flags GTest::gtest_main GTest::gmock)
    gtest_discover_tests(test_${NAME}_long DISCOVERY_MODE PRE_TEST TEST_PREFIX "${NAME}." DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS long TIMEOUT 3600)
  endif()
endfunction()
