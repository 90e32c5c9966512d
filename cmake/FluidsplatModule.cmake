# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder of src/ is one library.  A folder's headers are reachable only through the include directory that its
# own target exports, so `#include "learn/model.h"` compiles only in targets that link fluidsplat_learn: the
# dependency order of the design is enforced by the compiler, not by habit.

# fluidsplat_module(NAME [FOLDER folder] [DEPENDS module...] [LINK lib...] [SOURCES file...] [TESTS file...]
#                   [LONG_TESTS file...])
#
# Without SOURCES every *.cpp of src/FOLDER belongs to the library; *_test.cpp become the executable test_NAME, and
# *_long_test.cpp (checks of minutes, which CTest runs only with the label `long`) test_NAME_long.
function(fluidsplat_module NAME)
  cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS;LINK;SOURCES;TESTS;LONG_TESTS" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${NAME})
  endif()
  set(dir ${PROJECT_SOURCE_DIR}/src/${ARG_FOLDER})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${dir}/*.cpp)
    list(FILTER ARG_SOURCES EXCLUDE REGEX "_test\\.cpp$")
    file(GLOB ARG_TESTS CONFIGURE_DEPENDS ${dir}/*_test.cpp)
    set(ARG_LONG_TESTS ${ARG_TESTS})
    list(FILTER ARG_TESTS EXCLUDE REGEX "_long_test\\.cpp$")
    list(FILTER ARG_LONG_TESTS INCLUDE REGEX "_long_test\\.cpp$")
  else()
    list(TRANSFORM ARG_SOURCES PREPEND ${dir}/)
    list(TRANSFORM ARG_TESTS PREPEND ${dir}/)
    list(TRANSFORM ARG_LONG_TESTS PREPEND ${dir}/)
  endif()

  set(window ${CMAKE_BINARY_DIR}/include-windows/${ARG_FOLDER})
  file(MAKE_DIRECTORY ${window})
  file(CREATE_LINK ${dir} ${window}/${ARG_FOLDER} SYMBOLIC)

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
