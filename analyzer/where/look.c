/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking at the threads of a process.
 *
 * A look is a thread of tprof's own: when it ends, Linux releases all threads that it has seized,
 * including one that would not stop.  If tprof is killed, the same happens.
 */
#include "where/look.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/wildcard.h"
#include "where/capture.h"
#include "where/frames.h"
#include "where/image.h"
#include "where/interpreter.h"
#include "where/stack_copy.h"
#include "where/stacks.h"
#include "where/subject.h"
#include "where/unwind.h"

/* Tries to find a thread that waits all through its copy, or one that runs between changes of its
 * frames. */
enum { TRIES = 3 };

static const int64_t second_ns = 1000000000;

/* The state of one look, while it runs. */
struct look {
    struct looks *looks;
    const struct subject *subject;
    const struct look_options *options;
    struct diagnostic *diagnostic;
    enum status status;
    struct image *image;
    struct unwind *unwind;
    struct capture *capture;
    struct interpreter interpreter;
    struct frames *frames; /* frames of the last copied thread */
    struct unwind_stack calls;
};

static bool is_wanted(const struct look_options *options, const struct task *task)
{
    char *end;
    const char *wanted = options->thread;

    if (!wanted || wildcard_matches(wanted, task->name))
        return true;
    long number = strtol(wanted, &end, 10);
    return end != wanted && *end == '\0' && number == task->tid;
}

static bool may_stop(const struct look *look, const struct task *task)
{
    if (task->state == TASK_BLOCKED || task->state == TASK_TRACED)
        return false;
    switch (look->options->stop) {
    case LOOK_STOP_NEVER: return false;
    case LOOK_STOP_UNSEEN: return !task->is_in_linux || !task_would_notice(task);
    case LOOK_STOP_ALWAYS: return true;
    }
    return false;
}

/* Ask whether the calls of a waiting thread, copied without a stop, are enough. */
static bool is_enough(const struct look *look, const struct task *task)
{
    return look->calls.end != UNWIND_REGISTER &&
           (look->options->stop != LOOK_STOP_ALWAYS || !may_stop(look, task));
}

/* Copy a thread that waits.  Returns: whether its calls are known. */
static bool peek(struct look *look, struct look_row *row)
{
    if (!row->task.is_in_linux || capture_peek(look->capture, &row->task) != CAPTURE_TAKEN)
        return false;
    unwind_copy(look->unwind, look->capture, &look->calls);
    row->copied = look->capture->size;
    return true;
}

/* Counts a thread that could not be seen.  A thread that has ended is refused, too. */
static enum status miss(struct look *look, struct look_row *row, enum capture_result result)
{
    int error = errno;
    enum status status;

    if (result == CAPTURE_BUSY)
        look->looks->busy++;
    if (result == CAPTURE_GONE)
        row->task.state = TASK_ENDED;
    if (result != CAPTURE_REFUSED)
        return STATUS_OK;
    status = task_look(&row->task, row->task.pid, row->task.tid);
    if (status == STATUS_NOT_FOUND)
        return STATUS_OK;
    return subject_refuse(look->subject, error, look->diagnostic);
}

/* If a thread was between two changes of its frames, it runs on a little and is stopped again. */
static enum capture_result stop_well(struct look *look, const struct look_row *row)
{
    const struct timespec pause = {0, 1000000};
    enum capture_result result = capture_stop(look->capture, row->task.pid, row->task.tid);

    for (int i = 1; i < TRIES && result == CAPTURE_TAKEN && !frames_are_right(look->frames); i++) {
        nanosleep(&pause, NULL);
        result = capture_stop(look->capture, row->task.pid, row->task.tid);
    }
    if (result == CAPTURE_TAKEN && !frames_are_right(look->frames))
        frames_aim(look->frames, 0);
    return result;
}

static enum status stop(struct look *look, struct look_row *row, bool *is_known)
{
    enum capture_result result = stop_well(look, row);

    if (result != CAPTURE_TAKEN)
        return miss(look, row, result);
    unwind_copy(look->unwind, look->capture, &look->calls);
    row->is_stopped = true;
    row->stopped_ns = look->capture->stopped_ns;
    row->copied = look->capture->size;
    *is_known = true;
    return STATUS_OK;
}

static void add_row(struct look *look, struct look_row *row, bool is_known)
{
    const struct stacks_sight sight = {&row->task, is_known ? &look->calls : NULL, look->image,
                                       look->frames};
    struct look_row *added = array_add(&look->looks->rows);

    row->stack = stacks_add(look->looks->stacks, &sight);
    *added = *row;
}

/* A waiting thread is copied without a stop, and stopped only if the copy lacks something. */
static enum status see_calls(struct look *look, struct look_row *row, bool *is_known)
{
    enum status status = STATUS_OK;

    *is_known = peek(look, row);
    for (int i = 1; i < TRIES && !*is_known && row->task.is_in_linux; i++) {
        status = task_look(&row->task, row->task.pid, row->task.tid);
        *is_known = !status && peek(look, row);
    }
    if (status || (*is_known && is_enough(look, &row->task)))
        return STATUS_OK;
    if (may_stop(look, &row->task))
        return stop(look, row, is_known);
    if (!*is_known)
        look->looks->running++;
    return STATUS_OK;
}

static enum status look_at(struct look *look, pid_t tid)
{
    struct look_row row = {.look = look->looks->taken + 1};
    enum status status = task_look(&row.task, look->subject->pid, tid);
    bool is_known;

    if (status == STATUS_NOT_FOUND) {
        look->looks->gone++;
        return STATUS_OK;
    }
    if (status)
        return subject_refuse(look->subject, errno, look->diagnostic);
    if (!is_wanted(look->options, &row.task)) {
        look->looks->left_out++;
        return STATUS_OK;
    }
    frames_aim(look->frames, interpreter_find_thread(&look->interpreter, tid));
    status = see_calls(look, &row, &is_known);
    if (!status && row.task.state == TASK_ENDED) {
        look->looks->gone++;
        return STATUS_OK;
    }
    if (status)
        return status;
    add_row(look, &row, is_known);
    return STATUS_OK;
}

static enum status look_at_all(struct look *look)
{
    struct array tids;
    enum status status;

    array_init(&tids, sizeof(pid_t));
    status = task_list(&tids, look->subject->pid);
    look->looks->left_out = 0;
    for (size_t i = 0; i < tids.count && !status; i++)
        status = look_at(look, *(pid_t *)array_at(&tids, i));
    array_fini(&tids);
    return status;
}

/* Find the interpreter first, because each thread may have its frames. */
static enum status look_through(struct look *look)
{
    enum status status;

    interpreter_open(&look->interpreter, look->image, look->subject->pid, look->unwind);
    look->capture->frames = look->frames;
    look->looks->python_off = look->interpreter.off;
    stacks_begin_look(look->looks->stacks);
    status = look_at_all(look);
    interpreter_close(&look->interpreter);
    return status;
}

static void *run_look(void *of)
{
    struct look *look = of;

    look->status = image_open(&look->image, look->subject->pid);
    if (look->status)
        return NULL;
    look->capture = capture_new();
    look->unwind = unwind_new(look->image);
    look->frames = frames_new(&look->interpreter);
    look->status = STATUS_OK;
    if (!look->status)
        look->status = look_through(look);
    frames_free(look->frames);
    unwind_free(look->unwind);
    capture_free(look->capture);
    image_close(look->image);
    return NULL;
}

/* A stopped thread sends SIGCHLD; we have no children of our own. */
static void hold_signal(sigset_t *before)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t child;

    sigaction(SIGCHLD, &usual, NULL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, before);
}

static enum status take_one(struct look *look)
{
    sigset_t before;
    pthread_t thread;

    hold_signal(&before);
    int error = pthread_create(&thread, NULL, run_look, look);
    if (error == 0)
        pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return diagnostic_set(look->diagnostic, STATUS_IO, "a thread cannot be started: %s",
                              strerror(error));
    return look->status;
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * second_ns + now.tv_nsec;
}

static void sleep_until(int64_t moment_ns)
{
    const struct timespec moment = {moment_ns / second_ns, moment_ns % second_ns};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == EINTR)
        ;
}

/* A process that is ending has no memory any more, but still counts as alive. */
static bool outlives_failure(const struct subject *subject)
{
    enum { CHECKS = 20 };
    const int64_t pause_ns = 10000000;

    for (int i = 0; i < CHECKS && subject_is_alive(subject); i++)
        sleep_until(now_ns() + pause_ns);
    return subject_is_alive(subject);
}

/* The process may have ended in a look: earlier looks stay. */
static enum status end_look(struct look *look, enum status status)
{
    struct looks *looks = look->looks;
    bool is_alive = !status || outlives_failure(look->subject);

    if (status && !is_alive && (looks->taken > 0 || looks->rows.count > 0)) {
        looks->has_ended = true;
        looks->taken += looks->taken == 0;
        return STATUS_OK;
    }
    if (status && !is_alive)
        return subject_say_gone(look->subject->pid, look->diagnostic);
    if (status == STATUS_NOT_FOUND)
        return subject_refuse(look->subject, EACCES, look->diagnostic);
    looks->taken += !status;
    return status;
}

static enum status take_all(struct look *look)
{
    int64_t start_ns = now_ns();
    enum status status = STATUS_OK;

    for (unsigned i = 0; i < look->options->count && !status && !look->looks->has_ended; i++) {
        if (i > 0)
            sleep_until(start_ns + (int64_t)(i * look->options->interval_ns));
        status = end_look(look, take_one(look));
    }
    look->looks->taken_ns = (uint64_t)(now_ns() - start_ns);
    return status;
}

static enum status check_threads(const struct look *look)
{
    if (look->looks->rows.count > 0 || look->looks->has_ended)
        return STATUS_OK;
    if (look->options->thread)
        return diagnostic_set(look->diagnostic, STATUS_NOT_FOUND,
                              "where --thread %.40s: process %d has no such thread",
                              look->options->thread, (int)look->subject->pid);
    return subject_say_gone(look->subject->pid, look->diagnostic);
}

enum status looks_take(struct looks *looks, const struct subject *subject,
                       const struct look_options *options, struct diagnostic *diagnostic)
{
    const struct symbols_map map = {subject->map, {subject->dump, NULL}, subject->start_ns};
    struct look look = {
        .looks = looks, .subject = subject, .options = options, .diagnostic = diagnostic};
    enum status status;

    *looks = (struct looks){.stacks = stacks_new(subject->root[0] ? subject->root : NULL, &map)};
    array_init(&looks->rows, sizeof(struct look_row));
    status = take_all(&look);
    if (!status)
        status = check_threads(&look);
    if (status)
        looks_fini(looks);
    return status;
}

void looks_fini(struct looks *looks)
{
    stacks_free(looks->stacks);
    array_fini(&looks->rows);
    *looks = (struct looks){0};
}
