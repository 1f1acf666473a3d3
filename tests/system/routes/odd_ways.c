/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that are left and entered in odd ways: by longjmp, from a callback,
 * in coroutines that change threads, 10,000 deep, and by threads that are
 * cancelled inside; and a program that ends inside of two.
 *
 * usage: odd_ways jump | callback | coroutines | deep | cancel | end
 */
#include <pthread.h>
#include <setjmp.h>
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
    CANCELLED = 20
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

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"jump", jump}, {"callback", callback}, {"coroutines", coroutines},
            {"deep", deep}, {"cancel", cancel},     {"end", end}};

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
