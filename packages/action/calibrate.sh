#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Measures the limits of this machine, which the roofline of the report needs.  A job without them
# is still judged.
set -eu
"$INPUT_TPROF" calibrate --quick > /dev/null ||
    echo "::notice title=tprof::The machine could not be measured, so the report has no roofline."
