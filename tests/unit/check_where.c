/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the parts of tprof where, on this process itself: mappings, waiting threads, and
 * unwinding of broken stacks.  tests/system/where.test has whole processes.
 */
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"
#include "where/calls.h"
#include "where/capture.h"
#include "where/code.h"
#include "where/image.h"
#include "where/proc_text.h"
#include "where/registers.h"
#include "where/stack_copy.h"
#include "where/task.h"
#include "where/unwind.h"

/* ---- /proc -------------------------------------------------------------------- */

START_TEST(names_may_have_parentheses_and_blanks)
{
    const char *stat = "12 (a) R (b c) S 1 2 3";

    ck_assert_ptr_eq(proc_text_stat(stat, 3), strstr(stat, "S 1"));
    ck_assert_ptr_eq(proc_text_stat(stat, 6), strstr(stat, "3"));
    ck_assert_ptr_null(proc_text_stat(stat, 7));
    ck_assert_ptr_null(proc_text_stat("12 and no name", 3));
}
END_TEST

START_TEST(fields_are_found_by_whole_names)
{
    const char *status = "Name:\tTgid: 1\nNSTgid:\t2\nTgid:\t34\nUid:\t0\t0\n";

    ck_assert_uint_eq(proc_text_number(status, "Tgid", 0), 34);
    ck_assert_uint_eq(proc_text_number(status, "Name", 7), 7);
    ck_assert_uint_eq(proc_text_number(status, "Pid", 7), 7);
}
END_TEST

/* ---- system calls -------------------------------------------------------------- */

START_TEST(system_calls_have_the_names_of_libc)
{
    ck_assert_str_eq(calls_name(SYS_futex), "futex");
    ck_assert_str_eq(calls_name(SYS_read), "read");
    ck_assert_ptr_null(calls_name(-1));
    ck_assert_ptr_null(calls_name(1000000));
}
END_TEST

static bool would_notice(const char *call, const char *target)
{
    struct task task = {.call = call};

    snprintf(task.target, sizeof task.target, "%s", target);
    return task_would_notice(&task);
}

START_TEST(only_some_waits_are_noticed)
{
    ck_assert(!would_notice("futex", ""));
    ck_assert(!would_notice("read", "pipe:[12]"));
    ck_assert(would_notice("read", "socket:[12]"));
    ck_assert(would_notice("epoll_wait", "anon_inode:[eventpoll]"));
    ck_assert(would_notice("write", "pipe:[12]"));
    ck_assert(would_notice("a_call_of_tomorrow", ""));
    ck_assert(!would_notice(NULL, ""));
}
END_TEST

/* ---- mappings ------------------------------------------------------------------- */

static struct image *open_own(void)
{
    struct image *image;

    ck_assert_int_eq(image_open(&image, getpid()), STATUS_OK);
    return image;
}

static uint64_t address_of(int (*function)(int))
{
    return (uint64_t)(uintptr_t)function;
}

START_TEST(code_is_found_in_its_module)
{
    struct image *image = open_own();
    const struct image_mapping *own = image_find(image, address_of(abs));

    ck_assert_ptr_nonnull(own);
    ck_assert(own->is_code && !own->is_written);
    ck_assert_ptr_nonnull(own->module);
    ck_assert_ptr_nonnull(strstr(own->module->path, "libc"));
    ck_assert_uint_ne(own->module->rules, 0);
    ck_assert_uint_eq(strlen(own->module->build_id) % 2, 0);
    ck_assert_ptr_null(image_find(image, 0));
    image_close(image);
}
END_TEST

START_TEST(memory_is_read_across_pages_unless_it_changes)
{
    struct image *image = open_own();
    char *written = malloc(16);
    unsigned char bytes[8192];

    ck_assert(image_read(image, address_of(abs), bytes, sizeof bytes));
    ck_assert_int_eq(memcmp(bytes, (const void *)(uintptr_t)address_of(abs), sizeof bytes), 0);
    ck_assert(!image_read(image, (uint64_t)(uintptr_t)written, bytes, 16));
    ck_assert(!image_read(image, UINT64_MAX - 3, bytes, 8));
    free(written);
    image_close(image);
}
END_TEST

START_TEST(a_process_that_is_gone_has_no_image)
{
    struct image *image;

    ck_assert_int_eq(image_open(&image, 0x7ffffff0), STATUS_NOT_FOUND);
    ck_assert_ptr_null(image);
}
END_TEST

static uint64_t return_address;

static __attribute__((noinline)) int note_caller(int number)
{
    return_address = (uint64_t)(uintptr_t)__builtin_return_address(0);
    return number + 1;
}

START_TEST(return_addresses_follow_calls)
{
    struct image *image = open_own();

    ck_assert_int_eq(note_caller(1) + note_caller(2), 5);
    ck_assert(code_follows_call(image, return_address));
    ck_assert(!code_follows_call(image, return_address + 1) ||
              !code_follows_call(image, return_address + 2));
    ck_assert(!code_follows_call(image, 16));
    image_close(image);
}
END_TEST

/* ---- threads ---------------------------------------------------------------------- */

static int gate[2];
static pid_t waiting_tid;

static __attribute__((noinline)) void *wait_at_gate(void *of)
{
    char byte;

    __atomic_store_n(&waiting_tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
    ck_assert_int_eq(read(gate[0], &byte, 1), 1);
    return of;
}

/* Returns: a thread that waits in wait_at_gate. */
static pthread_t start_waiting(struct task *task)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    pthread_t thread;

    waiting_tid = 0;
    ck_assert_int_eq(pipe(gate), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_at_gate, NULL), 0);
    do {
        nanosleep(&moment, NULL);
    } while (__atomic_load_n(&waiting_tid, __ATOMIC_ACQUIRE) == 0 ||
             task_look(task, getpid(), waiting_tid) != STATUS_OK || !task->is_in_linux ||
             !task->call || strcmp(task->call, "read") != 0);
    return thread;
}

static void end_waiting(pthread_t thread)
{
    ck_assert_int_eq(write(gate[1], "x", 1), 1);
    pthread_join(thread, NULL);
    close(gate[0]);
    close(gate[1]);
}

START_TEST(waiting_threads_are_copied_unstopped)
{
    struct task task;
    pthread_t thread = start_waiting(&task);
    struct image *image = open_own();
    struct unwind *unwind = unwind_new(image);
    struct capture *capture = capture_new();
    struct unwind_stack stack;

    ck_assert_int_eq(task.state, TASK_WAITING);
    ck_assert_int_eq(strncmp(task.target, "pipe:", 5), 0);
    ck_assert_int_eq(capture_peek(capture, &task), CAPTURE_TAKEN);
    ck_assert(!capture->is_stopped);
    ck_assert_uint_gt(capture->size, 0);
    ck_assert_uint_le(capture->size, CAPTURE_STACK_SIZE);
    unwind_copy(unwind, capture, &stack);
    ck_assert_uint_gt(stack.count, 1);
    end_waiting(thread);
    ck_assert_int_eq(capture_peek(capture, &task), CAPTURE_MOVED);
    capture_free(capture);
    unwind_free(unwind);
    image_close(image);
}
END_TEST

START_TEST(threads_that_ended_are_not_found)
{
    struct task task;
    pthread_t thread = start_waiting(&task);
    struct task again = task;

    end_waiting(thread);
    /* It is joined before Linux has removed it from the list. */
    while (task_look(&task, getpid(), again.tid) == STATUS_OK)
        sched_yield();
    ck_assert(!task_is_unmoved(&again));
}
END_TEST

/* ---- what may be broken ------------------------------------------------------------ */

static uint64_t draw(void)
{
    return (uint64_t)mrand48() << 32 ^ (uint64_t)mrand48();
}

/* Fill a copy with a possible stack: addresses of code, of the stack itself, and anything. */
static void fill_capture(struct capture *capture, uint64_t code, uint64_t code_size)
{
    uint64_t *words = (uint64_t *)(void *)capture->bytes;

    capture->stack = 0x7000000000;
    capture->size = 4096;
    for (size_t i = 0; i < capture->size / sizeof *words; i++) {
        uint64_t kind = draw() % 4;

        words[i] = kind == 0   ? code + draw() % code_size
                   : kind == 1 ? capture->stack + draw() % capture->size
                   : kind == 2 ? draw() % 64
                               : draw();
    }
    for (size_t i = 0; i < REGISTERS_COUNT; i++)
        capture->registers[i] = capture->stack + draw() % 2048 / 8 * 8;
    capture->registers[REGISTERS_INSTRUCTION] = code + draw() % code_size;
    capture->registers[REGISTERS_STACK] = capture->stack + draw() % 512 / 8 * 8;
    capture->known = draw() % 2 ? (1ull << REGISTERS_COUNT) - 1
                                : 1ull << REGISTERS_STACK | 1ull << REGISTERS_INSTRUCTION;
}

static void check_calls(const struct image *image, const struct unwind_stack *stack)
{
    ck_assert_uint_le(stack->count, UNWIND_DEPTH_MAX);
    ck_assert_int_lt(stack->end, UNWIND_ENDS);
    for (size_t i = 1; i < stack->count; i++) {
        const struct image_mapping *mapping = image_find(image, stack->addresses[i]);

        ck_assert(mapping && mapping->is_code);
    }
}

static void unwind_at_random(struct image *image, const struct image_mapping *code, int rounds)
{
    struct unwind *unwind = unwind_new(image);
    struct capture *capture = capture_new();
    struct unwind_stack stack;

    for (int i = 0; i < rounds; i++) {
        fill_capture(capture, code->start, code->end - code->start);
        unwind_copy(unwind, capture, &stack);
        check_calls(image, &stack);
    }
    capture_free(capture);
    unwind_free(unwind);
}

START_TEST(any_stack_ends_and_its_calls_are_code)
{
    struct image *image = open_own();

    srand48(1);
    unwind_at_random(image, image_find(image, address_of(abs)), 3000);
    image_close(image);
}
END_TEST

/* Let every offset in a file be the same in memory. */
static void flatten(unsigned char *bytes)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;

    memcpy(&header, bytes, sizeof header);
    for (size_t i = 0; i < header.e_phnum; i++) {
        unsigned char *at = bytes + header.e_phoff + i * sizeof segment;

        memcpy(&segment, at, sizeof segment);
        segment.p_vaddr = segment.p_offset;
        memcpy(at, &segment, sizeof segment);
    }
}

/* Map a copy of libc's file as code, with bytes changed and its segments where the file has them.
 * Returns: its address; MAP_FAILED when that is not allowed. */
static unsigned char *map_broken(const char *path, size_t *size, size_t changes)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int copy = memfd_create("broken", MFD_CLOEXEC);
    enum { FIRST = 4096 }; /* the header stays */
    struct stat facts;

    ck_assert(descriptor >= 0 && copy >= 0 && fstat(descriptor, &facts) == 0);
    *size = (size_t)facts.st_size;
    unsigned char *bytes = malloc(*size);
    ck_assert(bytes && read(descriptor, bytes, *size) == (ssize_t)*size);
    flatten(bytes);
    for (size_t i = 0; i < changes; i++)
        bytes[FIRST + draw() % (*size - FIRST)] = (unsigned char)draw();
    ck_assert_int_eq(write(copy, bytes, *size), (ssize_t)*size);
    unsigned char *mapped = mmap(NULL, *size, PROT_READ | PROT_EXEC, MAP_PRIVATE, copy, 0);
    free(bytes);
    close(copy);
    close(descriptor);
    return mapped;
}

START_TEST(broken_rules_end_and_their_calls_are_code)
{
    struct image *own = open_own();
    const struct image_mapping *libc = image_find(own, address_of(abs));

    srand48(2);
    for (int round = 0; round < 20; round++) {
        size_t size;
        unsigned char *broken = map_broken(libc->path, &size, (size_t)round * 1000);

        if (broken == MAP_FAILED)
            break;
        struct image *image = open_own();
        const struct image_mapping *code = image_find(image, (uint64_t)(uintptr_t)broken + 64);
        ck_assert_ptr_nonnull(code);
        unwind_at_random(image, code, 100);
        image_close(image);
        munmap(broken, size);
    }
    image_close(own);
}
END_TEST

int check_where(void)
{
    Suite *suite = suite_create("where");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 120);
    tcase_add_test(all, names_may_have_parentheses_and_blanks);
    tcase_add_test(all, fields_are_found_by_whole_names);
    tcase_add_test(all, system_calls_have_the_names_of_libc);
    tcase_add_test(all, only_some_waits_are_noticed);
    tcase_add_test(all, code_is_found_in_its_module);
    tcase_add_test(all, memory_is_read_across_pages_unless_it_changes);
    tcase_add_test(all, a_process_that_is_gone_has_no_image);
    tcase_add_test(all, return_addresses_follow_calls);
    tcase_add_test(all, waiting_threads_are_copied_unstopped);
    tcase_add_test(all, threads_that_ended_are_not_found);
    tcase_add_test(all, any_stack_ends_and_its_calls_are_code);
    tcase_add_test(all, broken_rules_end_and_their_calls_are_code);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
