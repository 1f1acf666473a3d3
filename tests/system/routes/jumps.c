/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls that do not return normally: the error handler of a BLAS jumps out, a kernel ends its
 * thread, a kernel calls another.  Plain calls follow each way.
 *
 * usage: jumps jump | end | nest
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "blas.h"

enum { JUMPS = 100, ENDS = 20, NESTED = 10, PLAIN = 3 };

/* The kernel's action before its work; set by the caller. */
extern void (*jumps_hook)(void);

static jmp_buf back;

static void jump_out(void)
{
    longjmp(back, 1);
}

static void end_thread(void)
{
    pthread_exit(NULL);
}

static void call_inside(void)
{
    jumps_hook = NULL;
    blas_run(cblas_sgemm, 1);
    jumps_hook = call_inside;
}

static void run_hooked(void (*hook)(void))
{
    jumps_hook = hook;
    blas_run(cblas_sgemm, 1);
    jumps_hook = NULL;
}

static void *live_until_called(void *unused)
{
    run_hooked(end_thread);
    return unused;
}

static void jump(void)
{
    for (volatile int i = 0; i < JUMPS; i++)
        if (setjmp(back) == 0)
            run_hooked(jump_out);
}

static void end(void)
{
    pthread_t thread;

    for (int i = 0; i < ENDS; i++) {
        pthread_create(&thread, NULL, live_until_called, NULL);
        pthread_join(thread, NULL);
    }
}

static void nest(void)
{
    for (int i = 0; i < NESTED; i++)
        run_hooked(call_inside);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    if (strcmp(arguments[1], "jump") == 0)
        jump();
    else if (strcmp(arguments[1], "end") == 0)
        end();
    else
        nest();
    jumps_hook = NULL;
    printf("result %g\n", (double)blas_run(cblas_sgemm, PLAIN));
    printf("truth: calls %d\n", blas_calls());
    return 0;
}
