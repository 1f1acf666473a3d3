/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splits samples by their ticks: a sum of samples whose ticks have several keys becomes one sum a
 * key.
 */
#ifndef MODEL_SAMPLE_SPLIT_H
#define MODEL_SAMPLE_SPLIT_H

#include <stdint.h>

#include "model/session_samples.h"

struct session;

/* Changes a sample whose ticks have the key `key`. */
typedef void (*sample_giver)(void *of, struct session_sample *sample, uint32_t key);

/* Split the samples of a session.  Dropped ticks are assumed to be like the others.
 *
 * Shape: `keys` has one entry for each tick; SESSION_NONE: the tick stays.
 */
void sample_split(struct session *session, const uint32_t *keys, sample_giver give, void *of);

#endif
