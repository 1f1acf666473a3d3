/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the recorded ancestors, and the start of the first of them, in /proc.  The parent is
 * examined when recording starts, the others only when the name of the trace is chosen.
 */
#include "trace/family.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/small_file.h"
#include "spec/decimal.h"

enum { ANCESTORS_MAX = 256, NS_PER_S = 1000000000 };

/* Some fields of /proc/PID/stat. */
struct relative {
    char state;
    int parent;
    uint64_t start_ticks; /* in units of sysconf(_SC_CLK_TCK), since the machine started */
};

enum { PATH_SIZE = 64 };

static void write_path(char path[PATH_SIZE], int pid, const char *what)
{
    snprintf(path, PATH_SIZE, "/proc/%d/%s", pid, what);
}

static ssize_t read_of(int pid, const char *what, char *text, size_t size)
{
    char path[PATH_SIZE];

    write_path(path, pid, what);
    return small_file_read(path, text, size);
}

/* One text of a file, up to its separator; a longer one than the buffer is cut. */
typedef void judge(const char *text, void *of);

/* Judge the whole texts at the front of the buffer.  `is_inside`: it begins within a text that was
 * judged.  Returns: the bytes that are left. */
static size_t take_texts(char *text, size_t used, char separator, bool *is_inside, judge *see,
                         void *of)
{
    char *first = text, *end;

    for (; (end = memchr(first, separator, used - (size_t)(first - text))); first = end + 1) {
        *end = '\0';
        if (!*is_inside)
            see(first, of);
        *is_inside = false;
    }
    used -= (size_t)(first - text);
    memmove(text, first, used);
    return used;
}

/* Returns: whether the file could be opened. */
static bool read_texts(int pid, const char *what, char separator, judge *see, void *of)
{
    static char text[4 * PATH_MAX]; /* under the lock: stacks may be small */
    char path[PATH_SIZE];
    size_t used = 0;
    ssize_t size = 1;
    bool is_inside = false;
    int descriptor;

    write_path(path, pid, what);
    descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);
    while (descriptor >= 0 && size > 0) {
        size = calls_read(descriptor, text + used, sizeof text - 1 - used);
        used += size > 0 ? (size_t)size : 0;
        text[used] = '\0';
        used = take_texts(text, used, separator, &is_inside, see, of);
        if (used == sizeof text - 1) {
            if (!is_inside)
                see(text, of);
            is_inside = true;
            used = 0;
        }
    }
    if (used > 0 && !is_inside)
        see(text, of);
    if (descriptor >= 0)
        calls_close(descriptor);
    return descriptor >= 0;
}

/* Facts of an environment.  A process title written over it has no variables. */
struct told {
    bool is_preloaded;
    bool is_whole;
};

static void judge_variable(const char *variable, void *of)
{
    static const char name[] = "LD_PRELOAD=";
    struct told *told = of;

    told->is_whole &= strchr(variable, '=') != NULL;
    if (strncmp(variable, name, sizeof name - 1) == 0)
        told->is_preloaded = strstr(variable, "libtprof") != NULL;
}

static struct told read_environment(int pid)
{
    struct told told = {false, true};

    told.is_whole &= read_texts(pid, "environ", '\0', judge_variable, &told);
    return told;
}

/* A line of /proc/PID/maps: a debugger also maps the file, but not for execution. */
static void judge_mapping(const char *line, void *found)
{
    const char *rights = strchr(line, ' ');

    *(bool *)found |= rights && strncmp(rights, " r-x", 4) == 0 && strstr(rights, "/libtprof");
}

static bool has_our_code(int pid)
{
    bool found = false;

    read_texts(pid, "maps", '\n', judge_mapping, &found);
    return found;
}

/* The environment also shows it for a static shell.  A process title may have overwritten the
 * environment, as in nginx.  Only then, the list of mappings is read, which takes 1.5 ms for Python
 * with libtorch. */
static bool is_recorded(int pid)
{
    struct told told = read_environment(pid);

    return told.is_preloaded || (!told.is_whole && has_our_code(pid));
}

bool family_has_recorded_parent(void)
{
    return is_recorded((int)getppid());
}

/* Read from the third field on, which is the state.  Source: proc(5). */
static bool read_fields(const char *rest, struct relative *relative)
{
    enum { STATE = 3, PARENT = 4, START = 22 };
    uint64_t number = 0;

    rest += strspn(rest, " ");
    relative->state = *rest;
    for (int field = STATE + 1; rest && field <= START; field++) {
        rest = strchr(rest, ' ');
        rest = rest ? rest + 1 : NULL;
        number = decimal_at(rest, 0); /* some between are negative */
        if (field == PARENT)
            relative->parent = (int)number;
    }
    relative->start_ticks = number;
    return rest != NULL;
}

/* The name of the program, in parentheses, may hold anything. */
static bool read_relative(int pid, struct relative *relative)
{
    static char text[1024]; /* under the lock: stacks may be small */
    const char *rest;

    if (read_of(pid, "stat", text, sizeof text) <= 0)
        return false;
    rest = strrchr(text, ')');
    return rest && read_fields(rest + 1, relative);
}

/* This process and its recorded ancestors, the innermost first. */
struct line {
    int pids[ANCESTORS_MAX];
    unsigned count;
    struct relative first; /* process of the run */
    bool has_first;
};

static void list_line(struct line *line)
{
    struct relative relative;
    int pid = calls_getpid();

    line->count = 0;
    line->has_first = false;
    do {
        line->pids[line->count++] = pid;
        if (!read_relative(pid, &relative))
            return;
        line->first = relative;
        line->has_first = true;
        pid = relative.parent;
    } while (line->count < ANCESTORS_MAX && pid > 1 && is_recorded(pid));
}

static bool is_in_line(const struct line *line, uint32_t pid)
{
    for (unsigned i = 0; i < line->count; i++)
        if ((uint32_t)line->pids[i] == pid)
            return true;
    return false;
}

static uint64_t tick_ns(void)
{
    return NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
}

/* Returns: when a process began, on CLOCK_REALTIME, or up to a tick earlier. */
static uint64_t find_begin(const struct relative *relative)
{
    uint64_t age = calls_clock(CLOCK_BOOTTIME) - relative->start_ticks * tick_ns();

    return calls_clock(CLOCK_REALTIME) - age;
}

/* A killed process may have ended at any time after its start. */
static uint64_t find_end(const struct trace_header *old)
{
    uint64_t last = old->ending == TRACE_RUNNING ? old->start.monotonic_ns : old->end.monotonic_ns;

    return old->realtime_start_ns + (last - old->start.monotonic_ns);
}

/* Another process may have its number now; that process started later. */
static bool is_running(const struct trace_header *old)
{
    struct relative relative;

    return old->ending == TRACE_RUNNING && read_relative((int)old->pid, &relative) &&
           relative.state != 'Z' && find_begin(&relative) <= old->realtime_start_ns;
}

/* Ask whether it is an ancestor that became another program, or a relative by such an ancestor. */
static bool is_of_line(const struct line *line, const struct trace_header *old)
{
    return is_in_line(line, old->parent_pid) ||
           (old->ending == TRACE_EXECUTED && is_in_line(line, old->pid));
}

/* The run before may have ended in the tick of this run's start.  Then the process ids decide. */
static bool is_of_run(const struct line *line, const struct trace_header *old,
                      const struct trace_header *self)
{
    uint64_t begin = line->has_first ? find_begin(&line->first) : self->realtime_start_ns;

    if (is_of_line(line, old))
        return old->realtime_start_ns >= begin;
    begin += tick_ns();
    return find_end(old) >= (begin < self->realtime_start_ns ? begin : self->realtime_start_ns);
}

bool family_is_over(const struct trace_header *old, const struct trace_header *self)
{
    static struct line line; /* under the lock: stacks may be small */

    if (old->version != self->version)
        return true;
    if (is_running(old))
        return false;
    list_line(&line);
    return !is_of_run(&line, old, self);
}
