/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of SQLite, Lua and GMP.
 */
#include <gmp.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <sqlite3.h>
#include <unistd.h>

#include "plants.h"

/* ---- SQLite ----------------------------------------------------------------------------- */

static void execute(sqlite3 *database, const char *text)
{
    if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(database));
        exit(1);
    }
}

static sqlite3 *open_database(const char *path)
{
    sqlite3 *database;

    sqlite3_open(path, &database);
    return database;
}

static sqlite3 *make_database(void)
{
    sqlite3 *database = open_database(":memory:");

    execute(database, "CREATE TABLE items(id INTEGER PRIMARY KEY, size INTEGER, name TEXT)");
    execute(database, "INSERT INTO items VALUES(1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')");
    return database;
}

static const char query[] = "SELECT size, name FROM items WHERE id = ?1 AND size > 0";

static sqlite3_stmt *prepare(sqlite3 *database)
{
    sqlite3_stmt *statement;

    sqlite3_prepare_v2(database, query, -1, &statement, NULL);
    return statement;
}

static long fetch_size(sqlite3_stmt *statement, long id)
{
    long size;

    sqlite3_bind_int64(statement, 1, id);
    sqlite3_step(statement);
    size = (long)sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return size;
}

static long prepare_planted(long rounds)
{
    sqlite3 *database = make_database();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        sqlite3_stmt *statement = prepare(database);

        sum += fetch_size(statement, i % 3 + 1);
        sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    return sum;
}

static long prepare_repaired(long rounds)
{
    sqlite3 *database = make_database();
    sqlite3_stmt *statement = prepare(database);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += fetch_size(statement, i % 3 + 1);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return sum;
}

static char folder[] = "/tmp/tprof-engines-XXXXXX";
static char path[sizeof folder + 20];

static void make_folder(void)
{
    if (!mkdtemp(folder))
        exit(1);
    sprintf(path, "%s/items.db", folder);
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static long insert(long rounds, const char *before, const char *after)
{
    sqlite3_stmt *statement;
    sqlite3 *database;
    long changes;

    make_folder();
    database = open_database(path);
    execute(database, "PRAGMA synchronous = OFF; CREATE TABLE items(size INTEGER)");
    sqlite3_prepare_v2(database, "INSERT INTO items VALUES(?1)", -1, &statement, NULL);
    execute(database, before);
    for (long i = 0; i < rounds; i++) {
        sqlite3_bind_int64(statement, 1, i);
        sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    execute(database, after);
    changes = sqlite3_total_changes(database);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    remove_folder();
    return changes;
}

static long commit_planted(long rounds)
{
    return insert(rounds, "", "");
}

static long commit_repaired(long rounds)
{
    return insert(rounds, "BEGIN", "COMMIT");
}

static void make_items(void)
{
    sqlite3 *database;

    make_folder();
    database = open_database(path);
    execute(database, "CREATE TABLE items(id INTEGER PRIMARY KEY, size INTEGER, name TEXT);"
                      "INSERT INTO items VALUES(1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')");
    sqlite3_close(database);
}

static long opening_planted(long rounds)
{
    long sum = 0;

    make_items();
    for (long i = 0; i < rounds; i++) {
        sqlite3 *database = open_database(path);
        sqlite3_stmt *statement = prepare(database);

        sum += fetch_size(statement, i % 3 + 1);
        sqlite3_finalize(statement);
        sqlite3_close(database);
    }
    remove_folder();
    return sum;
}

static long opening_repaired(long rounds)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    long sum = 0;

    make_items();
    database = open_database(path);
    statement = prepare(database);
    for (long i = 0; i < rounds; i++)
        sum += fetch_size(statement, i % 3 + 1);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    remove_folder();
    return sum;
}

/* ---- Lua -------------------------------------------------------------------------------- */

static long chunk_planted(long rounds)
{
    lua_State *lua = luaL_newstate();
    long sum = 0;

    luaL_openlibs(lua);
    for (long i = 0; i < rounds; i++) {
        luaL_loadstring(lua, "local x = 3; local y = x * 2 + 1; return { size = y, name = 'a' }");
        lua_call(lua, 0, 1);
        lua_getfield(lua, -1, "size");
        sum += (long)lua_tointeger(lua, -1);
        lua_pop(lua, 2);
    }
    lua_close(lua);
    return sum;
}

static long chunk_repaired(long rounds)
{
    lua_State *lua = luaL_newstate();
    long sum = 0;

    luaL_openlibs(lua);
    luaL_loadstring(lua, "local x = 3; local y = x * 2 + 1; return { size = y, name = 'a' }");
    for (long i = 0; i < rounds; i++) {
        lua_pushvalue(lua, 1);
        lua_call(lua, 0, 1);
        lua_getfield(lua, -1, "size");
        sum += (long)lua_tointeger(lua, -1);
        lua_pop(lua, 2);
    }
    lua_close(lua);
    return sum;
}

static long call_twice(lua_State *lua, long number)
{
    long result;

    lua_getglobal(lua, "twice");
    lua_pushinteger(lua, number);
    lua_call(lua, 1, 1);
    result = (long)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return result;
}

static lua_State *make_state(void)
{
    lua_State *lua = luaL_newstate();

    luaL_openlibs(lua);
    luaL_loadstring(lua, "function twice(x) return 2 * x end");
    lua_call(lua, 0, 0);
    return lua;
}

static long state_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        lua_State *lua = make_state();

        sum += call_twice(lua, i);
        lua_close(lua);
    }
    return sum;
}

static long state_repaired(long rounds)
{
    lua_State *lua = make_state();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += call_twice(lua, i);
    lua_close(lua);
    return sum;
}

/* ---- GMP -------------------------------------------------------------------------------- */

static long numbers_planted(long rounds)
{
    mpz_t sum;
    long low;

    mpz_init(sum);
    for (long i = 0; i < rounds; i++) {
        mpz_t number, product;

        mpz_init_set_si(number, i);
        mpz_init2(product, 128);
        mpz_mul_si(product, number, 3);
        mpz_add(sum, sum, product);
        mpz_clears(number, product, NULL);
    }
    low = mpz_get_si(sum);
    mpz_clear(sum);
    return low;
}

static long numbers_repaired(long rounds)
{
    mpz_t sum, number, product;
    long low;

    mpz_inits(sum, number, product, NULL);
    for (long i = 0; i < rounds; i++) {
        mpz_set_si(number, i);
        mpz_mul_si(product, number, 3);
        mpz_add(sum, sum, product);
    }
    low = mpz_get_si(sum);
    mpz_clears(sum, number, product, NULL);
    return low;
}

static long digits_planted(long rounds)
{
    mpz_t number;
    long sum = 0;

    mpz_init_set_ui(number, 1);
    for (long i = 0; i < rounds; i++) {
        char *text;

        mpz_mul_ui(number, number, 7);
        text = mpz_get_str(NULL, 10, number);
        sum += strlen(text) % 2 == 0;
        free(text);
    }
    mpz_clear(number);
    return sum > 0;
}

static long digits_repaired(long rounds)
{
    mpz_t number;
    long sum = 0;

    mpz_init_set_ui(number, 1);
    for (long i = 0; i < rounds; i++) {
        mpz_mul_ui(number, number, 7);
        sum += mpz_sizeinbase(number, 10) % 2 == 0;
    }
    mpz_clear(number);
    return sum > 0;
}

static const struct plant plants[] = {PLANT(prepare), PLANT(commit),  PLANT(opening), PLANT(chunk),
                                      PLANT(state),   PLANT(numbers), PLANT(digits)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
