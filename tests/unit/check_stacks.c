/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of call trees with weights: how they merge, sum up, invert and are walked, and how chains
 * of calls are entered.
 */
#include <math.h>
#include <string.h>

#include "made_session.h"
#include "model/session.h"
#include "places/places.h"
#include "stacks/call_chains.h"
#include "stacks/call_frame.h"
#include "stacks/call_tree.h"
#include "suite.h"

enum { MOST = 64 };

/* Adds a weight to a stack of names: "abc" is c, called by b, called by a. */
static struct call_node *add(struct call_tree *tree, const char *stack, double own)
{
    struct call_node *node = tree->root;

    for (; *stack; stack++)
        node = call_tree_enter(tree, node, (uint64_t)*stack);
    node->weights[0].own += own;
    return node;
}

/* Makes main (a) of two functions that both call c. */
static void make(struct call_tree *tree)
{
    call_tree_init(tree, 1);
    add(tree, "ab", 1);
    add(tree, "abc", 20);
    add(tree, "adc", 300);
    add(tree, "ab", 4000);
    call_tree_sum_up(tree);
}

static const struct call_node *find(struct call_tree *tree, const char *stack)
{
    return add(tree, stack, 0);
}

static void ck_weights(struct call_tree *tree, const char *stack, double own, double whole)
{
    ck_assert_double_eq(find(tree, stack)->weights[0].own, own);
    ck_assert_double_eq(find(tree, stack)->weights[0].whole, whole);
}

START_TEST(stacks_of_one_way_are_one_node)
{
    struct call_tree tree;

    make(&tree);
    ck_assert_uint_eq(tree.count, 5);
    ck_assert_ptr_eq(find(&tree, "abc")->parent, find(&tree, "ab"));
    ck_assert_uint_eq(find(&tree, "abc")->depth, 3);
    ck_assert_ptr_ne(find(&tree, "abc"), find(&tree, "adc"));
    ck_assert_uint_eq(tree.count, 5);
}
END_TEST

START_TEST(a_whole_is_what_a_node_has_with_all_inside)
{
    struct call_tree tree;

    make(&tree);
    ck_weights(&tree, "", 0, 4321);
    ck_weights(&tree, "a", 0, 4321);
    ck_weights(&tree, "ab", 4001, 4021);
    ck_weights(&tree, "abc", 20, 20);
    ck_weights(&tree, "ad", 0, 300);
}
END_TEST

START_TEST(what_is_unknown_inside_makes_the_whole_unknown)
{
    struct call_tree tree;

    call_tree_init(&tree, 1);
    add(&tree, "ab", INFINITY);
    add(&tree, "ac", 1);
    call_tree_sum_up(&tree);
    ck_assert(isinf(find(&tree, "a")->weights[0].whole));
    ck_weights(&tree, "ac", 1, 1);
}
END_TEST

START_TEST(nodes_stay_where_they_are_when_a_tree_grows)
{
    enum { MANY = 20000 };
    static const struct call_node *nodes[MANY];
    struct call_tree tree;

    call_tree_init(&tree, 3);
    for (uint32_t i = 0; i < MANY; i++) {
        struct call_node *parent = i == 0 ? tree.root : call_tree_at(&tree, i / 2);

        nodes[i] = call_tree_enter(&tree, parent, i);
        ck_assert_uint_eq(nodes[i]->index, i);
        ck_assert_double_eq(nodes[i]->weights[2].own, 0);
    }
    for (uint32_t i = 1; i < MANY; i++) {
        ck_assert_ptr_eq(call_tree_at(&tree, i), nodes[i]);
        ck_assert_ptr_eq(call_tree_enter(&tree, call_tree_at(&tree, i / 2), i), nodes[i]);
    }
    ck_assert_uint_eq(tree.count, MANY);
}
END_TEST

START_TEST(what_is_called_too_deep_is_its_callers)
{
    struct call_tree tree;

    call_tree_init(&tree, 1);
    tree.deepest = 2;
    ck_assert_ptr_eq(add(&tree, "abcd", 1), find(&tree, "ab"));
    ck_assert_uint_eq(tree.count, 2);
}
END_TEST

/* ---- turned round ----------------------------------------------------------------------- */

static bool is_any(void *own, const struct call_node *node)
{
    (void)own, (void)node;
    return true;
}

static bool is_large(void *own, const struct call_node *node)
{
    return node->weights[0].whole >= *(double *)own;
}

START_TEST(an_inverted_tree_has_callers_below)
{
    struct call_tree tree, inverted;

    make(&tree);
    call_tree_init(&inverted, 1);
    call_tree_invert(&inverted, &tree, SIZE_MAX, is_any, NULL);
    ck_weights(&inverted, "", 0, 4321);
    ck_weights(&inverted, "c", 0, 320);
    ck_weights(&inverted, "cb", 0, 20);
    ck_weights(&inverted, "cba", 20, 20);
    ck_weights(&inverted, "cda", 300, 300);
    ck_weights(&inverted, "b", 0, 4001);
    ck_weights(&inverted, "ba", 4001, 4001);
    ck_assert_uint_eq(inverted.count, 7);
}
END_TEST

START_TEST(ways_end_at_the_last_level_of_an_inverted_tree)
{
    struct call_tree tree, inverted;

    make(&tree);
    call_tree_init(&inverted, 1);
    call_tree_invert(&inverted, &tree, 1, is_any, NULL);
    ck_weights(&inverted, "c", 320, 320);
    ck_weights(&inverted, "b", 4001, 4001);
    ck_assert_uint_eq(inverted.count, 2);
}
END_TEST

START_TEST(nothing_is_made_below_an_inverted_node_that_is_not_kept)
{
    struct call_tree tree, inverted;
    double least = 321;

    make(&tree);
    call_tree_init(&inverted, 1);
    call_tree_invert(&inverted, &tree, SIZE_MAX, is_large, &least);
    ck_weights(&inverted, "c", 0, 320);
    ck_weights(&inverted, "ba", 4001, 4001);
    ck_assert_uint_eq(inverted.count, 3);
}
END_TEST

/* ---- walked ------------------------------------------------------------------------------ */

static int by_whole(const void *left, const void *right)
{
    const struct call_node *a = *(const struct call_node *const *)left;
    const struct call_node *b = *(const struct call_node *const *)right;

    return (a->weights[0].whole < b->weights[0].whole) -
           (a->weights[0].whole > b->weights[0].whole);
}

static bool note(void *own, const struct call_node *node)
{
    char *passed = own;

    ck_assert_uint_lt(strlen(passed), MOST - 1);
    passed[strlen(passed)] = (char)node->name;
    return node->weights[0].whole >= 100;
}

START_TEST(a_walk_passes_the_largest_first_and_nothing_inside_what_is_too_small)
{
    char passed[MOST] = "";
    struct call_tree tree;

    make(&tree);
    add(&tree, "ax", 50)->weights[0].whole = 50;
    add(&tree, "axy", 40)->weights[0].whole = 40;
    add(&tree, "az", 60)->weights[0].whole = 60;
    call_tree_walk(&tree, by_whole, note, passed);
    ck_assert_str_eq(passed, "abcdczx");
}
END_TEST

START_TEST(a_walk_through_nothing_passes_nothing)
{
    char passed[MOST] = "";
    struct call_tree tree;

    call_tree_init(&tree, 1);
    call_tree_walk(&tree, by_whole, note, passed);
    ck_assert_str_eq(passed, "");
}
END_TEST

static bool count(void *own, const struct call_node *node)
{
    (void)node;
    (*(size_t *)own)++;
    return true;
}

START_TEST(a_walk_is_as_deep_as_the_tree)
{
    enum { DEEP = 1000000 };
    struct call_node *node;
    struct call_tree tree;
    size_t passed = 0;

    call_tree_init(&tree, 1);
    node = tree.root;
    for (int i = 0; i < DEEP; i++)
        node = call_tree_enter(&tree, node, 1);
    call_tree_walk(&tree, by_whole, count, &passed);
    ck_assert_uint_eq(passed, DEEP);
}
END_TEST

/* ---- frames ------------------------------------------------------------------------------ */

static size_t count_frames(enum call_frames_by by)
{
    static const struct call_frame some[] = {
        {.name = "f", .library = "l", .file = "f.c", .line = 1},
        {.name = "f", .library = "l", .file = "f.c", .line = 1},
        {.name = "f", .library = "l", .file = "f.c", .line = 1, .is_inlined = true},
        {.name = "f", .library = "l", .file = "g.c", .line = 1},
        {.name = "f", .library = "l", .file = "f.c", .line = 2},
        {.name = "f", .library = "m", .file = "f.c", .line = 1},
        {.name = "f", .library = "l", .file = "f.c", .line = 1, .kind = CALL_FRAME_PYTHON},
    };
    struct call_frames frames;
    size_t found;

    call_frames_init(&frames);
    frames.by = by;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        size_t number = call_frames_find(&frames, &some[i]);

        ck_assert_str_eq(call_frames_at(&frames, number)->library, some[i].library);
    }
    found = frames.items.count;
    return found;
}

START_TEST(frames_are_told_apart_by_what_was_asked_for)
{
    ck_assert_uint_eq(count_frames(CALL_FRAMES_BY_LINE), 6);
    ck_assert_uint_eq(count_frames(CALL_FRAMES_BY_PLACE), 4);
    ck_assert_uint_eq(count_frames(CALL_FRAMES_BY_FUNCTION), 3);
}
END_TEST

START_TEST(frames_keep_copies_of_texts)
{
    char name[] = "name";
    struct call_frames frames;
    size_t number;

    call_frames_init(&frames);
    number = call_frames_find(&frames, &(struct call_frame){.name = name});
    name[0] = 'x';
    ck_assert_str_eq(call_frames_at(&frames, number)->name, "name");
    ck_assert_ptr_null(call_frames_at(&frames, number)->file);
}
END_TEST

START_TEST(labels_tell_frames_apart_and_only_theirs)
{
    const struct call_frame first = {.name = "", .kind = CALL_FRAME_LABELS,
                                     .labels = {[CALL_LABEL_OP] = "add"}};
    const struct call_frame second = {.name = "", .kind = CALL_FRAME_LABELS,
                                      .labels = {[CALL_LABEL_REGION] = "add"}};
    struct call_frames frames;

    call_frames_init(&frames);
    ck_assert_uint_eq(call_frames_find(&frames, &first), 0);
    ck_assert_uint_eq(call_frames_find(&frames, &second), 1);
    ck_assert_uint_eq(call_frames_find(&frames, &first), 0);
    ck_assert_str_eq(call_frames_at(&frames, 1)->labels[CALL_LABEL_REGION], "add");
}
END_TEST

/* ---- chains ------------------------------------------------------------------------------ */

/* _start calls main, which calls one and two; one calls leaf. */
struct made {
    struct session session;
    struct places *places;
    struct call_tree tree;
    struct call_chains chains;
    uint32_t start, main, one, leaf, two;
};

static void made_chains_init(struct made *made)
{
    struct session *session = &made->session;

    made_init(session);
    made->start = made_add_call(session, 0, "_start", NULL, 0);
    made->main = made_add_call(session, made->start, "main", "m.c", 1);
    made->one = made_add_call(session, made->main, "one", "m.c", 2);
    made->leaf = made_add_call(session, made->one, "leaf", "m.c", 3);
    made->two = made_add_call(session, made->main, "two", "m.c", 4);
    made->places = places_new(session, made_options().find_frames);
    call_tree_init(&made->tree, 1);
    call_chains_init(&made->chains, &made->tree, session, made->places);
}

static void made_chains_fini(struct made *made)
{
    made_fini(&made->session);
}

static const char *name_of(const struct made *made, const struct call_node *node)
{
    return call_tree_frame(&made->tree, node)->name;
}

START_TEST(chains_come_into_the_tree_without_what_starts_them)
{
    const struct call_node *leaf;
    struct made made;

    made_chains_init(&made);
    leaf = call_chains_enter(&made.chains, made.tree.root, made.leaf);
    ck_assert_uint_eq(leaf->depth, 3);
    ck_assert_str_eq(name_of(&made, leaf), "leaf");
    ck_assert_str_eq(name_of(&made, leaf->parent), "one");
    ck_assert_str_eq(name_of(&made, leaf->parent->parent), "main");
    ck_assert_ptr_eq(call_chains_enter(&made.chains, made.tree.root, made.start), made.tree.root);
    ck_assert_ptr_eq(call_chains_enter(&made.chains, made.tree.root, 0), made.tree.root);
    made_chains_fini(&made);
}
END_TEST

START_TEST(chains_share_the_nodes_of_their_callers)
{
    const struct call_node *leaf, *two;
    struct made made;

    made_chains_init(&made);
    leaf = call_chains_enter(&made.chains, made.tree.root, made.leaf);
    two = call_chains_enter(&made.chains, made.tree.root, made.two);
    ck_assert_ptr_eq(two->parent, leaf->parent->parent);
    ck_assert_ptr_eq(call_chains_enter(&made.chains, made.tree.root, made.leaf), leaf);
    ck_assert_uint_eq(made.tree.count, 4);
    made_chains_fini(&made);
}
END_TEST

START_TEST(chains_inside_of_another_node_are_others)
{
    struct call_node *thread;
    const struct call_node *leaf, *other;
    struct made made;

    made_chains_init(&made);
    leaf = call_chains_enter(&made.chains, made.tree.root, made.leaf);
    thread = call_tree_enter_frame(&made.tree, made.tree.root,
                                   &(struct call_frame){.name = "t", .kind = CALL_FRAME_THREAD});
    other = call_chains_enter(&made.chains, thread, made.leaf);
    ck_assert_ptr_ne(other, leaf);
    ck_assert_uint_eq(other->name, leaf->name);
    ck_assert_ptr_eq(other->parent->parent->parent, thread);
    ck_assert_ptr_eq(call_chains_enter(&made.chains, made.tree.root, made.leaf), leaf);
    made_chains_fini(&made);
}
END_TEST

START_TEST(ops_stand_in_their_region_and_in_those_around)
{
    struct made made;
    const struct call_node *node;

    made_chains_init(&made);
    uint32_t outer = made_add_region(&made.session, 0, "epoch");
    uint32_t inner = made_add_region(&made.session, outer, "step");
    uint32_t linear = made_add_op(&made.session, 0, "linear");
    uint32_t addmm = made_add_op(&made.session, linear, "addmm");
    const struct call_scope scope = {&made.session, inner, addmm, true};

    node = call_chains_enter_scope(&made.tree, made.tree.root, &scope);
    ck_assert_uint_eq(node->depth, 4);
    ck_assert_str_eq(name_of(&made, node), "addmm");
    ck_assert_int_eq(call_tree_frame(&made.tree, node)->kind, CALL_FRAME_OP);
    ck_assert_str_eq(name_of(&made, node->parent->parent), "step");
    ck_assert_int_eq(call_tree_frame(&made.tree, node->parent->parent)->kind, CALL_FRAME_REGION);
    made_chains_fini(&made);
}
END_TEST

int check_stacks(void)
{
    Suite *suite = suite_create("stacks");
    TCase *tree = tcase_create("tree"), *frames = tcase_create("frames");
    TCase *chains = tcase_create("chains");

    tcase_add_test(tree, stacks_of_one_way_are_one_node);
    tcase_add_test(tree, a_whole_is_what_a_node_has_with_all_inside);
    tcase_add_test(tree, what_is_unknown_inside_makes_the_whole_unknown);
    tcase_add_test(tree, nodes_stay_where_they_are_when_a_tree_grows);
    tcase_add_test(tree, what_is_called_too_deep_is_its_callers);
    tcase_add_test(tree, an_inverted_tree_has_callers_below);
    tcase_add_test(tree, ways_end_at_the_last_level_of_an_inverted_tree);
    tcase_add_test(tree, nothing_is_made_below_an_inverted_node_that_is_not_kept);
    tcase_add_test(tree, a_walk_passes_the_largest_first_and_nothing_inside_what_is_too_small);
    tcase_add_test(tree, a_walk_through_nothing_passes_nothing);
    tcase_add_test(tree, a_walk_is_as_deep_as_the_tree);
    tcase_add_test(frames, frames_are_told_apart_by_what_was_asked_for);
    tcase_add_test(frames, frames_keep_copies_of_texts);
    tcase_add_test(frames, labels_tell_frames_apart_and_only_theirs);
    tcase_add_test(chains, chains_come_into_the_tree_without_what_starts_them);
    tcase_add_test(chains, chains_share_the_nodes_of_their_callers);
    tcase_add_test(chains, chains_inside_of_another_node_are_others);
    tcase_add_test(chains, ops_stand_in_their_region_and_in_those_around);
    suite_add_tcase(suite, tree);
    suite_add_tcase(suite, frames);
    suite_add_tcase(suite, chains);
    return suite_run_in_pool(suite);
}
