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

enum { CORES = 16 };

/* Names as openblas_get_corename returns them.
 *
 * Source: driver/others/dynamic.c and TargetList.txt of OpenBLAS 0.3. */
static const struct {
    enum vectors vectors;
    const char *names[CORES];
} cores[] = {
    {SSE,
     {"Katmai", "Coppermine", "Northwood", "Prescott", "Banias", "Atom", "Core2", "Penryn",
      "Dunnington", "Nehalem", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona", "Bobcat", "Nano"}},
    {AVX, {"Sandybridge", "Bulldozer", "Piledriver", "Steamroller"}},
    {AVX2, {"Excavator", "Haswell", "Zen"}},
    {AVX512, {"SkylakeX", "Cooperlake", "SapphireRapids"}},
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
        for (int j = 0; j < CORES && cores[i].names[j]; j++)
            if (strcasecmp(cores[i].names[j], name) == 0)
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
