/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of descriptors.  Files have their path, and pipes the number of their inode.  Sockets have
 * the address that serves: that of the peer, or of this end if Linux chose the peer's port.  If it
 * chose both, the end that accepted serves.  If a program opens more files than there is room for
 * names, the files of a folder share one.
 */
#include "call/waited.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process.h"
#include "record/settings.h"
#include "request/connections.h"
#include "spec/trace.h"

enum {
    NAMES_MAX = 2048,
    ALONE_MAX = 1024, /* names of files, before those of a folder share one */
    PIPES_MAX = 512,  /* names, before all pipes share one */
    FEW_CALLS = 8,    /* that a small file has before it gets a name */
    SMALL_BYTES = 256 << 10,
    TRUSTED_NS = 1000000,
    PLACES = 2 * NAMES_MAX,
    TEXTS_SIZE = 256 << 10,
    NAME_MAX_SIZE = 1024,
    PORTS_PICKED = 32768 /* the first port that Linux picks by itself */
};

struct name {
    uint32_t kind; /* enum trace_waited_kind */
    uint32_t start;
};

struct table {
    struct waited waited; /* first */
    struct name names[NAMES_MAX];
    uint16_t places[PLACES]; /* the number of a name; 0: free */
    uint32_t count;
    uint32_t used;
    uint32_t pipes; /* number of pipe names */
    uint32_t shared;          /* number of the name of small files; 0: it has none yet */
    char name[NAME_MAX_SIZE]; /* being composed; under the lock, because stacks may be small */
    char texts[TEXTS_SIZE];
};

struct waited *waited_table;

static struct table *table_now(void)
{
    return (struct table *)waited_table;
}

static bool open_table(void)
{
    if (!waited_table)
        waited_table = memory_keep_wiped(sizeof(struct table));
    return waited_table != NULL;
}

static uint32_t hash_of(const char *text)
{
    uint64_t hash = 0;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * HASH_FACTOR;
    return (uint32_t)(hash >> 40);
}

/* Returns: its number; 0 when there is no room, or when the name is unknown and `adds` is false. */
static uint32_t intern(const char *text, enum trace_waited_kind kind, bool adds)
{
    struct table *table = table_now();
    uint32_t at = hash_of(text) % PLACES;
    size_t size = strlen(text) + 1;

    for (; table->places[at] != 0; at = (at + 1) % PLACES)
        if (strcmp(table->texts + table->names[table->places[at] - 1].start, text) == 0)
            return table->places[at];
    if (!adds || table->count == NAMES_MAX || size > TEXTS_SIZE - table->used)
        return 0;
    memcpy(table->texts + table->used, text, size);
    table->names[table->count] = (struct name){kind, table->used};
    table->used += (uint32_t)size;
    table->places[at] = (uint16_t)++table->count;
    if (process->file.is_kept)
        facts_flush();
    return table->count;
}

static uint32_t intern_folder(char *path, enum trace_waited_kind kind)
{
    char *slash = strrchr(path, '/');

    if (slash)
        strcpy(slash + 1, "*");
    return intern(path, kind, true);
}

static uint32_t name_number(char *text, enum trace_waited_kind kind)
{
    uint32_t number = intern(text, kind, table_now()->count < ALONE_MAX);

    return number != 0 ? number : intern_folder(text, kind);
}

static enum trace_waited_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode) || S_ISDIR(mode))
        return TRACE_WAITED_FILE;
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return TRACE_WAITED_DEVICE;
    if (S_ISFIFO(mode))
        return TRACE_WAITED_PIPE;
    return S_ISSOCK(mode) ? TRACE_WAITED_SOCKET : TRACE_WAITED_OTHER;
}

/* The recorded addresses of a socket. */
union address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct sockaddr_un local;
    char bytes[sizeof(struct sockaddr_un) + 1];
};

static unsigned port_of(const union address *address)
{
    return ntohs(address->any.sa_family == AF_INET6 ? address->ipv6.sin6_port
                                                    : address->ipv4.sin_port);
}

static bool is_inet(const union address *address)
{
    return address->any.sa_family == AF_INET || address->any.sa_family == AF_INET6;
}

static void write_inet(char *text, size_t size, const union address *address)
{
    char host[INET6_ADDRSTRLEN] = "?";

    if (address->any.sa_family == AF_INET6)
        inet_ntop(AF_INET6, &address->ipv6.sin6_addr, host, sizeof host);
    else
        inet_ntop(AF_INET, &address->ipv4.sin_addr, host, sizeof host);
    snprintf(text, size, "socket to %s port %u", host, port_of(address));
}

static bool ask(long number, int descriptor, union address *address)
{
    socklen_t size = sizeof *address - 1;

    memset(address, 0, sizeof *address);
    return calls_system(number, descriptor, &address->any, &size) == 0;
}

/* Where connections are not watched, either end may serve. */
static bool may_serve(int descriptor)
{
    return settings.requests == SETTINGS_REQUESTS_OFF || connections_has((uint64_t)descriptor);
}

static bool is_picked(const union address *address)
{
    return port_of(address) >= PORTS_PICKED;
}

static void write_socket(char *text, size_t size, int descriptor)
{
    union address own, peer;
    bool has_own = ask(SYS_getsockname, descriptor, &own);
    bool has_peer = ask(SYS_getpeername, descriptor, &peer) && is_inet(&peer);

    if (has_peer && (!is_picked(&peer) || (is_picked(&own) && !may_serve(descriptor))))
        write_inet(text, size, &peer);
    else if (has_own && is_inet(&own) && port_of(&own) != 0)
        snprintf(text, size, "socket of port %u", port_of(&own));
    else if (peer.any.sa_family == AF_UNIX && peer.local.sun_path[0] != '\0')
        snprintf(text, size, "socket %s", peer.local.sun_path);
    else if (has_own && own.any.sa_family == AF_UNIX && own.local.sun_path[0] != '\0')
        snprintf(text, size, "socket %s", own.local.sun_path);
    else
        snprintf(text, size, "socket");
}

static void cut_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    size_t length = strlen(path);

    if (length > sizeof mark - 1 && strcmp(path + length - (sizeof mark - 1), mark) == 0)
        path[length - (sizeof mark - 1)] = '\0';
}

/* Without /proc, the descriptor's number is the name. */
static void write_path(char *text, size_t size, int descriptor)
{
    char link[32];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = calls_readlink(link, text, size - 1);
    if (length <= 0)
        snprintf(text, size, "descriptor %d", descriptor);
    else
        text[length] = '\0';
    cut_deleted(text);
}

/* The number of the inode identifies the other end; with very many pipes it is left out. */
static void write_pipe(char *text, size_t size, uint64_t inode)
{
    if (table_now()->pipes < PIPES_MAX)
        snprintf(text, size, TRACE_PIPE_NAME "%llu", (unsigned long long)inode);
    else
        snprintf(text, size, "pipe");
}

static uint32_t look_up(int descriptor, const struct stat *status)
{
    enum trace_waited_kind kind = kind_of(status->st_mode);
    char *text = table_now()->name;
    uint32_t count = table_now()->count, number;

    if (kind == TRACE_WAITED_SOCKET)
        write_socket(text, NAME_MAX_SIZE, descriptor);
    else
        write_path(text, NAME_MAX_SIZE, descriptor);
    if (kind == TRACE_WAITED_PIPE && text[0] != '/')
        write_pipe(text, NAME_MAX_SIZE, status->st_ino);
    number = name_number(text, kind);
    table_now()->pipes += kind == TRACE_WAITED_PIPE && table_now()->count > count;
    return number;
}

/* Compare a descriptor with its last look-up, and note the file that it stands for now. */
static bool is_same(struct waited_descriptor *known, const struct stat *status)
{
    if (known->inode == status->st_ino && known->device == (unsigned)status->st_dev)
        return true;
    known->inode = status->st_ino;
    known->device = (unsigned)status->st_dev;
    known->calls = 0;
    return false;
}

static bool is_small(struct waited_descriptor *known, const struct stat *status)
{
    return settings.overhead_ppm > 0 && S_ISREG(status->st_mode) && status->st_size < SMALL_BYTES &&
           known->calls++ < FEW_CALLS;
}

static uint32_t share_name(void)
{
    struct table *table = table_now();

    if (table->shared != 0)
        return table->shared;
    lock_take(&process->lock);
    table->shared = intern("small files of few calls", TRACE_WAITED_FILE, true);
    lock_release(&process->lock);
    return table->shared;
}

static uint32_t find_name(struct waited_descriptor *known, int descriptor,
                          const struct stat *status)
{
    uint32_t number;

    lock_take(&process->lock);
    number = look_up(descriptor, status);
    lock_release(&process->lock);
    atomic_store_explicit(&known->number, number, memory_order_relaxed);
    return number;
}

static uint32_t find(struct waited_descriptor *known, int descriptor, bool is_own)
{
    struct stat status;
    uint32_t number = atomic_load_explicit(&known->number, memory_order_relaxed);

    if (calls_fstat(descriptor, &status) != 0)
        return 0;
    if (is_same(known, &status) && number != 0)
        return number;
    if (is_own || !is_small(known, &status))
        return find_name(known, descriptor, &status);
    atomic_store_explicit(&known->number, 0, memory_order_relaxed);
    return share_name();
}

/* Returns: 0: ask the kernel. */
static uint32_t find_trusted(struct waited_descriptor *known, uint64_t now)
{
    uint32_t number = atomic_load_explicit(&known->number, memory_order_relaxed);

    if (now >= known->trusted_ticks)
        return 0;
    if (number != 0)
        return number;
    return known->calls > 0 && known->calls++ < FEW_CALLS ? table_now()->shared : 0;
}

static uint32_t find_anew(struct waited_descriptor *known, uint64_t descriptor, bool is_own,
                          uint64_t now)
{
    int saved_errno = errno;
    uint32_t number = find(known, (int)descriptor, is_own);

    known->trusted_ticks = now + clock_ticks_of(TRUSTED_NS);
    errno = saved_errno;
    return number;
}

uint32_t waited_find(uint64_t descriptor, uint64_t now, bool is_own)
{
    struct waited_descriptor *known;
    uint32_t number;

    if (descriptor >= WAITED_DESCRIPTORS || !open_table())
        return 0;
    known = &waited_table->descriptors[descriptor];
    number = is_own ? 0 : find_trusted(known, now);
    return number != 0 ? number : find_anew(known, descriptor, is_own, now);
}

bool waited_is_shared(uint32_t number)
{
    return number != 0 && number == table_now()->shared;
}

bool waited_is_socket(uint32_t number)
{
    return number != 0 && table_now()->names[number - 1].kind == TRACE_WAITED_SOCKET;
}

void waited_leave(void)
{
    waited_table = NULL;
}

/* The next file may have the inode of this one. */
void waited_forget(uint64_t descriptor)
{
    if (!waited_table || descriptor >= WAITED_DESCRIPTORS)
        return;
    atomic_store_explicit(&waited_table->descriptors[descriptor].number, 0, memory_order_relaxed);
    waited_table->descriptors[descriptor].calls = 0;
    waited_table->descriptors[descriptor].trusted_ticks = 0;
}

bool waited_write_facts(unsigned *written)
{
    const struct table *table = table_now();

    while (table && *written < table->count) {
        const struct name *name = &table->names[*written];
        const struct trace_waited head = {*written + 1, name->kind};
        const char *text = table->texts + name->start;

        if (!facts_write(TRACE_FACT_WAITED, &head, sizeof head, text, strlen(text)))
            return false;
        ++*written;
    }
    return true;
}
