/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LAPACK's calls by the families of the catalog and the places of calls.
 */
#include "kernels/lapack.h"

#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"

/* Routines of BLAS that multiply matrices, with their extensions: their names in the catalog,
 * without the letter of the precision.  All other multiplying routines with a Fortran name belong
 * to LAPACK.
 * Source: BLAS Technical Forum Standard, 2001; OpenBLAS and MKL for the extensions. */
static const char *const products[] = {
    "gemm",  "gemm3m", "gemmt", "gemmtr", "gemm_batch", "gemm_batch_strided",
    "bgemm", "bgemv",  "symm",  "hemm",   "syrk",       "herk",
    "syr2k", "her2k",  "trmm",  "trsm",   "gemv",       "gbmv",
    "symv",  "sbmv",   "spmv",  "hemv",   "hbmv",       "hpmv",
    "trmv",  "tbmv",   "tpmv",  "trsv",   "tbsv",       "tpsv",
    "ger",   "geru",   "gerc",  "syr",    "syr2",       "spr",
    "spr2",  "her",    "her2",  "hpr",    "hpr2",
};

/* gemm_bf16bf16f32 and its like have no letter before. */
static bool is_product(const char *name)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (name[0] && strcmp(name + 1, products[i]) == 0)
            return true;
    return strncmp(name, "gemm_", strlen("gemm_")) == 0;
}

bool lapack_has(const struct catalog_kernel *kernel)
{
    if (!kernel || !kernel->family || kernel->class != CATALOG_MATMUL)
        return false;
    if (strncmp(kernel->family, "lapacke", strlen("lapacke")) == 0)
        return true;
    return strcmp(kernel->family, "fortran") == 0 && !is_product(kernel->name);
}

static bool is_known(const struct lapack *lapack, const struct session_module *module)
{
    for (size_t i = 0; i < lapack->modules.count; i++)
        if (*(const struct session_module **)array_at(&lapack->modules, i) == module)
            return true;
    return false;
}

static void add_module(struct lapack *lapack, const struct session_module *module)
{
    const struct session_module **added;

    if (!module || is_known(lapack, module))
        return;
    added = array_add(&lapack->modules);
    *added = module;
}

void lapack_init(struct lapack *lapack, const struct session *session)
{
    lapack->session = session;
    array_init(&lapack->modules, sizeof(const struct session_module *));
    for (size_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = session_binding_at(session, i);

        if (binding->calls > 0 && lapack_has(binding->kernel))
            add_module(lapack, binding->module);
    }
}

bool lapack_makes(const struct lapack *lapack, const struct session_slot *slot)
{
    if (lapack_has(slot->kernel))
        return true;
    return lapack->modules.count > 0 && slot->site != 0 &&
           is_known(lapack, session_find_module(lapack->session, slot->site));
}
