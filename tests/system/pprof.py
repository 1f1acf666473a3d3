#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sums of profiles of pprof, over all files that are named, as JSON: {"cpu": ns, ...}.
#
# Field numbers of profile.proto.
import gzip
import json
import sys

from wire import fields, number


def numbers(data):
    at, found = 0, []
    while at < len(data):
        value, at = number(data, at)
        found.append(value)
    return found


def check_locations(locations, functions, mappings):
    for location in locations.values():
        assert location.get(2, 0) == 0 or location[2] in mappings
        assert dict(fields(location[4]))[1] in functions


def read_sums(path):
    types, samples, locations, functions, mappings, strings = [], [], {}, {}, set(), []
    for field, value in fields(gzip.open(path).read()):
        if field == 1:
            types.append(dict(fields(value)))
        elif field == 2:
            samples.append({key: numbers(of) for key, of in fields(value)})
        elif field == 3:
            mappings.add(dict(fields(value))[1])
        elif field == 4:
            location = dict(fields(value))
            locations[location[1]] = location
        elif field == 5:
            function = dict(fields(value))
            functions[function[1]] = function
        elif field == 6:
            strings.append(value.decode())
    assert strings[0] == ""
    check_locations(locations, functions, mappings)
    for sample in samples:
        assert len(sample[2]) == len(types) and all(id in locations for id in sample[1])
    names = [strings[kind[1]] for kind in types]
    return dict(zip(names, (sum(of) for of in zip(*(sample[2] for sample in samples)))))


sums = {}
for path in sys.argv[1:]:
    for name, value in read_sums(path).items():
        sums[name] = sums.get(name, 0) + value
print(json.dumps(sums))
