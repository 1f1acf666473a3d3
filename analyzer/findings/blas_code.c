/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code of OpenBLAS against the instructions of the processor.
 */
#include "findings/blas_code.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Vectors, the narrowest first. */
enum vectors { VECTORS_UNKNOWN, SSE, AVX, AVX2, AVX512 };

static const struct {
    const char *name;
    enum vectors vectors;
} cores[] = {
#define OPENBLAS_CORE(name, vectors) {name, vectors},
#include "findings/openblas_cores.def"
#undef OPENBLAS_CORE
};

/* "libopenblas.so.0 (OpenBLAS 0.3.21 ...; code for Haswell)" */
static void read_name(const char *blas, char name[BLAS_CODE_NAME_SIZE])
{
    static const char key[] = "; code for ";
    const char *found = strstr(blas, key);
    int length;

    name[0] = '\0';
    if (!found)
        return;
    found += strlen(key);
    length = (int)strcspn(found, ") ");
    snprintf(name, BLAS_CODE_NAME_SIZE, "%.*s", length, found);
}

static enum vectors vectors_of_core(const char *name)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (strcasecmp(cores[i].name, name) == 0)
            return cores[i].vectors;
    return VECTORS_UNKNOWN;
}

/* The names of the calibration's own loops. */
static enum vectors vectors_of_processor(const char *instruction_set)
{
    if (strstr(instruction_set, "avx512"))
        return AVX512;
    return strstr(instruction_set, "avx2") ? AVX2 : VECTORS_UNKNOWN;
}

enum blas_code blas_code_find(const struct machine *machine, char name[BLAS_CODE_NAME_SIZE])
{
    enum vectors processor = vectors_of_processor(machine->instruction_set), code;

    read_name(machine->blas, name);
    code = vectors_of_core(name);
    if (code == VECTORS_UNKNOWN || processor == VECTORS_UNKNOWN)
        return BLAS_CODE_UNKNOWN;
    return code < processor ? BLAS_CODE_LESSER : BLAS_CODE_FITTING;
}
