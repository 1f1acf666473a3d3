/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's work as a part of the machine's peak.
 */
#ifndef KERNELS_UTILIZATION_H
#define KERNELS_UTILIZATION_H

#include "analysis/analysis.h"
#include "base/text.h"
#include "model/machine.h"

/* How the model's FLOPs are separated from recomputed ones (activation checkpointing, which saves
 * memory). */
enum utilization_model {
    UTILIZATION_OF_ALL,     /* they are not: all products count as the model's */
    UTILIZATION_BY_REGIONS, /* regions mark recomputation */
    UTILIZATION_GIVEN       /* the user gave the FLOPs that the model needs */
};

/* Work by the peak of all allowed processors in the wall time, each precision against its own peak.
 * NAN without a calibration, or when FLOPs are of a precision whose peak is not known; MFU also
 * without products.
 * Source: A. Chowdhery and others, PaLM, 2022, appendix B. */
struct utilization {
    double mfu;        /* of the model's FLOPs, in matmul-class kernels */
    double hfu;        /* of all FLOPs that were counted */
    double mfu_judged; /* these two for FLOPs whose peak is known, without the others; */
    double hfu_judged; /* NAN without a calibration */
    enum utilization_model model;
    double recomputed; /* of the products' FLOPs, in regions that say so */
    double given;      /* FLOPs of the model by those of all products, from the user */
    unsigned threads;
    double unjudged[MACHINE_PRECISIONS + 1]; /* of all FLOPs, those of precisions without a peak */
    bool lacks_products; /* no FLOPs of products: a model's part of the peak means nothing */
    bool is_impossible;  /* more was counted than the peaks allow, in the wall time or in that of
                            kernels */
};

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options);

/* Describe the known ones, the reason for unknown ones, and doubts. */
void utilization_append(struct text *line, const struct utilization *of);

/* Say MFU and which products it takes for the model's; nothing where it is unknown. */
void utilization_append_mfu(struct text *line, const struct utilization *of);

/* Returns: the source of the model's FLOPs, for programs; NULL where MFU is unknown. */
const char *utilization_model_name(const struct utilization *of);

/* Ask whether a peak is known of all FLOPs. */
bool utilization_is_whole(const struct utilization *of);

/* Say which precisions have no peak, where that leaves MFU or HFU unknown, and their size by the
 * FLOPs that have one; or that there were no products. */
bool utilization_has_reason(const struct utilization *of);
void utilization_append_reason(struct text *text, const struct utilization *of);

/* Say that such figures are impossible, and what may be behind it; nothing when they can be. */
void utilization_append_doubt(struct text *line, bool is_impossible);

#endif
