/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens any bytes as a trace.  If the first byte is odd, which a trace's is not, they become the
 * contents of a packed chunk, which a fuzzer could never make because of checksums.
 *
 * With clang, build this with -fsanitize=fuzzer,address and -DFUZZ_LIBFUZZER for libFuzzer.
 * Otherwise it is a program that opens the given files, for AFL (fuzz_session @@) and to replay a
 * fuzzer's findings.  Any outcome is right except a crash, a hang or a report of a sanitizer.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "model/session.h"
#include "model/session_open.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void fuzz_open(const char *path)
{
    const struct session_options options = session_defaults();
    struct session session;
    struct diagnostic diagnostic;

    if (!session_open(&session, path, &options, &diagnostic))
        session_close(&session);
}

static void fuzz_open_bytes(const void *bytes, size_t size)
{
    char path[32];
    int descriptor = memfd_create("trace", MFD_CLOEXEC);

    if (descriptor < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (write(descriptor, bytes, size) == (ssize_t)size)
        fuzz_open(path);
    close(descriptor);
}

/* ---- a packed chunk ---------------------------------------------------- */

/* A trace of one packed chunk of the largest size. */
struct fuzz_trace {
    union {
        struct trace_header header;
        char page[TRACE_HEADER_SIZE];
    };
    struct trace_chunk head;
    struct trace_packed packed;
    char payload[2 * TRACE_PACKED_MAX];
};

static const struct trace_header fuzz_header = {
    .magic = TRACE_MAGIC,
    .version = TRACE_VERSION,
    .byte_order = TRACE_BYTE_ORDER,
    .machine = TRACE_X86_64,
    .clock = TRACE_CLOCK_COUNTER,
    .start = {1000, 1000},
    .end = {2000, 2000},
    .ending = TRACE_EXITED,
};

static void fuzz_fill_heads(struct fuzz_trace *trace, size_t payload)
{
    uint64_t used = sizeof trace->head + sizeof trace->packed + payload;
    uint64_t size = (used + TRACE_CHUNK_ALIGN - 1) / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN;
    bool is_symbols = trace->packed.kind == TRACE_SYMBOLS;

    trace->head = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                       .kind = is_symbols ? TRACE_SYMBOLS : TRACE_PACKED,
                                       .lane = !is_symbols && trace->packed.kind != TRACE_FACTS,
                                       .offset = TRACE_HEADER_SIZE,
                                       .size = size,
                                       .used = used,
                                       .clock = {1000, 1000}};
    trace->header = fuzz_header;
    trace->header.size = TRACE_HEADER_SIZE + size;
    trace->header.packed_size = trace->header.size;
    trace->header.packed_from = trace->header.size;
}

/* The bytes over and over: an input is much smaller than a chunk may be. */
static void fuzz_repeat(char *to, size_t wanted, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < wanted; done += size)
        memcpy(to + done, bytes, wanted - done < size ? wanted - done : size);
}

/* The first byte gives the kind of the chunk's contents, the second its size; more bytes follow. */
static void fuzz_open_packed(const uint8_t *bytes, size_t size)
{
    static const uint32_t kinds[] = {TRACE_EVENTS, TRACE_TALLIES, TRACE_FACTS, TRACE_STACKS,
                                     TRACE_SYMBOLS};
    static char contents[TRACE_PACKED_MAX];
    static struct fuzz_trace trace;
    size_t payload;

    trace.packed =
        (struct trace_packed){.kind = kinds[bytes[0] / 2 % (sizeof kinds / sizeof *kinds)],
                              .coding = TRACE_CODING_ZSTD,
                              .offset = TRACE_HEADER_SIZE,
                              .size = TRACE_PACKED_MAX,
                              .used = TRACE_PACKED_MAX,
                              .kept = (bytes[1] + 1u) * (TRACE_PACKED_MAX / 256)};
    fuzz_repeat(contents, trace.packed.kept, bytes + 2, size - 2);
    payload =
        ZSTD_compress(trace.payload, sizeof trace.payload, contents, (size_t)trace.packed.kept, 1);
    fuzz_fill_heads(&trace, payload);
    fuzz_open_bytes(&trace, (size_t)trace.header.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 2 && bytes[0] % 2 == 1)
        fuzz_open_packed(bytes, size);
    else
        fuzz_open_bytes(bytes, size);
    return 0;
}

#ifndef FUZZ_LIBFUZZER
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        fuzz_open(argv[i]);
    return 0;
}
#endif
