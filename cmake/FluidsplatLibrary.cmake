# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# The library that users link: libfluidsplat, its headers, its CMake package and its pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The C interface once, for the library and for the Python module.
add_library(fluidsplat_c_api OBJECT src/runtime/shared/c_api.cpp)
set_target_properties(fluidsplat_c_api PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(fluidsplat_c_api PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(fluidsplat_c_api PRIVATE fluidsplat_runtime fluidsplat_flags)

add_library(fluidsplat_shared SHARED $<TARGET_OBJECTS:fluidsplat_c_api>)
set_target_properties(fluidsplat_shared PROPERTIES
  OUTPUT_NAME fluidsplat EXPORT_NAME fluidsplat
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX)
target_include_directories(fluidsplat_shared PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(fluidsplat_shared PRIVATE $<BUILD_INTERFACE:fluidsplat_runtime> $<BUILD_INTERFACE:fluidsplat_flags>)
# Only the C functions are visible, and only libraries that are really called are needed at run time.
target_link_options(fluidsplat_shared PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed -Wl,--gc-sections)

install(TARGETS fluidsplat_shared EXPORT fluidsplatTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY include/fluidsplat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT fluidsplatTargets NAMESPACE fluidsplat:: COMPONENT development
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fluidsplat)
file(WRITE ${CMAKE_BINARY_DIR}/fluidsplatConfig.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/fluidsplatTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fluidsplatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# The installed tree may be moved, or be installed elsewhere than configured: the file finds the prefix from its own place.
file(RELATIVE_PATH FLUIDSPLAT_FROM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" FLUIDSPLAT_FROM_PC_TO_PREFIX "${FLUIDSPLAT_FROM_PC_TO_PREFIX}")
configure_file(cmake/fluidsplat.pc.in ${CMAKE_BINARY_DIR}/fluidsplat.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/fluidsplatConfig.cmake ${CMAKE_BINARY_DIR}/fluidsplatConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fluidsplat COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/fluidsplat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Tests: the C interface in this build, and the examples against an installed tree.
add_executable(test_c_api tests/c_api_test.cpp)
target_link_libraries(test_c_api PRIVATE fluidsplat_shared fluidsplat_runtime fluidsplat_flags GTest::gtest_main)
gtest_discover_tests(test_c_api DISCOVERY_MODE PRE_TEST TEST_PREFIX "c_api." DISCOVERY_TIMEOUT 60)
add_executable(write_random_model tests/write_random_model.cpp)
target_link_libraries(write_random_model PRIVATE fluidsplat_runtime fluidsplat_flags)
if(NOT FLUIDSPLAT_SANITIZE)
  add_test(NAME installed_examples COMMAND ${CMAKE_COMMAND}
    -D BUILD=${CMAKE_BINARY_DIR} -D SOURCE=${PROJECT_SOURCE_DIR} -D GENERATOR=${CMAKE_GENERATOR}
    -D MODEL_WRITER=$<TARGET_FILE:write_random_model> -D LIBRARY=$<TARGET_FILE:fluidsplat_shared>
    -D LIBDIR=${CMAKE_INSTALL_LIBDIR} -P ${PROJECT_SOURCE_DIR}/tests/installed_examples.cmake)
endif()
