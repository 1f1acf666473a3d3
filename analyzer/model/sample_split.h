/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parting samples by their ticks: a sum of samples whose ticks belong to several things becomes
 * one sum for each of them.
 */
#ifndef MODEL_SAMPLE_SPLIT_H
#define MODEL_SAMPLE_SPLIT_H

#include <stdint.h>

#include "model/session_samples.h"

struct session;

/* What becomes of a sample whose ticks belong to `key`. */
typedef void (*sample_giver)(void *of, struct session_sample *sample, uint32_t key);

/* Part the samples of a session.  Where ticks were dropped, the others are taken to be alike.
 *
 * Shape: `keys` has one a tick; SESSION_NONE: it stays where it is.
 */
void sample_split(struct session *session, const uint32_t *keys, sample_giver give, void *of);

#endif
