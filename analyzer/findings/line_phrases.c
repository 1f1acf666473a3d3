/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter adds lists, searches them, sorts them and matches patterns below a line, and no
 * frame tells which.  The text of the line does, where that line has most of the time, or of the
 * memory.
 *
 * Called by INTERPRETED for its hottest line, and by PEAK-LINE for the largest owner.
 */
#include "findings/line_phrases.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/wildcard.h"

enum { PATTERNS = 8 };

struct phrase {
    const char *advice; /* a name in texts.def */
    const char *patterns[PATTERNS];
    const char *never; /* a pattern of lines that are meant otherwise; NULL: there are none */
};

static const struct phrase lines[] = {
    {"python_sum_lists", {"sum(*, [])", "sum(*,[])", "sum(*, ())", "sum(*start=[])"}, NULL},
    {"python_log",
     {"^log*.debug(* % ", "^log*.debug(f", "^self.log*.debug(* % ", "^self.log*.debug(f",
      "^log*.info(* % ", "^log*.info(f"},
     NULL},
    {"python_flush", {"flush=True", ".flush()"}, NULL},
    {"python_open", {"^with open(", "= open(", "^open("}, NULL},
    {"python_apply", {".apply(", ".applymap(", ".map(lambda"}, NULL},
    {"python_tell", {".tell()"}, NULL},
    {"python_front", {".insert(0,", ".pop(0)"}, NULL},
    {"python_rebuilt", {" in list(", " in set(", " in sorted(", " in tuple("}, "^for "},
    {"python_whole_file",
     {".read()", ".readlines()", ".splitlines()", ".split('\\n')", ".split(\"\\n\")"},
     NULL},
    {"python_count", {".count("}, ".count()"},
    {"python_backwards", {"[::-1]"}, NULL},
    {"python_pattern",
     {".match(", ".search(", ".fullmatch(", ".findall(", ".finditer(", ".sub("},
     NULL},
    {"python_sorting", {"sorted(", ".sort("}, NULL},
    {"python_search", {".index(", ".remove("}, NULL},
    {"python_elements", {"^*[*, *] = *[*]", "^*[*, *] += *[*]"}, "[*:*] ="},
    /* A comprehension is one line, also where its test takes little. */
    {"python_search", {"^if * in ", "^elif * in ", "^while * in "}, NULL},
};

/* The first that matches tells most: reading before converting, and both before the loop around. */
static const struct phrase python_memory[] = {
    {"memory_json", {"json.load(", "json.loads(", ".json()"}, NULL},
    {"memory_unpickle", {"pickle.load(", "pickle.loads(", "joblib.load("}, NULL},
    {"memory_rows", {"list(csv.", "list(reader", "DictReader("}, "^for "},
    {"memory_table",
     {"read_csv(", "read_table(", "read_excel(", "read_json(", "read_sql", "read_fwf("},
     "chunksize"},
    {"memory_cursor", {".fetchall()"}, NULL},
    {"memory_combinations", {".groupby("}, "observed=True"},
    {"memory_output",
     {"capture_output=True", "check_output(", ".communicate(", "getoutput("},
     NULL},
    {"memory_file",
     {".read()", ".readlines()", ".splitlines()", ".split('\\n')", ".split(\"\\n\")", ".read_text(",
      ".read_bytes(", "list(open("},
     NULL},
    {"memory_saved", {"np.load(", "numpy.load(", "torch.load("}, "mmap"},
    {"memory_drain", {"writer.write("}, NULL},
    {"memory_dense", {".toarray()", ".todense()", ".to_dense()", "get_dummies("}, "sparse="},
    {"memory_numbers", {".tolist()"}, NULL},
    {"memory_joined",
     {"concatenate(", "vstack(", "hstack(", ".stack(", ".cat(", ".concat(", "np.append("},
     NULL},
    {"memory_pairs",
     {"[:, None", "[:,None", "newaxis", ".unsqueeze(", "cdist(", "pairwise_", ".outer(",
      "meshgrid("},
     NULL},
    {"memory_pairs",
     {"cosine_similarity(", "linear_kernel(", "rbf_kernel(", "euclidean_distances(", "squareform(",
      "corrcoef("},
     NULL},
    {"memory_powers",
     {"** 2).sum(", "**2).sum(", "** 2).mean(", "**2).mean(", "sum((* ** 2", "sum(np.square(",
      "np.square(*.sum("},
     "einsum"},
    {"memory_identity", {".eye(", ".identity("}, NULL},
    {"memory_copied", {".copy()", "deepcopy(", ".clone()"}, NULL},
    {"memory_type", {".astype(", ".double()", ".float()"}, NULL},
    {"memory_double",
     {"np.zeros(", "np.ones(", "np.empty(", "np.full(", "np.random.", "numpy.zeros(", "rng."},
     "dtype"},
    {"memory_wide",
     {"dtype=np.float64", "dtype=np.int64", "dtype=float)", "dtype=int)", "dtype=torch.float64",
      "((*, *, *), dtype=np.float32", "((*, *, *), dtype=torch.float32", "((*, *, *), np.float32"},
     NULL},
    {"memory_list", {"[* for * in *]", "list(map(", "list(range(", "list(zip(", "sorted("}, NULL},
    {"memory_kept", {".append(", ".extend("}, NULL},
};

static const struct phrase compiled_memory[] = {
    {"memory_file", {"istreambuf_iterator", ".rdbuf()"}, NULL},
    {"memory_vector", {"push_back(", "emplace_back("}, NULL},
    {"memory_resized", {".resize("}, NULL},
};

/* "text = text + piece": what follows the second name; NULL: the names differ. */
static const char *find_rest(const char *line)
{
    const char *equals = strstr(line, " = ");
    size_t size = equals ? (size_t)(equals - line) : 0;

    return size > 0 && strncmp(equals + 3, line, size) == 0 ? equals + 3 + size : NULL;
}

static const char *find_advice_on_itself(const char *line)
{
    const char *rest = find_rest(line);

    if (!rest)
        return NULL;
    if (strncmp(rest, " + ", 3) == 0)
        return "python_joining";
    return wildcard_matches("^[*:]$", rest) || wildcard_matches("^[:-*]$", rest) ? "python_rest"
                                                                                 : NULL;
}

static bool matches(const char *const patterns[PATTERNS], const char *line)
{
    for (size_t i = 0; i < PATTERNS && patterns[i]; i++)
        if (wildcard_matches(patterns[i], line))
            return true;
    return false;
}

bool line_phrases_sums_products(const char *line)
{
    const char *sum = strstr(line, "+="), *product = sum;

    while (product && (product = strchr(product, ']'))) {
        product += 1 + strspn(product + 1, " ");
        if (*product == '*' && product[strcspn(product, "[+-,;)")] == '[')
            return true;
    }
    return false;
}

bool line_phrases_multiplies_matrices(const char *line)
{
    static const char *const products[PATTERNS] = {" @ ",     "@=",      ".dot(",
                                                   "matmul(", ".inner(", "tensordot("};
    static const char *const others[PATTERNS] = {"exp(",  "log(",     "sqrt(", "tanh(",
                                                 "sort(", "maximum(", "where("};

    return matches(products, line) && !matches(others, line);
}

bool line_phrases_takes_column(const char *line)
{
    const char *column = line;

    while ((column = strstr(column, "[:, ")) != NULL) {
        const char *name = column + 4;
        size_t size = strcspn(name, ":,]");

        if (strspn(name, "abcdefghijklmnopqrstuvwxyz_") > 0 && name[size] == ']' &&
            strncmp(name, "np.newaxis", size) != 0)
            return true;
        column = name;
    }
    return false;
}

static const char *find(const struct phrase *phrase, size_t count, const char *line)
{
    for (size_t i = 0; i < count; i++)
        if (matches(phrase[i].patterns, line) &&
            !(phrase[i].never && wildcard_matches(phrase[i].never, line)))
            return phrase[i].advice;
    return NULL;
}

const char *line_phrases_find_advice(const char *line)
{
    const char *advice = line_phrases_sums_products(line)
                             ? "python_product"
                             : find(lines, sizeof lines / sizeof *lines, line);

    return advice ? advice : find_advice_on_itself(line);
}

const char *line_phrases_find_memory_advice(const char *line, bool is_python)
{
    return is_python
               ? find(python_memory, sizeof python_memory / sizeof *python_memory, line)
               : find(compiled_memory, sizeof compiled_memory / sizeof *compiled_memory, line);
}
