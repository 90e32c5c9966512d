# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# The program `fluidsplat`.  Loading libtorch takes half a second, so it is not linked with it: it answers help, version
# and `reconstruct` itself and becomes fluidsplat-full for the rest.

# What fluidsplat-full knows of its commands, as text inside the front program.
set(commands_json ${CMAKE_BINARY_DIR}/commands.json)
add_custom_command(OUTPUT ${commands_json}
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:fluidsplat_full> --describe-commands > ${commands_json}
  DEPENDS fluidsplat_full VERBATIM)
set(commands_source ${CMAKE_BINARY_DIR}/commands_json.cpp)
add_custom_command(OUTPUT ${commands_source}
  COMMAND ${CMAKE_COMMAND} -D IN=${commands_json} -D OUT=${commands_source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_commands.cmake
  DEPENDS ${commands_json} cmake/embed_commands.cmake VERBATIM)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include-windows/front)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/apps/front ${CMAKE_BINARY_DIR}/include-windows/front/front SYMBOLIC)
file(RELATIVE_PATH from_bin_to_libexec /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBEXECDIR}/fluidsplat)
file(GLOB front_sources CONFIGURE_DEPENDS apps/front/*.cpp)
add_executable(fluidsplat ${front_sources} ${commands_source} apps/fluidsplat/file_kind.cpp apps/fluidsplat/force_options.cpp
  apps/fluidsplat/model_file.cpp apps/fluidsplat/outcome.cpp apps/fluidsplat/reconstruct.cpp)
set_target_properties(fluidsplat PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
set_source_files_properties(${commands_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_compile_definitions(fluidsplat PRIVATE FLUIDSPLAT_VERSION="${PROJECT_VERSION}"
  FLUIDSPLAT_FROM_BIN_TO_LIBEXEC="${from_bin_to_libexec}")
target_include_directories(fluidsplat PRIVATE ${CMAKE_BINARY_DIR}/include-windows/app ${CMAKE_BINARY_DIR}/include-windows/front)
target_link_libraries(fluidsplat PRIVATE fluidsplat_reconstruct fluidsplat_report CLI11::CLI11 fluidsplat_flags)
# VTK's libraries that draw would cost more than all the rest.
target_link_options(fluidsplat PRIVATE -Wl,--as-needed)
install(TARGETS fluidsplat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
