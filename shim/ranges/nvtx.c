/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tool's side of NVTX 3.  The first call of a program's inline code finds the tool
 * (ranges/collector.c) and calls InitializeInjectionNvtx2; from then on it calls the functions here
 * directly, on its own threads.  ranges.h has the budget.
 *
 * Pushes and pops answer as without a tool, so the program sees no difference.
 */
#include "ranges/nvtx.h"

#include <errno.h>

#include "platform/attributes.h"
#include "ranges/ranges.h"
#include "record/settings.h"
#include "spec/trace.h"

/* Keep the buffer of a wide name as long as the call. */
struct message {
    struct ranges_call call;
    char narrow[RANGES_NAME_SIZE];
};

static const char no_name[] = "(no name)";

static ALWAYS_INLINE void set_text(struct ranges_call *call, const char *text)
{
    call->text = LIKELY(text != NULL) ? text : no_name;
    call->hash = ranges_hash(call->text);
}

static ALWAYS_INLINE struct ranges_call plain(const char *text)
{
    struct ranges_call call = {.domain = ranges_default};

    set_text(&call, text);
    return call;
}

static ALWAYS_INLINE void set_message(struct message *message,
                                      const struct nvtx_attributes *attributes)
{
    struct ranges_call *call = &message->call;
    const struct ranges_name *name = attributes->message;

    if (LIKELY(attributes->message_type == NVTX_MESSAGE_REGISTERED && name)) {
        call->text = name->text;
        call->hash = name->hash;
    } else if (attributes->message_type == NVTX_MESSAGE_WIDE) {
        set_text(call, ranges_narrow(attributes->message, message->narrow));
    } else {
        set_text(call, attributes->message_type == NVTX_MESSAGE_ASCII ? attributes->message : NULL);
    }
}

/* A payload of the future is none. */
static ALWAYS_INLINE void set_look(struct ranges_look *look,
                                   const struct nvtx_attributes *attributes)
{
    look->category = attributes->category;
    look->has_colour = attributes->colour_type == NVTX_COLOUR_ARGB;
    look->colour = attributes->colour;
    look->payload_type = TRACE_PAYLOAD_NONE;
    if (attributes->payload_type > 0 && attributes->payload_type < TRACE_PAYLOADS) {
        look->payload_type = (uint32_t)attributes->payload_type;
        look->payload = attributes->payload;
    }
}

static ALWAYS_INLINE void describe(struct message *message, const struct ranges_domain *domain,
                                   const struct nvtx_attributes *attributes)
{
    message->call.domain = domain ? domain : ranges_default;
    if (LIKELY(attributes && attributes->size >= sizeof *attributes)) {
        set_message(message, attributes);
        set_look(&message->call.look, attributes);
    } else {
        message->call.look = (struct ranges_look){0};
        set_text(&message->call, NULL);
    }
}

/* ---- the functions of the default domain, and of any domain ------------------------------- */

static void DomainMarkEx(struct ranges_domain *domain, const struct nvtx_attributes *attributes)
{
    struct message message;

    describe(&message, domain, attributes);
    ranges_mark(&message.call);
}

static uint64_t DomainRangeStartEx(struct ranges_domain *domain,
                                   const struct nvtx_attributes *attributes)
{
    struct message message;

    describe(&message, domain, attributes);
    return ranges_start(&message.call);
}

static void DomainRangeEnd(struct ranges_domain *domain, uint64_t key)
{
    (void)domain;
    ranges_end(key);
}

static int DomainRangePushEx(struct ranges_domain *domain, const struct nvtx_attributes *attributes)
{
    struct message message;

    describe(&message, domain, attributes);
    ranges_push(&message.call);
    return NVTX_NOT_FOLLOWED;
}

static int DomainRangePop(struct ranges_domain *domain)
{
    ranges_pop(domain ? domain : ranges_default);
    return NVTX_NOT_FOLLOWED;
}

static void MarkEx(const struct nvtx_attributes *attributes)
{
    DomainMarkEx(NULL, attributes);
}

static void MarkA(const char *text)
{
    const struct ranges_call call = plain(text);

    ranges_mark(&call);
}

static void MarkW(const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    MarkA(ranges_narrow(wide, narrow));
}

static uint64_t RangeStartEx(const struct nvtx_attributes *attributes)
{
    return DomainRangeStartEx(NULL, attributes);
}

static uint64_t RangeStartA(const char *text)
{
    const struct ranges_call call = plain(text);

    return ranges_start(&call);
}

static uint64_t RangeStartW(const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    return RangeStartA(ranges_narrow(wide, narrow));
}

static void RangeEnd(uint64_t key)
{
    ranges_end(key);
}

static int RangePushEx(const struct nvtx_attributes *attributes)
{
    return DomainRangePushEx(NULL, attributes);
}

static int RangePushA(const char *text)
{
    const struct ranges_call call = plain(text);

    ranges_push(&call);
    return NVTX_NOT_FOLLOWED;
}

static int RangePushW(const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    return RangePushA(ranges_narrow(wide, narrow));
}

static int RangePop(void)
{
    return DomainRangePop(NULL);
}

/* ---- names ---------------------------------------------------------------------------- */

static void DomainNameCategoryA(struct ranges_domain *domain, uint32_t category, const char *name)
{
    ranges_name_category(domain ? domain : ranges_default, category, name);
}

static void DomainNameCategoryW(struct ranges_domain *domain, uint32_t category,
                                const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    DomainNameCategoryA(domain, category, ranges_narrow(wide, narrow));
}

static void NameCategoryA(uint32_t category, const char *name)
{
    DomainNameCategoryA(NULL, category, name);
}

static void NameCategoryW(uint32_t category, const wchar_t *wide)
{
    DomainNameCategoryW(NULL, category, wide);
}

static void NameOsThreadA(uint32_t thread, const char *name)
{
    ranges_name_thread(thread, name);
}

static void NameOsThreadW(uint32_t thread, const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    ranges_name_thread(thread, ranges_narrow(wide, narrow));
}

static struct ranges_name *DomainRegisterStringA(struct ranges_domain *domain, const char *text)
{
    (void)domain;
    return ranges_find_name(text ? text : no_name);
}

static struct ranges_name *DomainRegisterStringW(struct ranges_domain *domain, const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    return DomainRegisterStringA(domain, ranges_narrow(wide, narrow));
}

static struct ranges_domain *DomainCreateA(const char *name)
{
    return ranges_find_domain(RANGES_NVTX, name);
}

static struct ranges_domain *DomainCreateW(const wchar_t *wide)
{
    char narrow[RANGES_NAME_SIZE];

    return DomainCreateA(ranges_narrow(wide, narrow));
}

/* Another thread may still hold it. */
static void DomainDestroy(struct ranges_domain *domain)
{
    (void)domain;
}

/* ---- the program's table ---------------------------------------------------------------- */

static const struct {
    int module;
    unsigned number;
    void *function;
} rows[] = {
#define NVTX(module, number, function) {NVTX_MODULE_##module, number, (void *)function},
#include "ranges/nvtx.def"
#undef NVTX
};

/* An older program has fewer functions.  Places without a function are NULL. */
static bool fill_row(const struct nvtx_callbacks *callbacks, unsigned row)
{
    void ***table = NULL;
    unsigned size = 0;

    if (!callbacks->get_module(rows[row].module, &table, &size) || !table ||
        rows[row].number >= size)
        return false;
    if (table[rows[row].number])
        *table[rows[row].number] = rows[row].function;
    return true;
}

static bool fill(const struct nvtx_callbacks *callbacks)
{
    bool has_any = false;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        has_any |= fill_row(callbacks, i);
    return has_any;
}

EXPORT REALIGNED int InitializeInjectionNvtx2(nvtx_get_table get_table);
EXPORT REALIGNED int InitializeInjectionNvtx2Preinject(nvtx_get_table get_table);

/* Returns: whether a tool is there; else the program's calls do nothing from now on. */
int InitializeInjectionNvtx2(nvtx_get_table get_table)
{
    int saved_errno = errno;
    const struct nvtx_callbacks *callbacks = get_table ? get_table(NVTX_TABLE_CALLBACKS) : NULL;
    bool is_filled = false;

    if (settings.ranges && ranges_open()) {
        if (callbacks && callbacks->size >= sizeof *callbacks && callbacks->get_module)
            is_filled = fill(callbacks);
        if (!is_filled)
            ranges_refuse_table();
    }
    errno = saved_errno;
    return is_filled;
}

/* Programs that are built to look for a preloaded tool ask for this name. */
int InitializeInjectionNvtx2Preinject(nvtx_get_table get_table)
{
    return InitializeInjectionNvtx2(get_table);
}
