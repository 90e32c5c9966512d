#!/bin/sh
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
#
# 02: from an OpenFOAM case with probes to fields for ParaView.
#
#   02_openfoam_to_paraview.sh CASE [MINUTES]
#
# Leaves channel.h5, runs/channel, fields/ (open fields/*.pvd) and 02_channel.png in the current folder.
set -eu
case=$1
minutes=${2:-2}
fluidsplat data import "$case" --arrays U,p --out channel.h5            # a dataset of all times
fluidsplat data info channel.h5 --picture 02_channel.png                # what is inside, and a picture
fluidsplat data probes "$case" --data channel.h5                        # sensors.csv and readings.csv
fluidsplat init channel.h5 --sensors-csv sensors.csv --minutes "$minutes" --run runs/channel --out channel.toml
fluidsplat train channel.toml
fluidsplat reconstruct runs/channel --readings readings.csv --data channel.h5 --out fields
