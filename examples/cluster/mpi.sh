#!/usr/bin/env bash
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# Trains one model on several hosts with Open MPI's mpirun, which only starts the processes:
#
#   examples/cluster/mpi.sh HOST,HOST,... CONFIG [key=value ...]
#
# The first host is where the ranks meet and where the run is written.
set -euo pipefail

hosts=${1:?name the hosts: mpi.sh HOST,HOST,... CONFIG}
config=${2:?name a config: mpi.sh HOST,HOST,... CONFIG}
shift 2
count=$(tr ',' '\n' <<<"$hosts" | grep -c .)

# Without --bind-to none mpirun gives each process one processor.
exec mpirun --host "$hosts" -np "$count" --map-by node --bind-to none \
  -x MASTER_ADDR="${MASTER_ADDR:-${hosts%%,*}}" -x MASTER_PORT="${MASTER_PORT:-29500}" \
  fluidsplat train "$config" "$@"
