/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that are left and entered in odd ways: by longjmp, from a callback, in coroutines that
 * change threads, 10,000 deep, by threads that are cancelled inside or at any moment, and by signal
 * handlers that interrupt others; and a program that ends inside two kernels.
 *
 * usage: odd_ways jump | callback | coroutines | deep | cancel | cancel-anywhere |
 *                 interrupt | end
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "odd.h"

enum {
    JUMPS = 100,
    BACK = 50,
    ROUTINES = 8,
    TURNS = 20,
    STACK = 256 << 10,
    DEEP = 10000,
    CANCELLED = 20,
    CANCELLED_ANYWHERE = 1000,
    SHORTEST_NAP_US = 200,
    INTERRUPTIONS = 300
};

static long calls; /* begun */

static int call(int n, void (*function)(void *), void *argument)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return odd_call(n, function, argument);
}

static void do_nothing(void *unused)
{
    (void)unused;
}

/* ---- a jump ------------------------------------------------------------ */

static jmp_buf back;

static void jump_back(void *unused)
{
    (void)unused;
    longjmp(back, 1);
}

static void jump(void)
{
    for (volatile int i = 0; i < JUMPS; i++)
        if (setjmp(back) == 0)
            call(i, jump_back, NULL);
}

/* ---- an end ------------------------------------------------------------ */

static void end_now(void *unused)
{
    (void)unused;
    printf("truth: calls %ld\n", calls);
    exit(0);
}

static void call_end(void *unused)
{
    (void)unused;
    call(1, end_now, NULL);
}

static void end(void)
{
    call(2, call_end, NULL);
}

/* ---- callbacks --------------------------------------------------------- */

static void call_again(void *levels)
{
    int left = *(int *)levels - 1;

    if (left > 0)
        printf("%d\n", call(left, call_again, &left));
}

static void callback(void)
{
    int levels = BACK;

    printf("%d\n", call(levels, call_again, &levels));
}

/* ---- coroutines -------------------------------------------------------- */

struct routine {
    ucontext_t context;
    ucontext_t *caller;
    int turns;
    char *stack;
};

static struct routine routines[ROUTINES];

/* Leaves the kernel in the middle; another thread may go on. */
static void give_way(void *of)
{
    struct routine *routine = of;

    swapcontext(&routine->context, routine->caller);
}

static void run_routine(unsigned number)
{
    struct routine *routine = &routines[number];

    for (; routine->turns < TURNS; routine->turns++)
        if (call((int)number, give_way, routine) != (int)number + 1)
            abort();
    swapcontext(&routine->context, routine->caller);
}

static void begin_routine(unsigned number)
{
    struct routine *routine = &routines[number];

    routine->stack = malloc(STACK);
    getcontext(&routine->context);
    routine->context.uc_stack.ss_sp = routine->stack;
    routine->context.uc_stack.ss_size = STACK;
    makecontext(&routine->context, (void (*)(void))run_routine, 1, number);
}

/* One turn of each routine, on a thread of its own. */
static void *turn(void *unused)
{
    ucontext_t here;

    for (unsigned i = 0; i < ROUTINES; i++) {
        routines[i].caller = &here;
        swapcontext(&here, &routines[i].context);
    }
    return unused;
}

static void coroutines(void)
{
    pthread_t thread;
    int turns = 0;

    for (unsigned i = 0; i < ROUTINES; i++)
        begin_routine(i);
    for (int i = 0; i <= TURNS; i++) {
        pthread_create(&thread, NULL, turn, NULL);
        pthread_join(thread, NULL);
    }
    for (unsigned i = 0; i < ROUTINES; i++) {
        turns += routines[i].turns;
        free(routines[i].stack);
    }
    printf("turns %d\n", turns);
}

/* ---- depth ------------------------------------------------------------- */

static void deep(void)
{
    printf("depth %ld\n", odd_descend(DEEP));
    calls += DEEP + 1;
}

/* ---- cancellation ------------------------------------------------------ */

static void wait_for_end(void *unused)
{
    (void)unused;
    for (;;)
        sleep(1);
}

static void note_end(void *ended)
{
    ++*(int *)ended;
}

static void *be_cancelled(void *ended)
{
    pthread_cleanup_push(note_end, ended);
    call(0, wait_for_end, NULL);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel(void)
{
    pthread_t thread;
    int ended = 0;

    for (int i = 0; i < CANCELLED; i++) {
        pthread_create(&thread, NULL, be_cancelled, &ended);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    printf("ended %s\n", ended <= CANCELLED ? "in order" : "twice");
}

/* At any moment: before a call, in it, or after it. */
static void *call_until_cancelled(void *is_running)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_store((atomic_int *)is_running, 1);
    for (int i = 0;; i++)
        odd_call(i % 4, do_nothing, NULL);
    return NULL;
}

static void cancel_anywhere(void)
{
    for (int i = 0; i < CANCELLED_ANYWHERE; i++) {
        atomic_int is_running = 0;
        pthread_t thread;

        pthread_create(&thread, NULL, call_until_cancelled, &is_running);
        while (!atomic_load(&is_running))
            sched_yield();
        usleep(SHORTEST_NAP_US + (unsigned)i % SHORTEST_NAP_US);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
}

/* ---- handlers ---------------------------------------------------------- */

/* The shape says who called. */
enum { BY_PROGRAM = 11, BY_HANDLER };

static volatile sig_atomic_t handled;
static atomic_bool is_over;

static void call_in_handler(int unused)
{
    (void)unused;
    handled = handled + 1;
    odd_call(BY_HANDLER, do_nothing, NULL);
}

static void *send_signals(void *to)
{
    while (!atomic_load(&is_over))
        pthread_kill(*(pthread_t *)to, SIGUSR1);
    return NULL;
}

/* So deep that a handler's frame is above it when the stack is short again. */
static __attribute__((noinline)) int call_deep(void)
{
    volatile char room[STACK / 8] = {0};

    return odd_call(BY_PROGRAM, do_nothing, NULL) + room[0];
}

static void interrupt(void)
{
    struct sigaction action = {.sa_handler = call_in_handler, .sa_flags = SA_RESTART};
    pthread_t self = pthread_self(), sender;

    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&sender, NULL, send_signals, &self);
    for (; handled < INTERRUPTIONS; calls++)
        if (calls % 8 == 0)
            call_deep();
        else
            odd_call(BY_PROGRAM, do_nothing, NULL);
    atomic_store(&is_over, true);
    pthread_join(sender, NULL);
    printf("truth: program %ld\ntruth: handler %d\n", calls, (int)handled);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"jump", jump},
            {"callback", callback},
            {"coroutines", coroutines},
            {"deep", deep},
            {"cancel", cancel},
            {"cancel-anywhere", cancel_anywhere},
            {"interrupt", interrupt},
            {"end", end}};

int main(int count, char **arguments)
{
    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, arguments[1]) == 0)
            ways[i].run();
    for (int i = 0; i < 3; i++) /* when nothing is left open */
        call(i, do_nothing, NULL);
    printf("truth: calls %ld\n", calls);
    return 0;
}
