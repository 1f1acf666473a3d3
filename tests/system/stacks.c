/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations on stacks of all kinds.  A profiler that follows the stack may neither need much of
 * it nor read beyond it.
 *
 * usage: stacks tiny COUNT       threads with stacks of PTHREAD_STACK_MIN
 *        stacks given COUNT      threads on stacks of the program, unmapped again
 *        stacks alternate SIZE   a handler on an alternate stack of so many bytes
 *        stacks alternate-first SIZE   and nothing was recorded before it
 *        stacks jump COUNT       longjmp over the frames that allocate
 *        stacks contexts COUNT   coroutines on stacks from malloc and mmap
 *        stacks shrunk COUNT     the same call at the same place of a shorter stack
 *        stacks near MIB         coroutines on stacks so far below the first thread's
 *        stacks storm COUNT      a timer's handler that allocates too, but not in malloc
 *        stacks storm-always COUNT   and in malloc too: malloc must be able to stand it
 *        stacks deep COUNT       recursion deeper than any profiler follows
 */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "survive.h"

#define NOINLINE __attribute__((noinline))

enum {
    PAGE = 4096,
    STACK_BYTES = 128 << 10,
    LEVELS = 6,
    BLOCK = 100,
    YIELDS = 3,
    WIDE = 64 << 10,
    STORM_US = 500,
    STORM_HITS = 50,
    DEEP = 2000,
    ROUNDS = 100
};

static int count;
static volatile int depth_reached;

/* A few levels of calls, none of them in tail position. */
static NOINLINE void descend(int levels)
{
    if (levels == 0)
        survive_churn(BLOCK);
    else
        descend(levels - 1);
    depth_reached = levels;
}

static void work(int levels)
{
    tprof_region_begin("work");
    descend(levels);
    tprof_region_end("work");
}

/* A stack with a forbidden page below it.  `place`: NULL for any. */
static char *map_stack_at(void *place, size_t size)
{
    char *mapping = mmap(place, size + PAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (mapping == MAP_FAILED || mprotect(mapping, PAGE, PROT_NONE) != 0)
        survive_give_up("stacks: mmap");
    return mapping + PAGE;
}

static char *map_stack(size_t size)
{
    return map_stack_at(NULL, size);
}

static void unmap_stack(char *stack, size_t size)
{
    munmap(stack - PAGE, size + PAGE);
}

/* ---- threads ------------------------------------------------------------- */

static void *work_in_thread(void *unused)
{
    work(LEVELS);
    return unused;
}

static void run_thread(const pthread_attr_t *attributes)
{
    pthread_t thread;

    if (pthread_create(&thread, attributes, work_in_thread, NULL) != 0)
        survive_give_up("stacks: pthread_create");
    pthread_join(thread, NULL);
}

static void run_tiny(void)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
    for (int i = 0; i < count; i++)
        run_thread(&attributes);
    pthread_attr_destroy(&attributes);
}

static void run_given(void)
{
    for (int i = 0; i < count; i++) {
        pthread_attr_t attributes;
        char *stack = map_stack(STACK_BYTES);

        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stack, STACK_BYTES);
        run_thread(&attributes);
        pthread_attr_destroy(&attributes);
        unmap_stack(stack, STACK_BYTES);
        work(LEVELS);
    }
}

/* ---- an alternate stack -------------------------------------------------- */

static void work_in_handler(int signal)
{
    (void)signal;
    work(LEVELS);
}

/* Its lowest byte follows the page that may not be touched. */
static void run_alternate_first(void)
{
    size_t size = (size_t)count;
    stack_t stack = {.ss_sp = map_stack((size + PAGE - 1) / PAGE * PAGE), .ss_size = size};
    struct sigaction action = {.sa_handler = work_in_handler, .sa_flags = SA_ONSTACK};

    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        survive_give_up("stacks: sigaltstack");
    for (int i = 0; i < 100; i++)
        raise(SIGUSR1);
}

static void run_alternate(void)
{
    work(LEVELS);
    run_alternate_first();
}

/* ---- jumps --------------------------------------------------------------- */

static jmp_buf landing;
static volatile bool may_jump = true;

static NOINLINE void descend_and_jump(int levels)
{
    survive_churn(BLOCK);
    if (levels > 0)
        descend_and_jump(levels - 1);
    else if (may_jump)
        longjmp(landing, 1);
    depth_reached = levels;
}

static void run_jump(void)
{
    for (volatile int i = 0; i < count; i++) {
        tprof_region_begin("work");
        if (setjmp(landing) == 0)
            descend_and_jump(i % 20);
        descend(i % 7);
        tprof_region_end("work");
    }
}

/* ---- coroutines ---------------------------------------------------------- */

static ucontext_t outside, coroutine;

static void run_coroutine(void)
{
    for (int i = 0; i < YIELDS; i++) {
        descend(LEVELS + i);
        swapcontext(&coroutine, &outside);
    }
}

static void enter_coroutine(void (*function)(void), char *stack, size_t size)
{
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = &outside;
    makecontext(&coroutine, function, 0);
    swapcontext(&outside, &coroutine);
}

static void finish_coroutine(char *stack, size_t size)
{
    enter_coroutine(run_coroutine, stack, size);
    for (int i = 0; i < YIELDS; i++) {
        descend(LEVELS);
        swapcontext(&outside, &coroutine);
    }
}

static void run_contexts(void)
{
    tprof_region_begin("work");
    for (int i = 0; i < count; i++) {
        char *stack = i % 2 ? survive_obtain(STACK_BYTES) : map_stack(STACK_BYTES);

        finish_coroutine(stack, STACK_BYTES);
        i % 2 ? survive_release(stack) : unmap_stack(stack, STACK_BYTES);
        descend(LEVELS);
    }
    tprof_region_end("work");
}

/* ---- a shorter stack ----------------------------------------------------- */

static volatile uintptr_t place; /* place of the allocating frame */

static NOINLINE void allocate_here(void)
{
    char *volatile block;

    place = (uintptr_t)__builtin_frame_address(0);
    block = survive_obtain(BLOCK);
    survive_release(block);
}

/* The caller's frame is wide: the frames above it are far away. */
static NOINLINE void allocate_far_below(void)
{
    volatile char wide[WIDE];

    wide[0] = 1;
    wide[WIDE - 1] = 1;
    allocate_here();
    depth_reached = wide[0];
}

static NOINLINE void allocate_near(void)
{
    allocate_here();
    depth_reached = 1;
}

/* The same call, at the same stack pointer, once with 64 KiB of stack above it and once with none:
 * only the remaining stack can be read. */
static void run_shrunk(void)
{
    tprof_region_begin("work");
    for (int i = 0; i < count; i++) {
        char *stack = map_stack(STACK_BYTES);
        uintptr_t far, top = (uintptr_t)stack + STACK_BYTES / 4, cut;

        enter_coroutine(allocate_near, stack, STACK_BYTES / 4);
        top -= place; /* size of the short path */
        enter_coroutine(allocate_far_below, stack, STACK_BYTES);
        far = place;
        cut = (far + top + PAGE - 1) / PAGE * PAGE;
        munmap((void *)cut, (uintptr_t)stack + STACK_BYTES - cut);
        enter_coroutine(allocate_near, stack, far + top - (uintptr_t)stack);
        if (place != far)
            survive_give_up("stacks: the call came to another place");
        munmap(stack - PAGE, cut - (uintptr_t)stack + PAGE);
        descend(LEVELS);
    }
    tprof_region_end("work");
}

/* ---- a stack near the first thread's ----------------------------------- */

/* On request, the kernel maps within the range that the first thread's stack may grow into.  That
 * stack itself reaches down to different depths meanwhile. */
static void run_near(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    char *wanted = (char *)((here - ((uintptr_t)count << 20)) / PAGE * PAGE);

    tprof_region_begin("work");
    for (int i = 0; i < ROUNDS; i++) {
        char *stack = map_stack_at(wanted, STACK_BYTES);

        if (stack != wanted + PAGE)
            survive_give_up("stacks: mapped at another place");
        enter_coroutine(allocate_near, stack, STACK_BYTES);
        unmap_stack(stack, STACK_BYTES);
        descend(i % 10 * DEEP);
    }
    tprof_region_end("work");
}

/* ---- a storm of signals -------------------------------------------------- */

static volatile sig_atomic_t is_allocating, storm_hits;
static bool is_always;

static void on_storm(int signal)
{
    (void)signal;
    storm_hits = storm_hits + 1;
    if (is_always || !is_allocating)
        descend(2);
}

static void set_storm(int period_us)
{
    struct itimerval timer = {{0, period_us}, {0, period_us}};
    struct sigaction action = {.sa_handler = on_storm, .sa_flags = SA_RESTART};

    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* The processor's clock of a process ticks some hundred times a second. */
static void run_storm(void)
{
    tprof_region_begin("work");
    set_storm(STORM_US);
    for (int i = 0; i < count || storm_hits < STORM_HITS; i++) {
        is_allocating = 1;
        descend(i % LEVELS);
        is_allocating = 0;
    }
    set_storm(0);
    tprof_region_end("work");
}

static void run_storm_always(void)
{
    is_always = true;
    run_storm();
}

/* ---- recursion ----------------------------------------------------------- */

static void run_deep(void)
{
    for (int i = 0; i < count; i++)
        work(DEEP + i);
}

/* ---- which --------------------------------------------------------------- */

static const struct survive_verb verbs[] = {
    {"tiny", run_tiny},           {"given", run_given},
    {"alternate", run_alternate}, {"alternate-first", run_alternate_first},
    {"jump", run_jump},           {"contexts", run_contexts},
    {"near", run_near},           {"shrunk", run_shrunk},
    {"storm", run_storm},         {"storm-always", run_storm_always},
    {"deep", run_deep},
};

int main(int argument_count, char **arguments)
{
    if (argument_count != 3)
        return 2;
    count = atoi(arguments[2]);
    return survive_run(verbs, sizeof verbs / sizeof *verbs, arguments[1]);
}
