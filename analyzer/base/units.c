/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with their units, as people write and read them.
 *
 * Called by the renderers and the option parsers.  Pure functions, safe on any
 * thread.  The units are rows of tables; two functions walk them.
 *
 * To read: the SI brochure for k, M, G; IEC 80000-13 for Ki, Mi, Gi.
 */
#include "base/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A row serves magnitudes whose number in `scale` is below `limit`.  The last
 * row of a list has no limit. */
struct units_row {
    const char *prefix;
    double scale;
    double limit;
    int digits; /* significant ones */
};

static const struct units_row time_rows[] = {
    {"ns", 1, 1000, 3}, {"us", 1e3, 1000, 3},       {"ms", 1e6, 1000, 3},
    {"s", 1e9, 600, 4}, {"min", 60e9, INFINITY, 3},
};

static const struct units_row iec_rows[] = {
    {"", 1, 1024, 3},        {"Ki", 0x1p10, 1024, 3}, {"Mi", 0x1p20, 1024, 3},
    {"Gi", 0x1p30, 1024, 3}, {"Ti", 0x1p40, 1024, 3}, {"Pi", 0x1p50, INFINITY, 3},
};

static const struct units_row si_rows[] = {
    {"", 1, 1000, 3},     {"k", 1e3, 1000, 3},  {"M", 1e6, 1000, 3},      {"G", 1e9, 1000, 3},
    {"T", 1e12, 1000, 3}, {"P", 1e15, 1000, 3}, {"E", 1e18, INFINITY, 3},
};

static char *format_unknown(char buffer[UNITS_SIZE])
{
    return strcpy(buffer, "-");
}

/* Each power of ten that the rounded number reaches takes one decimal away.  With three digits,
 * 9.99 keeps two decimals, and 9.996 keeps one: "10.0". */
static int count_decimals(double magnitude, int digits)
{
    int decimals = digits - 1;
    double limit = 10;

    while (decimals > 0 && magnitude >= limit - 0.5 * pow(10, -decimals)) {
        decimals--;
        limit *= 10;
    }
    return decimals;
}

/* Fixed point is used where it is readable: below 0.1 it would hide all digits, and above a million
 * it would invent them. */
static void print_number(char buffer[UNITS_SIZE], double number, int digits)
{
    double magnitude = fabs(number);

    if (magnitude < 0.1 || magnitude >= 1e6)
        snprintf(buffer, UNITS_SIZE, "%.*g", digits, number);
    else
        snprintf(buffer, UNITS_SIZE, "%.*f", count_decimals(magnitude, digits), number);
}

/* Half is subtracted from the limit, so that the printed number decides: 999.6 ns is "1.00 us". */
static const struct units_row *choose_row(const struct units_row *row, double magnitude)
{
    while (magnitude / row->scale >= row->limit - 0.5)
        row++;
    return row;
}

static char *format_scaled(char buffer[UNITS_SIZE], double amount, const struct units_row *rows,
                           const char *suffix)
{
    if (!isfinite(amount))
        return format_unknown(buffer);

    const struct units_row *row = choose_row(rows, fabs(amount));
    /* A whole number of the smallest unit is exact: "8 B", not "8.00 B". */
    if (row == rows && amount == trunc(amount))
        snprintf(buffer, UNITS_SIZE, "%.0f", amount);
    else
        print_number(buffer, amount / row->scale, row->digits);

    size_t size = strlen(buffer);
    snprintf(buffer + size, UNITS_SIZE - size, " %s%s", row->prefix, suffix);
    return buffer;
}

char *units_format_time(char buffer[UNITS_SIZE], double time_ns)
{
    return format_scaled(buffer, time_ns, time_rows, "");
}

char *units_format_bytes(char buffer[UNITS_SIZE], double size_bytes)
{
    return format_scaled(buffer, size_bytes, iec_rows, "B");
}

char *units_format_flops(char buffer[UNITS_SIZE], double flops)
{
    return format_scaled(buffer, flops, si_rows, "FLOP");
}

char *units_format_flop_rate(char buffer[UNITS_SIZE], double flops_per_second)
{
    return format_scaled(buffer, flops_per_second, si_rows, "FLOP/s");
}

char *units_format_byte_rate(char buffer[UNITS_SIZE], double bytes_per_second)
{
    return format_scaled(buffer, bytes_per_second, si_rows, "B/s");
}

char *units_format_rate(char buffer[UNITS_SIZE], double per_second)
{
    return format_scaled(buffer, per_second, si_rows, "/s");
}

char *units_format_count(char buffer[UNITS_SIZE], int64_t count)
{
    /* Unsigned, because the smallest int64_t has no positive counterpart. */
    uint64_t rest = count < 0 ? -(uint64_t)count : (uint64_t)count;
    char *place = buffer + UNITS_SIZE - 1;

    *place = '\0';
    for (int digits = 0; digits == 0 || rest > 0; digits++, rest /= 10) {
        if (digits > 0 && digits % 3 == 0)
            *--place = ',';
        *--place = (char)('0' + rest % 10);
    }
    if (count < 0)
        *--place = '-';
    return memmove(buffer, place, strlen(place) + 1);
}

char *units_format_percent(char buffer[UNITS_SIZE], double fraction)
{
    if (!isfinite(fraction))
        return format_unknown(buffer);
    /* Half of the last digit shown: one decimal of a percent is 0.001. */
    if (fraction > 0 && fraction < 0.0005)
        return strcpy(buffer, "<0.1 %");
    if (fraction < 0 && fraction > -0.0005)
        return strcpy(buffer, ">-0.1 %");
    snprintf(buffer, UNITS_SIZE, fabs(fraction) < 1e6 ? "%.1f %%" : "%.3g %%", 100 * fraction);
    return buffer;
}

char *units_format_ratio(char buffer[UNITS_SIZE], double ratio)
{
    if (!isfinite(ratio))
        return format_unknown(buffer);
    print_number(buffer, ratio, 3);
    return strcat(buffer, "x");
}

char *units_format_speedup(char buffer[UNITS_SIZE], double ratio)
{
    if (isnan(ratio) || ratio < 0)
        return format_unknown(buffer);
    if (ratio > UNITS_SPEEDUP_MOST)
        return strcpy(buffer, ">1000x");
    snprintf(buffer, UNITS_SIZE, ratio >= 100 ? "%.0fx" : "%.2fx", ratio);
    return buffer;
}

const char *units_choose(uint64_t count, const char *one, const char *several)
{
    return count == 1 ? one : several;
}

const char *units_mark_estimate(const char *formatted)
{
    return strcmp(formatted, "-") == 0 ? "" : "~";
}

char *units_format_real(char buffer[UNITS_SIZE], double real)
{
    if (!isfinite(real))
        return format_unknown(buffer);
    /* From 10,000 on, %.4g would print powers of ten. */
    bool is_long = fabs(real) >= 9999.5 && fabs(real) < 1e15;
    snprintf(buffer, UNITS_SIZE, is_long ? "%.0f" : "%.4g", real);
    return buffer;
}

char *units_format_exact(char buffer[UNITS_SIZE], double real)
{
    if (!isfinite(real))
        return format_unknown(buffer);
    /* 15 digits always survive decimal to double and back, 17 always survive
     * double to decimal and back (IEEE 754: DBL_DIG, DBL_DECIMAL_DIG). */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, UNITS_SIZE, "%.*g", digits, real);
        if (strtod(buffer, NULL) == real)
            break;
    }
    return buffer;
}

struct units_suffix {
    const char *name;
    double factor;
};

static const struct units_suffix size_suffixes[] = {
    {"", 1},       {"B", 1},        {"K", 0x1p10},   {"KiB", 0x1p10}, {"KB", 1e3},
    {"M", 0x1p20}, {"MiB", 0x1p20}, {"MB", 1e6},     {"G", 0x1p30},   {"GiB", 0x1p30},
    {"GB", 1e9},   {"T", 0x1p40},   {"TiB", 0x1p40}, {"TB", 1e12},    {NULL, 0},
};

static const struct units_suffix duration_suffixes[] = {
    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}, {NULL, 0},
};

/* Returns: the factor of the suffix; 0 when the suffix is unknown. */
static double find_factor(const struct units_suffix *suffix, const char *name)
{
    while (suffix->name && strcasecmp(suffix->name, name) != 0)
        suffix++;
    return suffix->factor;
}

/* A number has only digits and a point: strtold by itself would also read "0x10", "inf" and "-1".
 * Long double keeps 64 bits exact.
 * Returns: whether `text` is a number of one of the units that fits. */
static bool parse(const char *text, const struct units_suffix *suffixes, uint64_t *result)
{
    size_t size = strspn(text, "0123456789.");
    char *end;
    long double number = strtold(text, &end);

    if (size == 0 || end != text + size)
        return false;
    double factor = find_factor(suffixes, end);
    long double amount = number * factor;
    if (factor == 0 || amount >= 0x1p64L)
        return false;
    *result = (uint64_t)amount;
    return true;
}

enum status units_parse_size(const char *text, uint64_t *size_bytes, struct diagnostic *diagnostic)
{
    if (parse(text, size_suffixes, size_bytes))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "expected a size such as 64K, 100MiB or 2G, "
                          "found \"%s\"",
                          text);
}

enum status units_parse_duration(const char *text, uint64_t *duration_ns,
                                 struct diagnostic *diagnostic)
{
    if (parse(text, duration_suffixes, duration_ns))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "expected a duration such as 100ms, 1s or 2min, "
                          "found \"%s\"",
                          text);
}

/* 1e12 and 2.5E9 are rates that people write; the rest is as above. */
static bool parse_positive(const char *text, const char *unit, double *number)
{
    static const struct units_suffix prefixes[] = {{"", 1},     {"K", 1e3},  {"M", 1e6}, {"G", 1e9},
                                                   {"T", 1e12}, {"P", 1e15}, {NULL, 0}};
    size_t size = strspn(text, "0123456789.eE+");
    char prefix[2] = "";
    char *end;
    double read = strtod(text, &end);

    if (size == 0 || end == text)
        return false;
    while (*end == ' ')
        end++;
    if (*end != '\0' && strcasecmp(end, unit) != 0)
        prefix[0] = *end++;
    if (*end != '\0' && strcasecmp(end, unit) != 0)
        return false;
    *number = read * find_factor(prefixes, prefix);
    return *number > 0 && isfinite(*number);
}

enum status units_parse_per_second(const char *text, const char *unit, double *per_second,
                                   struct diagnostic *diagnostic)
{
    if (parse_positive(text, unit, per_second))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "expected a rate such as 100G%s or 2.5e12, found \"%.40s\"", unit, text);
}
