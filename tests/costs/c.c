/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of the C library and of Linux, and their repaired twins.
 *
 * usage: c NAME planted|repaired ROUNDS
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define PLANT static __attribute__((noinline)) long
#define COUNT(array) ((long)(sizeof(array) / sizeof *(array)))

static const char record[] = "alpha,beta,gamma,4711\n";

/* Changes from call to call, and the compiler does not know it. */
static unsigned next(void)
{
    static unsigned state = 1;

    return (state = state * 1664525 + 1013904223) >> 8;
}

static FILE *open_data(void)
{
    FILE *file = tmpfile();

    for (int i = 0; i < 1 << 16; i++)
        fputs(record, file);
    rewind(file);
    return file;
}

/* ---- files ---- */

PLANT open_planted(void)
{
    FILE *file;

    return fputs(record, (file = fopen("record.txt", "w"))) > 0 && fclose(file) == 0;
}

PLANT open_repaired(void)
{
    static FILE *file;

    file = file ? file : fopen("record.txt", "w");
    return fputs(record, file) > 0;
}

PLANT descriptor_planted(void)
{
    char text[16];
    int file;

    return pread((file = open("/etc/passwd", O_RDONLY)), text, sizeof text, 0) && close(file) == 0;
}

PLANT descriptor_repaired(void)
{
    static int file;
    char text[16];

    file = file ? file : open("/etc/passwd", O_RDONLY);
    return pread(file, text, sizeof text, 0) > 0;
}

PLANT state_planted(void)
{
    struct stat state;

    return access("/etc/passwd", R_OK) == 0 && stat("/etc/passwd", &state) == 0 && state.st_size;
}

PLANT state_repaired(void)
{
    static long size;
    struct stat state;

    if (size == 0 && stat("/etc/passwd", &state) == 0)
        size = state.st_size;
    return size != 0;
}

PLANT characters_planted(void)
{
    static FILE *file;
    long lines = 0;
    int character = 0;

    file = file ? file : open_data();
    for (int i = 0; i < 1000; i++)
        lines += (character = getc(file)) == '\n';
    if (character == EOF)
        rewind(file);
    return lines;
}

PLANT characters_repaired(void)
{
    static FILE *file;
    long lines = 0;
    int character = 0;

    file = file ? file : open_data();
    for (int i = 0; i < 1000; i++)
        lines += (character = getc_unlocked(file)) == '\n';
    if (character == EOF)
        rewind(file);
    return lines;
}

PLANT seek_planted(void)
{
    static FILE *file;
    long number = 0;

    file = file ? file : open_data();
    fseek(file, next() % (1 << 20), SEEK_SET);
    return fread(&number, sizeof number, 1, file) == 1 && number;
}

PLANT seek_repaired(void)
{
    static FILE *file;
    long number = 0;

    file = file ? file : open_data();
    return pread(fileno(file), &number, sizeof number, next() % (1 << 20)) && number;
}

PLANT lseek_planted(void)
{
    static FILE *file;
    long number = 0, size;
    int at;

    file = file ? file : open_data();
    at = fileno(file);
    size = lseek(at, 0, SEEK_END) - lseek(at, 0, SEEK_SET) + lseek(at, next() % 4096, SEEK_CUR);
    return read(at, &number, sizeof number) && number && size > 0;
}

PLANT flush_planted(void)
{
    static FILE *file;

    file = file ? file : fopen("log.txt", "w");
    fputs(record, file);
    return fflush(file) == 0;
}

PLANT flush_repaired(void)
{
    static FILE *file;

    file = file ? file : fopen("log.txt", "w");
    return fputs(record, file) > 0;
}

PLANT unbuffered_planted(void)
{
    static FILE *file;

    if (!file && (file = fopen("log.txt", "w")))
        setvbuf(file, NULL, _IONBF, 0);
    return fprintf(file, "%s", record) > 0;
}

PLANT unbuffered_repaired(void)
{
    static FILE *file;

    if (!file && (file = fopen("log.txt", "w")))
        setvbuf(file, NULL, _IOFBF, 1 << 16);
    return fprintf(file, "%s", record) > 0;
}

PLANT sync_planted(void)
{
    static int file;

    file = file ? file : open("log.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return write(file, record, sizeof record - 1) > 0 && fdatasync(file) == 0;
}

PLANT sync_repaired(void)
{
    static int file;

    file = file ? file : open("log.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return write(file, record, sizeof record - 1) > 0;
}

PLANT rename_planted(void)
{
    static int is_there;

    if (!is_there++)
        close(open("old.txt", O_WRONLY | O_CREAT, 0600));
    return rename("old.txt", "new.txt") == 0 && rename("new.txt", "old.txt") == 0;
}

PLANT rename_repaired(void)
{
    static int file;

    file = file ? file : open("old.txt", O_WRONLY | O_CREAT, 0600);
    return pwrite(file, record, 8, 0) == 8;
}

static long entries;

static int count_entry(const struct dirent *entry)
{
    entries += entry->d_name[0] != '.';
    return 0;
}

PLANT folder_planted(void)
{
    struct dirent **chosen;

    return scandir("/etc", &chosen, count_entry, NULL) == 0;
}

PLANT folder_repaired(void)
{
    struct dirent **chosen;

    return entries > 0 || scandir("/etc", &chosen, count_entry, NULL) == 0;
}

PLANT glob_planted(void)
{
    glob_t found;
    long count = glob("/etc/*.conf", 0, NULL, &found) == 0 ? (long)found.gl_pathc : 0;

    globfree(&found);
    return count;
}

PLANT glob_repaired(void)
{
    static glob_t found;

    if (found.gl_pathc == 0)
        glob("/etc/*.conf", 0, NULL, &found);
    return (long)found.gl_pathc;
}

PLANT match_planted(void)
{
    static const char *const names[] = {"report.txt", "picture.jpeg", "archive.tar.gz"};

    return fnmatch("*.[tj][xp]*", names[next() % 3], 0) == 0;
}

PLANT match_repaired(void)
{
    static const char *const names[] = {"report.txt", "picture.jpeg", "archive.tar.gz"};
    const char *dot = strchr(names[next() % 3], '.');

    return dot && (dot[1] == 't' || dot[1] == 'j') && (dot[2] == 'x' || dot[2] == 'p');
}

PLANT path_planted(void)
{
    char path[4096];

    return realpath("/usr/lib/x86_64-linux-gnu/../../share/doc", path) != NULL;
}

PLANT path_repaired(void)
{
    static char path[4096];

    return path[0] || realpath("/usr/lib/x86_64-linux-gnu/../../share/doc", path);
}

PLANT control_planted(void)
{
    static int ends[2];

    if (ends[0] == 0 && pipe(ends) != 0)
        return 0;
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    return ends[0] > 0;
}

PLANT control_repaired(void)
{
    static int ends[2];

    if (ends[0] == 0 && pipe2(ends, O_NONBLOCK) != 0)
        return 0;
    return ends[0] > 0;
}

PLANT lock_planted(void)
{
    static int file;

    file = file ? file : open("log.txt", O_WRONLY | O_CREAT, 0600);
    return flock(file, LOCK_EX) == 0 && flock(file, LOCK_UN) == 0;
}

PLANT lock_repaired(void)
{
    static int file;

    if (!file && (file = open("log.txt", O_WRONLY | O_CREAT, 0600)))
        flock(file, LOCK_EX);
    return file > 0;
}

PLANT truncate_planted(void)
{
    static int file;
    static long size;

    file = file ? file : open("log.txt", O_WRONLY | O_CREAT, 0600);
    return ftruncate(file, size++ % (1 << 20)) == 0;
}

PLANT truncate_repaired(void)
{
    static int file;

    if (!file && (file = open("log.txt", O_WRONLY | O_CREAT, 0600)))
        return ftruncate(file, 1 << 20) == 0;
    return 1;
}

PLANT terminal_planted(void)
{
    return isatty(STDOUT_FILENO) + 1;
}

PLANT terminal_repaired(void)
{
    static int answer = -1;

    answer = answer >= 0 ? answer : isatty(STDOUT_FILENO);
    return answer + 1;
}

/* ---- memory ---- */

enum { PAGES = 1 << 16, ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS };

PLANT mapping_planted(void)
{
    return munmap(mmap(NULL, PAGES, PROT_READ, ANONYMOUS, -1, 0), PAGES) == 0;
}

PLANT mapping_repaired(void)
{
    static char *page;

    page = page ? page : mmap(NULL, PAGES, PROT_READ, ANONYMOUS, -1, 0);
    return page != NULL;
}

static void *volatile kept;

PLANT block_planted(void)
{
    free(kept = malloc(40 << 20));
    return kept != NULL;
}

PLANT block_repaired(void)
{
    kept = kept ? kept : malloc(40 << 20);
    return kept != NULL;
}

/* A heap with many gaps, and one block that comes and goes. */
static long use_heap(void)
{
    static void *blocks[400];

    if (!blocks[0])
        for (int i = 0; i < COUNT(blocks); i++)
            blocks[i] = malloc(5000);
    for (int i = 1; blocks[1] && i < COUNT(blocks); i += 2)
        free(blocks[i]);
    blocks[1] = NULL;
    kept = malloc(100);
    free(kept);
    return COUNT(blocks);
}

PLANT malloc_trim_planted(void)
{
    long count = use_heap();

    malloc_trim(0);
    return count;
}

PLANT malloc_trim_repaired(void)
{
    return use_heap();
}

/* Small blocks that are freed in another order than they were made, and then a large one. */
static long churn_small(void)
{
    enum { BLOCKS = 200003, STEP = 7919 };
    static void *blocks[BLOCKS];
    void *large;

    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(40);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[(long)i * STEP % BLOCKS]);
    large = malloc(100000);
    free(large);
    return large != NULL;
}

PLANT merge_planted(void)
{
    return churn_small();
}

PLANT merge_repaired(void)
{
    mallopt(M_MXFAST, 0);
    return churn_small();
}

PLANT census_planted(void)
{
    return mallinfo2().uordblks > 0;
}

PLANT census_repaired(void)
{
    static size_t taken = 1;

    return taken++ > 0;
}

PLANT protect_planted(void)
{
    static char *page;

    if (!page)
        page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    page[0]++;
    return mprotect(page, 4096, PROT_READ) == 0;
}

PLANT protect_repaired(void)
{
    static char *page;

    if (!page)
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[0]++;
    return page != NULL;
}

PLANT advice_planted(void)
{
    static char *page;

    if (!page)
        page = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return madvise(page + next() % 256 * 4096, 4096, MADV_WILLNEED) == 0;
}

PLANT advice_repaired(void)
{
    static char *page;

    if (!page) {
        page = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(page, 1 << 20, MADV_WILLNEED);
    }
    return page != NULL;
}

enum { GROWN = 1 << 14, STEP = 64 };

/* Two blocks grow in turn: each stands in the way of the other. */
PLANT growth_planted(void)
{
    char *texts[2] = {NULL, NULL};
    long size = 0;

    for (; size < GROWN; size += STEP)
        for (int i = 0; i < 2; i++)
            (texts[i] = realloc(texts[i], size + STEP))[size] = 1;
    free(texts[0]);
    free(texts[1]);
    return size;
}

PLANT growth_repaired(void)
{
    char *texts[2] = {malloc(GROWN), malloc(GROWN)};
    long size = 0;

    for (; size < GROWN; size += STEP)
        for (int i = 0; i < 2; i++)
            texts[i][size] = 1;
    free(texts[0]);
    free(texts[1]);
    return size;
}

PLANT aligned_planted(void)
{
    kept = aligned_alloc(64, 256);
    free(kept);
    return kept != NULL;
}

PLANT aligned_repaired(void)
{
    static _Alignas(64) char block[256];

    kept = block;
    return kept != NULL;
}

static long run_threads(void *(*function)(void *), long count)
{
    pthread_t threads[8];

    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, function, (void *)i);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return count;
}

PLANT memset_planted(void)
{
    static char table[1 << 20];

    memset(table, 0, sizeof table);
    table[next() % 64] = 1;
    return table[5] + 1;
}

PLANT memset_repaired(void)
{
    static char table[1 << 20];
    static unsigned last;

    table[last] = 0;
    table[last = next() % 64] = 1;
    return table[5] + 1;
}

/* ---- texts ---- */

static char text[1 << 12];

static char wide_text[1 << 14];

PLANT pad_planted(void)
{
    strncpy(wide_text, record, sizeof wide_text);
    return wide_text[next() % 8] != 0;
}

PLANT pad_repaired(void)
{
    memcpy(wide_text, record, sizeof record);
    return wide_text[next() % 8] != 0;
}

static void fill_text(void)
{
    if (text[0] == 0)
        for (size_t i = 0; i + sizeof record < sizeof text; i += sizeof record - 1)
            memcpy(text + i, record, sizeof record);
}

PLANT case_planted(void)
{
    fill_text();
    return strcasestr(text, "DELTA") == NULL;
}

PLANT case_repaired(void)
{
    fill_text();
    return strstr(text, "delta") == NULL;
}

static const char *const words[] = {
    "january",   "february",  "march",   "april",    "may",      "june",   "july",
    "august",    "september", "october", "november", "december", "monday", "tuesday",
    "wednesday", "thursday",  "friday",  "saturday", "sunday",
};

PLANT compare_planted(void)
{
    const char *name = words[next() % COUNT(words)];

    for (int i = 0; i < COUNT(words); i++)
        if (strcmp(words[i], name) == 0)
            return i;
    return -1;
}

PLANT compare_repaired(void)
{
    const char *name = words[next() % COUNT(words)];

    for (int i = 0; i < COUNT(words); i++)
        if (words[i] == name)
            return i;
    return -1;
}

PLANT ignore_case_planted(void)
{
    const char *name = words[next() % COUNT(words)];

    for (int i = 0; i < COUNT(words); i++)
        if (strcasecmp(words[i], name) == 0)
            return i;
    return -1;
}

PLANT tokens_planted(void)
{
    char line[64], *rest, *word;
    long count = 0;

    memcpy(line, record, sizeof record);
    for (word = strtok_r(line, ",\n", &rest); word; word = strtok_r(NULL, ",\n", &rest))
        count += word[0] > 'a';
    return count;
}

PLANT tokens_repaired(void)
{
    char line[64], *word = line;
    long count = 0;

    memcpy(line, record, sizeof record);
    for (char *at = line; *at; at++)
        if (*at == ',' || *at == '\n') {
            *at = 0;
            count += word[0] > 'a';
            word = at + 1;
        }
    return count;
}

PLANT format_planted(void)
{
    char line[64];

    return snprintf(line, sizeof line, "%u,%u", next(), next());
}

static char *write_number(char *end, unsigned number)
{
    do
        *--end = '0' + number % 10;
    while ((number /= 10) > 0);
    return end;
}

PLANT format_repaired(void)
{
    char line[64], *at = line + sizeof line;

    at = write_number(at, next());
    *--at = ',';
    return write_number(at, next()) - line;
}

PLANT double_planted(void)
{
    char line[64];

    return snprintf(line, sizeof line, "%.3f", next() / 1000.0);
}

PLANT double_repaired(void)
{
    char line[64], *at = line + sizeof line;
    unsigned number = next();

    at = write_number(at, 1000 + number % 1000);
    *at = '.';
    return write_number(at, number / 1000) - line;
}

PLANT parse_planted(void)
{
    static char number[] = "3.14159265";

    number[7] = '0' + next() % 10;
    return strtod(number, NULL) > 3;
}

PLANT parse_repaired(void)
{
    static char number[] = "3.14159265";
    long digits = 0;
    double scale = 1;

    number[7] = '0' + next() % 10;
    for (const char *at = number; *at; at++)
        if (*at == '.')
            scale = 1;
        else {
            digits = 10 * digits + *at - '0';
            scale *= 10;
        }
    return digits / scale < 3;
}

PLANT wide_planted(void)
{
    mbstate_t state = {0};
    const char *at = record;
    wchar_t character;
    long count = 0;

    for (size_t size; (size = mbrtowc(&character, at, 6, &state)) > 0; at += size)
        count += character > 0x7f;
    return count + 1;
}

PLANT wide_repaired(void)
{
    long count = 0;

    for (const char *at = record; *at; at++)
        count += (*at & 0xc0) == 0xc0;
    return count + 1;
}

PLANT wctype_planted(void)
{
    long count = 0;

    for (const char *at = record; *at; at++)
        count += towupper(*at) == L'A' || iswalpha(*at);
    return count;
}

PLANT wctype_repaired(void)
{
    long count = 0;

    for (const char *at = record; *at; at++)
        count += (*at & ~0x20) == 'A' || (*at >= 'a' && *at <= 'z');
    return count;
}

PLANT converter_planted(void)
{
    iconv_t converter = iconv_open("UTF-8", "ISO-8859-1");

    return iconv_close(converter) == 0;
}

PLANT converter_repaired(void)
{
    static iconv_t converter;

    converter = converter ? converter : iconv_open("UTF-8", "ISO-8859-1");
    return converter != NULL;
}

PLANT iconv_planted(void)
{
    static iconv_t converter;
    static char wider[2 * sizeof text];
    char *from = text, *to = wider;
    size_t left = sizeof text, room = sizeof wider;

    fill_text();
    converter = converter ? converter : iconv_open("UTF-8", "ISO-8859-1");
    iconv(converter, &from, &left, &to, &room);
    return to - wider;
}

PLANT iconv_repaired(void)
{
    static char wider[2 * sizeof text];
    char *to = wider;

    fill_text();
    for (size_t i = 0; i < sizeof text; i++) {
        unsigned char character = text[i];

        if (character >= 0x80)
            *to++ = 0xc0 | character >> 6;
        *to++ = character < 0x80 ? character : 0x80 | (character & 0x3f);
    }
    return to - wider;
}

PLANT regexec_planted(void)
{
    static regex_t pattern;
    static bool is_compiled;

    fill_text();
    if (!is_compiled)
        regcomp(&pattern, "[a-z]+,[0-9]+,delta", REG_EXTENDED);
    is_compiled = true;
    return regexec(&pattern, text, 0, NULL, 0) != 0;
}

PLANT regexec_repaired(void)
{
    fill_text();
    return strstr(text, ",delta") == NULL;
}

PLANT message_planted(void)
{
    return gettext("There is no such file.")[next() % 8] != 0;
}

PLANT message_repaired(void)
{
    static const char *message;

    message = message ? message : gettext("There is no such file.");
    return message[next() % 8] != 0;
}

PLANT locale_planted(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", NULL);

    freelocale(locale);
    return locale != NULL;
}

PLANT locale_repaired(void)
{
    static locale_t locale;

    locale = locale ? locale : newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
    return locale != NULL;
}

/* ---- searching ---- */

typedef int (*comparison)(const void *, const void *);

PLANT tree_planted(void)
{
    static void *root;
    static int count;

    while (count < COUNT(words))
        tsearch(words[count++], &root, (comparison)strcmp);
    return tfind(words[next() % COUNT(words)], &root, (comparison)strcmp) != NULL;
}

static const char **find_slot(const char *word)
{
    static const char *table[128];
    unsigned slot = word[0] * 7 + word[1] * 3 + word[2];

    while (table[slot % COUNT(table)] && strcmp(table[slot % COUNT(table)], word) != 0)
        slot++;
    return &table[slot % COUNT(table)];
}

PLANT tree_repaired(void)
{
    static int count;

    for (; count < COUNT(words); count++)
        *find_slot(words[count]) = words[count];
    return *find_slot(words[next() % COUNT(words)]) != NULL;
}

/* ---- numbers ---- */

PLANT power_planted(void)
{
    double x = next();

    return pow(x, 3.5) + pow(x, 1.5) > 1;
}

PLANT power_repaired(void)
{
    double x = next(), root = sqrt(x);

    return x * x * x * root + x * root > 1;
}

PLANT exp_planted(void)
{
    double x = next() * 1e-7, sum = 0;

    for (int i = 0; i < 16; i++)
        sum += exp(x + i) + log(x + i + 1);
    return sum > 1;
}

PLANT exp_repaired(void)
{
    float x = next() * 1e-7f, sum = 0;

    for (int i = 0; i < 16; i++)
        sum += expf(x + i) + logf(x + i + 1);
    return sum > 1;
}

PLANT sine_planted(void)
{
    double angle = next();

    return sin(angle) + cos(angle * 0.5) > 0;
}

PLANT sine_repaired(void)
{
    static float table[1 << 12];
    unsigned angle = next();

    if (table[1] == 0)
        for (int i = 0; i < COUNT(table); i++)
            table[i] = sinf(i * (float)(2 * M_PI) / COUNT(table));
    return table[angle % COUNT(table)] + table[(angle / 2 + COUNT(table) / 4) % COUNT(table)] > 0;
}

PLANT angle_planted(void)
{
    double x = next(), y = next();

    return atan2(y, x) < M_PI / 6;
}

PLANT angle_repaired(void)
{
    double x = next(), y = next();

    return y < x * 0.57735026918962576;
}

PLANT hypot_planted(void)
{
    double x = next(), y = next();

    return hypot(x, y) > 8e6;
}

PLANT hypot_repaired(void)
{
    double x = next(), y = next();

    return x * x + y * y > 8e6 * 8e6;
}

PLANT remainder_planted(void)
{
    double x = next();

    return fmod(x, 0.37) > 0.1;
}

PLANT remainder_repaired(void)
{
    double x = next();

    return x - 0.37 * (long)(x * (1 / 0.37)) > 0.1;
}

PLANT gamma_planted(void)
{
    return lgamma(next() % 1000 + 1) > 3;
}

PLANT gamma_repaired(void)
{
    static double table[1000];
    unsigned number = next() % COUNT(table);

    if (table[2] == 0)
        for (int i = 0; i < COUNT(table); i++)
            table[i] = lgamma(i + 1);
    return table[number] > 3;
}

PLANT tanh_planted(void)
{
    return tanh(next() * 1e-7) + erf(next() * 1e-7) > 1;
}

PLANT tanh_repaired(void)
{
    float x = next() * 1e-7f, y = next() * 1e-7f;

    return x * (27 + x * x) / (27 + 9 * x * x) + 2 / (1 + y * y) > 1;
}

PLANT scale_planted(void)
{
    int exponent;
    double part = frexp(next() * 0.01, &exponent);

    return ldexp(part, exponent + 3) > 8;
}

PLANT scale_repaired(void)
{
    return next() * 0.01 * 8 > 8;
}

static double samples[64] = {0.3, 1.7, 2.2};

PLANT round_planted(void)
{
    long sum = 0;

    for (int i = 0; i < COUNT(samples); i++)
        sum += lround(samples[i]);
    return sum;
}

PLANT round_repaired(void)
{
    long sum = 0;

    for (int i = 0; i < COUNT(samples); i++)
        sum += (long)(samples[i] + 0.5);
    return sum;
}

PLANT fused_planted(void)
{
    static double x = 1;

    for (int i = 0; i < 64; i++)
        x = fma(fma(fma(x, 0.5, 1), 0.5, 1), 0.5, 1);
    return x > 0;
}

static __attribute__((noinline, target("fma"))) long fused_repaired(void)
{
    static double x = 1;

    for (int i = 0; i < 64; i++)
        x = fma(fma(fma(x, 0.5, 1), 0.5, 1), 0.5, 1);
    return x > 0;
}

PLANT draw_planted(void)
{
    return drand48() + drand48() < 1;
}

PLANT draw_repaired(void)
{
    static unsigned long state = 1;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state > 1ul << 63;
}

PLANT entropy_planted(void)
{
    unsigned number = 0;

    return getrandom(&number, sizeof number, 0) == sizeof number;
}

PLANT entropy_repaired(void)
{
    static unsigned numbers[64];
    static int left;

    if (left-- == 0)
        left = getrandom(numbers, sizeof numbers, 0) / (int)sizeof *numbers - 1;
    return numbers[left] != 1;
}

/* ---- the process and the machine ---- */

PLANT clock_planted(void)
{
    struct timespec now;

    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0;
}

PLANT clock_repaired(void)
{
    static struct timespec now;

    return (next() % 64 != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
}

PLANT identity_planted(void)
{
    return getpid() + gettid();
}

PLANT identity_repaired(void)
{
    static int process, thread;

    process = process ? process : getpid();
    thread = thread ? thread : gettid();
    return process + thread;
}

PLANT machine_planted(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN) > 0;
}

PLANT machine_repaired(void)
{
    static long count;

    count = count ? count : sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0;
}

PLANT environment_planted(void)
{
    return getenv("NO_SUCH_VARIABLE") == NULL;
}

PLANT environment_repaired(void)
{
    static const char *value;
    static int is_read;

    if (!is_read++)
        value = getenv("NO_SUCH_VARIABLE");
    return value == NULL;
}

PLANT user_planted(void)
{
    return getpwuid(0) != NULL;
}

PLANT user_repaired(void)
{
    static struct passwd *user;

    user = user ? user : getpwuid(0);
    return user != NULL;
}

PLANT interface_planted(void)
{
    struct ifaddrs *all = NULL;

    if (getifaddrs(&all) != 0)
        return 0;
    freeifaddrs(all);
    return 1;
}

PLANT interface_repaired(void)
{
    static struct ifaddrs *all;

    return all || getifaddrs(&all) == 0;
}

PLANT spawn_planted(void)
{
    static char *arguments[] = {"true", NULL}, *none[] = {NULL};
    pid_t child;
    int status;

    posix_spawn(&child, "/bin/true", NULL, NULL, arguments, none);
    return waitpid(child, &status, 0) == child && status == 0;
}

PLANT spawn_repaired(void)
{
    return next() > 0;
}

PLANT system_planted(void)
{
    return system("true") == 0;
}

PLANT child_planted(void)
{
    return waitpid(-1, NULL, WNOHANG) < 0;
}

PLANT child_repaired(void)
{
    static volatile sig_atomic_t has_ended;

    return has_ended == 0;
}

PLANT library_planted(void)
{
    void *library = dlopen("libutil.so.1", RTLD_NOW);

    return dlclose(library) == 0;
}

PLANT library_repaired(void)
{
    static void *library;

    library = library ? library : dlopen("libutil.so.1", RTLD_NOW);
    return library != NULL;
}

PLANT trace_planted(void)
{
    void *frames[16];

    return backtrace(frames, COUNT(frames)) > 0;
}

PLANT trace_repaired(void)
{
    return __builtin_return_address(0) != NULL;
}

PLANT log_planted(void)
{
    syslog(LOG_DEBUG, "%s", record);
    return 1;
}

PLANT log_repaired(void)
{
    static int least = LOG_INFO;

    if (LOG_DEBUG <= least)
        syslog(LOG_DEBUG, "%s", record);
    return least;
}

PLANT stamp_planted(void)
{
    static const struct tm noon = {.tm_hour = 12, .tm_mday = 1, .tm_year = 126};
    char words[64];

    return (long)strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S", &noon);
}

PLANT stamp_repaired(void)
{
    static const struct tm noon = {.tm_hour = 12, .tm_mday = 1, .tm_year = 126};
    static char words[64];

    if (words[0] == 0)
        strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S", &noon);
    words[17] = '0' + next() % 6;
    return words[17] > 0;
}

PLANT read_time_planted(void)
{
    struct tm parts;

    return strptime("2026-11-29 07:30:12", "%Y-%m-%d %H:%M:%S", &parts) != NULL;
}

static int read_two(const char *digits)
{
    return 10 * (digits[0] - '0') + digits[1] - '0';
}

PLANT read_time_repaired(void)
{
    static char stamp[] = "2026-11-29 07:30:12";

    stamp[18] = '0' + next() % 10;
    return read_two(stamp) * 100 + read_two(stamp + 2) + read_two(stamp + 5) + read_two(stamp + 17);
}

PLANT timer_planted(void)
{
    return alarm(60) + alarm(0) > 0;
}

PLANT timer_repaired(void)
{
    static int is_set;

    if (!is_set++)
        alarm(60);
    return is_set > 0;
}

PLANT mask_planted(void)
{
    sigset_t all, old;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    return sigprocmask(SIG_SETMASK, &old, NULL) == 0;
}

PLANT mask_repaired(void)
{
    static volatile sig_atomic_t is_inside;

    is_inside = 1;
    is_inside = 0;
    return is_inside == 0;
}

static sigjmp_buf refuge;

static __attribute__((noinline, noreturn)) void leave(void)
{
    siglongjmp(refuge, 1);
}

PLANT jump_planted(void)
{
    if (sigsetjmp(refuge, 1) == 0)
        leave();
    return 1;
}

PLANT jump_repaired(void)
{
    if (sigsetjmp(refuge, 0) == 0)
        leave();
    return 1;
}

static ucontext_t outer, inner;

static void yield_always(void)
{
    for (;;)
        swapcontext(&inner, &outer);
}

PLANT switch_planted(void)
{
    static char stack[1 << 16];

    if (!inner.uc_stack.ss_sp) {
        getcontext(&inner);
        inner.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
        makecontext(&inner, yield_always, 0);
    }
    return swapcontext(&outer, &inner) == 0;
}

PLANT switch_repaired(void)
{
    static enum { READY, RUNNING } state;

    state = state == READY ? RUNNING : READY;
    return state <= RUNNING;
}

/* ---- threads ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t reading = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile long shared;
static _Atomic long state;

PLANT mutex_planted(void)
{
    pthread_mutex_lock(&mutex);
    shared++;
    return pthread_mutex_unlock(&mutex) == 0;
}

PLANT mutex_repaired(void)
{
    static __thread long own;

    own++;
    return own > 0;
}

PLANT rwlock_planted(void)
{
    long seen;

    pthread_rwlock_rdlock(&reading);
    seen = shared;
    return pthread_rwlock_unlock(&reading) == 0 && seen == 0;
}

PLANT rwlock_repaired(void)
{
    return atomic_load_explicit(&state, memory_order_acquire) == 0;
}

static void work(long count)
{
    for (volatile long i = 0; i < count; i++)
        continue;
}

static void *spin_long(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        pthread_spin_lock(&spin);
        work(100000);
        pthread_spin_unlock(&spin);
    }
    return NULL;
}

static void *sleep_long(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        work(100000);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

PLANT spin_planted(void)
{
    return run_threads(spin_long, 4);
}

PLANT spin_repaired(void)
{
    return run_threads(sleep_long, 4);
}

PLANT thread_value_planted(void)
{
    static pthread_key_t key;

    if (!key && pthread_key_create(&key, NULL) == 0)
        pthread_setspecific(key, &key);
    return pthread_getspecific(key) == &key;
}

PLANT thread_value_repaired(void)
{
    static pthread_key_t key;
    static __thread void *value;

    value = &key;
    return value == &key;
}

enum { ITEMS = 1000 };

static void *answer_each(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    for (long i = 0; i < ITEMS; i++) {
        while (shared % 2 == 0)
            pthread_cond_wait(&changed, &mutex);
        shared++;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

PLANT handover_planted(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, answer_each, NULL);
    pthread_mutex_lock(&mutex);
    for (long i = 0; i < ITEMS; i++) {
        shared++;
        pthread_cond_signal(&changed);
        while (shared % 2 == 1)
            pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, NULL) == 0;
}

static void *answer_all(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (shared % 2 == 0)
        pthread_cond_wait(&changed, &mutex);
    for (long i = 0; i < ITEMS; i++)
        shared += 2;
    shared++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

PLANT handover_repaired(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, answer_all, NULL);
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_cond_signal(&changed);
    while (shared % 2 == 1)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, NULL) == 0;
}

static sem_t full, empty;

static __attribute__((noinline)) long pass(sem_t *to, sem_t *from)
{
    return sem_post(to) == 0 && sem_wait(from) == 0;
}

static void *take_each(void *unused)
{
    (void)unused;
    sem_wait(&full);
    for (long i = 1; i < ITEMS; i++)
        pass(&empty, &full);
    sem_post(&empty);
    return NULL;
}

PLANT semaphore_planted(void)
{
    pthread_t thread;
    long count = 0;

    pthread_create(&thread, NULL, take_each, NULL);
    for (long i = 0; i < ITEMS; i++)
        count += pass(&full, &empty);
    return pthread_join(thread, NULL) == 0 && count == ITEMS;
}

static void *take_all(void *unused)
{
    (void)unused;
    sem_wait(&full);
    work(ITEMS);
    sem_post(&empty);
    return NULL;
}

PLANT semaphore_repaired(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, take_all, NULL);
    work(ITEMS);
    sem_post(&full);
    sem_wait(&empty);
    return pthread_join(thread, NULL) == 0;
}

static void *finish(void *unused)
{
    (void)unused;
    usleep(1000);
    atomic_store(&state, 1);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

PLANT yield_planted(void)
{
    pthread_t thread;

    atomic_store(&state, 0);
    pthread_create(&thread, NULL, finish, NULL);
    while (atomic_load(&state) == 0)
        sched_yield();
    return pthread_join(thread, NULL) == 0;
}

PLANT yield_repaired(void)
{
    pthread_t thread;

    atomic_store(&state, 0);
    pthread_create(&thread, NULL, finish, NULL);
    pthread_mutex_lock(&mutex);
    while (atomic_load(&state) == 0)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, NULL) == 0;
}

PLANT sleep_planted(void)
{
    pthread_t thread;
    const struct timespec moment = {.tv_nsec = 1};

    atomic_store(&state, 0);
    prctl(PR_SET_TIMERSLACK, 1);
    pthread_create(&thread, NULL, finish, NULL);
    while (atomic_load(&state) == 0)
        nanosleep(&moment, NULL);
    return pthread_join(thread, NULL) == 0;
}

PLANT stack_planted(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    void *start = NULL;

    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return size > 0;
}

PLANT stack_repaired(void)
{
    static __thread size_t size;
    pthread_attr_t attributes;
    void *start = NULL;

    if (size == 0) {
        pthread_getattr_np(pthread_self(), &attributes);
        pthread_attr_getstack(&attributes, &start, &size);
        pthread_attr_destroy(&attributes);
    }
    return size > 0;
}

PLANT affinity_planted(void)
{
    cpu_set_t processors;

    return sched_getaffinity(0, sizeof processors, &processors) == 0 &&
           sched_setaffinity(0, sizeof processors, &processors) == 0;
}

PLANT affinity_repaired(void)
{
    static cpu_set_t processors;

    return CPU_COUNT(&processors) > 0 || sched_getaffinity(0, sizeof processors, &processors) == 0;
}

/* ---- descriptors that wait, sockets ---- */

enum { PIPES = 400 };

static int pipes[PIPES][2];

static void open_pipes(void)
{
    for (int i = 0; i < PIPES && pipes[PIPES - 1][0] == 0; i++)
        if (pipe(pipes[i]) != 0)
            abort();
}

PLANT poll_planted(void)
{
    static struct pollfd wanted[PIPES];

    open_pipes();
    for (int i = 0; i < PIPES; i++)
        wanted[i] = (struct pollfd){.fd = pipes[i][0], .events = POLLIN};
    return poll(wanted, PIPES, 0) == 0;
}

PLANT poll_repaired(void)
{
    static int queue;
    struct epoll_event event = {.events = EPOLLIN};

    open_pipes();
    if (!queue && (queue = epoll_create1(0)))
        for (int i = 0; i < PIPES; i++)
            epoll_ctl(queue, EPOLL_CTL_ADD, pipes[i][0], &event);
    return epoll_wait(queue, &event, 1, 0) == 0;
}

PLANT interest_planted(void)
{
    static int queue, has_added;
    struct epoll_event event = {.events = next() % 2 ? EPOLLIN : EPOLLOUT};

    open_pipes();
    queue = queue ? queue : epoll_create1(0);
    return epoll_ctl(queue, has_added++ ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, pipes[0][0], &event) == 0;
}

PLANT interest_repaired(void)
{
    static int queue;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET};

    open_pipes();
    if (!queue && (queue = epoll_create1(0)))
        return epoll_ctl(queue, EPOLL_CTL_ADD, pipes[0][0], &event) == 0;
    return 1;
}

PLANT option_planted(void)
{
    static int socket_;
    int size = 1 << 16;

    socket_ = socket_ ? socket_ : socket(AF_UNIX, SOCK_STREAM, 0);
    return setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0;
}

PLANT option_repaired(void)
{
    static int socket_;
    int size = 1 << 16;

    if (!socket_ && (socket_ = socket(AF_UNIX, SOCK_STREAM, 0)))
        return setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0;
    return 1;
}

static const struct sockaddr_un address = {AF_UNIX, "\0libc-plant"};
enum { length = sizeof address };

static int listen_once(void)
{
    static int server;

    if (!server && (server = socket(AF_UNIX, SOCK_STREAM, 0))) {
        bind(server, (const struct sockaddr *)&address, sizeof address);
        listen(server, 8);
    }
    return server;
}

PLANT connection_planted(void)
{
    int client;

    listen_once();
    connect((client = socket(AF_UNIX, SOCK_STREAM, 0)), (const struct sockaddr *)&address, length);
    return close(accept(listen_once(), NULL, NULL)) == 0 && close(client) == 0;
}

PLANT connection_repaired(void)
{
    static int client;

    if (!client) {
        listen_once();
        client = socket(AF_UNIX, SOCK_STREAM, 0);
        connect(client, (const struct sockaddr *)&address, sizeof address);
    }
    return client > 0;
}

static const struct {
    const char *name;
    long (*planted)(void);
    long (*repaired)(void);
} costs[] = {
    {"open", open_planted, open_repaired},
    {"descriptor", descriptor_planted, descriptor_repaired},
    {"state", state_planted, state_repaired},
    {"characters", characters_planted, characters_repaired},
    {"seek", seek_planted, seek_repaired},
    {"lseek", lseek_planted, seek_repaired},
    {"flush", flush_planted, flush_repaired},
    {"unbuffered", unbuffered_planted, unbuffered_repaired},
    {"sync", sync_planted, sync_repaired},
    {"rename", rename_planted, rename_repaired},
    {"folder", folder_planted, folder_repaired},
    {"glob", glob_planted, glob_repaired},
    {"match", match_planted, match_repaired},
    {"path", path_planted, path_repaired},
    {"control", control_planted, control_repaired},
    {"lock", lock_planted, lock_repaired},
    {"truncate", truncate_planted, truncate_repaired},
    {"terminal", terminal_planted, terminal_repaired},
    {"mapping", mapping_planted, mapping_repaired},
    {"block", block_planted, block_repaired},
    {"malloc_trim", malloc_trim_planted, malloc_trim_repaired},
    {"merge", merge_planted, merge_repaired},
    {"census", census_planted, census_repaired},
    {"protect", protect_planted, protect_repaired},
    {"advice", advice_planted, advice_repaired},
    {"growth", growth_planted, growth_repaired},
    {"aligned", aligned_planted, aligned_repaired},
    {"memset", memset_planted, memset_repaired},
    {"pad", pad_planted, pad_repaired},
    {"case", case_planted, case_repaired},
    {"compare", compare_planted, compare_repaired},
    {"ignore_case", ignore_case_planted, compare_repaired},
    {"tokens", tokens_planted, tokens_repaired},
    {"format", format_planted, format_repaired},
    {"double", double_planted, double_repaired},
    {"parse", parse_planted, parse_repaired},
    {"wide", wide_planted, wide_repaired},
    {"wctype", wctype_planted, wctype_repaired},
    {"converter", converter_planted, converter_repaired},
    {"iconv", iconv_planted, iconv_repaired},
    {"regexec", regexec_planted, regexec_repaired},
    {"message", message_planted, message_repaired},
    {"locale", locale_planted, locale_repaired},
    {"tree", tree_planted, tree_repaired},
    {"power", power_planted, power_repaired},
    {"exp", exp_planted, exp_repaired},
    {"sine", sine_planted, sine_repaired},
    {"angle", angle_planted, angle_repaired},
    {"hypot", hypot_planted, hypot_repaired},
    {"remainder", remainder_planted, remainder_repaired},
    {"gamma", gamma_planted, gamma_repaired},
    {"tanh", tanh_planted, tanh_repaired},
    {"scale", scale_planted, scale_repaired},
    {"round", round_planted, round_repaired},
    {"fused", fused_planted, fused_repaired},
    {"draw", draw_planted, draw_repaired},
    {"entropy", entropy_planted, entropy_repaired},
    {"clock", clock_planted, clock_repaired},
    {"identity", identity_planted, identity_repaired},
    {"machine", machine_planted, machine_repaired},
    {"environment", environment_planted, environment_repaired},
    {"user", user_planted, user_repaired},
    {"interface", interface_planted, interface_repaired},
    {"spawn", spawn_planted, spawn_repaired},
    {"system", system_planted, spawn_repaired},
    {"child", child_planted, child_repaired},
    {"library", library_planted, library_repaired},
    {"trace", trace_planted, trace_repaired},
    {"log", log_planted, log_repaired},
    {"stamp", stamp_planted, stamp_repaired},
    {"read_time", read_time_planted, read_time_repaired},
    {"timer", timer_planted, timer_repaired},
    {"mask", mask_planted, mask_repaired},
    {"jump", jump_planted, jump_repaired},
    {"switch", switch_planted, switch_repaired},
    {"mutex", mutex_planted, mutex_repaired},
    {"rwlock", rwlock_planted, rwlock_repaired},
    {"spin", spin_planted, spin_repaired},
    {"thread_value", thread_value_planted, thread_value_repaired},
    {"handover", handover_planted, handover_repaired},
    {"semaphore", semaphore_planted, semaphore_repaired},
    {"yield", yield_planted, yield_repaired},
    {"sleep", sleep_planted, yield_repaired},
    {"stack", stack_planted, stack_repaired},
    {"affinity", affinity_planted, affinity_repaired},
    {"poll", poll_planted, poll_repaired},
    {"interest", interest_planted, interest_repaired},
    {"option", option_planted, option_repaired},
    {"connection", connection_planted, connection_repaired},
};

static int run(long (*function)(void), long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += function();
    printf("%ld\n", sum);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    long rounds = argc == 4 ? atol(argv[3]) : 0;

    setlocale(LC_CTYPE, "C.UTF-8");
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (long i = 0; i < COUNT(costs); i++)
        if (rounds > 0 && strcmp(costs[i].name, argv[1]) == 0) {
            bool is_planted = strcmp(argv[2], "planted") == 0;

            return run(is_planted ? costs[i].planted : costs[i].repaired, rounds);
        }
    return 2;
}
