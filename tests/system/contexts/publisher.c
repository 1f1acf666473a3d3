/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Publishes a context for a thread, as OTEP 4947 says.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct record {
    uint8_t trace[16];
    uint8_t span[8];
    uint8_t valid;
    uint8_t flags;
    uint16_t size;
};

__attribute__((visibility("default"))) __thread struct record *otel_thread_ctx_v1;

void publish(uint64_t trace, uint64_t span);
void publish_nothing(int how);

void publish(uint64_t trace, uint64_t span)
{
    struct record *record = otel_thread_ctx_v1;

    if (!record || (uintptr_t)record < 4096)
        record = calloc(1, sizeof *record);
    memcpy(record->trace + 8, &trace, sizeof trace);
    memcpy(record->span, &span, sizeof span);
    record->valid = 1;
    otel_thread_ctx_v1 = record;
}

/* No record, one that is being changed, or an address where nothing is. */
void publish_nothing(int how)
{
    if (how == 0)
        otel_thread_ctx_v1 = NULL;
    else if (how == 1 && otel_thread_ctx_v1 && (uintptr_t)otel_thread_ctx_v1 >= 4096)
        otel_thread_ctx_v1->valid = 0;
    else
        otel_thread_ctx_v1 = (struct record *)16;
}
