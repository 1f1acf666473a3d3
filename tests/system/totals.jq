# What the commands tell of one trace, by quantity and command: each quantity of which two
# commands tell different things is a line.

# What is unknown of all is unknown together.
def sum(rows; key):
  [rows[] | .[key]] | if length > 0 and all(.[]; . == null) then null else map(. // 0) | add // 0 end;

# What tprof gate judged of the whole; else what it would have judged.
def gated(name; expected):
  [$gate[0].checks[]? | select(.check == "the whole run: " + name) | .new][0] // expected;

$report[0] as $report | $memory[0] as $memory | $coverage[0] as $coverage |
$processes[0] as $processes | $threads[0] as $threads | $leaks[0] as $leaks |
{
  wall_ns: {
    report: $report.timing.wall_ns,
    info: $info[0].trace.wall_ns,
    processes: $processes.rows[0].wall_ns,
    together: $processes.total.wall_ns,
    compare: $compare[0].sides[1].wall_ns,
    threads: $threads.summary.wall_ns
  },
  thread_ns: {report: $report.timing.thread_ns, top: sum($top[0].rows; "self_ns")},
  kernel_ns: {
    report: $report.timing.kernel_ns,
    kernels: sum($report.kernels; "self_ns"),
    processes: $processes.rows[0].kernel_ns,
    timing: sum($timing[0].rows; "self_ns"),
    top: ([$top[0].rows[] | select(.calls) | .self_ns] | add // 0),
    threads: sum($threads.rows; "kernel_ns"),
    coverage: $coverage.coverage.kernel_ns,
    roofline: $roofline[0].machine.kernel_ns,
    symbols: sum($coverage.rows; "time_ns"),
    libraries: sum($coverage.coverage.libraries; "time_ns")
  },
  cpu_ns: {
    report: $report.time.cpu_ns,
    readings: ($report | if .process.usage_is_lower_bound or (.timing.cpu_user_ns | not)
        then .time.cpu_ns else .timing.cpu_user_ns + .timing.cpu_sys_ns end),
    processes: $processes.rows[0].cpu_ns,
    together: $processes.total.cpu_ns
  },
  usage_is_lower_bound: {
    report: $report.process.usage_is_lower_bound,
    processes: $processes.rows[0].usage_is_lower_bound,
    together: $processes.total.usage_is_lower_bound
  },
  kernel_calls: {
    report: $report.timing.kernel_calls,
    processes: $processes.rows[0].kernel_calls,
    timing: sum($timing[0].rows; "calls"),
    flops: sum($flops[0].rows; "calls"),
    top: sum($top[0].rows; "calls"),
    threads: sum($threads.rows; "calls"),
    symbols: sum($coverage.rows; "calls"),
    libraries: sum($coverage.coverage.libraries; "calls")
  },
  flops: {
    report: $report.compute.flops,
    processes: $processes.rows[0].flops,
    timing: sum($timing[0].rows; "flops"),
    flops: $flops[0].compute.flops,
    rows: sum($flops[0].rows; "flops"),
    regions: sum($flops_regions[0].rows; "exclusive_flops"),
    compare: $compare[0].sides[1].flops
  },
  compute: {report: $report.compute, flops: $flops[0].compute},
  allocations: {
    report: $report.memory.allocations,
    memory: $memory.summary.allocations,
    threads: sum($threads.rows; "allocations"),
    memory_threads: sum($memory.threads; "allocations"),
    regions: sum($memory.regions; "allocations")
  },
  allocated_bytes: {
    report: $report.memory.allocated_bytes,
    memory: $memory.summary.allocated_bytes,
    memory_threads: sum($memory.threads; "allocated_bytes"),
    threads: sum($threads.rows; "allocated_bytes")
  },
  peak_heap_bytes: {
    report: $report.memory.peak_heap_bytes,
    memory: $memory.summary.peak_heap_bytes,
    processes: $processes.rows[0].peak_heap_bytes,
    compare: $compare[0].sides[1].peak_heap_bytes
  },
  live_at_exit_bytes: {
    report: $report.memory.live_at_exit_bytes,
    memory: $memory.summary.live_at_exit_bytes,
    leaks: $leaks.verdict.live_at_exit_bytes
  },
  peak_ram_bytes: {
    report: $report.memory.peak_ram_bytes,
    memory: $memory.summary.peak_ram_bytes,
    processes: $processes.rows[0].peak_rss_bytes
  },
  peak_mapped_bytes: {
    report: $report.memory.peak_mapped_bytes,
    memory: $memory.summary.peak_mapped_bytes,
    mappings: (if $memory.summary.peak_mapped_bytes then sum($memory.mappings; "peak_bytes") else null end)
  },
  findings: {
    report: [$report.findings[] | [.id, .ceiling, .title]],
    bottlenecks: [$bottlenecks[0].findings[] | [.id, .ceiling, .title]]
  }
} + if $memory.summary.exact then {
  sites_bytes: {memory: $memory.summary.allocated_bytes, sites: sum($memory.sites; "allocated_bytes")},
  sites_live: {
    memory: $memory.summary.live_at_exit_bytes,
    sites: sum($memory.sites; "live_bytes"),
    leaks: (sum($leaks.live_at_exit; "live_bytes") + sum($leaks.suspects // []; "live_bytes"))
  },
  sites_peak: {memory: $memory.summary.peak_heap_bytes, sites: sum($memory.sites; "peak_bytes")},
  timeline_peak: {
    memory: $memory.summary.peak_heap_bytes,
    timeline: [$timeline[0].moments[].max_heap_bytes] | max,
    gate: gated("peak heap"; $memory.summary.peak_heap_bytes)
  },
  timeline_live: {
    memory: $memory.summary.live_at_exit_bytes,
    timeline: $timeline[0].moments[-1].last_heap_bytes
  },
  gated_allocations: {
    memory: $memory.summary.allocations,
    gate: gated("allocations"; $memory.summary.allocations)
  },
  freed_bytes: {
    report: $report.memory.freed_bytes,
    memory: $memory.summary.freed_bytes,
    sites: sum($memory.sites; "freed_bytes")
  }
} else {} end |
to_entries[] | select((.value | [.[]] | unique | length) > 1) | "\(.key): \(.value | tojson)"
