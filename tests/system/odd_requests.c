/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Odd connections: this program is server and client in one thread.  It prints how many requests of
 * each sort there were.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { TEXT_SIZE = 4096, MANY = 300 };

static const char question[] = "GET /odd HTTP/1.1\r\nHost: here\r\n\r\n";
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

static struct {
    unsigned answered, unanswered, http2, tls, pipelined, upgraded;
} truth;

static int client, server; /* the two ends of the present connection */
static char text[TEXT_SIZE];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void begin_at(int family, const struct sockaddr *at, socklen_t size)
{
    int listener = socket(family, SOCK_STREAM, 0);
    struct sockaddr_storage own;
    socklen_t own_size = sizeof own;

    if (bind(listener, at, size) != 0 || listen(listener, 8) != 0)
        fail("listen");
    getsockname(listener, (struct sockaddr *)&own, &own_size);
    client = socket(family, SOCK_STREAM, 0);
    if (connect(client, (struct sockaddr *)&own, own_size) != 0)
        fail("connect");
    server = accept(listener, NULL, NULL);
    if (server < 0)
        fail("accept");
    close(listener);
}

static void begin(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    begin_at(AF_INET, (struct sockaddr *)&at, sizeof at);
}

static void end(void)
{
    close(server);
    close(client);
}

static void send_all(int to, const char *what)
{
    if (send(to, what, strlen(what), 0) < 0)
        fail("send");
}

static void take(int from)
{
    if (recv(from, text, sizeof text, 0) < 0)
        fail("recv");
}

static void exchange(const char *asked, const char *said)
{
    send_all(client, asked);
    take(server);
    send_all(server, said);
    take(client);
}

/* ---- sorts of connections ------------------------------------------------------ */

static void plain(void)
{
    begin();
    for (int i = 0; i < 3; i++)
        exchange(question, answer);
    end();
    truth.answered += 3;
}

static void other_protocol(void)
{
    begin();
    send_all(server, "220 hello\r\n"); /* the server speaks first */
    take(client);
    for (int i = 0; i < 4; i++)
        exchange("NOOP\r\n", "250 ok\r\n");
    end();
    truth.answered += 4;
}

static void half_closed(void)
{
    begin();
    send_all(client, question);
    shutdown(client, SHUT_WR);
    take(server);
    take(server); /* the end */
    send_all(server, answer);
    end();
    truth.answered++;
}

static void byte_by_byte(void)
{
    begin();
    send_all(client, question);
    for (size_t i = 0; i < sizeof question - 1; i++)
        if (read(server, text, 1) != 1)
            fail("read");
    send_all(server, answer);
    end();
    truth.answered++;
}

static void peeked(void)
{
    begin();
    exchange(question, answer);
    send_all(client, question);
    recv(server, text, 4, MSG_PEEK);
    take(server);
    send_all(server, answer);
    end();
    truth.answered += 2;
}

static void pipelined(void)
{
    begin();
    send_all(client, question);
    send_all(client, question);
    usleep(1000);
    take(server);
    send_all(server, answer);
    send_all(server, answer);
    end();
    truth.answered++;
    truth.pipelined++;
}

/* After the answer, bytes that are no method belong to the same request. */
static void answered_early(void)
{
    begin();
    exchange("POST /big HTTP/1.1\r\nContent-Length: 10\r\n\r\n", "HTTP/1.1 413 Too large\r\n\r\n");
    send_all(client, "0123456789");
    take(server);
    end();
    truth.answered++;
}

static void continued(void)
{
    begin();
    exchange("POST /up HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n",
             "HTTP/1.1 100 Continue\r\n\r\n");
    exchange("abcd", answer);
    end();
    truth.answered++;
}

static void unanswered(void)
{
    begin();
    send_all(client, question);
    take(server);
    end();
    truth.unanswered++;
}

static void upgraded(void)
{
    begin();
    exchange("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
             "HTTP/1.1 101 Switching Protocols\r\n\r\n");
    for (int i = 0; i < 5; i++)
        exchange("\x81\x02hi", "\x81\x02ho");
    end();
    truth.answered++;
    truth.upgraded++;
}

static void http2(void)
{
    begin();
    exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "settings");
    exchange("frames", "frames");
    end();
    truth.http2++;
}

static void tls(void)
{
    begin();
    exchange("\x16\x03\x01hello", "\x16\x03\x03hello");
    exchange("\x17\x03\x03 data", "\x17\x03\x03 data");
    end();
    truth.tls++;
}

static void local(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};

    snprintf(at.sun_path, sizeof at.sun_path, "./socket.%d", getpid());
    begin_at(AF_UNIX, (struct sockaddr *)&at, sizeof at);
    exchange(question, answer);
    end();
    unlink(at.sun_path);
    truth.answered++;
}

/* The descriptor stands for a file then, which is no request. */
static void replaced(void)
{
    int file = open("/proc/self/exe", O_RDONLY);

    begin();
    exchange(question, answer);
    dup2(file, server);
    if (read(server, text, 100) != 100)
        fail("read");
    end();
    close(file);
    truth.answered++;
}

/* By a system call that nobody sees. */
static void closed_unseen(void)
{
    int file = open("/proc/self/exe", O_RDONLY);

    begin();
    exchange(question, answer);
    syscall(SYS_dup3, file, server, 0);
    if (read(server, text, 100) != 100)
        fail("read");
    end();
    close(file);
    truth.answered++;
}

static void in_pieces(void)
{
    struct iovec in[2] = {{text, 10}, {text + 10, sizeof text - 10}};
    struct iovec out[2] = {{(void *)answer, 9}, {(void *)(answer + 9), sizeof answer - 10}};
    struct msghdr received = {.msg_iov = in, .msg_iovlen = 2};
    struct msghdr sent = {.msg_iov = out, .msg_iovlen = 2};

    begin();
    send_all(client, question);
    if (readv(server, in, 2) < 0 || writev(server, out, 2) < 0)
        fail("pieces");
    take(client);
    send_all(client, question);
    if (recvmsg(server, &received, 0) < 0 || sendmsg(server, &sent, 0) < 0)
        fail("messages");
    end();
    truth.answered += 2;
}

static void a_file(void)
{
    int file = open("/proc/self/exe", O_RDONLY), pipes[2];

    begin();
    send_all(client, question);
    take(server);
    send_all(server, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    if (sendfile(server, file, NULL, 100) != 100)
        fail("sendfile");
    if (pipe(pipes) != 0 || write(pipes[1], "spliced", 7) != 7 ||
        splice(pipes[0], NULL, server, NULL, 7, 0) != 7)
        fail("splice");
    close(pipes[0]);
    close(pipes[1]);
    end();
    close(file);
    truth.answered++;
}

static void many(void)
{
    for (int i = 0; i < MANY; i++) {
        begin();
        exchange(question, answer);
        end();
    }
    truth.answered += MANY;
}

int main(void)
{
    plain();
    other_protocol();
    half_closed();
    byte_by_byte();
    peeked();
    pipelined();
    answered_early();
    continued();
    unanswered();
    upgraded();
    http2();
    tls();
    local();
    replaced();
    closed_unseen();
    in_pieces();
    a_file();
    many();
    printf("requests %u\nunanswered %u\nhttp2_connections %u\ntls_connections %u\npipelined %u\n"
           "upgraded %u\n",
           truth.answered, truth.unanswered, truth.http2, truth.tls, truth.pipelined,
           truth.upgraded);
    return 0;
}
