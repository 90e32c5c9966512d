# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that the modules see of each other what they declare and nothing else, and that HACKING.md shows the graph as
# it is.  Everything follows from the calls of fluidsplat_module, which must have been made before.

# Sets OUT to the modules that NAME depends on, directly or not.
function(fluidsplat_all_dependencies NAME OUT)
  get_property(direct GLOBAL PROPERTY FLUIDSPLAT_DEPENDS_${NAME})
  set(all ${direct})
  foreach(dependency ${direct})
    fluidsplat_all_dependencies(${dependency} more)
    list(APPEND all ${more})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${OUT} ${all} PARENT_SCOPE)
endfunction()

# One test per module: the preprocessor, with the module's own include path, finds each header of its dependencies and
# no header of any other module.  A link that was not declared shows up here, whoever made it.
function(fluidsplat_add_layering_tests)
  get_property(modules GLOBAL PROPERTY FLUIDSPLAT_MODULES)
  foreach(module ${modules})
    fluidsplat_all_dependencies(${module} visible)
    list(APPEND visible ${module})
    set(text "// What ${module} may include, and what not.\n")
    foreach(other ${modules})
      get_property(headers GLOBAL PROPERTY FLUIDSPLAT_HEADERS_${other})
      foreach(header ${headers})
        if(other IN_LIST visible)
          string(APPEND text "#if !__has_include(\"${header}\")\n"
            "#error \"${module} depends on ${other} but does not find ${header}\"\n#endif\n")
        else()
          string(APPEND text "#if __has_include(\"${header}\")\n"
            "#error \"${module} finds ${header} although it does not depend on ${other}\"\n#endif\n")
        endif()
      endforeach()
    endforeach()
    set(source ${CMAKE_BINARY_DIR}/layering/${module}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    add_test(NAME layering.${module} COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only
      "-I$<JOIN:$<TARGET_PROPERTY:fluidsplat_${module},INCLUDE_DIRECTORIES>,;-I>" ${source} COMMAND_EXPAND_LISTS)
  endforeach()
endfunction()

# The target `graph` prints the graph as HACKING.md shows it; a test compares the two.  Another looks for ways around
# the include windows: headers that belong to no module, and includes that climb out of their folder.
function(fluidsplat_add_graph)
  get_property(modules GLOBAL PROPERTY FLUIDSPLAT_MODULES)
  set(graph "")
  set(headers "")
  foreach(module ${modules})
    get_property(depends GLOBAL PROPERTY FLUIDSPLAT_DEPENDS_${module})
    list(TRANSFORM depends REPLACE "(.+)" "`\\1`")
    list(JOIN depends ", " depends)
    string(APPEND graph "- `${module}` -> ${depends}\n")
    get_property(own GLOBAL PROPERTY FLUIDSPLAT_HEADERS_${module})
    list(APPEND headers ${own})
  endforeach()
  string(REPLACE " -> \n" "\n" graph "${graph}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/layering/graph.md CONTENT "${graph}" @ONLY)
  add_custom_target(graph COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_BINARY_DIR}/layering/graph.md VERBATIM)
  add_test(NAME layering.graph_in_hacking_is_current COMMAND ${CMAKE_COMMAND}
    -D HACKING=${PROJECT_SOURCE_DIR}/HACKING.md -D GRAPH=${CMAKE_BINARY_DIR}/layering/graph.md
    -P ${PROJECT_SOURCE_DIR}/tests/graph_is_current.cmake)
  list(JOIN headers "\n" headers)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/layering/headers.txt CONTENT "${headers}\n" @ONLY)
  add_test(NAME layering.no_way_around COMMAND ${CMAKE_COMMAND}
    -D SOURCE=${PROJECT_SOURCE_DIR}/src -D HEADERS=${CMAKE_BINARY_DIR}/layering/headers.txt
    -P ${PROJECT_SOURCE_DIR}/tests/no_way_around.cmake)
endfunction()
