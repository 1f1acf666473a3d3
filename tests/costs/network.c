/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of sockets, blocks of memory, streams and event libraries, and their
 * repaired twins, which print the same.
 */
#include <ares.h>
#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <gnutls/gnutls.h>
#include <mqueue.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <sodium.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>
#include <zmq.h>

#include "plants.h"

/* ---- sockets ---------------------------------------------------------------------------- */

enum { BATCH = 32 };

static long packets_planted(long rounds)
{
    char packet[60] = "position";
    int sender = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (long i = 0; i < rounds; i++)
        sendto(sender, packet, sizeof packet, 0, (struct sockaddr *)&to, sizeof to);
    close(sender);
    return rounds;
}

/* Buffers that the kernel cuts (UDP_SEGMENT). */
static long packets_repaired(long rounds)
{
    static char packets[BATCH * 60];
    int sender = socket(AF_INET, SOCK_DGRAM, 0), size = 60;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    struct iovec part = {packets, sizeof packets};
    struct mmsghdr messages[4] = {0};

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(sender, (struct sockaddr *)&to, sizeof to);
    setsockopt(sender, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size);
    for (int i = 0; i < 4; i++) {
        messages[i].msg_hdr.msg_iov = &part;
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    for (long i = 0; i < rounds; i += 4 * BATCH)
        sendmmsg(sender, messages, 4, 0);
    close(sender);
    return rounds;
}

static long ready_planted(long rounds)
{
    int set = epoll_create1(0), pair[2];
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT}, found[16];
    long sum = 0;

    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event);
    for (long i = 0; i < rounds; i++) {
        char byte;

        if (i % 1000 == 999 && write(pair[1], "x", 1) != 1)
            return 0;
        epoll_wait(set, found, 16, 10);
        if (found[0].events & EPOLLIN)
            sum += read(pair[0], &byte, 1);
    }
    close(set);
    return sum;
}

static long ready_repaired(long rounds)
{
    int set = epoll_create1(0), pair[2];
    struct epoll_event event = {.events = EPOLLIN}, found[16];
    long sum = 0;

    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event);
    for (long i = 0; i < rounds / 1000; i++) {
        char byte;

        if (write(pair[1], "x", 1) != 1)
            return 0;
        epoll_wait(set, found, 16, 10);
        if (found[0].events & EPOLLIN)
            sum += read(pair[0], &byte, 1);
    }
    close(set);
    return sum;
}

static long available_planted(long rounds)
{
    int pipes[2];
    long sum = 0;

    if (pipe(pipes) != 0)
        return 0;
    for (long i = 0; i < rounds; i++) {
        char bytes[100];
        int size = 0;

        if (i % 100 == 0 && write(pipes[1], bytes, 100) != 100)
            return 0;
        ioctl(pipes[0], FIONREAD, &size);
        if (size > 0)
            sum += read(pipes[0], bytes, sizeof bytes);
    }
    return sum;
}

static long available_repaired(long rounds)
{
    int pipes[2];
    long sum = 0;

    if (pipe(pipes) != 0)
        return 0;
    for (long i = 0; i < rounds; i += 100) {
        char bytes[100];

        if (write(pipes[1], bytes, 100) != 100)
            return 0;
        sum += read(pipes[0], bytes, sizeof bytes);
    }
    return sum;
}

static char folder[] = "/tmp/tprof-network-XXXXXX";

static long watches_planted(long rounds)
{
    int notifier = inotify_init();
    long sum = mkdtemp(folder) == NULL;

    for (long i = 0; i < rounds; i++) {
        int watch = inotify_add_watch(notifier, folder, IN_MODIFY);

        sum += watch > 0;
        inotify_rm_watch(notifier, watch);
    }
    rmdir(folder);
    return sum;
}

static long watches_repaired(long rounds)
{
    int notifier = inotify_init();
    long sum = mkdtemp(folder) == NULL;
    int watch = inotify_add_watch(notifier, folder, IN_MODIFY);

    for (long i = 0; i < rounds; i++)
        sum += watch > 0;
    rmdir(folder);
    return sum;
}

/* ---- memory ----------------------------------------------------------------------------- */

static long secrets_planted(long rounds)
{
    long sum = sodium_init() < 0;

    for (long i = 0; i < rounds; i++) {
        unsigned char *key = sodium_malloc(32);

        key[0] = (unsigned char)i;
        sum += key[0];
        sodium_free(key);
    }
    return sum;
}

static long secrets_repaired(long rounds)
{
    long sum = sodium_init() < 0;
    unsigned char *key = sodium_malloc(32);

    for (long i = 0; i < rounds; i++) {
        key[0] = (unsigned char)i;
        sum += key[0];
        sodium_memzero(key, 32);
    }
    sodium_free(key);
    return sum;
}

static long growing_planted(long rounds)
{
    size_t size = 4096;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        block = mremap(block, size, size + 4096, MREMAP_MAYMOVE);
        block[size] = 1;
        size += 4096;
        sum += block[size - 4096];
    }
    munmap(block, size);
    return sum;
}

static long growing_repaired(long rounds)
{
    size_t size = 4096, most = 4096 * (size_t)(rounds + 1);
    char *block = mmap(NULL, most, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        block[size] = 1;
        size += 4096;
        sum += block[size - 4096];
    }
    munmap(block, most);
    return sum;
}

struct node {
    struct node *next;
    long value;
};

/* ---- streams ---------------------------------------------------------------------------- */

static FILE *make_numbers(long count)
{
    FILE *file = tmpfile();
    int numbers[1000];

    for (int i = 0; i < 1000; i++)
        numbers[i] = i;
    for (long i = 0; i < count; i += 1000)
        fwrite(numbers, sizeof *numbers, 1000, file);
    rewind(file);
    return file;
}

static long numbers_planted(long rounds)
{
    FILE *file = make_numbers(1000000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        int number;

        while (fread(&number, sizeof number, 1, file) == 1)
            sum += number;
        rewind(file);
    }
    return sum;
}

static long numbers_repaired(long rounds)
{
    FILE *file = make_numbers(1000000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        int numbers[4096];
        size_t count;

        while ((count = fread(numbers, sizeof *numbers, 4096, file)) > 0)
            for (size_t j = 0; j < count; j++)
                sum += numbers[j];
        rewind(file);
    }
    return sum;
}

/* ---- libraries of events and messages ------------------------------------------------------- */

static long channels_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        ares_channel channel;

        if (ares_init(&channel) != ARES_SUCCESS)
            return 0;
        ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
        sum++;
        ares_destroy(channel);
    }
    return sum;
}

static long channels_repaired(long rounds)
{
    ares_channel channel;
    long sum = 0;

    if (ares_init(&channel) != ARES_SUCCESS)
        return 0;
    for (long i = 0; i < rounds; i++) {
        ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
        sum++;
    }
    ares_destroy(channel);
    return sum;
}

static long ends_planted(long rounds)
{
    struct evbuffer *buffer = evbuffer_new();
    char part[400] = "a part of a request without an end";
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        evbuffer_add(buffer, part, sizeof part);
        sum += evbuffer_search(buffer, "\r\n\r\n", 4, NULL).pos;
    }
    evbuffer_free(buffer);
    return sum;
}

static long ends_repaired(long rounds)
{
    struct evbuffer *buffer = evbuffer_new();
    char part[400] = "a part of a request without an end";
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const size_t size = evbuffer_get_length(buffer);
        struct evbuffer_ptr from;

        evbuffer_add(buffer, part, sizeof part);
        evbuffer_ptr_set(buffer, &from, size > 3 ? size - 3 : 0, EVBUFFER_PTR_SET);
        sum += evbuffer_search(buffer, "\r\n\r\n", 4, &from).pos;
    }
    evbuffer_free(buffer);
    return sum;
}

static void on_timer(uv_timer_t *timer)
{
    ++*(long *)timer->data;
}

static void run_timer(uv_loop_t *loop, long *count)
{
    uv_timer_t timer;

    uv_timer_init(loop, &timer);
    timer.data = count;
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

static long loops_planted(long rounds)
{
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        uv_loop_t loop;

        uv_loop_init(&loop);
        run_timer(&loop, &count);
        uv_loop_close(&loop);
    }
    return count;
}

static long loops_repaired(long rounds)
{
    uv_loop_t loop;
    long count = 0;

    uv_loop_init(&loop);
    for (long i = 0; i < rounds; i++)
        run_timer(&loop, &count);
    uv_loop_close(&loop);
    return count;
}

static long contexts_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        void *context = zmq_ctx_new();
        void *a = zmq_socket(context, ZMQ_PAIR), *b = zmq_socket(context, ZMQ_PAIR);
        char answer[8] = "";

        zmq_bind(a, "inproc://work");
        zmq_connect(b, "inproc://work");
        zmq_send(b, "hello", 5, 0);
        sum += zmq_recv(a, answer, sizeof answer, 0);
        zmq_close(a);
        zmq_close(b);
        zmq_ctx_term(context);
    }
    return sum;
}

static long contexts_repaired(long rounds)
{
    void *context = zmq_ctx_new();
    void *a = zmq_socket(context, ZMQ_PAIR), *b = zmq_socket(context, ZMQ_PAIR);
    long sum = 0;

    zmq_bind(a, "inproc://work");
    zmq_connect(b, "inproc://work");
    for (long i = 0; i < rounds; i++) {
        char answer[8] = "";

        zmq_send(b, "hello", 5, 0);
        sum += zmq_recv(a, answer, sizeof answer, 0);
    }
    zmq_close(a);
    zmq_close(b);
    zmq_ctx_term(context);
    return sum;
}

static long messages_planted(long rounds)
{
    void *context = zmq_ctx_new();
    void *a = zmq_socket(context, ZMQ_PAIR), *b = zmq_socket(context, ZMQ_PAIR);
    long sum = 0;

    zmq_bind(a, "inproc://numbers");
    zmq_connect(b, "inproc://numbers");
    for (long i = 0; i < rounds; i++) {
        long number;

        zmq_send(b, &i, sizeof i, 0);
        zmq_recv(a, &number, sizeof number, 0);
        sum += number;
    }
    zmq_close(a);
    zmq_close(b);
    zmq_ctx_term(context);
    return sum;
}

static long messages_repaired(long rounds)
{
    void *context = zmq_ctx_new();
    void *a = zmq_socket(context, ZMQ_PAIR), *b = zmq_socket(context, ZMQ_PAIR);
    long sum = 0;

    zmq_bind(a, "inproc://numbers");
    zmq_connect(b, "inproc://numbers");
    for (long i = 0; i < rounds; i += 1000) {
        long numbers[1000], got[1000];

        for (long j = 0; j < 1000; j++)
            numbers[j] = i + j;
        zmq_send(b, numbers, sizeof numbers, 0);
        zmq_recv(a, got, sizeof got, 0);
        for (long j = 0; j < 1000 && i + j < rounds; j++)
            sum += got[j];
    }
    zmq_close(a);
    zmq_close(b);
    zmq_ctx_term(context);
    return sum;
}

/* ---- TLS -------------------------------------------------------------------------------- */

static gnutls_anon_client_credentials_t client_keys;
static gnutls_anon_server_credentials_t server_keys;

static gnutls_session_t make_session(unsigned flags, int descriptor)
{
    gnutls_session_t session;

    gnutls_init(&session, flags | GNUTLS_NONBLOCK);
    gnutls_priority_set_direct(session, "NORMAL:-VERS-TLS1.3:-KX-ALL:+ANON-ECDH", NULL);
    if (flags & GNUTLS_CLIENT)
        gnutls_credentials_set(session, GNUTLS_CRD_ANON, client_keys);
    else
        gnutls_credentials_set(session, GNUTLS_CRD_ANON, server_keys);
    gnutls_transport_set_int(session, descriptor);
    return session;
}

static void connect_both(gnutls_session_t ends[2], int pair[2])
{
    gnutls_anon_allocate_client_credentials(&client_keys);
    gnutls_anon_allocate_server_credentials(&server_keys);
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
    ends[0] = make_session(GNUTLS_CLIENT, pair[0]);
    ends[1] = make_session(GNUTLS_SERVER, pair[1]);
    for (int is_done[2] = {0, 0}; !is_done[0] || !is_done[1];)
        for (int i = 0; i < 2; i++)
            is_done[i] = is_done[i] || gnutls_handshake(ends[i]) == 0;
}

static void disconnect(gnutls_session_t ends[2], int pair[2])
{
    for (int i = 0; i < 2; i++) {
        gnutls_deinit(ends[i]);
        close(pair[i]);
    }
    gnutls_anon_free_client_credentials(client_keys);
    gnutls_anon_free_server_credentials(server_keys);
}

static long ask(gnutls_session_t ends[2])
{
    char question[10];

    gnutls_record_send(ends[0], "hello", 5);
    return gnutls_record_recv(ends[1], question, sizeof question);
}

static long handshakes_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        gnutls_session_t ends[2];
        int pair[2];

        connect_both(ends, pair);
        sum += ask(ends);
        disconnect(ends, pair);
    }
    return sum;
}

static long handshakes_repaired(long rounds)
{
    gnutls_session_t ends[2];
    int pair[2];
    long sum = 0;

    connect_both(ends, pair);
    for (long i = 0; i < rounds; i++)
        sum += ask(ends);
    disconnect(ends, pair);
    return sum;
}

/* ---- queues ----------------------------------------------------------------------------- */

static mqd_t open_queue(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 10, .mq_msgsize = 8000};
    mqd_t queue = mq_open("/plant", O_CREAT | O_RDWR, 0600, &attributes);

    mq_unlink("/plant");
    return queue;
}

static long queues_planted(long rounds)
{
    mqd_t queue = open_queue();
    static char message[8000];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        long number;

        mq_send(queue, (char *)&i, sizeof i, 0);
        mq_receive(queue, message, sizeof message, NULL);
        memcpy(&number, message, sizeof number);
        sum += number;
    }
    mq_close(queue);
    return sum;
}

static long queues_repaired(long rounds)
{
    mqd_t queue = open_queue();
    static long numbers[1000], message[1000];
    long sum = 0;

    for (long i = 0; i < rounds; i += 1000) {
        for (long j = 0; j < 1000; j++)
            numbers[j] = i + j;
        mq_send(queue, (char *)numbers, sizeof numbers, 0);
        mq_receive(queue, (char *)message, sizeof message, NULL);
        for (long j = 0; j < 1000 && i + j < rounds; j++)
            sum += message[j];
    }
    mq_close(queue);
    return sum;
}

static const struct plant plants[] = {
    PLANT(packets),  PLANT(ready),    PLANT(available),  PLANT(watches), PLANT(secrets),
    PLANT(growing),  PLANT(numbers),  PLANT(channels),   PLANT(ends),    PLANT(loops),
    PLANT(contexts), PLANT(messages), PLANT(handshakes), PLANT(queues)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
