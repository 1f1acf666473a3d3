/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of handlers that begin and end in odd ways.  Prints the requests of each name.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handler.h"

static jmp_buf before;

static void do_nothing(int argument)
{
    (void)argument;
}

/* All in one request. */
static void descend(int depth)
{
    if (depth > 0)
        with_kind(1, descend, depth - 1);
    serve(0, "/inside");
}

static void jump(int argument)
{
    longjmp(before, argument);
}

static void end_thread(int argument)
{
    (void)argument;
    pthread_exit(NULL);
}

static void *end_inside(void *unused)
{
    any_one(end_thread, 0);
    return unused;
}

static void fork_inside(int argument)
{
    pid_t child = fork();

    (void)argument;
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* A text that ends with its page, and no page behind it. */
static char *make_edge(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    munmap(pages + page, page);
    memcpy(pages + page - 5, "/edge", 5);
    return pages + page - 5;
}

int main(void)
{
    char *edge = make_edge(), bomb[8192];
    pid_t own = getpid();
    pthread_t thread;

    memset(bomb, 'x', sizeof bomb - 1);
    bomb[0] = '/';
    bomb[sizeof bomb - 1] = '\0';
    for (int i = 0; i < 3; i++)
        with_kind((short)(i - 1), do_nothing, 0); /* -1, 0, 1 */
    with_kind(7, descend, 5);
    if (setjmp(before) == 0)
        any_two(jump, 1);
    any_two(do_nothing, 0);
    pthread_create(&thread, NULL, end_inside, NULL);
    pthread_join(thread, NULL);
    plainly(2.0, 18446744073709551615ul, do_nothing, 0);
    serve(0, NULL);
    serve(0, (const char *)8);
    serve(0, "");
    serve(0, edge);
    serve(0, "/item/17/more/deep");
    serve(0, "/item/18?secret=1");
    serve(0, "GET /item/19 HTTP/1.1");
    serve(0, "word");
    serve(0, "3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    serve(0, "\x1b[31mred");
    serve(0, bomb);
    plainly(1.0, 3, fork_inside, 0);
    if (getpid() != own) {
        serve(0, "/child");
        return 0;
    }
    puts("with_kind -1 1\nwith_kind 0 1\nwith_kind 1 1\nwith_kind 7 1");
    puts("any_two 1\nany_one 1\nplainly 18446744073709551615 1\nplainly 3 1");
    puts("serve 4\nserve /edge 1\nserve /item/* 2\nserve GET /item/* 1\nserve word 1\nserve * 1");
    puts("serve /* 1");
    return 0;
}
