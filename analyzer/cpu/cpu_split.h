/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of each thread: in kernels and outside; samples divide the time outside.
 */
#ifndef CPU_CPU_SPLIT_H
#define CPU_CPU_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

struct session;

struct cpu_thread {
    double cpu_ns;         /* by its clock; by its samples if its end was not recorded */
    double kernel_ns;      /* part of it in kernels */
    double kernel_part;    /* part of the elapsed time of its kernels that was on a processor */
    bool is_clocked;       /* only clocks give kernel_ns */
    double outside_ns;     /* the rest */
    double period_ns;      /* the part of outside_ns that one period of its samples represents; 0:
                              there are none */
    uint64_t kernel_periods;  /* periods of samples in kernels */
    uint64_t outside_periods; /* and outside */
    uint64_t kernel_count;
    uint64_t outside_count;
};

struct cpu_split {
    struct cpu_thread *threads; /* by thread of the session */
    double cpu_ns;     /* time of the process, by its own count; at least the sum of these: */
    double before_ns;  /* time before recording started */
    double threads_ns; /* time of the threads above */
    double short_ns;   /* part of these, outside of kernels, without a sample */
    double silent_ns;  /* time of threads that recorded nothing */
    double pooled_ns;  /* outside of kernels in short threads, which share their samples */
};

/* Split the time.  `kernels`: by sample, the binding of the kernel that it is inside of, or
 * SESSION_NONE; NULL: kernels do not matter.  `pools`: short threads share their samples, instead
 * of having their own. */
void cpu_split_init(struct cpu_split *split, const struct session *session, const uint32_t *kernels,
                    bool pools);

/* Find the processor time of the process for all commands: by its own count, or by its samples if
 * the end was not recorded.  `ns`: NAN if neither exists. */
void cpu_split_find_process(const struct session *session, double *ns);

#endif
