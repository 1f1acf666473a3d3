# SPDX-License-Identifier: GPL-3.0-or-later
#
# What reports say of a run of random_memory against the truth it printed: a
# line for each number that differs, nothing when all agree.
#
#   jq -r -n --slurpfile truth T --slurpfile memory M --slurpfile report R -f exactness.jq

# The same keys on both sides: a line for each that differs.
def compare($what; $found; $expected; $keys):
    $keys[] | . as $key
    | select($found[$key] != $expected[$key])
    | "\($what): \($key) is \($found[$key]), the truth is \($expected[$key])";

def equal($what; $found; $expected):
    select($found != $expected) | "\($what) is \($found), the truth is \($expected)";

def of_kind($kind): $truth[] | select(.kind == $kind);

($memory[0].regions // $memory[0].rows | INDEX(.path)) as $rows
| ($rows["baseline"].peak_heap_bytes) as $baseline
| of_kind("total") as $total

# Only pthread_create allocates beside the seeds.
| (if $total.threads == 1 then equal("the heap before the seeds"; $baseline; 0) else empty end),

# A thread's part in a seed is a region.
(of_kind("thread")
 | compare(.path; $rows[.path]; .; ["allocations", "allocated_bytes", "frees"])),

# The peak while any thread was in the seed.
(of_kind("seed")
 | compare(.path; $rows[.path]; {peak_heap_bytes: ($baseline + .peak_bytes)}; ["peak_heap_bytes"]),
   compare(.path; $rows[.path]; {allocations: 0, frees: 0}; ["allocations", "frees"])),

($report[0].memory as $found
 | ($rows["(no region)"] // {allocations: 0, allocated_bytes: 0, frees: 0}) as $before
 | compare("process"; $found;
     { exact: true,
       allocations: ($total.allocations + $before.allocations),
       allocated_bytes: ($total.allocated_bytes + $before.allocated_bytes),
       frees: ($total.frees + $before.frees),
       failed_allocations: $total.failed_allocations,
       peak_heap_bytes: ($total.peak_bytes + $baseline),
       live_at_exit_bytes: ($total.live_bytes + $baseline),
       live_at_exit_blocks: ($total.live_blocks + $before.allocations - $before.frees) };
     ["exact", "allocations", "allocated_bytes", "frees", "failed_allocations", "peak_heap_bytes",
      "live_at_exit_bytes", "live_at_exit_blocks"])),

equal("threads"; $report[0].process.threads; $total.threads),
equal("events lost"; $report[0].losses.events; 0)
