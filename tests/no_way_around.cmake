# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Ways around the include windows: a header that no module owns, and an include that climbs out of its folder.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${HEADERS} owned)
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/*.h)
foreach(header ${headers})
  if(NOT header IN_LIST owned)
    message(SEND_ERROR "${header}: belongs to no module; name it under HEADERS of the one that it is part of")
  endif()
endforeach()

file(GLOB_RECURSE files ${SOURCE}/*.h ${SOURCE}/*.cpp)
foreach(file ${files})
  file(STRINGS ${file} climbing REGEX "^[ \t]*#[ \t]*include[ \t]*\"\\.\\.?/")
  if(climbing)
    message(SEND_ERROR "${file}: ${climbing}: include by the name of the folder")
  endif()
endforeach()
