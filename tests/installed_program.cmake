# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs everything into a folder of its own: the program is there and runs, beside the library, its headers and a
# pkg-config file that follows the prefix.
set(prefix ${BUILD}/installed-program)
file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} RESULT_VARIABLE result OUTPUT_QUIET
  ERROR_VARIABLE err)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "cmake --install: ${err}")
endif()
execute_process(COMMAND ${prefix}/bin/fluidsplat --version RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT result EQUAL 0 OR NOT out MATCHES "^fluidsplat [0-9]")
  message(FATAL_ERROR "bin/fluidsplat --version: ${result}\n${out}\n${err}")
endif()
# What needs libtorch is in another program, which the first finds from its own place.
execute_process(COMMAND ${prefix}/bin/fluidsplat train no-such.toml RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT result EQUAL 1 OR NOT err MATCHES "no-such.toml")
  message(FATAL_ERROR "bin/fluidsplat train no-such.toml: ${result}\n${out}\n${err}")
endif()
foreach(file include/fluidsplat/fluidsplat.h ${LIBDIR}/libfluidsplat.so ${LIBDIR}/pkgconfig/fluidsplat.pc)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  execute_process(COMMAND ${PKG_CONFIG} --cflags-only-I fluidsplat OUTPUT_VARIABLE out)
  file(REAL_PATH ${prefix} real)
  string(REGEX REPLACE "-I([^ \n]*).*" "\\1" folder "${out}")
  file(REAL_PATH "${folder}" folder)
  if(NOT folder STREQUAL "${real}/include")
    message(FATAL_ERROR "fluidsplat.pc names ${folder}, not ${real}/include")
  endif()
endif()
