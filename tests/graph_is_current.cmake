# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the graph in HACKING.md, between the lines <!-- graph --> and <!-- end of graph -->, with the declared one.
cmake_minimum_required(VERSION 3.25)
file(READ ${HACKING} hacking)
file(READ ${GRAPH} graph)
if(NOT hacking MATCHES "<!-- graph -->\n(.*)<!-- end of graph -->\n")
  message(FATAL_ERROR "${HACKING}: no lines <!-- graph --> and <!-- end of graph -->")
endif()
if(NOT CMAKE_MATCH_1 STREQUAL graph)
  message(FATAL_ERROR "${HACKING}: the graph is not the declared one, which `ninja graph` prints:\n${graph}")
endif()
