/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states of connections, by descriptor.
 *
 * A state is taken by one thread at a time.  Another one, or a signal handler, tries for about a
 * microsecond and then counts a lost record.  Records are written when no state is taken.
 */
#include "request/connections.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "record/incidents.h"
#include "record/lane.h"
#include "record/live_heap.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/thread_context.h"
#include "request/answers.h"
#include "request/asking.h"
#include "request/endpoints.h"
#include "request/first_bytes.h"
#include "request/functions.h"
#include "request/proxy_start.h"
#include "request/sessions.h"
#include "request/sums.h"

enum {
    TRIES = 1000,
    CPU_READS = 16,        /* writes of a request whose clock is always read */
    CPU_LATER_NS = 100000, /* further ones are read so long after the last */
    RETOLD_NS = 100000000, /* an answer that goes on is written again so long after the last time */
    STATUS_CONTINUES = 100,
    STATUS_SWITCHES = 101,
    STATUS_FINAL = 200
};

enum phase {
    PHASE_WAITING,  /* for the first bytes of a request */
    PHASE_READING,  /* they came, and no answer yet */
    PHASE_ANSWERING /* an answer began, and may be complete */
};

struct connection {
    atomic_uint is_taken;
    uint32_t number;
    struct trace_request request; /* the present one; start, sizes and names are filled in */
    struct sums_counted counted;
    uint64_t first;     /* its first write began, in ticks */
    uint64_t end;       /* its last write ended */
    uint64_t sent;      /* encrypted bytes were written last, in ticks */
    uint64_t told;      /* when its record was written; 0: not yet */
    uint64_t cpu_ns;    /* clock of the thread at its start; 0: not asked */
    uint64_t cpu_read;  /* when the clock was read last, in ticks */
    int64_t live_bytes; /* of the thread at its start */
    uint32_t lane;      /* number of the lane that read its first bytes */
    uint16_t answers;   /* to the present request */
    uint16_t queue;     /* at the accept, for the first request */
    uint16_t port;
    uint8_t phase;
    uint8_t protocol;
    bool is_known;   /* the protocol is */
    bool has_queue;  /* it was accepted by this process */
    bool is_local;   /* its socket knows no arrival */
    bool is_incident; /* its present request is known to be one */
    bool is_changed; /* since its record was written */
    bool is_plain;   /* a library of TLS tells its bytes */
    bool is_unsent;  /* an answer was encrypted, and nothing sent since */
    uint8_t cpu_reads;
};

uint8_t *connections_marks;

static struct connection *connections; /* in memory that a fork wipes */
static atomic_uint accepted;

/* ---- states ------------------------------------------------------------------ */

/* Two threads may accept the first connections at once: one of them unmaps its own. */
static bool open_table(void)
{
    uint8_t *none = NULL;
    uint8_t *marks;
    struct connection *states;

    if (__atomic_load_n(&connections_marks, __ATOMIC_ACQUIRE))
        return true;
    marks = memory_map(CONNECTIONS_MAX);
    states = memory_map_wiped(CONNECTIONS_MAX * sizeof *states);
    if (marks && states) {
        struct connection *nothing = NULL;

        if (__atomic_compare_exchange_n(&connections, &nothing, states, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            states = NULL;
        if (__atomic_compare_exchange_n(&connections_marks, &none, marks, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            marks = NULL;
    }
    if (marks)
        memory_unmap(marks, CONNECTIONS_MAX);
    if (states)
        memory_unmap(states, CONNECTIONS_MAX * sizeof *states);
    return __atomic_load_n(&connections_marks, __ATOMIC_ACQUIRE) != NULL;
}

static void count_lost(void)
{
    struct lane *lane = lane_ready();

    if (lane)
        lane->thread_node->lost_records++;
}

/* Returns: NULL when another thread keeps the state. */
static struct connection *take(uint64_t descriptor)
{
    struct connection *connection = &connections[descriptor];

    for (unsigned i = 0; i < TRIES; i++)
        if (atomic_exchange_explicit(&connection->is_taken, 1, memory_order_acquire) == 0)
            return connection;
    count_lost();
    return NULL;
}

/* At the end, for a thread that lost its processor while it kept the state. */
static struct connection *take_patiently(uint64_t descriptor)
{
    enum { NAPS = 20, NAP_NS = 1000000 };
    struct connection *connection = &connections[descriptor];

    for (unsigned i = 0; i < NAPS; i++) {
        if (atomic_exchange_explicit(&connection->is_taken, 1, memory_order_acquire) == 0)
            return connection;
        calls_nap(NAP_NS);
    }
    return take(descriptor);
}

static void give_back(struct connection *connection)
{
    atomic_store_explicit(&connection->is_taken, 0, memory_order_release);
}

/* Number a connection, also one that a parent process accepted. */
static void identify(struct connection *connection, uint64_t descriptor)
{
    connection->number = atomic_fetch_add(&accepted, 1) + 1;
    connection->port = asking_port((int)descriptor);
}

/* ---- records ------------------------------------------------------------------ */

/* Memory that the thread frees behind its last write is not kept. */
static void note_kept(const struct connection *connection, struct trace_request *request)
{
    const struct lane *lane = lane_self;
    int64_t live = lane->number == connection->lane && lane->state != LANE_BLANK
                       ? live_heap_of(lane)
                       : INT64_MIN;

    if (live != INT64_MIN && connection->live_bytes != INT64_MIN)
        request->kept_bytes = live - connection->live_bytes;
}

static void count(struct connection *connection, const struct trace_request *request)
{
    if (request->flags & TRACE_REQUEST_UNTOLD)
        return;
    answers_count(&connection->counted, request, connection->end);
}

/* An answer that goes on is one incident. */
static void note_incident(struct connection *connection, const struct trace_request *request)
{
    if (!incidents_is_slow_request(request->ticks) || connection->is_incident ||
        request->flags & TRACE_REQUEST_UNTOLD)
        return;
    connection->is_incident = true;
    incidents_note_request(request);
}

/* Complete the record of an answer.  Returns: whether there is something new to write. */
static bool compose(struct connection *connection, struct trace_request *request)
{
    if (connection->phase != PHASE_ANSWERING || !connection->is_changed)
        return false;
    connection->is_changed = false;
    *request = connection->request;
    request->ticks = connection->end - request->start;
    request->first_ticks = connection->first - request->start;
    request->protocol = connection->protocol;
    note_kept(connection, request);
    count(connection, request);
    note_incident(connection, request);
    return true;
}

/* Compose the rest, at the end of a connection or of recording. */
static bool compose_rest(struct connection *connection, uint64_t now, uint16_t flag,
                         struct trace_request *request)
{
    if (connection->phase == PHASE_WAITING)
        return false;
    if (connection->phase == PHASE_ANSWERING && connection->request.flags & TRACE_REQUEST_UNTOLD)
        connection->is_changed = true;
    if (connection->phase == PHASE_ANSWERING)
        return compose(connection, request);
    *request = connection->request;
    request->ticks = request->first_ticks = now - request->start;
    request->flags |= flag;
    request->protocol = connection->protocol;
    return true;
}

/* The thread turns to something else than this answer. */
static void tell(uint64_t descriptor)
{
    struct connection *connection = connections_has(descriptor) ? take(descriptor) : NULL;
    struct trace_request request;
    bool is_new = false;
    uint64_t now;

    if (!connection)
        return;
    now = clock_read();
    if (!(connection->request.flags & TRACE_REQUEST_UNTOLD) &&
        (connection->told == 0 || now - connection->told >= clock_ticks_of(RETOLD_NS)))
        is_new = compose(connection, &request);
    if (is_new)
        connection->told = now;
    give_back(connection);
    if (is_new)
        answers_write(&request);
}

static void tell_last(uint64_t other)
{
    struct lane *lane = lane_self;
    uint32_t answered = lane->answered;

    if (answered == 0 || answered == other + 1)
        return;
    lane->answered = 0;
    tell(answered - 1);
}

void connections_turn(void)
{
    int saved_errno = errno;

    if (lane_self->answered != 0 && !process_is_sandboxed())
        tell_last(UINT64_MAX);
    errno = saved_errno;
}

/* ---- costs ------------------------------------------------------------------ */

/* The thread, and what it has used so far. */
static bool begin_costs(struct connection *connection, bool is_drawn)
{
    const struct lane *lane = lane_ready();

    if (!lane)
        return false;
    connection->lane = lane->number;
    connection->request.thread = (uint32_t)lane->thread;
    connection->live_bytes = live_heap_of(lane);
    connection->cpu_ns = is_drawn ? calls_clock(CLOCK_THREAD_CPUTIME_ID) : 0;
    connection->cpu_reads = 0;
    return true;
}

static bool reads_clock(const struct connection *connection, uint64_t now)
{
    return connection->cpu_reads < CPU_READS ||
           now - connection->cpu_read >= clock_ticks_of(CPU_LATER_NS);
}

/* The costs up to a write.  They are known where one thread serves the request. */
static void add_costs(struct connection *connection, uint64_t now)
{
    const struct lane *lane = lane_ready();
    struct trace_request *request = &connection->request;

    if (!lane || lane->number != connection->lane) {
        request->flags |= TRACE_REQUEST_HANDED;
        request->cpu_ns = UINT64_MAX;
        connection->lane = 0;
        return;
    }
    if (connection->cpu_ns == 0 || !reads_clock(connection, now))
        return;
    request->cpu_ns = calls_clock(CLOCK_THREAD_CPUTIME_ID) - connection->cpu_ns;
    connection->cpu_read = now;
    if (connection->cpu_reads < UINT8_MAX)
        connection->cpu_reads++;
}

/* ---- reads and writes ------------------------------------------------------------- */

/* Memory that the kernel has just read or written.  The first piece is enough. */
static struct first_bytes first_piece(const struct iovec *pieces, size_t count, size_t size)
{
    for (size_t i = 0; pieces && i < count; i++)
        if (pieces[i].iov_len > 0)
            return (struct first_bytes){pieces[i].iov_base,
                                        pieces[i].iov_len < size ? pieces[i].iov_len : size};
    return (struct first_bytes){NULL, 0};
}

static struct first_bytes find_bytes(const struct connections_call *call, size_t size)
{
    const struct msghdr *message;

    switch (call->role) {
    case CONNECTIONS_READS:
    case CONNECTIONS_WRITES: return (struct first_bytes){(const char *)call->words[1], size};
    case CONNECTIONS_READS_PIECES:
    case CONNECTIONS_WRITES_PIECES:
        return first_piece((const struct iovec *)call->words[1], call->words[2], size);
    case CONNECTIONS_READS_MESSAGE:
    case CONNECTIONS_WRITES_MESSAGE:
        message = (const struct msghdr *)call->words[1];
        return first_piece(message->msg_iov, message->msg_iovlen, size);
    case CONNECTIONS_NONE:
    case CONNECTIONS_READS_UNSEEN:
    case CONNECTIONS_WRITES_UNSEEN:
    case CONNECTIONS_SPLICES:
    case CONNECTIONS_ACCEPTS:
    case CONNECTIONS_CLOSES: break;
    }
    return (struct first_bytes){NULL, 0};
}

static bool is_read(enum connections_role role)
{
    return role >= CONNECTIONS_READS && role <= CONNECTIONS_READS_UNSEEN;
}

static bool is_untold(const struct connection *connection)
{
    static const bool are_told[] = {
#define PROTOCOL(protocol, key, is_told, help) is_told,
#include "spec/protocols.def"
#undef PROTOCOL
    };

    return !are_told[connection->protocol];
}

/* A descriptor that was closed unseen may be a file by now.
 * Returns: false when the descriptor is no socket. */
static bool ask_arrival(struct connection *connection, uint64_t descriptor)
{
    bool is_socket = true;

    connection->request.arrival_us = asking_arrival((int)descriptor, &is_socket);
    connection->is_local = connection->request.arrival_us == UINT32_MAX;
    return is_socket;
}

/* Of TLS, the first call of the library that gives plain bytes begins the first request.  The
 * handshake before it is none. */
static void note_plain(struct connection *connection)
{
    if (connection->is_plain)
        return;
    connection->is_plain = true;
    connection->is_known = false;
    connection->phase = PHASE_WAITING;
}

/* A request begins.  Returns: false when the connection is none. */
static bool begin(struct connection *connection, const struct connections_call *call,
                  struct first_bytes bytes, uint64_t now)
{
    bool is_first = !connection->is_known, is_drawn;
    struct trace_request *request = &connection->request;

    if (connection->number == 0)
        identify(connection, call->descriptor);
    *request = (struct trace_request){
        .start = now,
        .cpu_ns = UINT64_MAX,
        .kept_bytes = TRACE_REQUEST_KEPT_UNKNOWN,
        .arrival_us = UINT32_MAX,
        .proxy_us = UINT32_MAX,
        .connection = connection->number,
        .port = connection->port,
        .queue = is_first && connection->has_queue ? connection->queue : UINT16_MAX,
        .flags =
            (is_first ? TRACE_REQUEST_FIRST : 0) | (connection->is_plain ? TRACE_REQUEST_TLS : 0),
    };
    if (is_first)
        connection->protocol = (uint8_t)first_bytes_protocol(bytes);
    connection->is_known = true;
    connection->told = 0;
    connection->counted = (struct sums_counted){0};
    connection->answers = 0;
    connection->is_incident = false;
    if (is_untold(connection))
        request->flags |= TRACE_REQUEST_UNTOLD;
    is_drawn = !is_untold(connection) && asking_draws(now);
    if (is_drawn && !connection->is_local && !ask_arrival(connection, call->descriptor))
        return false;
    if (!begin_costs(connection, is_drawn))
        return false;
    connection->phase = PHASE_READING;
    return true;
}

/* After an answer, a read begins the next request; of HTTP/1 a method does, and other bytes belong
 * to the request that is answered already. */
static bool begins_next(const struct connection *connection, struct first_bytes bytes)
{
    if (connection->phase != PHASE_ANSWERING || is_untold(connection))
        return false;
    if (connection->protocol == TRACE_PROTOCOL_HTTP)
        return first_bytes_are_method(bytes);
    return connection->protocol == TRACE_PROTOCOL_OTHER;
}

/* Returns: whether `rest` has a record to write. */
static bool take_read(struct connection *connection, const struct connections_call *call,
                      size_t size, struct trace_request *rest)
{
    struct first_bytes bytes = find_bytes(call, size);
    uint64_t now = clock_read();
    bool is_next = begins_next(connection, bytes);
    bool has_rest = is_next && compose(connection, rest);

    if (is_next)
        connection->phase = PHASE_WAITING;
    if (connection->phase == PHASE_WAITING && !begin(connection, call, bytes, now))
        __atomic_store_n(&connections_marks[call->descriptor], 0, __ATOMIC_RELAXED);
    connection->request.bytes_in += size;
    return has_rest;
}

/* Interim answers are none: the program reads on.  Returns: whether this is one. */
static bool note_status(struct connection *connection, struct first_bytes bytes)
{
    unsigned status =
        connection->protocol == TRACE_PROTOCOL_HTTP ? first_bytes_status(bytes) : STATUS_FINAL;

    if (status == STATUS_SWITCHES)
        connection->protocol = TRACE_PROTOCOL_UPGRADED;
    if (status >= STATUS_CONTINUES && status < STATUS_FINAL)
        return status != STATUS_SWITCHES;
    if (connection->protocol == TRACE_PROTOCOL_HTTP && status >= STATUS_FINAL &&
        connection->answers < UINT16_MAX && ++connection->answers > 1)
        connection->request.flags |= TRACE_REQUEST_PIPELINED;
    return false;
}

/* A program that speaks first answers nothing yet. */
static bool take_write(struct connection *connection, const struct connections_call *call,
                       size_t size)
{
    uint64_t now;

    if (connection->phase == PHASE_WAITING)
        return false;
    connection->request.bytes_out += size;
    if (note_status(connection, find_bytes(call, size)))
        return false;
    now = clock_read();
    if (connection->phase == PHASE_READING)
        connection->first = call->asked;
    connection->phase = PHASE_ANSWERING;
    connection->end = now;
    connection->is_changed = true;
    add_costs(connection, now);
    return true;
}

/* ---- calls ------------------------------------------------------------------ */

void connections_begin(struct connections_call *call)
{
    int saved_errno = errno;

    call->asked = 0;
    if (process_is_sandboxed())
        return;
    call->asked = clock_read();
    if (is_read(call->role))
        tell_last(UINT64_MAX);
    else
        tell_last(call->descriptor);
    errno = saved_errno;
}

/* Clocks of two machines differ, and are set: a time in the future says nothing, nor does one of
 * long ago. */
static void note_proxy(struct trace_request *request, uint64_t proxy_us)
{
    static const uint64_t hour_us = UINT64_C(3600000000);
    uint64_t now_us = proxy_us != 0 ? calls_clock(CLOCK_REALTIME) / 1000 : 0;

    if (proxy_us == 0)
        return;
    if (proxy_us > now_us || now_us - proxy_us > hour_us)
        request->flags |= TRACE_REQUEST_SKEWED;
    else
        request->proxy_us = (uint32_t)(now_us - proxy_us);
}

/* A request that stays without a name has 0. */
static void name_endpoint(const struct connections_call *call, size_t size)
{
    struct connection *connection;
    uint32_t endpoint = endpoints_find(find_bytes(call, size));
    uint64_t proxy_us = proxy_start_find(find_bytes(call, size));

    connection = endpoint != 0 || proxy_us != 0 ? take(call->descriptor) : NULL;
    if (!connection)
        return;
    connection->request.endpoint = endpoint;
    note_proxy(&connection->request, proxy_us);
    give_back(connection);
}

/* Encrypted bytes came, which the library will work on. */
static bool is_ciphered(const struct connection *connection, const struct connections_call *call)
{
    return !call->is_plain &&
           (connection->is_plain ||
            (connection->is_known && connection->protocol == TRACE_PROTOCOL_TLS));
}

static void end_read(const struct connections_call *call, size_t size)
{
    struct connection *connection = take(call->descriptor);
    struct trace_request rest;
    bool has_rest = false, is_new, is_cipher;
    uint32_t number;

    if (!connection)
        return;
    if (call->is_plain)
        note_plain(connection);
    if (call->is_plain == connection->is_plain)
        has_rest = take_read(connection, call, size, &rest);
    is_new = connection->phase == PHASE_READING && connection->request.bytes_in == size &&
             connection->protocol == TRACE_PROTOCOL_HTTP;
    is_cipher = is_ciphered(connection, call);
    number = connection->number;
    give_back(connection);
    if (is_cipher)
        sessions_note_read(call->descriptor, number);
    if (has_rest)
        answers_write(&rest);
    if (is_new && !is_cipher && settings.requests == SETTINGS_REQUESTS_PATHS)
        name_endpoint(call, size);
}

/* An answer that the program sends itself ends when its bytes are sent. */
static bool take_cipher(struct connection *connection)
{
    connection->sent = clock_read();
    if (connection->phase != PHASE_ANSWERING || !connection->is_unsent)
        return false;
    connection->is_unsent = false;
    connection->end = connection->sent;
    connection->is_changed = true;
    add_costs(connection, connection->sent);
    return true;
}

static bool take_any_write(struct connection *connection, const struct connections_call *call,
                           size_t size)
{
    if (connection->is_plain && !call->is_plain)
        return take_cipher(connection);
    if (call->is_plain && !connection->is_plain) /* the program speaks first */
        return false;
    connection->is_unsent = call->is_plain && connection->sent < call->asked;
    return take_write(connection, call, size);
}

static void end_write(const struct connections_call *call, size_t size)
{
    struct connection *connection = take(call->descriptor);
    struct trace_request request;
    bool is_first, has_answered;

    if (!connection)
        return;
    is_first = connection->phase == PHASE_READING;
    has_answered = take_any_write(connection, call, size);
    is_first = is_first && has_answered && thread_context_is_published;
    if (is_first)
        request = connection->request;
    give_back(connection);
    if (is_first)
        answers_write_context(&request);
    if (has_answered && lane_self->state == LANE_READY)
        lane_self->answered = (uint32_t)call->descriptor + 1;
}

void connections_end(const struct connections_call *call, uint64_t result)
{
    int saved_errno = errno;

    if (call->asked == 0 || (int64_t)result <= 0 || process_is_sandboxed() ||
        !connections_has(call->descriptor))
        return;
    if (is_read(call->role))
        end_read(call, result);
    else
        end_write(call, result);
    errno = saved_errno;
}

/* ---- descriptors ------------------------------------------------------------------ */

/* Write the rest of a connection, and forget it. */
static void end_connection(uint64_t descriptor)
{
    struct connection *connection = take(descriptor);
    struct trace_request rest;
    bool has_rest;

    if (!connection)
        return;
    has_rest = compose_rest(connection, clock_read(), TRACE_REQUEST_UNANSWERED, &rest);
    connection->phase = PHASE_WAITING;
    __atomic_store_n(&connections_marks[descriptor], 0, __ATOMIC_RELEASE);
    give_back(connection);
    if (has_rest)
        answers_write(&rest);
}

/* The state of a connection that was closed unseen is still there. */
void connections_open(uint64_t descriptor, uint64_t listener)
{
    int saved_errno = errno;
    struct connection *connection;

    if (settings.requests == SETTINGS_REQUESTS_OFF || functions_are_bound ||
        descriptor >= CONNECTIONS_MAX || process_is_sandboxed() || process_is_borrowed() ||
        !open_table())
        return;
    if (connections_has(descriptor))
        end_connection(descriptor);
    connection = take(descriptor);
    if (connection) {
        uint64_t now = clock_read();

        connection->phase = PHASE_WAITING;
        identify(connection, descriptor);
        connection->is_known = connection->is_local = connection->is_changed = false;
        connection->is_plain = connection->is_unsent = false;
        connection->sent = 0;
        connection->has_queue = true;
        connection->queue = asking_draws(now) ? asking_queue((int)listener) : UINT16_MAX;
        __atomic_store_n(&connections_marks[descriptor], 1, __ATOMIC_RELEASE);
        give_back(connection);
    }
    errno = saved_errno;
}

void connections_close(uint64_t descriptor)
{
    int saved_errno = errno;

    if (connections_has(descriptor) && !process_is_sandboxed() && !process_is_borrowed())
        end_connection(descriptor);
    errno = saved_errno;
}

/* A thread may be in the middle of an answer, which then ends here. */
void connections_finish(void)
{
    for (uint64_t i = 0; connections_marks && i < CONNECTIONS_MAX; i++) {
        struct connection *connection = connections_has(i) ? take_patiently(i) : NULL;
        struct trace_request rest;
        bool has_rest;

        if (!connection)
            continue;
        has_rest = compose_rest(connection, clock_read(), TRACE_REQUEST_OPEN, &rest);
        give_back(connection);
        if (has_rest)
            answers_write(&rest);
    }
}

bool connections_is(uint64_t descriptor, uint32_t number)
{
    return connections_has(descriptor) &&
           __atomic_load_n(&connections[descriptor].number, __ATOMIC_RELAXED) == number;
}

void connections_leave(void)
{
    connections_marks = NULL;
}
