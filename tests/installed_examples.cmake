# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the library into a folder of its own, builds both examples against it as a user would, and runs them on a
# model file.  Also: the library is small and needs no deep-learning framework.
set(work ${BUILD}/installed-examples)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

# run(command...): stops the test when the command fails; its output is in `output`.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}: ${result}\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

foreach(component library development)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component ${component})
endforeach()
run(${MODEL_WRITER} ${work}/model.safetensors)
foreach(language c cpp)
  run(${CMAKE_COMMAND} -S ${SOURCE}/examples/${language} -B ${work}/${language} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build ${work}/${language})
endforeach()

# The random model has five sensors of two channels, of which the last sees one: nine readings.
run(${work}/c/reconstruct_c ${work}/model.safetensors 0.5 nan 1.5 0.1 0.2 0.3 nan nan 0.4)
string(REGEX MATCHALL "\n" lines "${output}")
list(LENGTH lines count)
if(NOT output MATCHES "^x0,x1,u,v\n" OR NOT count EQUAL 257 OR output MATCHES "nan")
  message(FATAL_ERROR "the C example printed:\n${output}")
endif()
execute_process(COMMAND ${work}/c/reconstruct_c ${work}/model.safetensors 0.5 nan 1.5
  RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(result EQUAL 0 OR NOT out STREQUAL "" OR NOT err MATCHES "3 readings given, the sensors measure 9")
  message(FATAL_ERROR "the C example took 3 readings for 9:\n${out}\n${err}")
endif()
run(${work}/cpp/silent_sensors ${work}/model.safetensors)
if(NOT output MATCHES "sensor 0: [0-9.e-]+\n.*sensor 4: ")
  message(FATAL_ERROR "the C++ example printed:\n${output}")
endif()

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  run(${PKG_CONFIG} --cflags --libs fluidsplat)
  string(STRIP "${output}" output)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(cc ${SOURCE}/examples/c/reconstruct.c ${flags} -lm -o ${work}/with_pkg_config)
endif()

file(SIZE ${LIBRARY} size)
if(size GREATER 3000000)
  message(FATAL_ERROR "${LIBRARY} has ${size} bytes; it must stay under 3 MB")
endif()
run(ldd ${LIBRARY})
if(output MATCHES "torch|hdf5|vtk|libpng")
  message(FATAL_ERROR "${LIBRARY} needs libraries that the runtime must not need:\n${output}")
endif()
