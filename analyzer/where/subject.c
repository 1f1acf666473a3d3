/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the observed process from /proc.
 */
#include "where/subject.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "where/proc_text.h"
#include "where/texts.h"

/* Fields of stat, by proc(5). */
enum { STAT_STATE = 3, STAT_FLAGS = 9, STAT_START = 22 };

enum { KERNEL_THREAD = 0x00200000 }; /* PF_KTHREAD of include/linux/sched.h */

static const uint64_t second_ns = 1000000000;

enum status subject_say_gone(pid_t pid, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "where: there is no process %d", (int)pid);
}

static enum status check_number(pid_t pid, struct diagnostic *diagnostic)
{
    char text[PROC_TEXT_SIZE];

    if (pid == getpid())
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "where: process %d is tprof itself, which cannot look at itself",
                              (int)pid);
    if (!proc_text_read(pid, 0, "status", text))
        return subject_say_gone(pid, diagnostic);
    uint64_t process = proc_text_number(text, "Tgid", (uint64_t)pid);
    if (process != (uint64_t)pid)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "where: %d is a thread of process %" PRIu64
                              "; use: tprof where --thread %d %" PRIu64,
                              (int)pid, process, (int)pid, process);
    return STATUS_OK;
}

static void name_program(char name[64], uint64_t pid)
{
    char text[PROC_TEXT_SIZE];

    snprintf(name, 64, "another program");
    if (proc_text_read((pid_t)pid, 0, "comm", text))
        snprintf(name, 64, "%.*s", (int)strcspn(text, "\n"), text);
}

static enum status check_tracer(pid_t pid, struct diagnostic *diagnostic)
{
    char text[PROC_TEXT_SIZE], tracer[64];
    uint64_t number =
        proc_text_read(pid, 0, "status", text) ? proc_text_number(text, "TracerPid", 0) : 0;

    if (number == 0)
        return STATUS_OK;
    name_program(tracer, number);
    return diagnostic_set(diagnostic, STATUS_IO,
                          "where: process %d is traced by %s (pid %" PRIu64
                          "), and Linux allows one tracer; --stop never shows its waiting threads",
                          (int)pid, tracer, number);
}

static enum status check_kind(pid_t pid, const char *stat, struct diagnostic *diagnostic)
{
    const char *state = proc_text_stat(stat, STAT_STATE);
    const char *flags = proc_text_stat(stat, STAT_FLAGS);

    if (state && flags && strtoul(flags, NULL, 10) & KERNEL_THREAD)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "where: process %d is a thread of the kernel and has no program",
                              (int)pid);
    if (state && strchr("Xx", *state))
        return subject_say_gone(pid, diagnostic);
    return STATUS_OK;
}

/* In a zombie, other threads may still run after the first one ended. */
static bool has_ended(pid_t pid, const char *stat)
{
    const char *state = proc_text_stat(stat, STAT_STATE);
    char text[PROC_TEXT_SIZE];

    return state && *state == 'Z' &&
           (!proc_text_read(pid, 0, "status", text) || proc_text_number(text, "Threads", 1) <= 1);
}

static enum status check_end(pid_t pid, const char *stat, struct diagnostic *diagnostic)
{
    if (!has_ended(pid, stat))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO,
                          "where: process %d has ended; its parent has not waited for it yet",
                          (int)pid);
}

/* Returns: the reason of the settings, or NULL. */
static const char *find_setting(void)
{
    char text[PROC_TEXT_SIZE];
    int descriptor = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    ssize_t size = descriptor < 0 ? 0 : read(descriptor, text, 1);

    if (descriptor >= 0)
        close(descriptor);
    if (size == 1 && text[0] == '3')
        return where_scope_never_text.words;
    if (size == 1 && text[0] == '2')
        return where_scope_root_text.words;
    if (size == 1 && text[0] == '1' && geteuid() != 0)
        return where_scope_parent_text.words;
    if (proc_text_read(getpid(), 0, "status", text) && proc_text_number(text, "Seccomp", 0) != 0)
        return where_seccomp_text.words;
    return NULL;
}

static bool belongs_to_us(pid_t pid)
{
    char text[PROC_TEXT_SIZE];

    return proc_text_read(pid, 0, "status", text) &&
           proc_text_number(text, "Uid", UINT64_MAX) == geteuid();
}

static const char *find_reason(pid_t pid)
{
    const char *setting;

    if (geteuid() != 0 && !belongs_to_us(pid))
        return where_other_user_text.words;
    setting = find_setting();
    if (setting)
        return setting;
    if (geteuid() == 0)
        return where_capability_text.words;
    return where_protected_text.words;
}

enum status subject_refuse(const struct subject *subject, int error, struct diagnostic *diagnostic)
{
    enum status status = check_tracer(subject->pid, diagnostic);

    if (status)
        return status;
    if (error == ENOENT || error == ESRCH)
        return subject_say_gone(subject->pid, diagnostic);
    if (error != EPERM && error != EACCES)
        return diagnostic_set(diagnostic, STATUS_IO, "where: process %d cannot be looked at: %s",
                              (int)subject->pid, strerror(error));
    return diagnostic_set(diagnostic, STATUS_IO, "where: process %d may not be looked at: %s",
                          (int)subject->pid, find_reason(subject->pid));
}

/* Reads its program, like any file: the header shows the kind of machine code. */
static enum status check_program(const struct subject *subject, struct diagnostic *diagnostic)
{
    char path[64];
    ElfW(Ehdr) own, other;

    int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/%d/exe", (int)subject->pid);
    int program = open(path, O_RDONLY | O_CLOEXEC);
    int error = errno;
    bool is_read = self >= 0 && program >= 0 && read(self, &own, sizeof own) == sizeof own &&
                   read(program, &other, sizeof other) == sizeof other;
    if (self >= 0)
        close(self);
    if (program >= 0)
        close(program);
    if (program < 0)
        return subject_refuse(subject, error, diagnostic);
    if (!is_read ||
        (own.e_ident[EI_CLASS] == other.e_ident[EI_CLASS] && own.e_machine == other.e_machine))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "where: process %d runs a %s program; this tprof knows its own kind "
                          "of processor alone",
                          (int)subject->pid,
                          other.e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "foreign");
}

static void read_command(struct subject *subject)
{
    struct text text;

    text_init(&text);
    if (!proc_text_append(&text, subject->pid, "cmdline")) {
        for (size_t i = 0; i + 1 < text.size; i++)
            if (text.memory[i] == '\0')
                text.memory[i] = ' ';
        snprintf(subject->command, sizeof subject->command, "%s", text.bytes);
    }
    text_fini(&text);
}

/* Files are below the root of a container, unless its root is ours. */
static void find_root(struct subject *subject)
{
    char path[64];
    struct stat own, other;

    snprintf(path, sizeof path, "/proc/%d/root", (int)subject->pid);
    if (stat("/", &own) == 0 && stat(path, &other) == 0 &&
        (own.st_dev != other.st_dev || own.st_ino != other.st_ino))
        snprintf(subject->root, sizeof subject->root, "%s", path);
}

/* The number of a process in its own container is the last of NSpid. */
static void find_map(struct subject *subject)
{
    char text[PROC_TEXT_SIZE];
    const char *numbers =
        proc_text_read(subject->pid, 0, "status", text) ? proc_text_find(text, "NSpid") : NULL;
    long own = subject->pid;

    while (numbers && *numbers >= '0' && *numbers <= '9') {
        char *end;

        own = strtol(numbers, &end, 10);
        numbers = end + strspn(end, "\t ");
    }
    snprintf(subject->map, sizeof subject->map, "/tmp/perf-%ld.map", own);
    snprintf(subject->dump, sizeof subject->dump, "/tmp/jit-%ld.dump", own);
}

static uint64_t read_boot_ns(void)
{
    FILE *file = fopen("/proc/stat", "re");
    char line[PROC_TEXT_SIZE];
    uint64_t seconds = 0;

    while (file && seconds == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "btime ", 6) == 0)
            seconds = strtoull(line + 6, NULL, 10);
    if (file)
        (void)fclose(file);
    return seconds * second_ns;
}

static uint64_t read_start(pid_t pid)
{
    char text[PROC_TEXT_SIZE];
    const char *field =
        proc_text_read(pid, 0, "stat", text) ? proc_text_stat(text, STAT_START) : NULL;

    return field ? strtoull(field, NULL, 10) : 0;
}

static void find_start(struct subject *subject)
{
    long rate = sysconf(_SC_CLK_TCK);

    subject->start_ticks = read_start(subject->pid);
    if (rate > 0)
        subject->start_ns = read_boot_ns() + subject->start_ticks * (second_ns / (uint64_t)rate);
}

bool subject_is_alive(const struct subject *subject)
{
    char text[PROC_TEXT_SIZE];

    return read_start(subject->pid) == subject->start_ticks &&
           proc_text_read(subject->pid, 0, "stat", text) && !has_ended(subject->pid, text);
}

enum status subject_open(struct subject *subject, pid_t pid, bool may_be_traced,
                         struct diagnostic *diagnostic)
{
    char stat[PROC_TEXT_SIZE];
    enum status status = check_number(pid, diagnostic);

    *subject = (struct subject){.pid = pid};
    if (!status && !proc_text_read(pid, 0, "stat", stat))
        status = subject_say_gone(pid, diagnostic);
    if (!status)
        status = check_kind(pid, stat, diagnostic);
    if (!status)
        status = check_end(pid, stat, diagnostic);
    if (!status && !may_be_traced)
        status = check_tracer(pid, diagnostic);
    if (!status)
        status = check_program(subject, diagnostic);
    if (status)
        return status;
    name_program(subject->name, (uint64_t)pid);
    read_command(subject);
    find_root(subject);
    find_map(subject);
    find_start(subject);
    return STATUS_OK;
}
