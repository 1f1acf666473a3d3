/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads get a small stack by default, and coroutines' stacks come and go right below it: none of
 * them may be mistaken for the thread's own.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_SIZE = 65536, ROUNDS = 200 };

static ucontext_t thread, coroutine;
static void *volatile kept;

static __attribute__((noinline)) void allocate(void)
{
    for (int i = 0; i < 3; i++) {
        kept = malloc(32);
        free(kept);
    }
}

static void run(void)
{
    allocate();
    swapcontext(&coroutine, &thread);
}

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        char *stack =
            mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        getcontext(&coroutine);
        coroutine.uc_stack = (stack_t){.ss_sp = stack, .ss_size = STACK_SIZE};
        coroutine.uc_link = &thread;
        makecontext(&coroutine, run, 0);
        swapcontext(&thread, &coroutine);
        munmap(stack, STACK_SIZE);
        allocate();
    }
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t created;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_setattr_default_np(&attributes);
    pthread_create(&created, NULL, work, NULL);
    pthread_join(created, NULL);
    return 0;
}
