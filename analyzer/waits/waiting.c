/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time without processor time is time off the processors: blocked, asleep, or preempted.  The
 * kernel counts the preempted time of a thread; the clocks of other threads, or of the process, do
 * not show it.
 *
 * Decision: doc/decisions/waiting.
 */
#include "waits/waiting.h"

#include <math.h>

#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static double difference(uint64_t before, uint64_t after)
{
    return before == SESSION_UNKNOWN || after == SESSION_UNKNOWN ? (double)NAN
                                                                 : (double)(after - before);
}

static void watch(struct waiting *waiting, const struct session_reading *before,
                  const struct session_reading *after)
{
    const struct trace_reading *from = &before->values, *to = &after->values;
    double passed_ns = (double)(after->time_ns - before->time_ns);
    double off_ns = passed_ns - difference(from->thread_cpu_ns, to->thread_cpu_ns);

    waiting->watched_ns += passed_ns;
    waiting->off_ns += isnan(off_ns) ? off_ns : fmax(off_ns, 0);
    waiting->called_bytes += difference(from->called_bytes, to->called_bytes);
    waiting->aside_ns += difference(before->delay_ns, after->delay_ns);
    waiting->disk_bytes += difference(from->read_bytes, to->read_bytes);
    waiting->written_bytes += difference(from->written_bytes, to->written_bytes);
    waiting->voluntary += difference(before->voluntary_switches, after->voluntary_switches);
    waiting->involuntary += difference(before->involuntary_switches, after->involuntary_switches);
    waiting->system_ns += difference(from->system_ns, to->system_ns);
    waiting->faults += difference(from->minor_faults, to->minor_faults);
}

struct waiting waiting_find(const struct session *session, uint32_t thread, uint64_t from_ns,
                            uint64_t to_ns)
{
    const struct session_reading *last = NULL;
    struct waiting waiting = {0};

    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);

        if (reading->thread != thread || reading->time_ns < from_ns || reading->time_ns > to_ns)
            continue;
        if (last)
            watch(&waiting, last, reading);
        last = reading;
    }
    waiting.written_bytes -= (double)session->file_bytes;
    waiting.written_bytes = waiting.written_bytes < 0 ? 0 : waiting.written_bytes;
    if (waiting.aside_ns > waiting.off_ns)
        waiting.aside_ns = waiting.off_ns;
    return waiting;
}

struct waiting_shares waiting_split(const struct waiting *waiting)
{
    double off = waiting->off_ns / waiting->watched_ns;
    double aside = waiting->aside_ns / waiting->watched_ns;

    return (struct waiting_shares){isnan(aside) ? off : off - aside, aside};
}
