# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Man pages and shell completions from what the program says of its commands, and Debian packages: `cpack` in the build
# folder makes libfluidsplat0, libfluidsplat-dev, fluidsplat, python3-fluidsplat and python3-fluidsplat-training.
set(Python_EXECUTABLE ${FLUIDSPLAT_PYTHON})
find_package(Python 3.9 COMPONENTS Interpreter QUIET)
if(Python_FOUND)
  set(command_docs ${CMAKE_BINARY_DIR}/command-docs)
  add_custom_command(OUTPUT ${command_docs}/completion/fluidsplat
    COMMAND ${FLUIDSPLAT_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/command_docs.py ${commands_json} ${PROJECT_VERSION} ${command_docs}
    DEPENDS ${commands_json} scripts/command_docs.py VERBATIM)
  add_custom_target(command_docs ALL DEPENDS ${command_docs}/completion/fluidsplat)
  install(DIRECTORY ${command_docs}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${command_docs}/completion/fluidsplat DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${command_docs}/completion/_fluidsplat DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
  install(FILES ${command_docs}/completion/fluidsplat.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The fluidsplat authors <fluidsplat@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENTS_ALL library development program python python_training)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfluidsplat0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "flow fields from sparse sensors: the library\n A trained model as a C library without a deep-learning framework.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libfluidsplat-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfluidsplat0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "flow fields from sparse sensors: headers\n Headers, CMake package and pkg-config file of libfluidsplat.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fluidsplat)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "flow fields from sparse sensors: the program\n Trains models on flow data and reconstructs fields from sensor readings.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fluidsplat)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
math(EXPR next_minor "0${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-fluidsplat-training, python3-matplotlib, python3-pandas")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "flow fields from sparse sensors: Python\n Opens trained models and reconstructs fields; needs no deep-learning framework.")
set(CPACK_DEBIAN_PYTHON_TRAINING_PACKAGE_NAME python3-fluidsplat-training)
set(CPACK_DEBIAN_PYTHON_TRAINING_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_TRAINING_PACKAGE_DEPENDS "python3-fluidsplat (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PYTHON_TRAINING_DESCRIPTION "flow fields from sparse sensors: training from Python\n Datasets and training, with libtorch.")
include(CPack)
