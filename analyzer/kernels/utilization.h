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
    UTILIZATION_OF_ALL,     /* the model's products are unknown: all products count */
    UTILIZATION_BY_REGIONS, /* regions mark recomputation */
    UTILIZATION_GIVEN       /* the user gave the FLOPs that the model needs */
};

/* Work divided by the peak of all allowed processors in the wall time; each precision has its own
 * peak.  NAN without a calibration, or if some FLOPs have a precision with unknown peak; MFU also
 * without products.
 * Source: A. Chowdhery and others, PaLM, 2022, appendix B. */
struct utilization {
    double mfu;        /* share of the model's FLOPs, in matmul-class kernels */
    double hfu;        /* share of all counted FLOPs */
    double mfu_judged; /* the same two for only the FLOPs with known peak; */
    double hfu_judged; /* NAN without a calibration */
    enum utilization_model model;
    double recomputed; /* share of the products' FLOPs in regions marked as recomputation */
    double given;      /* FLOPs of the model by those of all products, from the user */
    unsigned threads;
    double unjudged[MACHINE_PRECISIONS + 1]; /* share of all FLOPs by precision, for those without a
                                                peak */
    bool lacks_products; /* no product has FLOPs: the model's share of the peak means nothing */
    bool is_impossible;  /* more was counted than the peaks allow, in the wall time or in that of
                            kernels */
};

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options);

/* Describe the known ones, the reason for unknown ones, and doubts. */
void utilization_append(struct text *line, const struct utilization *of);

/* Say MFU and which products count for the model; nothing if MFU is unknown. */
void utilization_append_mfu(struct text *line, const struct utilization *of);

/* Returns: the source of the model's FLOPs, for programs; NULL where MFU is unknown. */
const char *utilization_model_name(const struct utilization *of);

/* Ask whether the peaks for all FLOPs are known. */
bool utilization_is_whole(const struct utilization *of);

/* If MFU or HFU is unknown for lack of peaks, say which precisions have none, and the size for the
 * other FLOPs; or say that there were no products. */
bool utilization_has_reason(const struct utilization *of);
void utilization_append_reason(struct text *text, const struct utilization *of);

/* Say that such figures are impossible, and the likely cause; nothing when they are possible. */
void utilization_append_doubt(struct text *line, bool is_impossible);

#endif
