/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of GLib and GObject.
 */
#include <glib-object.h>

#include "plants.h"

enum { ITEMS = 2000 };

/* ---- lists and arrays ------------------------------------------------------------------- */

static long append_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GList *list = NULL;

        for (int k = 0; k < ITEMS; k++)
            list = g_list_append(list, GINT_TO_POINTER(k));
        sum += GPOINTER_TO_INT(list->next->data);
        g_list_free(list);
    }
    return sum;
}

static long append_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GList *list = NULL;

        for (int k = 0; k < ITEMS; k++)
            list = g_list_prepend(list, GINT_TO_POINTER(k));
        list = g_list_reverse(list);
        sum += GPOINTER_TO_INT(list->next->data);
        g_list_free(list);
    }
    return sum;
}

static GList *make_list(void)
{
    GList *list = NULL;

    for (int k = ITEMS - 1; k >= 0; k--)
        list = g_list_prepend(list, GINT_TO_POINTER(k));
    return list;
}

static long nth_planted(long rounds)
{
    GList *list = make_list();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (guint k = 0; k < g_list_length(list); k++)
            sum += GPOINTER_TO_INT(g_list_nth_data(list, k));
    g_list_free(list);
    return sum;
}

static long nth_repaired(long rounds)
{
    GList *list = make_list();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (const GList *item = list; item; item = item->next)
            sum += GPOINTER_TO_INT(item->data);
    g_list_free(list);
    return sum;
}

static long member_planted(long rounds)
{
    GList *list = make_list();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += g_list_find(list, GINT_TO_POINTER((int)(i * 7 % ITEMS))) != NULL;
    g_list_free(list);
    return sum;
}

static long member_repaired(long rounds)
{
    GHashTable *table = g_hash_table_new(g_direct_hash, g_direct_equal);
    long sum = 0;

    for (int k = 0; k < ITEMS; k++)
        g_hash_table_add(table, GINT_TO_POINTER(k));
    for (long i = 0; i < rounds; i++)
        sum += g_hash_table_contains(table, GINT_TO_POINTER((int)(i * 7 % ITEMS)));
    g_hash_table_destroy(table);
    return sum;
}

static GArray *make_array(void)
{
    GArray *array = g_array_new(FALSE, FALSE, sizeof(long));

    for (long k = 0; k < 20 * ITEMS; k++)
        g_array_append_val(array, k);
    return array;
}

static long shift_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GArray *array = make_array();

        while (array->len > 0) {
            sum += g_array_index(array, long, 0);
            array = g_array_remove_index(array, 0);
        }
        g_array_free(array, TRUE);
    }
    return sum;
}

static long shift_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GArray *array = make_array();

        for (guint k = 0; k < array->len; k++)
            sum += g_array_index(array, long, k);
        g_array_free(array, TRUE);
    }
    return sum;
}

static GHashTable *make_table(void)
{
    GHashTable *table = g_hash_table_new(g_direct_hash, g_direct_equal);

    for (int k = 1; k <= ITEMS; k++)
        g_hash_table_insert(table, GINT_TO_POINTER(k), GINT_TO_POINTER(k));
    return table;
}

static long keys_planted(long rounds)
{
    GHashTable *table = make_table();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GList *keys = g_hash_table_get_keys(table);

        for (const GList *key = keys; key; key = key->next)
            sum += GPOINTER_TO_INT(key->data);
        g_list_free(keys);
    }
    g_hash_table_destroy(table);
    return sum;
}

static long keys_repaired(long rounds)
{
    GHashTable *table = make_table();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GHashTableIter each;
        gpointer key;

        g_hash_table_iter_init(&each, table);
        while (g_hash_table_iter_next(&each, &key, NULL))
            sum += GPOINTER_TO_INT(key);
    }
    g_hash_table_destroy(table);
    return sum;
}

/* ---- texts ------------------------------------------------------------------------------ */

static const char line[] = "GET,/index.html,HTTP/1.1,200,5120,gzip,keep-alive,42";

static long split_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        char **parts = g_strsplit(line, ",", -1);

        sum += atol(parts[3]);
        g_strfreev(parts);
    }
    return sum;
}

static long split_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const char *part = line;

        for (int k = 0; k < 3; k++)
            part = strchr(part, ',') + 1;
        sum += atol(part);
    }
    return sum;
}

static long simple_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += g_regex_match_simple("^[A-Z]+,/[a-z]+", line, 0, 0);
    return sum;
}

static long simple_repaired(long rounds)
{
    GRegex *regex = g_regex_new("^[A-Z]+,/[a-z]+", G_REGEX_OPTIMIZE, 0, NULL);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += g_regex_match(regex, line, 0, NULL);
    g_regex_unref(regex);
    return sum;
}

static char *make_text(void)
{
    GString *text = g_string_new(NULL);

    for (int k = 0; k < ITEMS; k++)
        g_string_append_unichar(text, (gunichar)(0xe0 + k % 20));
    return g_string_free(text, FALSE);
}

static long utf8_planted(long rounds)
{
    char *text = make_text();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (long k = 0; k < g_utf8_strlen(text, -1); k++)
            sum += g_utf8_get_char(g_utf8_offset_to_pointer(text, k));
    g_free(text);
    return sum;
}

static long utf8_repaired(long rounds)
{
    char *text = make_text();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (const char *at = text; *at; at = g_utf8_next_char(at))
            sum += g_utf8_get_char(at);
    g_free(text);
    return sum;
}

static long prepend_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GString *text = g_string_new(NULL);

        for (int k = 0; k < 10 * ITEMS; k++)
            g_string_prepend(text, "word ");
        sum += (long)text->len;
        g_string_free(text, TRUE);
    }
    return sum;
}

static long prepend_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GString *text = g_string_new(NULL);

        for (int k = 0; k < 10 * ITEMS; k++)
            g_string_append(text, "word ");
        sum += (long)text->len;
        g_string_free(text, TRUE);
    }
    return sum;
}

static long messages_planted(long rounds)
{
    for (long i = 0; i < rounds; i++)
        g_log("plants", G_LOG_LEVEL_DEBUG, "item %ld of %ld has %s", i, rounds, line);
    return rounds;
}

static long messages_repaired(long rounds)
{
    const gboolean is_seen = !g_log_writer_default_would_drop(G_LOG_LEVEL_DEBUG, "plants");

    for (long i = 0; i < rounds && is_seen; i++)
        g_log("plants", G_LOG_LEVEL_DEBUG, "item %ld of %ld has %s", i, rounds, line);
    return rounds;
}

/* ---- variants --------------------------------------------------------------------------- */

static GVariant *make_dictionary(void)
{
    GVariantBuilder builder;
    char name[20];

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sv}"));
    for (int k = 0; k < 200; k++) {
        g_snprintf(name, sizeof name, "property-%d", k);
        g_variant_builder_add(&builder, "{sv}", name, g_variant_new_int32(k));
    }
    return g_variant_ref_sink(g_variant_builder_end(&builder));
}

static long lookup_planted(long rounds)
{
    GVariant *dictionary = make_dictionary();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        gint32 value = 0;

        g_variant_lookup(dictionary, "property-150", "i", &value);
        sum += value;
    }
    g_variant_unref(dictionary);
    return sum;
}

static long lookup_repaired(long rounds)
{
    GVariant *dictionary = make_dictionary();
    GVariantDict *table = g_variant_dict_new(dictionary);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        gint32 value = 0;

        g_variant_dict_lookup(table, "property-150", "i", &value);
        sum += value;
    }
    g_variant_dict_unref(table);
    g_variant_unref(dictionary);
    return sum;
}

/* ---- objects ---------------------------------------------------------------------------- */

typedef struct {
    GObject parent;
    int level;
} Tank;

typedef struct {
    GObjectClass parent;
} TankClass;

static guint filled;

G_DEFINE_TYPE(Tank, tank, G_TYPE_OBJECT)

static void tank_set(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    (void)id, (void)spec;
    ((Tank *)object)->level = g_value_get_int(value);
}

static void tank_get(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    (void)id, (void)spec;
    g_value_set_int(value, ((Tank *)object)->level);
}

static void tank_class_init(TankClass *class)
{
    G_OBJECT_CLASS(class)->set_property = tank_set;
    G_OBJECT_CLASS(class)->get_property = tank_get;
    g_object_class_install_property(
        G_OBJECT_CLASS(class), 1,
        g_param_spec_int("level", NULL, NULL, 0, G_MAXINT, 0, G_PARAM_READWRITE));
    filled = g_signal_new("filled", tank_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 1, G_TYPE_INT);
}

static void tank_init(Tank *tank)
{
    tank->level = 0;
}

static Tank *make_tank(void)
{
    return g_object_new(tank_get_type(), NULL);
}

static long properties_planted(long rounds)
{
    Tank *tank = make_tank();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        int level;

        g_object_set(tank, "level", (int)(i % 1000), NULL);
        g_object_get(tank, "level", &level, NULL);
        sum += level;
    }
    g_object_unref(tank);
    return sum;
}

static long properties_repaired(long rounds)
{
    Tank *tank = make_tank();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        tank->level = (int)(i % 1000);
        sum += tank->level;
    }
    g_object_unref(tank);
    return sum;
}

static long named_planted(long rounds)
{
    Tank *tank = make_tank();
    long sum = 0;

    g_object_set_data(G_OBJECT(tank), "tank-number", GINT_TO_POINTER(3));
    for (long i = 0; i < rounds; i++)
        sum += GPOINTER_TO_INT(g_object_get_data(G_OBJECT(tank), "tank-number"));
    g_object_unref(tank);
    return sum;
}

static long named_repaired(long rounds)
{
    Tank *tank = make_tank();
    long sum = 0;

    tank->level = 3;
    for (long i = 0; i < rounds; i++)
        sum += tank->level;
    g_object_unref(tank);
    return sum;
}

static void add_level(Tank *tank, int level, long *sum)
{
    (void)tank;
    *sum += level;
}

static long emission_planted(long rounds)
{
    Tank *tank = make_tank();
    long sum = 0;

    g_signal_connect(tank, "filled", G_CALLBACK(add_level), &sum);
    for (long i = 0; i < rounds; i++)
        g_signal_emit_by_name(tank, "filled", (int)(i % 1000));
    g_object_unref(tank);
    return sum;
}

static long emission_repaired(long rounds)
{
    Tank *tank = make_tank();
    void (*add)(Tank *, int, long *) = add_level;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        add(tank, (int)(i % 1000), &sum);
    g_object_unref(tank);
    return sum;
}

static gboolean count_once(gpointer count)
{
    ++*(long *)count;
    return G_SOURCE_REMOVE;
}

static long idle_planted(long rounds)
{
    long count = 0;

    for (long i = 0; i < rounds; i++)
        g_idle_add(count_once, &count);
    while (count < rounds)
        g_main_context_iteration(NULL, FALSE);
    return count;
}

struct items {
    long count, all;
};

static gboolean count_all(gpointer data)
{
    struct items *items = data;

    for (int k = 0; k < 1000 && items->count < items->all; k++)
        items->count++;
    return items->count < items->all;
}

static long idle_repaired(long rounds)
{
    struct items items = {0, rounds};

    g_idle_add(count_all, &items);
    while (items.count < rounds)
        g_main_context_iteration(NULL, FALSE);
    return items.count;
}

static const struct plant plants[] = {
    PLANT(append), PLANT(nth),        PLANT(member), PLANT(shift),    PLANT(keys),
    PLANT(split),  PLANT(simple),     PLANT(utf8),   PLANT(prepend),  PLANT(messages),
    PLANT(lookup), PLANT(properties), PLANT(named),  PLANT(emission), PLANT(idle)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
