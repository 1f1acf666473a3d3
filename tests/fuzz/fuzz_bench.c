/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any text as a user's input for tprof bench and compare: a suite, a parameter, an expression, a
 * derived column.  See tests/fuzz/local.mk for how it runs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/expression.h"
#include "bench/parameter.h"
#include "bench/plan.h"
#include "bench/suite.h"
#include "compare/derive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_suite(const uint8_t *data, size_t size)
{
    char path[32];
    struct plan plan;
    struct diagnostic diagnostic;
    int descriptor = memfd_create("suite", MFD_CLOEXEC);

    if (descriptor < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    plan_init(&plan);
    if (write(descriptor, data, size) == (ssize_t)size && !suite_read(&plan, path, &diagnostic) &&
        plan_expand(&plan, &diagnostic))
        diagnostic.text[0] = '\0';
    plan_fini(&plan);

    close(descriptor);
}

static bool find_value(const void *of, const char *name, size_t size, double *value)
{
    (void)of;
    *value = (double)size;
    return name[0] != 'z';
}

static void read_text(const char *text)
{
    struct parameter parameter;
    struct diagnostic diagnostic;
    double number;

    if (!parameter_read(&parameter, text, &diagnostic))
        parameter_fini(&parameter);
    if (expression_compute("--items", text, &number, &diagnostic))
        number = 0;
    if (derive_evaluate(text, find_value, NULL, &number, &diagnostic))
        number = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_text(text);
    free(text);
    read_suite(data, size);
    return 0;
}
