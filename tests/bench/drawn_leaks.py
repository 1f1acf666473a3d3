#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether the tables of memory agree, drawn and exact: each program runs once with every record and
# once as usual, with records of drawn blocks.
#
#     tests/bench/drawn_leaks.py TPROF COMMAND...
#
# A command is one word for the shell.  The program must allocate the same in both runs.  A line's
# bytes that live at the end, and that it obtained, must agree within four standard errors and what
# chance leaves below one point: three points' distance.  Nothing may be freed more often than it
# was obtained.  Prints a row for each line with a part of 2 % or more, and fails if one disagrees.
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

ERRORS = 4
POINTS = 3
LEAST_SHARE = 0.02
UNITS = {'B': 1, 'KiB': 1 << 10, 'MiB': 1 << 20, 'GiB': 1 << 30}


def record(tprof, command, trace, options):
    subprocess.run([tprof, 'run', '-o', trace, *options, '--', *shlex.split(command)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    said = subprocess.run([tprof, 'leaks', '--json', '-n', '0', trace], capture_output=True,
                          text=True, check=False).stdout
    return json.loads(said)


def distance(found):
    """The largest mean distance of sampling points that a sentence names, in bytes; 0: none."""
    words = re.findall(r'one (?:block )?(?:per|in) ([\d.]+) ([KMG]?i?B)', json.dumps(found))
    return max((float(number) * UNITS[unit] for number, unit in words), default=0)


def lines_of(found):
    """By place: live bytes, their variance, blocks obtained, blocks freed."""
    lines = {}
    for table in found.values():
        if not isinstance(table, list):
            continue
        for row in table:
            if not isinstance(row, dict) or 'live_bytes' not in row:
                continue
            line = lines.setdefault(row['place'], [0, 0, 0, 0])
            line[0] += row['live_bytes'] or 0
            line[1] += (row['live_error_bytes'] or 0) ** 2
            line[2] += row['allocations'] or 0
            line[3] += row['frees'] or 0
    return lines


def compare(command, exact, drawn):
    whole = max(exact['verdict']['live_at_exit_bytes'] or 0, 1)
    rest = POINTS * distance(drawn)
    wrong = 0
    true_lines, lines = lines_of(exact), lines_of(drawn)
    for place in sorted(set(true_lines) | set(lines)):
        truth, found = true_lines.get(place, [0] * 4), lines.get(place, [0] * 4)
        if max(truth[0], found[0]) < LEAST_SHARE * whole:
            continue
        bound = ERRORS * math.sqrt(found[1]) + rest
        is_right = abs(found[0] - truth[0]) <= bound and found[3] <= found[2]
        wrong += not is_right
        print('%-4s %12d %12d ±%-12d %s: %s' %
              ('ok' if is_right else 'BAD', truth[0], found[0], bound, command, place))
    verdicts = [run['verdict']['verdict'] for run in (exact, drawn)]
    print('%-4s %s / %s: %s' % ('ok' if verdicts[0] == verdicts[1] else 'note', *verdicts, command))
    return wrong


def main(tprof, commands):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, command in enumerate(commands):
            trace = os.path.join(folder, str(number))
            exact = record(tprof, command, trace + '.exact', ['--exact'])
            wrong += compare(command, exact, record(tprof, command, trace + '.drawn', []))
    return wrong > 0


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit('usage: drawn_leaks.py TPROF COMMAND...')
    sys.exit(main(sys.argv[1], sys.argv[2:]))
