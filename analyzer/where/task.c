/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread of another process, by the files of /proc/PID/task/TID.
 */
#include "where/task.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "where/calls.h"
#include "where/proc_text.h"

/* Fields of stat, by proc(5). */
enum { STAT_STATE = 3, STAT_USER_TICKS = 14, STAT_SYSTEM_TICKS = 15, STAT_PROCESSOR = 39 };

static const struct {
    const char *letters; /* as in stat */
    const char *word;
} states[TASK_STATES] = {
    [TASK_RUNNING] = {"R", "running"},    [TASK_WAITING] = {"SI", "waiting"},
    [TASK_BLOCKED] = {"DKWP", "blocked"}, [TASK_STOPPED] = {"T", "stopped"},
    [TASK_TRACED] = {"t", "traced"},      [TASK_ENDED] = {"ZXx", "ended"},
};

const char *task_state_word(enum task_state state)
{
    return states[state].word;
}

static enum task_state find_state(const char *letter)
{
    for (enum task_state state = 0; letter && *letter && state < TASK_STATES; state++)
        if (strchr(states[state].letters, *letter))
            return state;
    return TASK_ENDED;
}

static uint64_t find_cpu_ns(const char *stat)
{
    const uint64_t second_ns = 1000000000;
    const char *user = proc_text_stat(stat, STAT_USER_TICKS);
    const char *system = proc_text_stat(stat, STAT_SYSTEM_TICKS);
    long rate = sysconf(_SC_CLK_TCK);

    if (!user || !system || rate <= 0)
        return UINT64_MAX;
    return (strtoull(user, NULL, 10) + strtoull(system, NULL, 10)) * (second_ns / (uint64_t)rate);
}

static void copy_name(char name[TASK_NAME_SIZE], const char *stat)
{
    const char *start = strchr(stat, '(');
    const char *end = strrchr(stat, ')');

    if (start && end && end > start)
        snprintf(name, TASK_NAME_SIZE, "%.*s", (int)(end - start - 1), start + 1);
}

/* Returns: how often the thread left a processor; UINT64_MAX: unknown. */
static uint64_t count_switches(const struct task *task)
{
    char text[PROC_TEXT_SIZE];

    if (!proc_text_read(task->pid, task->tid, "status", text))
        return UINT64_MAX;
    return proc_text_number(text, "voluntary_ctxt_switches", 0) +
           proc_text_number(text, "nonvoluntary_ctxt_switches", 0);
}

static void find_target(struct task *task, const char *descriptor)
{
    char name[64], text[PROC_TEXT_SIZE];

    snprintf(name, sizeof name, "fd/%lu", strtoul(descriptor, NULL, 16));
    if (proc_text_read_link(task->pid, name, text))
        snprintf(task->target, sizeof task->target, "%.*s", TASK_TARGET_SIZE - 1, text);
}

/* The line is "running", or "NUMBER ARGUMENTS STACK INSTRUCTION", or "-1 STACK INSTRUCTION"
 * of a thread that waits in Linux outside of a call, as for a page. */
static void read_call(struct task *task, const char *line)
{
    enum { ARGUMENTS = 6 };
    char *at;
    long number = strtol(line, &at, 10);

    if (at == line)
        return;
    task->call = calls_name(number);
    const char *first = at + strspn(at, " ");
    for (int i = 0; number >= 0 && i < ARGUMENTS; i++)
        (void)strtoull(at, &at, 16);
    task->stack = strtoull(at, &at, 16);
    task->instruction = strtoull(at, &at, 16);
    task->is_in_linux = task->instruction != 0;
    if (calls_find_wait(task->call).first == CALLS_DESCRIPTOR)
        find_target(task, first);
}

/* A thread that was on its way is looked at as running. */
static enum status look_inside(struct task *task)
{
    char text[PROC_TEXT_SIZE];

    if (!proc_text_read(task->pid, task->tid, "syscall", text))
        return errno == ENOENT || errno == ESRCH ? STATUS_NOT_FOUND : STATUS_IO;
    read_call(task, text);
    if (proc_text_read(task->pid, task->tid, "wchan", text) && strcmp(text, "0") != 0)
        snprintf(task->function, sizeof task->function, "%.*s", TASK_FUNCTION_SIZE - 1, text);
    if (!task->is_in_linux && task->state != TASK_BLOCKED)
        task->state = TASK_RUNNING;
    return STATUS_OK;
}

enum status task_look(struct task *task, pid_t pid, pid_t tid)
{
    char text[PROC_TEXT_SIZE];

    *task = (struct task){
        .pid = pid, .tid = tid, .state = TASK_ENDED, .processor = -1, .cpu_ns = UINT64_MAX};
    if (!proc_text_read(pid, tid, "stat", text) || text[0] == '\0')
        return STATUS_NOT_FOUND;
    copy_name(task->name, text);
    task->state = find_state(proc_text_stat(text, STAT_STATE));
    const char *processor = proc_text_stat(text, STAT_PROCESSOR);
    task->processor = processor ? atoi(processor) : -1;
    task->cpu_ns = find_cpu_ns(text);
    if (task->state == TASK_ENDED)
        return STATUS_NOT_FOUND;
    task->switches = count_switches(task);
    return task->state == TASK_RUNNING ? STATUS_OK : look_inside(task);
}

bool task_is_unmoved(const struct task *task)
{
    struct task now;

    return task->switches != UINT64_MAX && !task_look(&now, task->pid, task->tid) &&
           now.is_in_linux && now.switches == task->switches && now.stack == task->stack &&
           now.instruction == task->instruction;
}

bool task_would_notice(const struct task *task)
{
    static const char socket[] = "socket:";
    struct calls_wait wait = calls_find_wait(task->call);

    if (!task->call)
        return false;
    switch (wait.effect) {
    case CALLS_UNSEEN: return false;
    case CALLS_SEEN: return true;
    case CALLS_SOCKET: return strncmp(task->target, socket, strlen(socket)) == 0;
    }
    return true;
}

static int compare_tids(const void *left, const void *right)
{
    const pid_t a = *(const pid_t *)left, b = *(const pid_t *)right;

    return (a > b) - (a < b);
}

static void add_tid(struct array *tids, const char *name)
{
    pid_t tid = (pid_t)strtol(name, NULL, 10);
    pid_t *place = tid > 0 ? array_add(tids) : NULL;

    if (place)
        *place = tid;
}

enum status task_list(struct array *tids, pid_t pid)
{
    char path[64];
    const struct dirent *entry;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    if (!folder)
        return STATUS_NOT_FOUND;
    while ((entry = readdir(folder)) != NULL)
        add_tid(tids, entry->d_name);
    closedir(folder);
    if (tids->count > 1)
        qsort(tids->items, tids->count, sizeof(pid_t), compare_tids);
    return tids->count ? STATUS_OK : STATUS_NOT_FOUND;
}
