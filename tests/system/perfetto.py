# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads Perfetto's wire format on its own: numbers of fields of trace_packet.proto.  Prints the
# slices of a file: calls and nanoseconds by name, and how many slices each named track has.
#
#     python3 perfetto.py FILE
import json, sys

from wire import fields, number

names, events, functions, frames, stacks, samples, tracks = {}, [], {}, {}, {}, 0, {}
for _, packet in fields(open(sys.argv[1], "rb").read()):
    packet = dict(fields(packet))
    for key, data in fields(packet.get(12, b"")):
        of = dict(fields(data))
        if key == 2:
            names[of[1]] = of[2].decode()
        elif key == 5:
            functions[of[1]] = of[2].decode()
        elif key == 6:
            assert of[2] in functions
            frames[of[1]] = of[2]
        elif key == 7:
            stacks[of[1]] = [value for field, value in fields(data) if field == 2]
            assert all(frame in frames for frame in stacks[of[1]])
    if 60 in packet:
        track = dict(fields(packet[60]))
        tracks[track[1]] = track.get(2, b"").decode()
    if 66 in packet:
        sample = dict(fields(packet[66]))
        assert sample.get(4, 0) in stacks or 4 not in sample
        samples += 1
    if 11 in packet:
        event = dict(fields(packet[11]))
        assert event[11] in tracks
        events.append((packet[8], event))
events.sort(key=lambda of: of[0])
open_slices, sums, calls, slices = {}, {}, {}, {}
for time, event in events:
    if event[9] == 1:
        open_slices.setdefault(event[11], []).append((time, names[event[10]]))
    elif event[9] == 2:
        start, name = open_slices[event[11]].pop()
        sums[name] = sums.get(name, 0) + time - start
        calls[name] = calls.get(name, 0) + 1
        track = tracks[event[11]]
        slices[track] = slices.get(track, 0) + 1
assert not any(open_slices.values())
print(json.dumps({"ns": sums, "calls": calls, "samples": samples,
                  "slices": slices}))
