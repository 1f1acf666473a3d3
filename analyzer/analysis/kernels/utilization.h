/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of what the machine could have computed a program did compute.
 */
#ifndef ANALYSIS_UTILIZATION_H
#define ANALYSIS_UTILIZATION_H

#include "analysis/analysis.h"
#include "base/text.h"
#include "model/machine.h"

/* Shares of what all allowed processors could compute at peak in the wall time,
 * each precision against its own peak.  NAN without a calibration, or when FLOPs
 * are of a precision whose peak is not known.
 * Source: A. Chowdhery and others, PaLM, 2022, appendix B. */
struct utilization {
    double mfu; /* of the model's FLOPs: those of matmul-class kernels */
    double hfu; /* of all FLOPs that were counted */
    unsigned threads;
    double unjudged[MACHINE_PRECISIONS + 1]; /* of all FLOPs, those of precisions without a peak */
    bool is_impossible; /* more than the peaks allow, in the wall time or in that of kernels */
};

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options);

/* Say which precisions have no peak, where that leaves MFU or HFU unknown. */
bool utilization_has_reason(const struct utilization *of);
void utilization_append_reason(struct text *text, const struct utilization *of);

/* Append that such figures cannot be, and what may be behind it; nothing when they can. */
void utilization_append_doubt(struct text *line, bool is_impossible);

#endif
