/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions to sockets, and their draws.
 */
#include "request/asking.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "record/settings.h"

enum {
    WINDOW_NS = 100000000,
    ASKED_MOST = 900, /* in a window; 1.1 us each are one part in a hundred of it */
    ASKED_FEW = ASKED_MOST / 3,
    DOUBLINGS_MAX = 16,
    US_IN_MS = 1000
};

static _Atomic uint64_t window_end;
static atomic_uint asked;
static atomic_uint doublings; /* one request in 2^doublings is asked */
static _Atomic uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

/* xorshift, Marsaglia 2003.  Two threads may draw the same number. */
static uint64_t draw(void)
{
    uint64_t number = atomic_load_explicit(&state, memory_order_relaxed);

    number ^= number << 13;
    number ^= number >> 7;
    number ^= number << 17;
    atomic_store_explicit(&state, number, memory_order_relaxed);
    return number >> 32;
}

/* A window is over: judge it.  Another thread may do so, too, and change the rate twice. */
static void judge(uint64_t now)
{
    unsigned count = atomic_exchange(&asked, 0);
    unsigned present = atomic_load(&doublings);

    atomic_store(&window_end, now + clock_ticks_of(WINDOW_NS));
    if (count > ASKED_MOST && present < DOUBLINGS_MAX)
        atomic_store(&doublings, present + 1);
    else if (count < ASKED_FEW && present > 0)
        atomic_store(&doublings, present - 1);
}

bool asking_draws(uint64_t now)
{
    unsigned present = atomic_load_explicit(&doublings, memory_order_relaxed);

    if (settings.overhead_ppm == 0)
        return true;
    if (now >= atomic_load_explicit(&window_end, memory_order_relaxed))
        judge(now);
    if (present > 0 && (draw() & ((UINT64_C(1) << present) - 1)) != 0)
        return false;
    atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
    return true;
}

/* Returns: whether the kernel filled in all fields up to the one that is needed. */
static bool ask(int descriptor, struct tcp_info *info, size_t needed)
{
    socklen_t size = sizeof *info;

    return calls_system(SYS_getsockopt, descriptor, IPPROTO_TCP, TCP_INFO, info, &size) == 0 &&
           size >= needed;
}

uint32_t asking_arrival(int descriptor, bool *is_socket)
{
    struct tcp_info info;

    *is_socket = true;
    if (ask(descriptor, &info, offsetof(struct tcp_info, tcpi_last_data_recv) + sizeof(uint32_t)))
        return info.tcpi_last_data_recv < UINT32_MAX / US_IN_MS
                   ? info.tcpi_last_data_recv * US_IN_MS
                   : UINT32_MAX;
    *is_socket = errno != ENOTSOCK;
    return UINT32_MAX;
}

uint16_t asking_port(int descriptor)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } own;
    socklen_t size = sizeof own;

    if (calls_system(SYS_getsockname, descriptor, &own.any, &size) != 0)
        return 0;
    if (own.any.sa_family == AF_INET)
        return ntohs(own.ipv4.sin_port);
    return own.any.sa_family == AF_INET6 ? ntohs(own.ipv6.sin6_port) : 0;
}

/* For a listening socket, tcpi_unacked is the length of its queue.
 * Source: tcp_get_info of Linux, net/ipv4/tcp.c. */
uint16_t asking_queue(int listener)
{
    struct tcp_info info;

    if (!ask(listener, &info, offsetof(struct tcp_info, tcpi_unacked) + sizeof(uint32_t)))
        return UINT16_MAX;
    return info.tcpi_unacked < UINT16_MAX ? (uint16_t)info.tcpi_unacked : UINT16_MAX - 1;
}
