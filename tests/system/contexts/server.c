/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server of a thread a connection that has a context for three of four requests:
 *
 *     server REQUESTS [LIBRARY]
 *
 * LIBRARY: publisher.c, loaded by dlopen; without it the program has it.  Prints its port, then for
 * each request with a context the words of its trace and its span.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TEXT_SIZE = 4096, BACKLOG = 64 };

#ifndef DLOPENED
void publish(uint64_t trace, uint64_t span);
void publish_nothing(int how);
#else
static void (*publish)(uint64_t trace, uint64_t span);
static void (*publish_nothing)(int how);
#endif

static atomic_int left;
static atomic_int served;

static void answer(int from)
{
    static const char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    int number = atomic_fetch_add(&served, 1);
    uint64_t trace = 0x1000 + (uint64_t)number, span = 0x2000 + (uint64_t)number;

    if (number % 4 == 3) {
        publish_nothing(number / 4 % 3);
    } else {
        publish(trace, span);
        printf("%lx %lx\n", (unsigned long)trace, (unsigned long)span);
        fflush(stdout);
    }
    if (write(from, text, sizeof text - 1) < 0)
        perror("write");
}

static void *serve(void *of)
{
    int from = (int)(intptr_t)of;
    char text[TEXT_SIZE];

    while (read(from, text, sizeof text) > 0) {
        answer(from);
        if (atomic_fetch_sub(&left, 1) == 1) {
            close(from);
            exit(0);
        }
    }
    close(from);
    return NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

#ifdef DLOPENED
    void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return 3;
    *(void **)&publish = dlsym(library, "publish");
    *(void **)&publish_nothing = dlsym(library, "publish_nothing");
#endif
    left = argc > 1 ? atoi(argv[1]) : 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, BACKLOG) != 0)
        return 2;
    getsockname(listener, (struct sockaddr *)&at, &size);
    printf("port %d\n", ntohs(at.sin_port));
    fflush(stdout);
    for (;;) {
        pthread_t thread;
        int from = accept(listener, NULL, NULL);

        pthread_create(&thread, NULL, serve, (void *)(intptr_t)from);
        pthread_detach(thread);
    }
}
