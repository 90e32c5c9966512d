# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes of the JSON file IN the source OUT that holds it as text.
file(READ ${IN} text)
file(WRITE ${OUT} "// Made of commands.json by cmake/embed_commands.cmake.\n#include \"front/commands_json.h\"\n\n"
  "namespace fluidsplat::front {\n\nconst char* const kCommandsJson = R\"json(${text})json\";\n\n"
  "}  // namespace fluidsplat::front\n")
