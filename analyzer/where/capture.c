/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copying a thread of another process.
 *
 * A stop takes four system calls: wait, registers, stack, detach; and one for each page with frames
 * of Python.  Nothing is written to the process.
 */
#include "where/capture.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "where/frames.h"
#include "where/registers.h"
#include "where/stack_copy.h"
#include "where/task.h"

_Static_assert((int)REGISTERS_COUNT <= (int)CAPTURE_REGISTERS, "all have a place");

enum { PAGE_BYTES = 4096, PIECES = CAPTURE_STACK_SIZE / PAGE_BYTES + 1 };

static const int64_t second_ns = 1000000000;
static const int64_t patience_ns = 100000000; /* for a thread that waits for a disk */

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * second_ns + now.tv_nsec;
}

struct capture *capture_new(void)
{
    struct capture *capture = memory_get(sizeof *capture);

    memset(capture, 1, sizeof *capture);
    capture->frames = NULL;
    capture->schedule = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    return capture;
}

void capture_free(struct capture *capture)
{
    if (capture && capture->schedule >= 0)
        close(capture->schedule);
    free(capture);
}

/* Returns: how long the calling thread has been ready without a processor; -1 when unknown. */
static int64_t read_delay_ns(const struct capture *capture)
{
    long long busy_ns, delay_ns;
    char line[64];
    ssize_t size = pread(capture->schedule, line, sizeof line - 1, 0);

    line[size > 0 ? size : 0] = '\0';
    return sscanf(line, "%lld %lld", &busy_ns, &delay_ns) == 2 && busy_ns > 0 ? delay_ns : -1;
}

/* tprof's real-time priority shortens the stop of the other thread; without permission the usual
 * priority stays. */
static void hurry(bool is_first)
{
    const struct sched_param first = {.sched_priority = 1}, usual = {0};

    (void)!sched_setscheduler(0, is_first ? SCHED_FIFO : SCHED_OTHER, is_first ? &first : &usual);
}

static void clear(struct capture *capture)
{
    memset(capture->registers, 0, sizeof capture->registers);
    capture->known = 0;
    capture->size = 0;
    capture->is_stopped = false;
    capture->stopped_ns = 0;
}

/* A stack ends where its mapping ends: the part before is read, a page a piece, because a piece is
 * read only if its last byte is readable. */
static void copy_stack(struct capture *capture, pid_t pid)
{
    struct iovec here = {capture->bytes, CAPTURE_STACK_SIZE};
    struct iovec there[PIECES];
    uint64_t address = capture->registers[REGISTERS_STACK] - REGISTERS_RED_ZONE;
    size_t left = CAPTURE_STACK_SIZE;
    size_t count = 0;

    address -= address % sizeof address;
    capture->stack = address;
    while (left > 0 && count < PIECES) {
        size_t size = PAGE_BYTES - address % PAGE_BYTES;

        size = size < left ? size : left;
        there[count++] = (struct iovec){(void *)(uintptr_t)address, size};
        address += size;
        left -= size;
    }
    ssize_t copied = process_vm_readv(pid, &here, 1, there, count, 0);
    capture->size = copied > 0 ? (size_t)copied : 0;
}

static void copy_frames(struct capture *capture)
{
    if (capture->frames)
        frames_copy(capture->frames);
}

static void set_register(struct capture *capture, unsigned number, uint64_t value)
{
    capture->registers[number] = value;
    capture->known |= 1ull << number;
}

enum capture_result capture_peek(struct capture *capture, const struct task *task)
{
    clear(capture);
    set_register(capture, REGISTERS_STACK, task->stack);
    set_register(capture, REGISTERS_INSTRUCTION, task->instruction);
    copy_stack(capture, task->pid);
    if (capture->size == 0 && errno == EPERM)
        return CAPTURE_REFUSED;
    copy_frames(capture);
    return task_is_unmoved(task) ? CAPTURE_TAKEN : CAPTURE_MOVED;
}

/* A stop sends SIGCHLD to our process, but an old SIGCHLD may come first.
 * Returns: false if the thread did not stop in time, or has ended. */
static bool wait_for(pid_t tid, int *status, enum capture_result *result)
{
    const int64_t deadline_ns = now_ns() + patience_ns;
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    *result = CAPTURE_GONE;
    for (;;) {
        pid_t found = waitpid(tid, status, __WALL | WNOHANG);
        int64_t left_ns = deadline_ns - now_ns();

        if (found == tid)
            return WIFSTOPPED(*status);
        if (found < 0 && errno != EINTR)
            return false;
        if (left_ns <= 0)
            break;
        const struct timespec rest = {left_ns / second_ns, left_ns % second_ns};
        (void)sigtimedwait(&child, NULL, &rest);
    }
    *result = CAPTURE_BUSY;
    return false;
}

/* A stop of ptrace itself has no signal to hand on; a stop before a signal has one. */
static int signal_of(int status)
{
    enum { EVENT_SHIFT = 16 };

    return status >> EVENT_SHIFT ? 0 : WSTOPSIG(status);
}

static enum capture_result copy_stopped(struct capture *capture, pid_t pid, pid_t tid, int status)
{
    struct user_regs_struct registers;
    struct iovec place = {&registers, sizeof registers};
    bool is_known = ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &place) == 0 &&
                    place.iov_len == sizeof registers;

    if (is_known) {
        registers_fill(capture->registers, &registers);
        copy_stack(capture, pid);
        copy_frames(capture);
    }
    int error = errno;
    ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal_of(status));
    if (!is_known) {
        errno = error;
        return error == ESRCH ? CAPTURE_GONE : CAPTURE_REFUSED;
    }
    capture->known = (1ull << REGISTERS_COUNT) - 1;
    return CAPTURE_TAKEN;
}

static enum capture_result interrupt(struct capture *capture, pid_t pid, pid_t tid)
{
    enum capture_result result;
    int status;

    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0)
        return CAPTURE_GONE;
    if (!wait_for(tid, &status, &result))
        return result;
    int64_t seen_ns = now_ns();
    result = copy_stopped(capture, pid, tid, status);
    capture->is_stopped = true;
    capture->stopped_ns = (uint64_t)(now_ns() - seen_ns);
    return result;
}

enum capture_result capture_stop(struct capture *capture, pid_t pid, pid_t tid)
{
    clear(capture);
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
        return errno == ESRCH ? CAPTURE_GONE : CAPTURE_REFUSED;
    hurry(true);
    int64_t before_ns = read_delay_ns(capture);
    int64_t start_ns = now_ns();
    enum capture_result result = interrupt(capture, pid, tid);
    int64_t end_ns = now_ns();
    int64_t after_ns = read_delay_ns(capture);
    hurry(false);
    capture->stopped_ns = before_ns >= 0 && after_ns >= before_ns
                              ? capture->stopped_ns + (uint64_t)(after_ns - before_ns)
                              : (uint64_t)(end_ns - start_ns);
    return result;
}
