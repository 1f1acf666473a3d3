/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot for people: an area over time, with marks of other series; or points and lines on two
 * logarithmic axes.
 *
 * An analysis chooses the contents, a renderer the looks; this module knows no terminal.
 */
#ifndef DOCUMENT_PLOT_H
#define DOCUMENT_PLOT_H

#include <stdbool.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/text_list.h"
#include "document/table.h"

/* The area between two points in time; a point reaches up to the next one. */
struct plot_point {
    double x;
    double y;
};

/* The region of the true values of a point. */
struct plot_region {
    double x_low;
    double x_high;
    double y_low;
    double y_high;
};

/* Other readings, drawn as single marks or as a line. */
struct plot_series {
    const char *label; /* kept, not copied; NULL: the series needs no legend */
    char mark;
    bool is_line;
    bool goes_on;     /* continues the series before it: both show the same thing */
    double top;       /* strips: the value of a full block; 0: the highest point */
    const char *note; /* strips: the text behind the strip; kept; or NULL */
    struct plot_region region; /* uncertainty of single points; zeros: exact */
    double spread;       /* lines: values may be lower by this share; 0: exact */
    struct array points; /* of struct plot_point, by x */
};

/* The interval of a point. */
struct plot_bar {
    double x;
    double y_low;
    double y_high;
};

/* Logarithmic axes have no area, and leave out values that are not above 0. */
struct plot {
    const char *label; /* label of the area, or of both logarithmic axes; kept; NULL: no legend */
    enum unit x_unit;
    enum unit y_unit;
    bool is_logarithmic;
    bool is_strips;         /* each series is a line of blocks of its own, and there is no area */
    bool is_low;            /* a third of the usual height: several are read together */
    double x_end;           /* the axis goes from 0 to here */
    struct array area;      /* struct plot_point, by x; if several share a column, the highest is
                               drawn */
    struct array series;    /* of struct plot_series; later ones are drawn over earlier ones */
    struct array path;      /* of struct plot_point, by x: a page draws a thin line through these */
    struct array bars;      /* of struct plot_bar: a page draws them below the points */
    struct text_list texts; /* texts of plot_keep */
};

/* Start an empty plot. */
void plot_init(struct plot *plot);

/* Free the points. */
void plot_fini(struct plot *plot);

/* Add a point. */
void plot_add_point(struct array *points, double x, double y);

/* Add the interval of a point; an interval without both bounds is left out. */
void plot_add_bar(struct plot *plot, double x, double low, double high);

/* Add an empty series.
 *
 * Returns: it, until the next one is added.
 */
struct plot_series *plot_add_series(struct plot *plot, const char *label, char mark) MUST_CHECK;

/* Keep a text as long as the plot.  Returns: it. */
const char *plot_keep(struct plot *plot, const char *format, ...) PRINTF_LIKE(2, 3) MUST_CHECK;

/* Ask whether a point has a region. */
bool plot_has_region(const struct plot_series *series);

/* Returns: the value of the highest point; 0 when no point is above 0. */
double plot_highest(const struct array *points);

/* Ask whether a series is drawn: marks that would squeeze the area into less than a quarter of the
 * height are left out. */
bool plot_shows(const struct plot *plot, const struct plot_series *series);

#endif
