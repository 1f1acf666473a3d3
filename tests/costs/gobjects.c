/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * More plants of well-known costs of GLib and GIO, and their repaired twins, which print the same.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "plants.h"

static long times_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GDateTime *now = g_date_time_new_now_local();
        gchar *text = g_date_time_format(now, "%Y-%m-%d %H:%M:%S");

        sum += text[0] == '2';
        g_free(text);
        g_date_time_unref(now);
    }
    return sum;
}

static long times_repaired(long rounds)
{
    gint64 second = 0;
    gchar *text = NULL;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const gint64 now = g_get_real_time() / G_USEC_PER_SEC;

        if (now != second) {
            GDateTime *time = g_date_time_new_from_unix_local(now);

            second = now;
            g_free(text);
            text = g_date_time_format(time, "%Y-%m-%d %H:%M:%S");
            g_date_time_unref(time);
        }
        sum += text[0] == '2';
    }
    return sum;
}

static int by_name(gconstpointer left, gconstpointer right)
{
    return g_utf8_collate(*(const char *const *)left, *(const char *const *)right);
}

static int by_key(gconstpointer left, gconstpointer right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static GPtrArray *make_names(long rounds)
{
    GPtrArray *names = g_ptr_array_new();

    for (long i = 0; i < rounds; i++)
        g_ptr_array_add(names, g_strdup_printf("S\xc3\xbc"
                                               "d %ld",
                                               i * 7919 % 10007));
    return names;
}

static long names_planted(long rounds)
{
    GPtrArray *names = make_names(rounds);

    g_ptr_array_sort(names, by_name);
    return (long)names->len;
}

static long names_repaired(long rounds)
{
    GPtrArray *names = make_names(rounds);
    GPtrArray *keys = g_ptr_array_new();

    for (guint i = 0; i < names->len; i++)
        g_ptr_array_add(keys, g_utf8_collate_key(g_ptr_array_index(names, i), -1));
    g_ptr_array_sort(keys, by_key);
    return (long)keys->len;
}

static GKeyFile *make_settings(void)
{
    GKeyFile *settings = g_key_file_new();

    for (int i = 0; i < 50; i++) {
        char key[20];

        sprintf(key, "size%d", i);
        g_key_file_set_integer(settings, "view", key, i);
    }
    return settings;
}

static long settings_planted(long rounds)
{
    GKeyFile *settings = make_settings();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += g_key_file_get_integer(settings, "view", "size7", NULL);
    g_key_file_free(settings);
    return sum;
}

static long settings_repaired(long rounds)
{
    GKeyFile *settings = make_settings();
    const int size = g_key_file_get_integer(settings, "view", "size7", NULL);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size;
    g_key_file_free(settings);
    return sum;
}

static long info_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GFile *file = g_file_new_for_path("/etc/passwd");
        GFileInfo *info = g_file_query_info(file, "*", G_FILE_QUERY_INFO_NONE, NULL, NULL);

        sum += g_file_info_get_size(info) > 0;
        g_object_unref(info);
        g_object_unref(file);
    }
    return sum;
}

static long info_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GStatBuf state;

        sum += g_stat("/etc/passwd", &state) == 0 && state.st_size > 0;
    }
    return sum;
}

static GBytes *make_bytes(void)
{
    GString *text = g_string_new(NULL);

    for (int i = 0; i < 100000; i++)
        g_string_append(text, "1234567\n");
    return g_string_free_to_bytes(text);
}

static long bytes_planted(long rounds)
{
    GBytes *bytes = make_bytes();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GInputStream *memory = g_memory_input_stream_new_from_bytes(bytes);
        GDataInputStream *stream = g_data_input_stream_new(memory);
        GError *error = NULL;

        for (guchar each; each = g_data_input_stream_read_byte(stream, NULL, &error), !error;)
            sum += each;
        g_clear_error(&error);
        g_object_unref(stream);
        g_object_unref(memory);
    }
    return sum;
}

static long bytes_repaired(long rounds)
{
    GBytes *bytes = make_bytes();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GInputStream *memory = g_memory_input_stream_new_from_bytes(bytes);
        guchar block[4096];
        gssize size;

        while ((size = g_input_stream_read(memory, block, sizeof block, NULL, NULL)) > 0)
            for (gssize at = 0; at < size; at++)
                sum += block[at];
        g_object_unref(memory);
    }
    return sum;
}

static gint done;

static void work(gpointer amount, gpointer unused)
{
    g_atomic_int_add(&done, GPOINTER_TO_INT(amount));
    (void)unused;
}

static long push(long pieces, int amount)
{
    GThreadPool *pool = g_thread_pool_new(work, NULL, 2, TRUE, NULL);

    for (long i = 0; i < pieces; i++)
        g_thread_pool_push(pool, GINT_TO_POINTER(amount), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    return done;
}

static long pool_planted(long rounds)
{
    return push(rounds, 1);
}

static long pool_repaired(long rounds)
{
    return push(1, (int)rounds);
}

static long variants_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GVariantBuilder builder;
        GVariant *variant;
        gsize size;

        g_variant_builder_init(&builder, G_VARIANT_TYPE("ad"));
        for (int j = 0; j < 1000; j++)
            g_variant_builder_add(&builder, "d", (double)j);
        variant = g_variant_ref_sink(g_variant_builder_end(&builder));
        g_variant_get_fixed_array(variant, &size, sizeof(double));
        sum += (long)size;
        g_variant_unref(variant);
    }
    return sum;
}

static long variants_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        double numbers[1000];
        GVariant *variant;
        gsize size;

        for (int j = 0; j < 1000; j++)
            numbers[j] = (double)j;
        variant = g_variant_ref_sink(
            g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, numbers, 1000, sizeof(double)));
        g_variant_get_fixed_array(variant, &size, sizeof(double));
        sum += (long)size;
        g_variant_unref(variant);
    }
    return sum;
}

static const struct plant plants[] = {PLANT(times), PLANT(names), PLANT(settings), PLANT(info),
                                      PLANT(bytes), PLANT(pool),  PLANT(variants)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
