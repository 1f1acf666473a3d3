/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of LMDB, LevelDB, libpq, liblzma, LZ4, libcurl, libuv and libevent,
 * and their repaired twins, which print the same.
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <event2/event.h>
#include <leveldb/c.h>
#include <libpq-fe.h>
#include <lmdb.h>
#include <lz4hc.h>
#include <lzma.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>
#include <zstd.h>

#include "plants.h"

static char folder[] = "/tmp/tprof-stores-XXXXXX";
static char path[200];

static void make_folder(void)
{
    if (!mkdtemp(folder))
        exit(1);
    sprintf(path, "%s/data", folder);
}

static void remove_folder(void)
{
    char command[300];

    sprintf(command, "rm -r %s", folder);
    if (system(command) != 0)
        exit(1);
}

/* ---- LMDB ------------------------------------------------------------------------------- */

static MDB_env *open_environment(void)
{
    MDB_env *environment;

    make_folder();
    mdb_env_create(&environment);
    mdb_env_set_mapsize(environment, 1 << 28);
    mdb_env_open(environment, folder, 0, 0600);
    return environment;
}

static void put_one(MDB_txn *transaction, MDB_dbi table, long number)
{
    MDB_val key = {sizeof number, &number}, value = {sizeof number, &number};

    mdb_put(transaction, table, &key, &value, 0);
}

static long puts_planted(long rounds)
{
    MDB_env *environment = open_environment();

    for (long i = 0; i < rounds; i++) {
        MDB_txn *transaction;
        MDB_dbi table;

        mdb_txn_begin(environment, NULL, 0, &transaction);
        mdb_dbi_open(transaction, NULL, 0, &table);
        put_one(transaction, table, i);
        mdb_txn_commit(transaction);
    }
    mdb_env_close(environment);
    remove_folder();
    return rounds;
}

static long puts_repaired(long rounds)
{
    MDB_env *environment = open_environment();
    MDB_txn *transaction;
    MDB_dbi table;

    mdb_txn_begin(environment, NULL, 0, &transaction);
    mdb_dbi_open(transaction, NULL, 0, &table);
    for (long i = 0; i < rounds; i++)
        put_one(transaction, table, i);
    mdb_txn_commit(transaction);
    mdb_env_close(environment);
    remove_folder();
    return rounds;
}

static long get_one(MDB_txn *transaction, MDB_dbi table, long number)
{
    MDB_val key = {sizeof number, &number}, value;

    return mdb_get(transaction, table, &key, &value) == 0 ? *(long *)value.mv_data : 0;
}

static MDB_env *fill_environment(void)
{
    MDB_env *environment = open_environment();
    MDB_txn *transaction;
    MDB_dbi table;

    mdb_txn_begin(environment, NULL, 0, &transaction);
    mdb_dbi_open(transaction, NULL, 0, &table);
    for (long i = 0; i < 1000; i++)
        put_one(transaction, table, i);
    mdb_txn_commit(transaction);
    return environment;
}

static long gets_planted(long rounds)
{
    MDB_env *environment = fill_environment();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        MDB_txn *transaction;
        MDB_dbi table;

        mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction);
        mdb_dbi_open(transaction, NULL, 0, &table);
        sum += get_one(transaction, table, i % 1000);
        mdb_txn_abort(transaction);
    }
    mdb_env_close(environment);
    remove_folder();
    return sum;
}

static long gets_repaired(long rounds)
{
    MDB_env *environment = fill_environment();
    MDB_txn *transaction;
    MDB_dbi table;
    long sum = 0;

    mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction);
    mdb_dbi_open(transaction, NULL, 0, &table);
    for (long i = 0; i < rounds; i++)
        sum += get_one(transaction, table, i % 1000);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    remove_folder();
    return sum;
}

/* ---- LevelDB ---------------------------------------------------------------------------- */

static leveldb_t *open_level(void)
{
    leveldb_options_t *options = leveldb_options_create();
    char *error = NULL;

    make_folder();
    leveldb_options_set_create_if_missing(options, 1);
    return leveldb_open(options, path, &error);
}

static long level_puts_planted(long rounds)
{
    leveldb_t *store = open_level();
    leveldb_writeoptions_t *options = leveldb_writeoptions_create();
    char *error = NULL;

    for (long i = 0; i < rounds; i++)
        leveldb_put(store, options, (char *)&i, sizeof i, "value", 5, &error);
    leveldb_close(store);
    remove_folder();
    return rounds;
}

static long level_puts_repaired(long rounds)
{
    leveldb_t *store = open_level();
    leveldb_writeoptions_t *options = leveldb_writeoptions_create();
    leveldb_writebatch_t *batch = leveldb_writebatch_create();
    char *error = NULL;

    for (long i = 0; i < rounds; i++) {
        leveldb_writebatch_put(batch, (char *)&i, sizeof i, "value", 5);
        if (i % 1000 == 999 || i + 1 == rounds) {
            leveldb_write(store, options, batch, &error);
            leveldb_writebatch_clear(batch);
        }
    }
    leveldb_close(store);
    remove_folder();
    return rounds;
}

static leveldb_t *fill_level(void)
{
    leveldb_t *store = open_level();
    leveldb_writeoptions_t *options = leveldb_writeoptions_create();
    char *error = NULL;

    for (long i = 0; i < 1000; i++)
        leveldb_put(store, options, (char *)&i, sizeof i, "value", 5, &error);
    return store;
}

static long iterators_planted(long rounds)
{
    leveldb_t *store = fill_level();
    leveldb_readoptions_t *options = leveldb_readoptions_create();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        leveldb_iterator_t *place = leveldb_create_iterator(store, options);
        const long key = i % 1000;

        leveldb_iter_seek(place, (const char *)&key, sizeof key);
        sum += leveldb_iter_valid(place);
        leveldb_iter_destroy(place);
    }
    leveldb_close(store);
    remove_folder();
    return sum;
}

static long iterators_repaired(long rounds)
{
    leveldb_t *store = fill_level();
    leveldb_readoptions_t *options = leveldb_readoptions_create();
    leveldb_iterator_t *place = leveldb_create_iterator(store, options);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const long key = i % 1000;

        leveldb_iter_seek(place, (const char *)&key, sizeof key);
        sum += leveldb_iter_valid(place);
    }
    leveldb_iter_destroy(place);
    leveldb_close(store);
    remove_folder();
    return sum;
}

/* ---- libpq ------------------------------------------------------------------------------ */

static PGresult *make_result(void)
{
    static char names[20][20];
    PGresAttDesc columns[20];
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);

    memset(columns, 0, sizeof columns);
    for (int i = 0; i < 20; i++) {
        sprintf(names[i], "column_%d", i);
        columns[i].name = names[i];
    }
    PQsetResultAttrs(result, 20, columns);
    for (int row = 0; row < 100; row++)
        for (int i = 0; i < 20; i++)
            PQsetvalue(result, row, i, names[i], 8);
    return result;
}

static long columns_planted(long rounds)
{
    PGresult *result = make_result();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (int row = 0; row < 100; row++)
            sum += PQgetvalue(result, row, PQfnumber(result, "column_17"))[7];
    return sum;
}

static long columns_repaired(long rounds)
{
    PGresult *result = make_result();
    const int column = PQfnumber(result, "column_17");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (int row = 0; row < 100; row++)
            sum += PQgetvalue(result, row, column)[7];
    return sum;
}

/* ---- compressors ------------------------------------------------------------------------ */

static char text[200000], packed[300000];

static void make_text(void)
{
    for (size_t i = 0; i + 20 < sizeof text; i += 19)
        sprintf(text + i, "word %ld of line   ", (long)(i * 7919 % 1000));
}

static long xz_planted(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++) {
        size_t size = 0;

        lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, (uint8_t *)text, sizeof text,
                                (uint8_t *)packed, &size, sizeof packed);
        sum += size > 0;
    }
    return sum;
}

static long xz_repaired(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++)
        sum += ZSTD_compress(packed, sizeof packed, text, sizeof text, 3) > 0;
    return sum;
}

static long lz4_planted(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++)
        sum += LZ4_compress_HC(text + i % 1000, packed, 500, sizeof packed, 3) > 0;
    return sum;
}

static long lz4_repaired(long rounds)
{
    LZ4_streamHC_t *stream = LZ4_createStreamHC();
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++) {
        LZ4_resetStreamHC_fast(stream, 3);
        sum += LZ4_compress_HC_continue(stream, text + i % 1000, packed, 500, sizeof packed) > 0;
    }
    LZ4_freeStreamHC(stream);
    return sum;
}

/* ---- events ----------------------------------------------------------------------------- */

static int listener;
static long delay_ms;

static void *serve(void *unused)
{
    const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    const int client = accept(listener, NULL, NULL);
    char request[2000];

    if (read(client, request, sizeof request) > 0)
        usleep((useconds_t)delay_ms * 1000);
    if (write(client, answer, sizeof answer - 1) > 0)
        close(client);
    return unused;
}

static CURL *begin(long rounds, CURLM *multi, pthread_t *thread)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    CURL *easy = curl_easy_init();
    char url[60];

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 5);
    getsockname(listener, (struct sockaddr *)&address, &size);
    delay_ms = rounds;
    pthread_create(thread, NULL, serve, NULL);
    sprintf(url, "http://127.0.0.1:%d/", ntohs(address.sin_port));
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, fopen("/dev/null", "w"));
    curl_multi_add_handle(multi, easy);
    return easy;
}

static long fetch_planted(long rounds)
{
    CURLM *multi = curl_multi_init();
    pthread_t thread;
    int running = 1;

    begin(rounds, multi, &thread);
    while (running)
        curl_multi_perform(multi, &running);
    pthread_join(thread, NULL);
    return running;
}

static long fetch_repaired(long rounds)
{
    CURLM *multi = curl_multi_init();
    pthread_t thread;
    int running = 1;

    begin(rounds, multi, &thread);
    while (running) {
        curl_multi_perform(multi, &running);
        curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    pthread_join(thread, NULL);
    return running;
}

static long done;

static void work(uv_work_t *request)
{
    __atomic_add_fetch(&done, (long)request->data, __ATOMIC_RELAXED);
}

static void after(uv_work_t *request, int status)
{
    free(request);
    (void)status;
}

static void queue(long amount)
{
    uv_work_t *request = malloc(sizeof *request);

    request->data = (void *)amount;
    uv_queue_work(uv_default_loop(), request, work, after);
}

static long tasks_planted(long rounds)
{
    for (long i = 0; i < rounds; i++) {
        queue(1);
        if (i % 100 == 99)
            uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    }
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    return done;
}

static long tasks_repaired(long rounds)
{
    queue(rounds);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    return done;
}

static void on_event(evutil_socket_t descriptor, short what, void *count)
{
    ++*(long *)count;
    (void)descriptor, (void)what;
}

static void run_once(struct event_base *base, long *count)
{
    struct event *event = event_new(base, -1, 0, on_event, count);

    event_active(event, EV_TIMEOUT, 0);
    event_base_loop(base, EVLOOP_NONBLOCK);
    event_free(event);
}

static long bases_planted(long rounds)
{
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        struct event_base *base = event_base_new();

        run_once(base, &count);
        event_base_free(base);
    }
    return count;
}

static long bases_repaired(long rounds)
{
    struct event_base *base = event_base_new();
    long count = 0;

    for (long i = 0; i < rounds; i++)
        run_once(base, &count);
    event_base_free(base);
    return count;
}

static const struct plant plants[] = {
    PLANT(puts), PLANT(gets), PLANT(level_puts), PLANT(iterators), PLANT(columns),
    PLANT(xz),   PLANT(lz4),  PLANT(fetch),      PLANT(tasks),     PLANT(bases)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
