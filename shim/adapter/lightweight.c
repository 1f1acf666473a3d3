/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuBLASLt and hipBLASLt: the sizes of a product are in descriptors of its matrices, which the
 * libraries' own functions read.  A program may change a descriptor, or make one for each call, so
 * they are asked at each call: ten questions, and none of them reaches the device.
 *
 * Source: cublasLt.h of CUDA 11.4 to 13.6, hipblaslt.h of ROCm 6 and 7.  hipBLASLt before ROCm 6
 * does not tell rows: its products have no shape.
 */
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "call/entry.h"

enum { LIBRARIES_MAX = 16 };

/* Places among the arguments of a product. */
enum { OPERATION = 1, LAYOUT_A = 4, LAYOUT_B = 6 };

typedef int (*asker)(const void *object, int what, void *answer, size_t size, size_t *written);

/* What an attribute's number is. */
struct attributes {
    const char *product, *ask_layout, *ask_operation; /* names of functions */
    int type, rows, columns, batch;
    int transposed_a, transposed_b;
    int plain; /* an operation that does not transpose */
};

static const struct attributes interfaces[] = {
    {"cublasLtMatmul", "cublasLtMatrixLayoutGetAttribute", "cublasLtMatmulDescGetAttribute", 0, 2,
     3, 5, 3, 4, 0},
    {"hipblasLtMatmul", "hipblasLtMatrixLayoutGetAttribute", "hipblasLtMatmulDescGetAttribute", 2,
     4, 5, 0, 0, 1, 111},
};

static struct library {
    asker ask_layout, ask_operation;
    const struct attributes *attributes;
} libraries[LIBRARIES_MAX];
static unsigned library_count;

struct matrix {
    uint64_t rows, columns;
    uint32_t type;
    int32_t batch;
};

static bool ask(asker function, const void *object, int what, void *answer, size_t size)
{
    size_t written = 0;

    return function(object, what, answer, size, &written) == 0 && written == size;
}

/* A matrix as it takes part in the product. */
static bool read_matrix(const struct library *library, const struct entry_frame *frame,
                        unsigned layout, struct matrix *matrix)
{
    const struct attributes *numbers = library->attributes;
    const void *object = (const void *)entry_integer(frame, layout);
    const void *operation = (const void *)entry_integer(frame, OPERATION);
    int what = layout == LAYOUT_A ? numbers->transposed_a : numbers->transposed_b;
    int32_t transposed = 0;
    uint64_t rows;

    if (!object || !operation ||
        !ask(library->ask_layout, object, numbers->rows, &matrix->rows, sizeof matrix->rows) ||
        !ask(library->ask_layout, object, numbers->columns, &matrix->columns,
             sizeof matrix->columns) ||
        !ask(library->ask_layout, object, numbers->type, &matrix->type, sizeof matrix->type) ||
        !ask(library->ask_layout, object, numbers->batch, &matrix->batch, sizeof matrix->batch) ||
        !ask(library->ask_operation, operation, what, &transposed, sizeof transposed))
        return false;
    if (transposed == numbers->plain)
        return true;
    rows = matrix->rows;
    matrix->rows = matrix->columns;
    matrix->columns = rows;
    return true;
}

/* Numbers of cudaDataType, which are those of hipDataType. */
static const char *name_type(uint32_t type)
{
    switch (type) {
    case 0: return "f32";
    case 1: return "f64";
    case 2: return "f16";
    case 3: return "i8";
    case 4: return "c32";
    case 5: return "c64";
    case 14: return "bf16";
    case 28:
    case 29:
    case 1000:
    case 1001: return "f8";
    default: return "?";
    }
}

static const struct object_shape *describe_product(const struct binding *binding,
                                                   const word *integers)
{
    const struct entry_frame *frame = (const struct entry_frame *)integers;
    const struct library *library = binding->library;
    struct object_shape shape = adapter_begin_shape(ADAPTED_lt_matmul);
    struct matrix a, b;

    _Static_assert(offsetof(struct entry_frame, integers) == 0, "the frame of a call's integers");
    if (!library || !read_matrix(library, frame, LAYOUT_A, &a) ||
        !read_matrix(library, frame, LAYOUT_B, &b))
        return NULL;
    shape.values[TERM_lt_matmul_m] = (int64_t)a.rows;
    shape.values[TERM_lt_matmul_n] = (int64_t)b.columns;
    shape.values[TERM_lt_matmul_k] = (int64_t)a.columns;
    shape.values[TERM_lt_matmul_batch] = a.batch > b.batch ? a.batch : b.batch;
    shape.values[TERM_lt_matmul_type] = adapter_pack_text(name_type(a.type));
    return object_remember(NULL, &shape);
}

static const struct attributes *find_interface(const char *symbol)
{
    for (unsigned i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
        if (strcmp(interfaces[i].product, symbol) == 0)
            return &interfaces[i];
    return NULL;
}

/* Another library may have the address of an unloaded one, so the functions are found again. */
static void find_library(struct binding *binding)
{
    const struct attributes *attributes = find_interface(binding->symbol->name);
    struct library found = {.attributes = attributes};

    binding->library = NULL;
    if (!attributes)
        return;
    found.ask_layout = (asker)adapter_find_function(binding->target, attributes->ask_layout);
    found.ask_operation = (asker)adapter_find_function(binding->target, attributes->ask_operation);
    if (!found.ask_layout || !found.ask_operation)
        return;
    for (unsigned i = 0; i < library_count; i++)
        if (memcmp(&libraries[i], &found, sizeof found) == 0)
            binding->library = &libraries[i];
    if (binding->library || library_count == LIBRARIES_MAX)
        return;
    libraries[library_count] = found;
    binding->library = &libraries[library_count++];
}

const struct adapter_call *lightweight_find(const char *symbol)
{
    static const struct adapter_call product = {
        .object = LAYOUT_A, .describe = describe_product, .bind = find_library};

    return find_interface(symbol) ? &product : NULL;
}
