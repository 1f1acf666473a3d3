/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The accounts of both budgets, and the records that are shed when one is in
 * debt.
 *
 * Decision: doc/decisions/budgets-as-accounts.
 */
#include "record/pace.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    MILLION = 1000000,         /* nanoseconds in a millisecond, and parts of a share */
    FREE_PARTS = 10,           /* one part of the free space */
    CREDIT_SECONDS = 10,       /* the most time that an account saves */
    PAY_SECONDS = 5,           /* a debt of time is paid back within this processor time */
    SPELL_LEAST_NS = 10000000, /* processor time between two changes */
    CREDIT_DISK_SECONDS = 60,  /* the same for the disk, since a program's minutes differ */
    SLACK_DISK_SECONDS = 2,
    RUN_LEAST_SECONDS = 60, /* a storm at the start must not take the space of an hour */
    RUN_PARTS = 4,          /* a second may write: bytes left / (this * seconds of the run) */
    RESERVE_PARTS = 16,     /* one part of the disk budget is for tallies and facts */
    SHARE_PARTS = 8,        /* a kind that wrote less than one is not reduced */
    FINER_BYTES_PARTS = 8,
    FINER_SECONDS = 60,  /* between two finer steps, or ... */
    FINER_RUN_PARTS = 8, /* ... this part of the run, and FINER_LEAST_NS at least */
    FINER_LEAST_NS = 200000000,
    DRAWN_TIME_PARTS = 4,      /* one of the allowed time is for drawn blocks */
    DRAWN_LEAST_PARTS = 16,    /* one of it is for them even in debt */
    DRAWN_SPELL_NS = 50000000, /* a shorter burst moves points only if it took all allowed time */
    DRAWN_LEAST_NS = 20000,    /* some ten drawn blocks tell how many are to come ... */
    DISTANCE_FACTOR_MOST = 4,  /* ... and each distance has some, so that intervals hold */
    SOON_NS = 100000000,
    LOOK_LEAST_NS = 1000000, /* a storm that costs ten times the program then takes 10 ms */
    LOOK_RUN_PARTS = 16,     /* a look comes after this part of the run, a second at most */
    GROWN_PARTS = 64,        /* growth by one of the bytes left causes a look */
    READINGS_TIME_PARTS = 2, /* readings are few, and they alone show the course of memory */
    READINGS_PARTS = 1024,
    INTERVAL_MOST_SECONDS = 86400,
    FACTOR_MOST = 16,
    DRAWS_MOST = 1 << 20,
    DISTANCE_LEAST = 1 << 12, /* a drawn block costs 2 to 5 microseconds */
    LIVE_POINTS = 1024        /* this many on the live heap find each owner of a hundredth */
};

static const uint64_t distance_most = UINT32_MAX; /* the most that a record has room for */

static uint64_t within(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The cost of recording between two looks, and its budget. */
struct spell {
    uint64_t cpu_ns;
    uint64_t cost_ns;
    uint64_t drawn_ns;
    uint64_t allowed_ns;
    uint64_t spare_ns; /* of the allowed time, when the debt is paid back */
};

/* The output of a look. */
struct decision {
    struct pace *pace;
    const struct pace_look *look;
    struct pace_change *changes;
    unsigned count;
};

static uint64_t credit_ns(const struct pace_terms *terms)
{
    return terms->credit_ms * terms->overhead_ppm;
}

void pace_start(struct pace *pace, const struct pace_terms *terms)
{
    *pace = (struct pace){.terms = *terms,
                          .limit_bytes = terms->disk_bytes,
                          .debt_ns = -(int64_t)credit_ns(terms),
                          .values = {
                              [TRACE_STAGE_BLOCKS] = terms->distance,
                              [TRACE_STAGE_KERNELS] = 1,
                              [TRACE_STAGE_REGIONS] = 1,
                              [TRACE_STAGE_READINGS] = terms->interval_ns,
                          }};
}

uint64_t pace_interval_ns(const struct pace *pace)
{
    return within(pace->last.now_ns / LOOK_RUN_PARTS, LOOK_LEAST_NS, SECOND_NS);
}

void pace_note_free(struct pace *pace, uint64_t size_bytes, uint64_t free_bytes)
{
    uint64_t most = size_bytes + free_bytes / FREE_PARTS;

    if (pace->terms.disk_bytes == 0)
        return;
    pace->is_for_space = most < pace->terms.disk_bytes;
    pace->limit_bytes = pace->is_for_space ? most : pace->terms.disk_bytes;
}

uint64_t pace_events_limit(const struct pace *pace)
{
    return pace->limit_bytes - pace->limit_bytes / RESERVE_PARTS;
}

/* Has the file grown out of its beginning since the last look? */
static bool is_outgrown(const struct pace *pace, uint64_t size_bytes)
{
    return !pace->is_beyond && pace->limit_bytes != 0 &&
           size_bytes > pace->limit_bytes / PACE_PARTS_OF_BEGINNING;
}

static uint64_t bytes_left(const struct pace *pace, uint64_t size_bytes)
{
    uint64_t limit = pace_events_limit(pace);

    return size_bytes < limit ? limit - size_bytes : 0;
}

bool pace_is_due(const struct pace *pace, uint64_t now_ns, uint64_t size_bytes)
{
    uint64_t grown = size_bytes - pace->last.size_bytes;

    return now_ns - pace->last.now_ns >= SOON_NS || is_outgrown(pace, size_bytes) ||
           (pace->is_beyond && grown > bytes_left(pace, size_bytes) / GROWN_PARTS);
}

bool pace_has_room_for_stacks(const struct pace *pace, uint64_t stack_bytes)
{
    return pace->limit_bytes == 0 || stack_bytes + TRACE_STACK_CHUNK_SIZE <=
                                         pace->limit_bytes / PACE_PARTS_OF_BEGINNING;
}

static bool has_begun(const struct pace *pace, enum trace_stage stage)
{
    return pace->begun >> stage & 1;
}

static enum trace_stage_cause disk_cause(const struct pace *pace)
{
    return pace->is_for_space ? TRACE_STAGE_CAUSE_SPACE : TRACE_STAGE_CAUSE_DISK;
}

static void change(struct decision *decision, struct pace_change change)
{
    struct pace *pace = decision->pace;

    if (decision->count == PACE_CHANGES_MAX)
        return;
    decision->changes[decision->count++] = change;
    pace->begun |= 1u << change.stage;
    pace->causes[change.stage] = change.cause;
    pace->changed = *decision->look;
}

/* BLOCKS and CHAINS share one distance, which is stored with BLOCKS. */
static uint64_t distance_of(const struct pace *pace)
{
    return pace->values[TRACE_STAGE_BLOCKS];
}

static enum trace_stage stage_of_distance(const struct pace *pace)
{
    bool has_chains_alone =
        has_begun(pace, TRACE_STAGE_CHAINS) && !has_begun(pace, TRACE_STAGE_BLOCKS);

    return has_chains_alone ? TRACE_STAGE_CHAINS : TRACE_STAGE_BLOCKS;
}

static void change_distance(struct decision *decision, enum trace_stage_cause cause, uint64_t to)
{
    struct pace *pace = decision->pace;
    uint64_t *distance = &pace->values[TRACE_STAGE_BLOCKS];

    to = within(to, DISTANCE_LEAST, distance_most);
    if (to == *distance)
        return;
    change(decision, (struct pace_change){stage_of_distance(pace), cause, *distance, to});
    *distance = to;
}

static void change_value(struct decision *decision, enum trace_stage stage,
                         enum trace_stage_cause cause, uint64_t to)
{
    uint64_t *value = &decision->pace->values[stage];

    if (to == *value)
        return;
    change(decision, (struct pace_change){stage, cause, *value, to});
    *value = to;
}

static void begin_of_blocks(struct decision *decision, enum trace_stage stage,
                            enum trace_stage_cause cause, uint64_t to)
{
    uint64_t *distance = &decision->pace->values[TRACE_STAGE_BLOCKS];

    change(decision, (struct pace_change){stage, cause, *distance, to});
    *distance = to;
}

/* ---- time ------------------------------------------------------------------------ */

static uint64_t allowed_ns(const struct pace *pace, uint64_t cpu_ns)
{
    if (cpu_ns > UINT64_MAX / MILLION)
        return cpu_ns / MILLION * pace->terms.overhead_ppm;
    return cpu_ns * pace->terms.overhead_ppm / MILLION;
}

static uint64_t sum_of(const uint64_t of[PACE_KINDS])
{
    uint64_t sum = 0;

    for (int kind = 0; kind < PACE_KINDS; kind++)
        sum += of[kind];
    return sum;
}

static uint64_t cost_since(const struct pace_look *look, const struct pace_look *before)
{
    return sum_of(look->cost_ns) - sum_of(before->cost_ns);
}

/* Enter the spent and the allowed amount. */
static void enter(int64_t *debt, uint64_t spent, uint64_t allowed, uint64_t credit)
{
    *debt += (int64_t)spent - (int64_t)allowed;
    if (*debt < -(int64_t)credit)
        *debt = -(int64_t)credit;
}

/* The same.
 * Returns: whether the account is in debt beyond `slack`.  That debt is forgiven, because the
 * caller now reduces the spending. */
static bool settle(int64_t *debt, uint64_t spent, uint64_t allowed, uint64_t slack, uint64_t credit)
{
    enter(debt, spent, allowed, credit);
    if (*debt <= (int64_t)slack)
        return false;
    *debt = 0;
    return true;
}

static void double_interval(struct decision *decision, enum trace_stage_cause cause)
{
    uint64_t interval_ns = decision->pace->values[TRACE_STAGE_READINGS];

    change_value(decision, TRACE_STAGE_READINGS, cause,
                 within(2 * interval_ns, 0, INTERVAL_MOST_SECONDS * SECOND_NS));
}

/* Returns: the time that recording may take of `cpu_ns`, so that the debt is paid back in time. */
static uint64_t spare_ns(const struct pace *pace, uint64_t cpu_ns)
{
    enum { US_NS = 1000 };
    uint64_t allowed = allowed_ns(pace, cpu_ns);
    uint64_t debt = pace->debt_ns > 0 ? (uint64_t)pace->debt_ns : 0;
    uint64_t span_us = within(cpu_ns / US_NS, 0, PAY_SECONDS * SECOND_NS / US_NS);
    uint64_t due = debt / US_NS * span_us / (PAY_SECONDS * SECOND_NS / US_NS) * US_NS;

    return due < allowed ? allowed - due : 0;
}

/* Only chains are reduced if records take half of the budget.  The cost of records is known here,
 * since every block has one. */
static bool is_enough_to_shed_chains(const struct decision *decision, const struct spell *spell)
{
    const struct pace *pace = decision->pace;

    return pace->terms.has_chains && !has_begun(pace, TRACE_STAGE_CHAINS) &&
           decision->look->records_ns - pace->changed.records_ns <= spell->spare_ns / 2;
}

/* Returns: the smallest distance that tells more of this heap. */
static uint64_t finest_distance(const struct pace_look *look)
{
    return within(look->live_bytes / LIVE_POINTS, DISTANCE_LEAST, distance_most);
}

/* Returns: the cost of drawn blocks when the rest of recording has become cheap, and the program
 * obtains blocks faster. */
static uint64_t drawn_in_program(const struct spell *spell)
{
    enum { MOST = 10 };
    uint64_t program_ns = spell->cost_ns < spell->cpu_ns ? spell->cpu_ns - spell->cost_ns : 0;
    uint64_t times = program_ns > 0 ? spell->cpu_ns / program_ns : MOST;

    return spell->drawn_ns * within(times, 1, MOST);
}

/* Returns: the distance at which drawn blocks take their part of the allowed time, rounded up to a
 * power of two times the present one, or down. */
static uint64_t fitting_distance(const struct decision *decision, const struct spell *spell)
{
    const struct pace *pace = decision->pace;
    uint64_t finest = finest_distance(decision->look);
    uint64_t distance = distance_of(pace), drawn_ns = drawn_in_program(spell);
    uint64_t fitting_ns = spell->allowed_ns / DRAWN_TIME_PARTS;

    if (!pace->terms.is_distance_free)
        return distance;
    for (; drawn_ns > fitting_ns && distance < distance_most / 2; drawn_ns /= 2)
        distance *= 2;
    for (; 2 * drawn_ns <= fitting_ns && distance / 2 >= finest; drawn_ns *= 2)
        distance /= 2;
    return distance;
}

static void shed_blocks_for_time(struct decision *decision, const struct spell *spell)
{
    struct pace *pace = decision->pace;
    bool has_all = pace->terms.has_blocks && !has_begun(pace, TRACE_STAGE_BLOCKS);
    uint64_t distance = fitting_distance(decision, spell);

    if (has_all)
        begin_of_blocks(decision,
                        is_enough_to_shed_chains(decision, spell) ? TRACE_STAGE_CHAINS
                                                                  : TRACE_STAGE_BLOCKS,
                        TRACE_STAGE_CAUSE_TIME, within(distance, 0, distance_of(pace)));
    else if (distance > distance_of(pace) && spell->drawn_ns >= DRAWN_LEAST_NS &&
             (spell->cpu_ns >= DRAWN_SPELL_NS || spell->drawn_ns > spell->allowed_ns))
        change_distance(decision, TRACE_STAGE_CAUSE_TIME,
                        within(distance, 0, DISTANCE_FACTOR_MOST * distance_of(pace)));
}

/* Ask whether the readings since the last change are enough to know their cost. */
static bool has_readings(const struct decision *decision)
{
    enum { READINGS = 4 };
    const struct pace *pace = decision->pace;

    return decision->look->now_ns - pace->changed.now_ns >=
           READINGS * pace->values[TRACE_STAGE_READINGS];
}

/* Reduces the more expensive kind.  Reducing a kind that costs little would gain nothing. */
static void shed_time(struct decision *decision, const struct spell *spell)
{
    const struct pace *pace = decision->pace;
    const uint64_t *before = pace->changed.cost_ns, *now = decision->look->cost_ns;
    uint64_t blocks = now[PACE_BLOCKS] - before[PACE_BLOCKS];
    uint64_t readings = now[PACE_READINGS] - before[PACE_READINGS];

    if (readings > blocks && has_readings(decision) &&
        readings > spell->allowed_ns / READINGS_TIME_PARTS)
        double_interval(decision, TRACE_STAGE_CAUSE_TIME);
    else if (blocks > spell->allowed_ns / SHARE_PARTS && distance_of(pace) != 0)
        shed_blocks_for_time(decision, spell);
}

/* The time since a look, and the time that recording took and may take of it. */
static struct spell spell_since(const struct pace *pace, const struct pace_look *before,
                                const struct pace_look *look)
{
    uint64_t cpu_ns = look->cpu_ns - before->cpu_ns;

    return (struct spell){
        .cpu_ns = cpu_ns,
        .cost_ns = cost_since(look, before),
        .drawn_ns = look->drawn_ns - before->drawn_ns,
        .allowed_ns = allowed_ns(pace, cpu_ns),
        .spare_ns = spare_ns(pace, cpu_ns),
    };
}

/* A change shows its effect in the looks after it. */
static void keep_time(struct decision *decision)
{
    struct pace *pace = decision->pace;
    const struct pace_look *look = decision->look;
    struct spell last = spell_since(pace, &pace->last, look), spell;

    if (pace->terms.overhead_ppm == 0)
        return;
    enter(&pace->debt_ns, last.cost_ns, last.allowed_ns,
          CREDIT_SECONDS * allowed_ns(pace, SECOND_NS));
    spell = spell_since(pace, &pace->changed, look);
    if (pace->debt_ns <= 0 || spell.cpu_ns < SPELL_LEAST_NS)
        return;
    pace->is_in_force = true;
    if (last.cost_ns <= last.spare_ns || spell.cost_ns <= spell.spare_ns)
        return;
    shed_time(decision, &spell);
}

/* ---- disk ------------------------------------------------------------------------ */

/* The bytes allowed for a time.  Both factors are bounded so that their product is below 2^64. */
static uint64_t allowed_bytes(const struct pace *pace, const struct pace_look *look,
                              uint64_t span_ns)
{
    enum { KIB = 1024, US_NS = 1000 };
    static const uint64_t most_kib = UINT64_C(1) << 30, most_us = UINT64_C(1) << 33;
    uint64_t run_ns = within(look->now_ns, RUN_LEAST_SECONDS * SECOND_NS, UINT64_MAX);

    return within(bytes_left(pace, look->size_bytes) / KIB, 0, most_kib) *
           within(span_ns / US_NS, 0, most_us) / (RUN_PARTS * run_ns / US_NS / KIB);
}

static enum trace_stage stage_of(enum pace_kind kind)
{
    return kind == PACE_KERNELS ? TRACE_STAGE_KERNELS : TRACE_STAGE_REGIONS;
}

/* Blocks start to be drawn before the points are spread farther apart. */
static void shed_kind(struct decision *decision, enum pace_kind kind, uint64_t factor)
{
    struct pace *pace = decision->pace;
    enum trace_stage_cause cause = disk_cause(pace);

    if (kind != PACE_BLOCKS)
        change_value(decision, stage_of(kind), cause,
                     within(factor * pace->values[stage_of(kind)], 1, DRAWS_MOST));
    else if (pace->terms.has_blocks && !has_begun(pace, TRACE_STAGE_BLOCKS))
        begin_of_blocks(decision, TRACE_STAGE_BLOCKS, cause, distance_of(pace));
    else
        change_distance(decision, cause, factor * distance_of(pace));
}

/* Ask whether there is anything of this kind that is not drawn yet. */
static bool is_whole(const struct pace *pace, enum pace_kind kind)
{
    if (kind == PACE_BLOCKS)
        return pace->terms.has_blocks && !has_begun(pace, TRACE_STAGE_BLOCKS);
    return !has_begun(pace, stage_of(kind));
}

/* Reduce the kinds that wrote a large part of the bytes since `before`. */
static void shed_bytes(struct decision *decision, const struct pace_look *before, uint64_t factor,
                       bool is_first)
{
    const struct pace_look *look = decision->look;
    uint64_t all = sum_of(look->written_bytes) - sum_of(before->written_bytes);

    for (enum pace_kind kind = PACE_BLOCKS; kind <= PACE_REGIONS; kind++) {
        uint64_t written = look->written_bytes[kind] - before->written_bytes[kind];

        if (kind == PACE_BLOCKS && distance_of(decision->pace) == 0)
            continue;
        if (written > all / SHARE_PARTS && (!is_first || is_whole(decision->pace, kind)))
            shed_kind(decision, kind, factor);
    }
}

/* Returns: the power of two to divide the written amount by, at least 2. */
static uint64_t factor_of(uint64_t written, uint64_t allowed)
{
    uint64_t factor = 2;

    while (factor < FACTOR_MOST && written / factor > allowed)
        factor *= 2;
    return factor;
}

static void keep_rate(struct decision *decision)
{
    struct pace *pace = decision->pace;
    const struct pace_look *look = decision->look;
    uint64_t written = sum_of(look->written_bytes) - sum_of(pace->last.written_bytes);
    uint64_t allowed = allowed_bytes(pace, look, look->now_ns - pace->last.now_ns);

    if (settle(&pace->debt_bytes, written, allowed,
               allowed_bytes(pace, look, SLACK_DISK_SECONDS * SECOND_NS),
               allowed_bytes(pace, look, CREDIT_DISK_SECONDS * SECOND_NS)))
        shed_bytes(decision, &pace->last, factor_of(written, allowed), false);
}

static void keep_readings(struct decision *decision)
{
    struct pace *pace = decision->pace;
    uint64_t written = decision->look->written_bytes[PACE_READINGS];

    if (written - pace->readings_bytes <= pace->limit_bytes / READINGS_PARTS)
        return;
    pace->readings_bytes = written;
    double_interval(decision, disk_cause(pace));
}

static void keep_disk(struct decision *decision)
{
    static const struct pace_look nothing;
    struct pace *pace = decision->pace;
    const struct pace_look *look = decision->look;

    if (pace->limit_bytes == 0)
        return;
    if (!pace_has_room_for_stacks(pace, look->stack_bytes) &&
        !has_begun(pace, TRACE_STAGE_STACKS))
        change(decision, (struct pace_change){TRACE_STAGE_STACKS, disk_cause(pace), 0, 0});
    keep_readings(decision);
    if (pace->is_beyond) {
        keep_rate(decision);
    } else if (is_outgrown(pace, look->size_bytes)) {
        pace->is_beyond = true;
        shed_bytes(decision, &nothing, 2, true);
    }
}

/* ---- finer ----------------------------------------------------------------------- */

/* Ask whether twice the drawn blocks take at most half of their part, and the rest has room for
 * them.  A 16th of the allowed time is for drawn blocks even in debt: calls that pass may take more
 * than all of it. */
static bool has_spare_time(const struct pace *pace, const struct spell *spell)
{
    if (2 * spell->drawn_ns <= spell->allowed_ns / DRAWN_LEAST_PARTS)
        return true;
    return pace->debt_ns <= 0 && spell->cost_ns + spell->drawn_ns <= spell->allowed_ns &&
           4 * spell->drawn_ns <= spell->allowed_ns / DRAWN_TIME_PARTS;
}

static bool has_spare(const struct pace *pace, const struct pace_look *look)
{
    const struct pace_look *before = &pace->changed;
    const struct spell spell = spell_since(pace, before, look);
    uint64_t written = sum_of(look->written_bytes) - sum_of(before->written_bytes);

    if (pace->terms.overhead_ppm != 0 && !has_spare_time(pace, &spell))
        return false;
    return pace->limit_bytes == 0 ||
           written < allowed_bytes(pace, look, look->now_ns - before->now_ns) / FINER_BYTES_PARTS;
}

/* A program that waits takes little processor time in each part of its run.  While it is in debt,
 * its spell goes on until it is long enough to shed. */
static bool is_too_early(const struct pace *pace, const struct pace_look *look)
{
    if (look->now_ns - pace->changed.now_ns <
        within(look->now_ns / FINER_RUN_PARTS, FINER_LEAST_NS, FINER_SECONDS * SECOND_NS))
        return true;
    return pace->debt_ns > 0 && look->cpu_ns - pace->changed.cpu_ns < SPELL_LEAST_NS;
}

/* The time of the next check starts again, even if this check changes nothing. */
static void refine(struct decision *decision)
{
    struct pace *pace = decision->pace;
    const struct pace_look *look = decision->look;
    bool has_drawn = has_begun(pace, TRACE_STAGE_CHAINS) || has_begun(pace, TRACE_STAGE_BLOCKS);
    bool is_spare;

    if (is_too_early(pace, look))
        return;
    is_spare = has_spare(pace, look);
    pace->changed = *look;
    if (!is_spare)
        return;
    if (has_drawn && pace->terms.is_distance_free &&
        distance_of(pace) / 2 >= finest_distance(look))
        change_distance(decision, pace->causes[stage_of_distance(pace)],
                        distance_of(pace) - distance_of(pace) / 2);
    for (enum trace_stage stage = TRACE_STAGE_KERNELS; stage <= TRACE_STAGE_REGIONS; stage++)
        if (has_begun(pace, stage))
            change_value(decision, stage, pace->causes[stage],
                         within(pace->values[stage] / 2, 1, DRAWS_MOST));
}

unsigned pace_decide(struct pace *pace, const struct pace_look *look,
                     struct pace_change changes[PACE_CHANGES_MAX])
{
    struct decision decision = {.pace = pace, .look = look, .changes = changes};

    keep_time(&decision);
    keep_disk(&decision);
    if (decision.count == 0)
        refine(&decision);
    pace->last = *look;
    return decision.count;
}
