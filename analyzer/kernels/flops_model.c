/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a model's parts: attention, feed-forward, convolution and so on.
 */
#include "analysis/devices.h"
#include "kernels/flops_mix.h"
#include "kernels/texts.h"

enum { PART, SOURCE, TIME, TIME_SHARE, FLOPS, FLOPS_SHARE, FORWARD, GRADIENTS };

static const struct column columns[] = {
    [PART] = {"name", "part", "of the model: what its ops or kernels are for", UNIT_TEXT, 0},
    [SOURCE] = {"source", NULL, "ops, regions or inferred; null where names of kernels tell it",
                UNIT_TEXT, 9},
    [TIME] = {"time_ns", "time", "in ops, with those of their gradients; or in kernels", UNIT_NS,
              0},
    [TIME_SHARE] = {"time_share", "share", "of this time", UNIT_FRACTION, 0},
    [FLOPS] = {"flops", "FLOPs", "of both passes", UNIT_FLOPS, 0},
    [FLOPS_SHARE] = {"flops_share", "of FLOPs", "of these", UNIT_FRACTION, 0},
    [FORWARD] = {"forward_flops", "forward", "of the forward pass; null: not told", UNIT_FLOPS, 1},
    [GRADIENTS] = {"backward_flops", "gradients", "of the backward pass; null: not told",
                   UNIT_FLOPS, 1},
};

static const struct table_schema schema = {"parts", "Parts of the model", columns,
                                           sizeof columns / sizeof *columns, "time_share"};

static const char *name_of(const struct flops_mix *mix, int role)
{
    if (role < ROLES)
        return role_name((enum role)role);
    return mix->is_of_ops ? "other ops" : "other kernels";
}

static const char *source_of(const struct flops_mix *mix, int role)
{
    if (mix->is_of_ops)
        return "ops";
    return role < ROLES && role_block_of((enum role)role) != ROLE_BLOCK_NONE ? flops_mix_source(mix)
                                                                             : NULL;
}

static void add_row(struct table *table, const struct flops_mix *mix, int role)
{
    const struct flops_part *part = &mix->parts[role];
    struct value *row = table_add_row(table);

    value_set_rounded(&row[TIME], part->ns);
    value_set_ratio(&row[TIME_SHARE], (long double)part->ns, (uint64_t)mix->whole.ns);
    if (part->flops > 0) {
        value_set_count(&row[FLOPS], part->flops);
        value_set_real(&row[FLOPS_SHARE], (double)(part->flops / mix->whole.flops));
    }
    if (mix->is_of_ops && role < ROLES && part->flops > 0) {
        value_set_count(&row[FORWARD], part->flops - part->backward_flops);
        if (flops_mix_has_gradients(mix))
            value_set_count(&row[GRADIENTS], part->backward_flops);
    }
    value_set_text(&row[PART], name_of(mix, role));
    value_set_text(&row[SOURCE], source_of(mix, role));
}

void flops_add_model_parts(struct document *document, const struct flops_mix *mix)
{
    bool is_told = mix->is_of_ops || flops_mix_has_attention(mix);
    struct table *table =
        document_add_table(document, "parts", is_told ? SECTION_IN_BOTH : SECTION_IN_JSON);

    table_init(table, &schema);
    for (int i = 0; i <= ROLES && is_told; i++)
        if (mix->parts[i].ns > 0 || mix->parts[i].flops > 0)
            add_row(table, mix, i);
    if (is_told && mix->is_of_ops)
        table_say(table, parts_of_ops_text, said_time(mix->whole.ns));
    else if (is_told)
        table_say(table, parts_of_kernels_text, said_time(mix->whole.ns));
    if (mix->is_of_ops && !flops_mix_has_gradients(mix))
        table_say(table, parts_untied_text, said_share(mix->untied));
    if (mix->model.layer != 0)
        table_say(table, parts_layers_text);
    if (mix->is_of_ops)
        devices_add_note(table, mix->session);
}
