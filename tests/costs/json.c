/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of jansson and cJSON.
 */
#include <cjson/cJSON.h>
#include <jansson.h>

#include "plants.h"

enum { ITEMS = 2000 };

/* ---- cJSON ------------------------------------------------------------------------------ */

static cJSON *make_items(void)
{
    cJSON *items = cJSON_CreateArray();

    for (int i = 0; i < ITEMS; i++)
        cJSON_AddItemToArray(items, cJSON_CreateNumber(i));
    return items;
}

static long index_planted(long rounds)
{
    cJSON *items = make_items();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (int k = 0; k < cJSON_GetArraySize(items); k++)
            sum += cJSON_GetArrayItem(items, k)->valueint;
    cJSON_Delete(items);
    return sum;
}

static long index_repaired(long rounds)
{
    cJSON *items = make_items();
    const cJSON *item;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        cJSON_ArrayForEach(item, items) sum += item->valueint;
    cJSON_Delete(items);
    return sum;
}

static cJSON *make_members(void)
{
    cJSON *object = cJSON_CreateObject();
    char name[20];

    for (int i = 0; i < 200; i++) {
        sprintf(name, "Property%d", i);
        cJSON_AddNumberToObject(object, name, i);
    }
    return object;
}

static long member_planted(long rounds)
{
    cJSON *object = make_members();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += cJSON_HasObjectItem(object, "Property150");
    cJSON_Delete(object);
    return sum;
}

static long member_repaired(long rounds)
{
    cJSON *object = make_members();
    const int has = cJSON_HasObjectItem(object, "Property150");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += has;
    cJSON_Delete(object);
    return sum;
}

/* ---- jansson ---------------------------------------------------------------------------- */

static long pack_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        json_t *point = json_pack("{s:i, s:i, s:s}", "x", (int)(i % 10), "y", 2, "name", "here");
        int x, y;

        json_unpack(point, "{s:i, s:i}", "x", &x, "y", &y);
        sum += x + y;
        json_decref(point);
    }
    return sum;
}

struct point {
    int x, y;
    const char *name;
};

static long pack_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        volatile struct point point = {(int)(i % 10), 2, "here"};

        sum += point.x + point.y;
    }
    return sum;
}

static json_t *make_object(void)
{
    json_t *object = json_object();
    char name[20];

    for (int i = 0; i < 200; i++) {
        sprintf(name, "property%d", i);
        json_object_set_new(object, name, json_integer(i));
    }
    return object;
}

static long printed_planted(long rounds)
{
    json_t *object = make_object();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        char *text = json_dumps(object, JSON_COMPACT);

        sum += text[0];
        free(text);
    }
    json_decref(object);
    return sum;
}

static long printed_repaired(long rounds)
{
    json_t *object = make_object();
    char *text = json_dumps(object, JSON_COMPACT);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += text[0];
    free(text);
    json_decref(object);
    return sum;
}

static long copy_planted(long rounds)
{
    json_t *object = make_object();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        json_t *copy = json_deep_copy(object);

        sum += (long)json_integer_value(json_object_get(copy, "property7"));
        json_decref(copy);
    }
    json_decref(object);
    return sum;
}

static long copy_repaired(long rounds)
{
    json_t *object = make_object();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        json_t *shared = json_incref(object);

        sum += (long)json_integer_value(json_object_get(shared, "property7"));
        json_decref(shared);
    }
    json_decref(object);
    return sum;
}

static long front_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        json_t *queue = json_array();

        for (int k = 0; k < 20 * ITEMS; k++)
            json_array_append_new(queue, json_null());
        while (json_array_size(queue) > 0) {
            json_array_remove(queue, 0);
            sum++;
        }
        json_decref(queue);
    }
    return sum;
}

static long front_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        json_t *queue = json_array();

        for (int k = 0; k < 20 * ITEMS; k++)
            json_array_append_new(queue, json_null());
        for (size_t k = 0; k < json_array_size(queue); k++)
            sum += json_is_null(json_array_get(queue, k));
        json_decref(queue);
    }
    return sum;
}

static const struct plant plants[] = {PLANT(index), PLANT(member), PLANT(printed),
                                      PLANT(pack),  PLANT(copy),   PLANT(front)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
