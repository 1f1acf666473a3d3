/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of libcurl, hiredis and libpq, with a server in a thread.
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <hiredis/hiredis.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plants.h"

static int port, listener;
static pthread_t server;
static size_t (*answer)(const char *asked, size_t size, char *to);

/* Serve one connection after the other.  `answer` gets the bytes read, and returns how many to
 * write. */
static void *serve(void *unused)
{
    static char asked[1 << 16], to[1 << 18];
    int client, one = 1;

    while ((client = accept(listener, NULL, NULL)) >= 0) {
        ssize_t size;

        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        while ((size = read(client, asked, sizeof asked)) > 0)
            if (write(client, to, answer(asked, (size_t)size, to)) < 0)
                break;
        close(client);
    }
    return unused;
}

static void start(size_t (*by)(const char *asked, size_t size, char *to))
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;

    answer = by;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 128) != 0)
        exit(1);
    getsockname(listener, (struct sockaddr *)&address, &size);
    port = ntohs(address.sin_port);
    pthread_create(&server, NULL, serve, NULL);
}

static void stop(void)
{
    shutdown(listener, SHUT_RDWR);
    pthread_join(server, NULL);
    close(listener);
}

/* ---- libcurl ---------------------------------------------------------------------------- */

static size_t answer_http(const char *asked, size_t size, char *to)
{
    (void)asked, (void)size;
    return (size_t)sprintf(to, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
}

static size_t count_bytes(char *bytes, size_t size, size_t count, void *sum)
{
    (void)bytes;
    *(long *)sum += (long)(size * count);
    return size * count;
}

static void set_up(CURL *curl, long *sum)
{
    char address[40];

    sprintf(address, "http://127.0.0.1:%d/", port);
    curl_easy_setopt(curl, CURLOPT_URL, address);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, sum);
}

static long handles_planted(long rounds)
{
    long sum = 0;

    start(answer_http);
    for (long i = 0; i < rounds; i++) {
        CURL *curl = curl_easy_init();

        set_up(curl, &sum);
        curl_easy_perform(curl);
        curl_easy_cleanup(curl);
    }
    stop();
    return sum;
}

static long handles_repaired(long rounds)
{
    CURL *curl = curl_easy_init();
    long sum = 0;

    start(answer_http);
    set_up(curl, &sum);
    for (long i = 0; i < rounds; i++)
        curl_easy_perform(curl);
    curl_easy_cleanup(curl);
    stop();
    return sum;
}

/* ---- hiredis ---------------------------------------------------------------------------- */

/* An answer for each command, which begins with a star. */
static size_t answer_redis(const char *asked, size_t size, char *to)
{
    size_t end = 0;

    for (size_t i = 0; i < size; i++)
        if (asked[i] == '*')
            end += (size_t)sprintf(to + end, "+OK\r\n");
    return end;
}

static long commands_planted(long rounds)
{
    redisContext *redis;
    long sum = 0;

    start(answer_redis);
    redis = redisConnect("127.0.0.1", port);
    for (long i = 0; i < rounds; i++) {
        redisReply *reply = redisCommand(redis, "SET key%ld %ld", i, i);

        sum += reply->type == REDIS_REPLY_STATUS;
        freeReplyObject(reply);
    }
    redisFree(redis);
    stop();
    return sum;
}

static long commands_repaired(long rounds)
{
    redisContext *redis;
    long sum = 0;

    start(answer_redis);
    redis = redisConnect("127.0.0.1", port);
    for (long i = 0; i < rounds; i += 100) {
        for (long k = i; k < i + 100 && k < rounds; k++)
            redisAppendCommand(redis, "SET key%ld %ld", k, k);
        for (long k = i; k < i + 100 && k < rounds; k++) {
            void *reply;

            redisGetReply(redis, &reply);
            sum += ((redisReply *)reply)->type == REDIS_REPLY_STATUS;
            freeReplyObject(reply);
        }
    }
    redisFree(redis);
    stop();
    return sum;
}

/* ---- libpq ------------------------------------------------------------------------------ */

/* What PostgreSQL says to a start ("trust"), and to an INSERT. */
static size_t answer_postgres(const char *asked, size_t size, char *to)
{
    static const char welcome[] = "R\0\0\0\10\0\0\0\0Z\0\0\0\5I";
    static const char done[] = "C\0\0\0\17INSERT 0 1\0Z\0\0\0\5I";
    const int is_query = size > 0 && asked[0] == 'Q';

    memcpy(to, is_query ? done : welcome, is_query ? sizeof done - 1 : sizeof welcome - 1);
    return asked[0] == 'X' ? 0 : is_query ? sizeof done - 1 : sizeof welcome - 1;
}

static PGconn *connect_postgres(void)
{
    char words[120];

    sprintf(words, "host=127.0.0.1 port=%d dbname=a user=a sslmode=disable gssencmode=disable",
            port);
    return PQconnectdb(words);
}

static long insert(PGconn *database)
{
    PGresult *result = PQexec(database, "INSERT INTO items VALUES(1)");
    long is_done = PQresultStatus(result) == PGRES_COMMAND_OK;

    PQclear(result);
    return is_done;
}

static long database_planted(long rounds)
{
    long sum = 0;

    start(answer_postgres);
    for (long i = 0; i < rounds; i++) {
        PGconn *database = connect_postgres();

        sum += insert(database);
        PQfinish(database);
    }
    stop();
    return sum;
}

static long database_repaired(long rounds)
{
    PGconn *database;
    long sum = 0;

    start(answer_postgres);
    database = connect_postgres();
    for (long i = 0; i < rounds; i++)
        sum += insert(database);
    PQfinish(database);
    stop();
    return sum;
}

static long queries_planted(long rounds)
{
    return database_repaired(rounds);
}

/* Many rows in a statement. */
static long queries_repaired(long rounds)
{
    return database_repaired(rounds / 100) * 100;
}

static const struct plant plants[] = {PLANT(handles), PLANT(commands), PLANT(database),
                                      PLANT(queries)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
