# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# The configs of configs/ inside the program, so that `reproduce` needs no files beside it.

# Sets OUT to a source file that holds every configs/FOLDER/NAME.toml under the name FOLDER/NAME.
function(fluidsplat_embed_configs OUT)
  set(source ${CMAKE_BINARY_DIR}/embedded_configs.cpp)
  file(GLOB_RECURSE configs CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/configs/*.toml)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${configs})
  set(text "// Made of configs/ by cmake/FluidsplatConfigs.cmake.\n#include \"reproduce/embedded_configs.h\"\n\n"
    "namespace fluidsplat::reproduce {\n\nconst std::map<std::string, std::string>& embedded_configs() {\n"
    "  static const std::map<std::string, std::string> kConfigs = {\n")
  string(JOIN "" text ${text})
  foreach(config ${configs})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/${config})
    file(READ ${PROJECT_SOURCE_DIR}/configs/${config} contents)
    string(REGEX REPLACE "\\.toml$" "" name ${config})
    string(APPEND text "      {\"${name}\", R\"toml(${contents})toml\"},\n")
  endforeach()
  string(APPEND text "  };\n  return kConfigs;\n}\n\n}  // namespace fluidsplat::reproduce\n")
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  set(${OUT} ${source} PARENT_SCOPE)
endfunction()
