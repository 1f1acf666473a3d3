/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of perf script.  The fields point into the line, which the reader cuts into strings.
 */
#ifndef IMPORT_PERF_LINE_H
#define IMPORT_PERF_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* "my worker 23460/23461 [001] 76266.728874:    1001001 cpu-clock:pppH: " */
struct perf_head {
    const char *command;
    const char *event; /* without its modifiers and the last colon; NULL: the line is no sample */
    const char *rest;  /* rest of the line; a sample without -g has its only frame there */
    uint64_t time_ns;
    uint64_t period; /* 0: the line has none */
    uint32_t pid;    /* 0: the line has none */
    uint32_t tid;
};

/* Ask whether a line is the head of a sample, or another record with a time; if so, the line is
 * cut. */
bool perf_line_read_head(char *line, struct perf_head *head);

/* "            11dd leaf+0x2d (/tmp/program)" */
struct perf_frame {
    uint64_t address;
    const char *function; /* "" when perf knows none */
    const char *library;
    uint64_t offset;      /* in the function; 0: the line has none */
    bool is_inlined;      /* inlined into the frame of the next line; has no library */
};

/* The same for a frame. */
bool perf_line_read_frame(char *line, struct perf_frame *frame);

#endif
