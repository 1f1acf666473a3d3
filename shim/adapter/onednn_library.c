/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queries to oneDNN.  The second version returns structures, whose needed parts are declared here;
 * the third version answers queries.  In both versions, one query returns the tensor of an
 * argument, which suffices for most purposes.
 *
 * Source: the oneDNN API reference, primitive descriptor and memory descriptor
 * queries, for 2.6 and 3.7.
 */
#include "adapter/onednn_library.h"

#include <stddef.h>
#include <string.h>

#include "hook/load_map.h"

enum { LIBRARIES_MAX = 16 };

enum query {
    QUERY_KIND = 2,
    QUERY_IMPLEMENTATION = 8,
    QUERY_PROPAGATION = 11,
    QUERY_STRIDES = 14, /* from here on, numbers of the third version */
    QUERY_DILATIONS = 15,
    QUERY_PADDING = 16,
    QUERY_ALGORITHM = 20,
    QUERY_LOCAL_SIZE = 24,
    QUERY_CELL = 28,
    QUERY_WINDOW = 31,
    QUERY_OPERATION = 65, /* the second version's */
    QUERY_ARGUMENT = 255,
    QUERY_RANK = 256, /* of memory descriptors, in the third version */
    QUERY_DIMS = 257,
    QUERY_TYPE = 258
};

enum cell { CELL_LBR_GRU = 0x4fff, CELL_LBR_AUGRU = 0x6fff };

struct version {
    int major, minor, patch;
};

typedef const struct version *(*version_function)(void);
typedef int (*description_function)(const void *primitive, const void **description);
typedef int (*query_function)(const void *description, int what, int index, void *result);
typedef size_t (*size_function)(const void *tensor);
typedef int (*tensor_function)(const void *tensor, int what, void *result);
typedef int (*memory_function)(const void *memory, const void **tensor);

struct onednn_library {
    uintptr_t base;
    int major;
    description_function get_description;
    query_function query;
    size_function get_size;
    tensor_function query_tensor; /* the third version's */
    memory_function get_tensor;
};

/* dnnl_memory_desc_t up to the format, and the room that this takes. */
struct memory2 {
    int rank;
    int64_t dims[ONEDNN_RANK_MAX];
    int type;
    int64_t padded_dims[ONEDNN_RANK_MAX];
    int64_t padded_offsets[ONEDNN_RANK_MAX];
    int64_t offset;
    int format_kind;
    int64_t format[37];
    int64_t extra[10];
};

_Static_assert(sizeof(struct memory2) == 696, "as dnnl_memory_desc_t of oneDNN 2");

/* dnnl_convolution_desc_t and dnnl_deconvolution_desc_t. */
struct convolution2 {
    int kind, propagation, algorithm;
    struct memory2 tensors[8];
    int64_t strides[ONEDNN_RANK_MAX];
    int64_t dilations[ONEDNN_RANK_MAX];
    int64_t padding[2][ONEDNN_RANK_MAX];
};

/* dnnl_pooling_desc_t; dnnl_pooling_v2_desc_t continues with dilations. */
struct pooling2 {
    int kind, propagation, algorithm;
    struct memory2 tensors[4];
    int64_t strides[ONEDNN_RANK_MAX];
    int64_t size[ONEDNN_RANK_MAX];
    int64_t padding[2][ONEDNN_RANK_MAX];
    int accumulator;
    int64_t dilations[ONEDNN_RANK_MAX];
};

/* dnnl_eltwise_desc_t, dnnl_resampling_desc_t, dnnl_rnn_desc_t (its cell) and others start like
 * this; dnnl_lrn_desc_t continues with two tensors and a size. */
struct directed2 {
    int kind, propagation, algorithm;
    struct memory2 tensors[2];
    int64_t local_size;
};

/* dnnl_binary_desc_t and dnnl_reduction_desc_t have no propagation. */
struct undirected2 {
    int kind, algorithm;
};

struct softmax2 {
    int kind, propagation;
    struct memory2 tensors[2];
    int axis, algorithm;
};

static struct onednn_library libraries[LIBRARIES_MAX];
static unsigned library_count;

static void *find_function(const struct loaded *entry, const char *name)
{
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    return symbol ? elf_address(&entry->object, symbol) : NULL;
}

static bool open_library(struct onednn_library *library, const struct loaded *entry)
{
    version_function get_version = (version_function)find_function(entry, "dnnl_version");

    if (!get_version)
        return false;
    library->base = entry->object.base;
    library->major = get_version()->major;
    library->get_description =
        (description_function)find_function(entry, "dnnl_primitive_get_primitive_desc");
    library->query = (query_function)find_function(entry, "dnnl_primitive_desc_query");
    library->get_size = (size_function)find_function(entry, "dnnl_memory_desc_get_size");
    library->query_tensor = (tensor_function)find_function(entry, "dnnl_memory_desc_query");
    library->get_tensor = (memory_function)find_function(entry, "dnnl_memory_get_memory_desc");
    if (!library->get_description || !library->query || !library->get_size || !library->get_tensor)
        return false;
    return library->major == 2 || (library->major == 3 && library->query_tensor);
}

/* Another library may have the address of an unloaded one, so the functions are found again. */
const struct onednn_library *onednn_library_find(const void *address)
{
    const struct loaded *entry = load_map_find((uintptr_t)address);
    struct onednn_library found = {0};
    struct onednn_library *library;

    if (!entry || !open_library(&found, entry))
        return NULL;
    for (unsigned i = 0; i < library_count; i++)
        if (memcmp(&libraries[i], &found, sizeof found) == 0)
            return &libraries[i];
    if (library_count == LIBRARIES_MAX)
        return NULL;
    library = &libraries[library_count++];
    *library = found;
    return library;
}

static bool ask(const struct onednn_primitive *primitive, enum query what, void *answer)
{
    return primitive->library->query(primitive->description, (int)what, 0, answer) == 0;
}

static int ask_number(const struct onednn_primitive *primitive, enum query what)
{
    int answer = 0;

    return ask(primitive, what, &answer) ? answer : 0;
}

static enum onednn_kind find_kind(const struct onednn_library *library, int number)
{
    static const int kinds[][2] = {
        {0, 0},
#define KIND(name, second, third) {second, third},
#include "adapter/onednn.def"
#undef KIND
    };

    for (unsigned i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (number != 0 && kinds[i][library->major - 2] == number)
            return (enum onednn_kind)i;
    return ONEDNN_OTHER;
}

bool onednn_primitive_open(struct onednn_primitive *primitive, const struct onednn_library *library,
                           const void *of)
{
    *primitive = (struct onednn_primitive){.library = library};
    if (library->get_description(of, &primitive->description) != 0 || !primitive->description)
        return false;
    primitive->kind = find_kind(library, ask_number(primitive, QUERY_KIND));
    primitive->propagation = ask_number(primitive, QUERY_PROPAGATION);
    if (!ask(primitive, QUERY_IMPLEMENTATION, &primitive->implementation))
        primitive->implementation = NULL;
    if (library->major == 2 && !ask(primitive, QUERY_OPERATION, &primitive->operation))
        primitive->operation = NULL;
    return primitive->kind != ONEDNN_OTHER;
}

static void read_tensor2(const struct memory2 *memory, struct onednn_tensor *tensor)
{
    tensor->rank = memory->rank;
    tensor->type = memory->type;
    memcpy(tensor->dims, memory->dims, sizeof tensor->dims);
}

static void read_tensor3(const struct onednn_library *library, const void *memory,
                         struct onednn_tensor *tensor)
{
    const int64_t *dims = NULL;

    if (library->query_tensor(memory, QUERY_RANK, &tensor->rank) != 0 ||
        library->query_tensor(memory, QUERY_DIMS, &dims) != 0 ||
        library->query_tensor(memory, QUERY_TYPE, &tensor->type) != 0 || !dims)
        tensor->rank = 0;
    for (int i = 0; i < tensor->rank && i < ONEDNN_RANK_MAX; i++)
        tensor->dims[i] = dims[i];
}

static struct onednn_tensor read_tensor(const struct onednn_library *library, const void *memory)
{
    struct onednn_tensor tensor = {0};

    if (library->major == 2)
        read_tensor2(memory, &tensor);
    else
        read_tensor3(library, memory, &tensor);
    if (tensor.rank < 0 || tensor.rank > ONEDNN_RANK_MAX)
        tensor.rank = 0;
    if (tensor.rank > 0)
        tensor.bytes = (int64_t)library->get_size(memory);
    return tensor;
}

static bool is_open(const struct onednn_tensor *tensor)
{
    for (int i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] < 0)
            return true;
    return false;
}

/* Find the description of an executed argument of a primitive, or NULL. */
static const void *find_executed(const struct onednn_primitive *primitive, int argument)
{
    const struct onednn_execution *execution = primitive->execution;
    const void *memory = NULL;

    for (int i = 0; execution && i < execution->count; i++)
        if (execution->arguments[i].argument == argument &&
            primitive->library->get_tensor(execution->arguments[i].memory, &memory) == 0)
            return memory;
    return NULL;
}

struct onednn_tensor onednn_tensor(struct onednn_primitive *primitive, int argument)
{
    const struct onednn_library *library = primitive->library;
    struct onednn_tensor tensor = {0};
    const void *memory = NULL;

    if (library->query(primitive->description, QUERY_ARGUMENT, argument, &memory) != 0 || !memory)
        return tensor;
    tensor = read_tensor(library, memory);
    if (!is_open(&tensor))
        return tensor;
    primitive->is_open = true;
    memory = find_executed(primitive, argument);
    return memory ? read_tensor(library, memory) : tensor;
}

struct onednn_tensor onednn_second_tensor(struct onednn_primitive *primitive, int argument)
{
    int base = primitive->library->major == 2 ? 8192 : 16384; /* DNNL_ARG_ATTR_POST_OP_DW */

    return onednn_tensor(primitive, base | argument);
}

const char *onednn_type(int type)
{
    static const struct {
        const char *text;
        int number;
    } types[] = {
#define TYPE(text, number) {text, number},
#include "adapter/onednn.def"
#undef TYPE
    };

    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].number == type)
            return types[i].text;
    return "?";
}

static int algorithm2(const struct onednn_primitive *primitive)
{
    if (!primitive->operation)
        return 0;
    if (primitive->kind == ONEDNN_BINARY || primitive->kind == ONEDNN_REDUCTION)
        return ((const struct undirected2 *)primitive->operation)->algorithm;
    if (primitive->kind == ONEDNN_SOFTMAX)
        return ((const struct softmax2 *)primitive->operation)->algorithm;
    return ((const struct directed2 *)primitive->operation)->algorithm;
}

const char *onednn_algorithm(const struct onednn_primitive *primitive)
{
    static const struct {
        const char *text;
        int numbers[2];
    } algorithms[] = {
#define ALGORITHM(text, second, third) {text, {second, third}},
#include "adapter/onednn.def"
#undef ALGORITHM
    };
    int number = primitive->library->major == 2 ? algorithm2(primitive)
                                                : ask_number(primitive, QUERY_ALGORITHM);

    for (unsigned i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (number != 0 && algorithms[i].numbers[primitive->library->major - 2] == number)
            return algorithms[i].text;
    return "?";
}

static void read_window2(const struct onednn_primitive *primitive, struct onednn_window *window)
{
    const struct convolution2 *convolution = primitive->operation;
    const struct pooling2 *pooling = primitive->operation;
    bool is_pooling = primitive->kind == ONEDNN_POOLING || primitive->kind == ONEDNN_POOLING_FIRST;

    memcpy(window->strides, is_pooling ? pooling->strides : convolution->strides,
           sizeof window->strides);
    memcpy(window->padding, is_pooling ? pooling->padding[0] : convolution->padding[0],
           sizeof window->padding);
    if (is_pooling)
        memcpy(window->size, pooling->size, sizeof window->size);
    else
        memcpy(window->dilations, convolution->dilations, sizeof window->dilations);
}

/* The answer has as many numbers as the tensors have spatial dimensions. */
static void ask_dims(const struct onednn_primitive *primitive, enum query what, int count,
                     int64_t *numbers)
{
    const int64_t *answer = NULL;

    if (!ask(primitive, what, &answer) || !answer)
        return;
    for (int i = 0; i < count && i < ONEDNN_RANK_MAX; i++)
        numbers[i] = answer[i];
}

static int spatial_rank(struct onednn_primitive *primitive)
{
    struct onednn_tensor tensor = onednn_tensor(primitive, ONEDNN_SOURCE);

    if (tensor.rank == 0)
        tensor = onednn_tensor(primitive, ONEDNN_SOURCE_GRADIENT);
    return tensor.rank - 2;
}

struct onednn_window onednn_window(struct onednn_primitive *primitive)
{
    struct onednn_window window = {0};
    int rank = spatial_rank(primitive);

    if (primitive->library->major == 2) {
        if (primitive->operation)
            read_window2(primitive, &window);
        return window;
    }
    ask_dims(primitive, QUERY_STRIDES, rank, window.strides);
    ask_dims(primitive, QUERY_DILATIONS, rank, window.dilations);
    ask_dims(primitive, QUERY_PADDING, rank, window.padding);
    if (primitive->kind == ONEDNN_POOLING)
        ask_dims(primitive, QUERY_WINDOW, rank, window.size);
    return window;
}

bool onednn_is_linear_before_reset(const struct onednn_primitive *primitive)
{
    int cell =
        primitive->library->major == 2 ? algorithm2(primitive) : ask_number(primitive, QUERY_CELL);

    return cell == CELL_LBR_GRU || cell == CELL_LBR_AUGRU;
}

int64_t onednn_local_size(const struct onednn_primitive *primitive)
{
    int64_t size = 0;

    if (primitive->library->major == 3)
        return ask(primitive, QUERY_LOCAL_SIZE, &size) ? size : 0;
    return primitive->operation ? ((const struct directed2 *)primitive->operation)->local_size : 0;
}
