/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's guesses at chains: learned, found again, distinguished, and forgotten all at once; and
 * the rows of frames that prove them.
 */
#include <stdlib.h>
#include <string.h>

#include "chain/lane_chain.h"
#include "suite.h"

enum { STEPS = ROW_FRAMES_MAX + 1, WORDS = 64, PC = 0x400000, HASH = 12345 };

static struct successors *known;

/* A stack: the words that steps read, one frame of four words each. */
static uintptr_t stack[WORDS];
static struct lane_step steps[STEPS];
static struct lane_chain_frame outside; /* of the learned steps */

static uintptr_t sp_of(size_t frame)
{
    return (uintptr_t)&stack[4 * frame];
}

static void set_up(void)
{
    known = calloc(1, sizeof *known);
    ck_assert_ptr_nonnull(known);
    successors_begin(known);
    memset(steps, 0, sizeof steps);
    memset(&outside, 0, sizeof outside);
    for (size_t i = 0; i < STEPS; i++) {
        steps[i].saved_fp = 2;
        steps[i].frame.pc = PC + i;
        steps[i].frame.sp = sp_of(i);
        steps[i].pc.place = (const uintptr_t *)unwind_packed_pc_place(sp_of(i + 1), 2);
        steps[i].pc.value = PC + i + 1;
        stack[steps[i].pc.place - stack] = PC + i + 1;
    }
}

static void tear_down(void)
{
    free(known);
}

static void learn(size_t count, uint64_t hash, uint32_t frame, uint32_t call)
{
    outside.sp = sp_of(count);
    successors_learn(known, steps, count, &outside, hash, frame, call);
}

static uint64_t guess(void)
{
    return successors_guess(known, steps->frame.pc, steps->frame.sp);
}

/* Guesses of the line that lead to a chain. */
static unsigned count_guesses_at(uint32_t call)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SUCCESSORS_SLOTS; i++)
        count += known->line[i] != 0 && guess_call(known->line[i]) == call;
    return count;
}

START_TEST(what_came_is_guessed)
{
    successors_follow(known, 77);
    ck_assert_uint_eq(guess(), 0);
    learn(3, HASH, 5, 88);
    ck_assert_uint_eq(guess_call(guess()), 88);
    ck_assert_uint_eq(guess_frame(guess()), 5);
    ck_assert_uint_eq(row_frame_count(guess_row(known, guess())), 3);
}
END_TEST

START_TEST(another_chain_before_has_its_own)
{
    successors_follow(known, 77);
    learn(3, HASH, 5, 88);
    successors_follow(known, 78);
    ck_assert_uint_eq(guess(), 0);
    learn(3, HASH, 6, 99);
    ck_assert_uint_eq(guess_call(guess()), 99);
    successors_follow(known, 77);
    ck_assert_uint_eq(guess_call(guess()), 88);
}
END_TEST

/* Many have their guesses in one line. */
START_TEST(chains_of_one_line_are_kept_apart)
{
    const uint32_t count = 8 << SUCCESSORS_LINE_BITS;

    for (uint32_t call = 1; call < count; call++) {
        successors_follow(known, call);
        learn(1 + call % ROW_FRAMES, call % ROW_FRAMES * HASH_FACTOR, call % 100, call);
    }
    for (uint32_t call = 1; call < count; call++) {
        successors_follow(known, call);
        ck_assert(guess() == 0 ||
                  (guess_call(guess()) == call && guess_frame(guess()) == call % 100));
    }
}
END_TEST

START_TEST(what_came_last_takes_the_place)
{
    successors_follow(known, 77);
    learn(3, HASH, 5, 88);
    learn(2, HASH + 1, 6, 89);
    ck_assert_uint_eq(guess_call(guess()), 89);
    ck_assert_uint_eq(row_frame_count(guess_row(known, guess())), 2);
}
END_TEST

/* As many as a line has room for. */
START_TEST(what_came_before_is_kept)
{
    successors_follow(known, 77);
    for (uint32_t call = 1; call <= SUCCESSORS_SLOTS; call++)
        learn(3, HASH, 5, call);
    for (uint32_t call = 1; call <= SUCCESSORS_SLOTS; call++)
        ck_assert_uint_eq(count_guesses_at(call), 1);
    learn(3, HASH, 5, SUCCESSORS_SLOTS + 1);
    ck_assert_uint_eq(guess_call(guess()), SUCCESSORS_SLOTS + 1);
    ck_assert_uint_eq(count_guesses_at(SUCCESSORS_SLOTS), 1);
}
END_TEST

START_TEST(fields_have_room_for_the_largest)
{
    const uint32_t call = (1 << GUESS_CALL_BITS) - 1, frame = (1 << GUESS_FRAME_BITS) - 1;

    successors_follow(known, call);
    learn(1, HASH, frame, call);
    ck_assert_uint_eq(guess_call(guess()), call);
    ck_assert_uint_eq(guess_frame(guess()), frame);
    ck_assert_uint_eq(row_frame_count(guess_row(known, guess())), 1);
}
END_TEST

START_TEST(equal_rows_are_kept_once)
{
    for (uint32_t call = 1; call <= 100; call++) {
        successors_follow(known, call);
        learn(3, HASH, 5, call);
    }
    ck_assert_uint_eq(known->row_count, 1);
}
END_TEST

/* Of rows with one hash each is compared. */
START_TEST(rows_of_one_hash_are_kept_apart)
{
    for (uint32_t count = 1; count <= ROW_FRAMES; count++) {
        successors_follow(known, count);
        learn(count, HASH, 5, 100 + count);
    }
    for (uint32_t count = 1; count <= ROW_FRAMES; count++) {
        successors_follow(known, count);
        ck_assert_uint_eq(row_frame_count(guess_row(known, guess())), count);
    }
}
END_TEST

/* Does any part of a row differ from the stack? */
static bool any_part_differs(const struct row *row)
{
    for (unsigned i = 0; i < row_count_parts(row); i++)
        if (row_differs(row + i, steps->frame.sp) != 0)
            return true;
    return false;
}

/* Words that prove a row; changed words do not. */
START_TEST(each_word_is_compared)
{
    const size_t count = (size_t)_i;
    const struct row *row;

    successors_follow(known, 77);
    learn(count, HASH, 5, 88);
    row = guess_row(known, guess());
    ck_assert_uint_eq(row_frame_count(row), count);
    ck_assert_uint_eq(row_differs(row, steps->frame.sp), 0);
    ck_assert_uint_eq(row_count_parts(row), (count + ROW_FRAMES - 1) / ROW_FRAMES);
    ck_assert(!any_part_differs(row));
    for (size_t i = 0; i < count; i++) {
        uintptr_t *word = &stack[steps[i].pc.place - stack];

        ++*word;
        ck_assert(any_part_differs(row));
        --*word;
    }
}
END_TEST

/* Where a step saved the frame pointer of its caller. */
static uintptr_t *record_of(size_t step)
{
    return &stack[4 * (step + 1) - 2];
}

/* Step 3 uses the frame pointer, which step 1 saved and step 2 leaves unchanged. */
static void need_frame_pointer(void)
{
    steps[1].frame.flags = LANE_FP_IS_NEEDED;
    steps[2].frame.flags = steps[3].frame.flags = LANE_NEEDS_FP;
    steps[2].saved_fp = 0;
    steps[2].pc.place = (const uintptr_t *)unwind_packed_pc_place(sp_of(3), 0);
    steps[2].frame.fp = steps[3].frame.fp = (uintptr_t)record_of(3);
    steps[1].fp = (struct lane_word){record_of(1), (uintptr_t)record_of(3)};
}

/* Each of `count` steps uses the frame pointer, and so does the frame outside of them. */
static void frame_all(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        steps[i].frame.flags = LANE_NEEDS_FP | LANE_FP_IS_NEEDED;
        steps[i].frame.fp = (uintptr_t)record_of(i);
        steps[i].fp = (struct lane_word){record_of(i), (uintptr_t)record_of(i + 1)};
    }
    outside.flags = LANE_NEEDS_FP;
    outside.fp = (uintptr_t)record_of(count);
}

START_TEST(a_frame_pointer_is_part_of_its_row)
{
    const size_t count = (size_t)_i;
    const struct row_fps *fps;

    successors_follow(known, 77);
    need_frame_pointer();
    learn(count, HASH, 5, 88);
    fps = row_fps(guess_row(known, guess()));
    ck_assert_ptr_nonnull(fps);
    ck_assert_uint_eq(row_frame_count(guess_row(known, guess())), count);
    ck_assert_uint_ge(row_count_parts(guess_row(known, guess())), 2);
    ck_assert_uint_eq(fps->saved, 1 << (count - 1 - 1));
    ck_assert_uint_eq(fps->used, 1 << (count - 1 - 3));
    ck_assert_uint_eq(fps->needed, 1 << (count - 1 - 2) | 1 << (count - 1 - 3));
    ck_assert(!row_fps_lead_out(fps));
}
END_TEST

START_TEST(frame_pointers_of_all_frames_are_part_of_their_row)
{
    const size_t count = (size_t)_i;
    const struct row *row;

    successors_follow(known, 77);
    frame_all(count);
    learn(count, HASH, 5, 88);
    row = guess_row(known, guess());
    ck_assert_uint_eq(row_frame_count(row), count);
    ck_assert_uint_eq(row_fps(row)->needed, (1u << count) - 1);
    ck_assert_uint_eq(row_fps(row)->used, (1u << count) - 1);
    ck_assert_uint_eq(row_fps(row)->saved, (1u << count) - 1);
    ck_assert(row_fps_lead_out(row_fps(row)));
    for (size_t i = 0; i < count; i++)
        ck_assert_ptr_eq(
            row_fp_place(&row[i / ROW_FRAMES], (unsigned)(i % ROW_FRAMES), steps->frame.sp),
            record_of(count - 1 - i));
}
END_TEST

/* The frame outside may need a value that comes through the row from the innermost frame on. */
START_TEST(a_frame_pointer_may_be_left_alone)
{
    const struct row_fps *fps;

    successors_follow(known, 77);
    outside.flags = LANE_NEEDS_FP;
    outside.fp = (uintptr_t)record_of(8);
    for (size_t i = 0; i < 3; i++) {
        steps[i].saved_fp = 0;
        steps[i].pc.place = (const uintptr_t *)unwind_packed_pc_place(sp_of(i + 1), 0);
        steps[i].frame.flags = LANE_NEEDS_FP;
        steps[i].frame.fp = outside.fp;
    }
    learn(3, HASH, 5, 88);
    fps = row_fps(guess_row(known, guess()));
    ck_assert_uint_eq(fps->needed, 7);
    ck_assert_uint_eq(fps->used | fps->saved, 0);
    ck_assert(row_fps_lead_out(fps));
}
END_TEST

/* The same frames with other needs of a frame pointer, or with none, are other rows. */
START_TEST(rows_of_other_frame_pointers_are_kept_apart)
{
    const struct row *rows[3];

    successors_follow(known, 77);
    learn(5, HASH, 5, 88);
    rows[0] = guess_row(known, guess());
    frame_all(5);
    learn(5, HASH, 5, 88);
    rows[1] = guess_row(known, guess());
    outside.flags = 0;
    steps[4].frame.flags = LANE_NEEDS_FP;
    learn(5, HASH, 5, 88);
    rows[2] = guess_row(known, guess());
    ck_assert_ptr_null(row_fps(rows[0]));
    ck_assert(row_fps_lead_out(row_fps(rows[1])));
    ck_assert(!row_fps_lead_out(row_fps(rows[2])));
    ck_assert_uint_eq(known->row_count, 1 + 2 + 2);
}
END_TEST

/* Steps that a row cannot express are not learned. */
START_TEST(other_frame_pointers_are_not_learned)
{
    successors_follow(known, 77);
    frame_all(5);
    steps[2].fp.value++; /* it differs from the one that the next step uses */
    learn(5, HASH, 5, 88);
    frame_all(5);
    steps[2].fp.place--; /* it is elsewhere */
    learn(5, HASH, 5, 88);
    frame_all(5);
    steps[2].frame.fp++; /* it does not point to the saved one */
    learn(5, HASH, 5, 88);
    frame_all(5);
    steps[2].frame.flags = LANE_NEEDS_FP; /* nobody saved it, but it is another one */
    learn(5, HASH, 5, 88);
    frame_all(5);
    steps[2].frame.flags = 0; /* it is needed, but neither saved nor left unchanged */
    learn(5, HASH, 5, 88);
    frame_all(5);
    outside.flags = 0; /* it was saved for nobody */
    learn(5, HASH, 5, 88);
    frame_all(5);
    outside.fp++;
    learn(5, HASH, 5, 88);
    frame_all(5);
    steps[4].frame.flags = LANE_NEEDS_FP; /* used, and saved nowhere */
    outside.flags = 0;
    steps[4].saved_fp = 0;
    steps[4].pc.place = (const uintptr_t *)unwind_packed_pc_place(sp_of(5), 0);
    learn(5, HASH, 5, 88);
    ck_assert_uint_eq(guess(), 0);
    ck_assert_uint_eq(known->row_count, 0);
}
END_TEST

/* The same frames deeper in the stack are the same row. */
START_TEST(rows_count_from_the_stack_pointer)
{
    const struct row *row;

    successors_follow(known, 77);
    learn(3, HASH, 5, 88);
    row = guess_row(known, guess());
    ck_assert_uint_eq(row_cfa(row, 0, steps->frame.sp), sp_of(3));
    ck_assert_uint_eq(row_cfa(row, 0, 0x1000), 0x1000 + sp_of(3) - sp_of(0));
    ck_assert_uint_eq(row->values[0], PC + 3);
    ck_assert_uint_eq(row->values[ROW_FRAMES - 1], PC + 1);
}
END_TEST

START_TEST(too_long_a_row_is_not_learned)
{
    successors_follow(known, 77);
    learn(STEPS, HASH, 5, 88);
    learn(0, HASH, 5, 88);
    ck_assert_uint_eq(guess(), 0);
    ck_assert_uint_eq(known->row_count, 0);
}
END_TEST

START_TEST(steps_that_read_more_are_not_learned)
{
    successors_follow(known, 77);
    steps[1].frame.flags = LANE_HAS_CFA;
    learn(3, HASH, 5, 88);
    steps[1].frame.flags = 0;
    steps[1].pc.place--;
    learn(3, HASH, 5, 88);
    steps[1].pc.place++;
    steps[2].frame.sp += (uintptr_t)UNWIND_CFA_UNIT << 16;
    learn(3, HASH, 5, 88);
    ck_assert_uint_eq(guess(), 0);
}
END_TEST

/* A guess never has a row that was not learned with it. */
START_TEST(when_rows_are_full_all_is_forgotten)
{
    uint32_t learned = 0;

    for (uint32_t i = 1; i < 2 * SUCCESSORS_ROWS; i++) {
        successors_follow(known, i);
        steps[0].pc.value = PC + i;
        learn(1 + i % ROW_FRAMES_MAX, i * HASH_FACTOR, 5, i);
        for (uint32_t j = i > 40 ? i - 40 : 1; j <= i; j++) {
            uint64_t found;

            successors_follow(known, j);
            found = guess();
            if (found == 0)
                continue;
            learned++;
            ck_assert_uint_eq(guess_call(found), j);
            ck_assert_uint_eq(row_frame_count(guess_row(known, found)), 1 + j % ROW_FRAMES_MAX);
        }
    }
    ck_assert_uint_gt(learned, SUCCESSORS_ROWS);
    ck_assert_uint_lt(known->row_count, SUCCESSORS_ROWS);
}
END_TEST

START_TEST(cleared_knows_nothing)
{
    successors_follow(known, 77);
    learn(3, HASH, 5, 88);
    successors_clear(known);
    ck_assert_uint_eq(guess(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("successors");
    TCase *guesses = tcase_create("guesses");
    TCase *rows = tcase_create("rows");

    tcase_add_checked_fixture(guesses, set_up, tear_down);
    tcase_add_test(guesses, what_came_is_guessed);
    tcase_add_test(guesses, another_chain_before_has_its_own);
    tcase_add_test(guesses, chains_of_one_line_are_kept_apart);
    tcase_add_test(guesses, what_came_last_takes_the_place);
    tcase_add_test(guesses, what_came_before_is_kept);
    tcase_add_test(guesses, fields_have_room_for_the_largest);
    tcase_add_test(guesses, when_rows_are_full_all_is_forgotten);
    tcase_add_test(guesses, cleared_knows_nothing);
    suite_add_tcase(suite, guesses);

    tcase_add_checked_fixture(rows, set_up, tear_down);
    tcase_add_test(rows, equal_rows_are_kept_once);
    tcase_add_test(rows, rows_of_one_hash_are_kept_apart);
    tcase_add_loop_test(rows, each_word_is_compared, 1, ROW_FRAMES_MAX + 1);
    tcase_add_loop_test(rows, a_frame_pointer_is_part_of_its_row, 4, ROW_FRAMES_MAX + 1);
    tcase_add_loop_test(rows, frame_pointers_of_all_frames_are_part_of_their_row, 1,
                        ROW_FRAMES_MAX + 1);
    tcase_add_test(rows, a_frame_pointer_may_be_left_alone);
    tcase_add_test(rows, rows_of_other_frame_pointers_are_kept_apart);
    tcase_add_test(rows, other_frame_pointers_are_not_learned);
    tcase_add_test(rows, rows_count_from_the_stack_pointer);
    tcase_add_test(rows, too_long_a_row_is_not_learned);
    tcase_add_test(rows, steps_that_read_more_are_not_learned);
    suite_add_tcase(suite, rows);
    return suite_run(suite);
}
