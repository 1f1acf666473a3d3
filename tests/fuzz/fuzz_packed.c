/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as events to pack, as a payload, and as streams.
 *
 * The first byte chooses the kind of input.  Packed events must come back unchanged.  A payload of
 * any bytes must do no harm; neither may streams of any bytes in sound frames, which a fuzzer could
 * never make because of checksums.  See tests/fuzz/local.mk for how it runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "reader/packer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACK, PAYLOAD, STREAMS, CHOICES };

/* Kept from one input to the next: they are large. */
struct fuzz {
    struct packer *packer;
    struct unpacker *unpacker;
    char bytes[TRACE_PACKED_MAX];
    char unpacked[TRACE_PACKED_MAX];
    char payload[2 * TRACE_PACKED_MAX];
};

static struct fuzz *fuzz_get(void)
{
    static struct fuzz *fuzz;

    if (fuzz)
        return fuzz;
    fuzz = malloc(sizeof *fuzz);
    if (fuzz)
        *fuzz = (struct fuzz){.packer = packer_new(), .unpacker = unpacker_new()};
    if (!fuzz || !fuzz->packer || !fuzz->unpacker)
        abort();
    return fuzz;
}

static void fuzz_pack(struct fuzz *fuzz, const uint8_t *data, size_t size)
{
    struct trace_packed head = {.kind = TRACE_EVENTS, .kept = size};

    memcpy(fuzz->bytes, data, size);
    const struct packed packed = packer_pack(fuzz->packer, &head, fuzz->bytes);
    if (!packed_decode(fuzz->unpacker, &packed, fuzz->unpacked) ||
        memcmp(fuzz->unpacked, fuzz->bytes, size) != 0)
        abort();
}

static void fuzz_decode(struct fuzz *fuzz, size_t size, size_t kept)
{
    struct trace_packed head = {.kind = TRACE_EVENTS, .coding = TRACE_CODING_EVENTS, .kept = kept};
    const struct packed packed = {&head, fuzz->payload, size};

    (void)!packed_decode(fuzz->unpacker, &packed, fuzz->unpacked);
}

/* Two bytes give the number of output words, then two bytes for each stream give its size. */
static void fuzz_streams(struct fuzz *fuzz, const uint8_t *data, size_t size)
{
    enum { NUMBERS = 1 + TRACE_STREAMS };
    uint16_t numbers[NUMBERS];
    struct trace_streams table;
    size_t used = sizeof table;

    if (size < sizeof numbers)
        return;
    memcpy(numbers, data, sizeof numbers);
    data += sizeof numbers;
    size -= sizeof numbers;
    for (size_t i = 0; i < TRACE_STREAMS; i++) {
        size_t part = numbers[1 + i] < size ? numbers[1 + i] : size;

        table.sizes[i] = (uint32_t)ZSTD_compress(fuzz->payload + used, sizeof fuzz->payload - used,
                                                 data, part, 1);
        used += table.sizes[i];
        data += part;
        size -= part;
    }
    memcpy(fuzz->payload, &table, sizeof table);
    fuzz_decode(fuzz, used, (size_t)numbers[0] * TRACE_WORD_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz *fuzz = fuzz_get();

    if (size == 0 || size > TRACE_PACKED_MAX)
        return 0;
    switch (data[0] % CHOICES) {
    case PACK: fuzz_pack(fuzz, data + 1, size - 1); break;
    case PAYLOAD:
        memcpy(fuzz->payload, data + 1, size - 1);
        fuzz_decode(fuzz, size - 1, 4 * size);
        break;
    case STREAMS: fuzz_streams(fuzz, data + 1, size - 1); break;
    default: break;
    }
    return 0;
}
