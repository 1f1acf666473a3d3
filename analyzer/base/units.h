/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with their units, as people write and read them.
 *
 * Formatting writes to the caller's buffer and returns that buffer, so a call can be an argument of
 * printf.  A number that is not finite is unknown and gives "-".  Three or four digits are
 * significant; a number that rounds up to the next unit is shown in it ("1.00 us", never "1000
 * ns").
 *
 * The decimal point follows LC_NUMERIC, which the analyzer leaves at "C": CSV,
 * JSON and golden files must not change with the user's language.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"

enum { UNITS_SIZE = 40 };

/* Format a time: "812 ns", "3.42 us", "1.234 s", "12.5 min".  Times up to ten minutes are printed
 * in seconds, as "83.20 s" is more precise than "1.39 min".
 *
 * Units: nanoseconds.
 */
char *units_format_time(char buffer[UNITS_SIZE], double time_ns);

/* Format a size with powers of 1024: "512 B", "1.50 KiB".
 *
 * Units: bytes.
 */
char *units_format_bytes(char buffer[UNITS_SIZE], double size_bytes);

/* Format a whole number with separators: "1,234,567". */
char *units_format_count(char buffer[UNITS_SIZE], int64_t count);

/* Format an amount of work with powers of 1000: "2.68 GFLOP".
 *
 * Units: floating-point operations.
 */
char *units_format_flops(char buffer[UNITS_SIZE], double flops);

/* Format a speed of computing: "54.3 GFLOP/s".
 *
 * Units: floating-point operations per second.
 */
char *units_format_flop_rate(char buffer[UNITS_SIZE], double flops_per_second);

/* Format a bandwidth with powers of 1000, as vendors do: "12.1 GB/s".
 *
 * Units: bytes per second.
 */
char *units_format_byte_rate(char buffer[UNITS_SIZE], double bytes_per_second);

/* Format a frequency of events: "12.5 /s", "1.23 M/s".
 *
 * Units: events per second.
 */
char *units_format_rate(char buffer[UNITS_SIZE], double per_second);

/* Format a fraction of a whole as percent: 0.123 gives "12.3 %".  A fraction
 * that would round to nothing without being nothing gives "<0.1 %". */
char *units_format_percent(char buffer[UNITS_SIZE], double fraction);

/* Format a quotient: "1.23x". */
char *units_format_ratio(char buffer[UNITS_SIZE], double ratio);

/* Format how many times as fast something can be at most: "1.25x".  A bound beyond
 * UNITS_SPEEDUP_MOST says no more than that: ">1000x". */
#define UNITS_SPEEDUP_MOST 1000
char *units_format_speedup(char buffer[UNITS_SIZE], double ratio);

/* Choose the word for a count: `one` for 1, the other for 0 or more than 1.  units_choose(calls,
 * "", "s") ends "call" or "calls".
 * Returns: one of the two.
 */
const char *units_choose(uint64_t count, const char *one, const char *several);

/* Format a plain number with four significant digits. */
char *units_format_real(char buffer[UNITS_SIZE], double real);

/* Format a plain number with the fewest digits that read back as the same number: 0.1 gives
 * "0.1". */
char *units_format_exact(char buffer[UNITS_SIZE], double real);

/* Give the mark before a formatted estimate: "~"; nothing before an unknown number. */
const char *units_mark_estimate(const char *formatted);

/* Read a size: "4096", "64K", "100MiB", "1.5G".  K, M, G, T and KiB, MiB, ... are powers of 1024;
 * KB, MB, GB, TB are powers of 1000, as in dd.  Case does not matter.
 *
 * Units: bytes.
 * Errors: STATUS_USAGE: the text is no size, or it needs more than 64 bits.
 */
enum status units_parse_size(const char *text, uint64_t *size_bytes,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Read a duration: "100ms", "1s", "5us", "2min", "1.5h".  The unit is required: a bare number is
 * ambiguous.
 *
 * Units: nanoseconds.
 * Errors: STATUS_USAGE: the text is no duration, or it needs more than 64 bits.
 */
enum status units_parse_duration(const char *text, uint64_t *duration_ns,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* Read a rate above 0: "100TFLOP/s", "900 GB/s", "2.5e12".  The unit, "FLOP/s" or "B/s", may be
 * left out; prefixes are powers of 1000.
 *
 * Errors: STATUS_USAGE: the text is no rate.
 */
enum status units_parse_per_second(const char *text, const char *unit, double *per_second,
                                   struct diagnostic *diagnostic) MUST_CHECK;

#endif
