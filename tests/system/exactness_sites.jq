# SPDX-License-Identifier: GPL-3.0-or-later
#
# The allocation sites of a report against the truth that random_memory
# printed, summed over the chains that go through each function site_NN: a line
# for each number that differs, nothing when all agree.
#
#   jq -r -n --slurpfile truth T --slurpfile memory M -f exactness_sites.jq

# What a row of the report must have; the same names in the truth.
def keys_compared:
    ["allocations", "allocated_bytes", "frees", "freed_bytes", "live_blocks", "live_bytes",
     "peak_blocks", "peak_bytes"];

# The function of the generator in a row's chain.
def function_of: first(.chain[].function | select(. != null and startswith("site_")));

def sum_by_function:
    reduce (.[] | . + {name: function_of}) as $row ({};
        reduce keys_compared[] as $key (.; .[$row.name][$key] += $row[$key]));

def zero: . == null or . == 0;

($memory[0].sites | sum_by_function) as $found
| $truth[] | select(.kind == "site") | . as $site
| keys_compared[] | . as $key
| $found[$site.name][$key] as $value
| select(if $site.allocations == 0 then ($value | zero | not) else $value != $site[$key] end)
| "\($site.name): \($key) is \($value), the truth is \($site[$key])"
