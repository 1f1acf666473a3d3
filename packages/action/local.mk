# SPDX-License-Identifier: GPL-3.0-or-later
#
# The action of GitHub: nothing is installed.

EXTRA_DIST += \
  packages/action/README.md \
  packages/action/action.yml \
  packages/action/calibrate.sh \
  packages/action/comment.sh \
  packages/action/gate.sh \
  packages/action/run.sh
