#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the steps of a composite action as the runner of GitHub Actions does, as far as ours needs
# it: inputs with their defaults, outputs of steps, and conditions that compare an input.
#
#   action.py FOLDER [INPUT=VALUE ...]
#
# Ends with the status of the first step that fails, and prints the outputs of the action.

import os
import pathlib
import re
import subprocess
import sys

import yaml

folder = pathlib.Path(sys.argv[1]).resolve()
action = yaml.safe_load((folder / "action.yml").read_text())
given = dict(word.split("=", 1) for word in sys.argv[2:])
assert given.keys() <= action["inputs"].keys(), given
known = {"github.token": "s3cret"}
outputs = pathlib.Path("outputs.txt").resolve()


def fill(text):
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: known.get(found[1], ""), text)


for name, row in action["inputs"].items():
    assert name in given or "default" in row, f"{name} is required"
    known[f"inputs.{name}"] = given.get(name, fill(row.get("default", "")))

assert action["runs"]["using"] == "composite"
for step in action["runs"]["steps"]:
    condition = re.fullmatch(r"([\w.-]+) == '(\w+)'", step.get("if", "inputs == ''"))
    if condition and known.get(condition[1], "") != condition[2]:
        continue
    assert step["shell"] == "sh" and "${{" not in step["run"], step
    outputs.write_text("")
    environment = {key: fill(value) for key, value in step.get("env", {}).items()}
    status = subprocess.run(["sh", "-e", "-c", step["run"]], check=False, env=dict(
        os.environ, **environment, GITHUB_ACTION_PATH=str(folder),
        GITHUB_OUTPUT=str(outputs))).returncode
    for line in outputs.read_text().splitlines():
        key, value = line.split("=", 1)
        known[f"steps.{step['id']}.outputs.{key}"] = value
    if status != 0:
        break
for name, row in action["outputs"].items():
    print(f"{name}: {fill(row['value'])}", file=sys.stderr)
sys.exit(status)
