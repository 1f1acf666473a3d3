/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of facts.
 */
#ifndef MODEL_FACTS_PARTS_H
#define MODEL_FACTS_PARTS_H

#include <stddef.h>

#include "model/facts.h"

/* The bytes of one fact. */
struct facts_payload {
    const char *bytes;
    size_t size;
};

/* Take the head of a fact off its payload.
 * Returns: false when the payload is shorter. */
bool facts_take(struct facts_payload *payload, void *head, size_t size);

/* Count a fact that makes no sense. */
void facts_skip(struct facts *facts);

/* Keep a copy of a payload as a text. */
const char *facts_keep(struct facts *facts, struct facts_payload payload);

enum status facts_read_property(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_device(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_queue(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_device_memory(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_keep(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_incident(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_catalog(struct facts *facts, struct facts_payload payload) MUST_CHECK;
enum status facts_read_packed_catalog(struct facts *facts, struct facts_payload payload) MUST_CHECK;

/* Parse the catalog, when all its pieces were read.
 */
void facts_parse_catalog(struct facts *facts, const struct reader *reader);

#endif
