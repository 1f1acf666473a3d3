/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A client that asks a server over loopback, in two writes a request or in one.
 *
 * usage: nagle planted|repaired REQUESTS
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HEAD = 32, BODY = 64, ANSWER = 8 };

static int requests;

static void read_all(int descriptor, size_t size)
{
    char bytes[HEAD + BODY];
    ssize_t got = 1;

    for (; size > 0 && got > 0; size -= (size_t)got)
        got = read(descriptor, bytes, size);
}

static void *serve(void *of)
{
    int descriptor = accept(*(int *)of, NULL, NULL);

    for (int i = 0; i < requests; i++) {
        read_all(descriptor, HEAD + BODY);
        if (write(descriptor, "answered", ANSWER) != ANSWER)
            abort();
    }
    close(descriptor);
    return NULL;
}

static void ask(int descriptor, int is_planted)
{
    char head[HEAD] = "head", body[BODY] = "body";
    const struct iovec parts[] = {{head, HEAD}, {body, BODY}};

    if (!is_planted && writev(descriptor, parts, 2) != HEAD + BODY)
        abort();
    if (is_planted &&
        (write(descriptor, head, HEAD) != HEAD || write(descriptor, body, BODY) != BODY))
        abort();
    read_all(descriptor, ANSWER);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t server;

    if (argc != 3 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, 1) != 0)
        return 2;
    requests = atoi(argv[2]);
    getsockname(listener, (struct sockaddr *)&address, &size);
    pthread_create(&server, NULL, serve, &listener);
    if (connect(client, (struct sockaddr *)&address, size) != 0)
        return 2;
    for (int i = 0; i < requests; i++)
        ask(client, strcmp(argv[1], "planted") == 0);
    close(client);
    pthread_join(server, NULL);
    printf("%d\n", requests);
    return 0;
}
