/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of OpenCL whose number, bytes and work are known, and their times by the program's own
 * events.  Prints the truth, a row a line: name|kind|calls|bytes|work-items|ns, where ns is "-" if
 * the program did not ask for times.
 *
 *     opencl MODE
 *       plain      the program asks for no times
 *       profiled   it does, and prints them
 *       unordered  the same on two queues, one of them without order, behind a user event
 *       flight     many commands before the first wait
 *       sees       what the library tells the program about queues and events
 *       memory     buffers, parts, images and shared memory; some are never released
 *       small N    N small kernels, and the time that they took
 *       waits N    N kernels, and a wait behind each
 *       copies N   N copies of 64 bytes
 *       large N    the work-items of N small kernels in few
 *       builds N   N builds of the same source, and a kernel behind each
 *       built      one build, and kernels for 30 times as long
 *       again N    N kernels, each on memory of its own
 *       kept N     the same on memory that is kept
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 4096, SIZE = ITEMS * sizeof(float), ROUNDS = 25, FLIGHT = 3000, SUMS = 16 };

static long build_ns;

static const char *const source =
    "__kernel void scale(__global float *y, float a) { y[get_global_id(0)] *= a; }\n"
    "__kernel void sum(__global float *y, __global const float *x, int rounds)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    float value = y[i];\n"
    "    for (int r = 0; r < rounds; r++)\n"
    "        value = value * 0.5f + x[i];\n"
    "    y[i] = value;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_kernel scale, sum;
static cl_mem x, y;
static float numbers[ITEMS];

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(1);
}

/* ---- the truth ------------------------------------------------------------ */

static struct sum {
    const char *name;
    const char *kind;
    unsigned long calls, bytes, items, ns;
} sums[SUMS];

static struct sum *find(const char *name, const char *kind)
{
    struct sum *row = sums;

    while (row->name && strcmp(row->name, name) != 0)
        row++;
    row->name = name;
    row->kind = kind;
    return row;
}

static void count(const char *name, const char *kind, size_t bytes, size_t items)
{
    struct sum *row = find(name, kind);

    row->calls++;
    row->bytes += bytes;
    row->items += items;
}

static void add_time(const char *name, const char *kind, cl_event event)
{
    cl_ulong start = 0, end = 0;

    check(clWaitForEvents(1, &event), "clWaitForEvents");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
          "start");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "end");
    find(name, kind)->ns += end - start;
    check(clReleaseEvent(event), "clReleaseEvent");
}

static void print_sums(int has_times)
{
    for (const struct sum *row = sums; row->name; row++) {
        printf("%s|%s|%lu|%lu|%lu|", row->name, row->kind, row->calls, row->bytes, row->items);
        if (has_times)
            printf("%lu\n", row->ns);
        else
            printf("-\n");
    }
}

/* ---- work ----------------------------------------------------------------- */

static long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void build_program(void)
{
    long from_ns = now_ns();
    cl_int error;

    program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    build_ns = now_ns() - from_ns;
}

static void open_device(void)
{
    cl_platform_id platform;
    cl_int error;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    build_program();
    scale = clCreateKernel(program, "scale", &error);
    check(error, "scale");
    sum = clCreateKernel(program, "sum", &error);
    check(error, "sum");
    x = clCreateBuffer(context, CL_MEM_READ_ONLY, SIZE, NULL, &error);
    check(error, "x");
    y = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &error);
    check(error, "y");
}

static void set_arguments(void)
{
    const cl_float factor = 0.5f;
    const cl_int rounds = 100;

    check(clSetKernelArg(scale, 0, sizeof y, &y), "scale 0");
    check(clSetKernelArg(scale, 1, sizeof factor, &factor), "scale 1");
    check(clSetKernelArg(sum, 0, sizeof y, &y), "sum 0");
    check(clSetKernelArg(sum, 1, sizeof x, &x), "sum 1");
    check(clSetKernelArg(sum, 2, sizeof rounds, &rounds), "sum 2");
}

static cl_command_queue make_queue(cl_queue_properties flags)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_int error;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, flags ? properties : NULL, &error);

    check(error, "clCreateCommandQueueWithProperties");
    return queue;
}

/* `wants`: the program wants events of all commands; otherwise none. */
static void run_kernel(cl_command_queue queue, cl_kernel kernel, const char *name, int wants)
{
    const size_t items = ITEMS;
    cl_event event;

    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                 wants ? &event : NULL),
          name);
    count(name, "kernel", 0, items);
    if (wants)
        add_time(name, "kernel", event);
}

static void copy(cl_command_queue queue, int wants)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {64, 8, 2};
    const float zero = 0;
    cl_event event, *place = wants ? &event : NULL;

    check(clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, SIZE, numbers, 0, NULL, place), "write");
    count("copy-to-device", "copy-to-device", SIZE, 0);
    if (wants)
        add_time("copy-to-device", "copy-to-device", event);
    check(clEnqueueCopyBuffer(queue, x, y, 0, 0, SIZE / 2, 0, NULL, place), "copy");
    count("copy-within", "copy-within", SIZE / 2, 0);
    if (wants)
        add_time("copy-within", "copy-within", event);
    check(clEnqueueFillBuffer(queue, y, &zero, sizeof zero, 0, SIZE / 4, 0, NULL, place), "fill");
    count("fill", "fill", SIZE / 4, 0);
    if (wants)
        add_time("fill", "fill", event);
    check(clEnqueueReadBufferRect(queue, y, CL_TRUE, origin, origin, region, 0, 0, 0, 0, numbers, 0,
                                  NULL, place),
          "read");
    count("copy-from-device", "copy-from-device", 64 * 8 * 2, 0);
    if (wants)
        add_time("copy-from-device", "copy-from-device", event);
}

static void run_rounds(cl_command_queue queue, int wants)
{
    for (int i = 0; i < ROUNDS; i++) {
        copy(queue, wants);
        run_kernel(queue, scale, "scale", wants);
        run_kernel(queue, sum, "sum", wants);
    }
    check(clFinish(queue), "clFinish");
}

static void run_plain(void)
{
    cl_command_queue queue = make_queue(0);

    run_rounds(queue, 0);
    print_sums(0);
    clReleaseCommandQueue(queue);
}

static void run_profiled(void)
{
    cl_command_queue queue = make_queue(CL_QUEUE_PROFILING_ENABLE);

    run_rounds(queue, 1);
    print_sums(1);
    clReleaseCommandQueue(queue);
}

/* Nothing on the first queue runs before the user's event is set. */
static void run_unordered(void)
{
    cl_command_queue free_queue =
        make_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    const size_t items = ITEMS;
    cl_event gate, events[ROUNDS];
    cl_int error;

    gate = clCreateUserEvent(context, &error);
    check(error, "clCreateUserEvent");
    for (int i = 0; i < ROUNDS; i++) {
        check(clEnqueueNDRangeKernel(free_queue, sum, 1, NULL, &items, NULL, 1, &gate, &events[i]),
              "sum");
        count("sum", "kernel", 0, items);
    }
    for (int i = 0; i < ROUNDS; i++)
        run_kernel(queue, scale, "scale", 1);
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    for (int i = 0; i < ROUNDS; i++)
        add_time("sum", "kernel", events[i]);
    check(clFinish(free_queue), "clFinish");
    print_sums(1);
}

static void run_flight(void)
{
    cl_command_queue queue = make_queue(0);

    for (int i = 0; i < FLIGHT; i++)
        run_kernel(queue, i % 2 ? scale : sum, i % 2 ? "scale" : "sum", 0);
    check(clFinish(queue), "clFinish");
    print_sums(0);
}

/* ---- what the program sees ------------------------------------------------ */

static void print_queue(const char *name, cl_command_queue queue)
{
    cl_command_queue_properties flags = 99;
    cl_queue_properties list[8] = {0};
    size_t size = 99;
    cl_int error = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, &size);

    printf("%s: %d, properties %lu of %zu bytes\n", name, error, (unsigned long)flags, size);
    error = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size);
    printf("%s: %d, list of %zu bytes:", name, error, size);
    for (size_t i = 0; i < size / sizeof *list; i++)
        printf(" %lu", (unsigned long)list[i]);
    printf("\n%s: a list without room: %d\n", name,
           clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 1, list, NULL));
}

static void print_event(const char *name, cl_event event)
{
    cl_uint references = 0, type = 0;
    cl_ulong time = 7;

    check(clWaitForEvents(1, &event), "clWaitForEvents");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), "type");
    printf("%s: type %u, start %d, small %d, unknown %d\n", name, type,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL),
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &time, NULL),
           clGetEventProfilingInfo(event, 0x9999, sizeof time, &time, NULL));
    check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL),
          "references");
    printf("%s: %s references\n", name, references < 4 ? "few" : "many");
    clReleaseEvent(event);
}

static void see_queue(const char *name, cl_command_queue queue)
{
    const size_t items = ITEMS, none = 0;
    cl_event event = NULL;

    print_queue(name, queue);
    check(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &items, NULL, 0, NULL, &event), "scale");
    print_event(name, event);
    printf("%s: a bad call: %d\n", name,
           clEnqueueNDRangeKernel(queue, scale, 9, NULL, &none, NULL, 0, NULL, NULL));
}

static void run_sees(void)
{
    const cl_queue_properties empty[] = {0};
    cl_int error;

    see_queue("no list", make_queue(0));
    see_queue("unordered", make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    see_queue("profiling", make_queue(CL_QUEUE_PROFILING_ENABLE));
    see_queue("empty list", clCreateCommandQueueWithProperties(context, device, empty, &error));
    see_queue("old", clCreateCommandQueue(context, device, 0, &error));
    printf("a bad queue: %d %p\n", (clCreateCommandQueue(context, NULL, 0, &error), error),
           (void *)clCreateCommandQueue(context, NULL, 0, NULL));
    printf("a bad event: %d\n",
           clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_START, sizeof(cl_ulong), NULL, NULL));
}

/* ---- memory --------------------------------------------------------------- */

static cl_mem make_buffer(size_t size)
{
    cl_int error;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);

    check(error, "clCreateBuffer");
    return memory;
}

/* Beside x and y: at the peak a megabyte, and half of it stays.  A part keeps its whole alive. */
static void run_memory(void)
{
    const cl_buffer_region half = {0, 1 << 16};
    cl_mem stays = make_buffer(1 << 19), whole = make_buffer(1 << 18), other = make_buffer(1 << 18);
    cl_int error;
    cl_mem part =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);

    check(error, "clCreateSubBuffer");
    check(clRetainMemObject(other), "clRetainMemObject");
    clReleaseMemObject(other);
    clReleaseMemObject(other);
    clReleaseMemObject(whole);
    clReleaseMemObject(part);
    for (int i = 0; i < 10; i++)
        clReleaseMemObject(make_buffer(4096));
    printf("peak %d\nlive %d\nallocations %d\nfrees %d\n", 2 * (int)SIZE + (1 << 20),
           2 * (int)SIZE + (1 << 19), 2 + 3 + 10, 2 + 10);
    (void)stays;
}

static void run_small(int rounds)
{
    cl_command_queue queue = make_queue(0);
    const size_t items = 1;
    struct timespec from, to;

    check(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &items, NULL, 0, NULL, NULL), "scale");
    check(clFinish(queue), "clFinish");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int i = 0; i < rounds; i++)
        check(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &items, NULL, 0, NULL, NULL), "scale");
    check(clFinish(queue), "clFinish");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    printf("%ld ns a kernel\n",
           ((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec) / rounds);
}

static void run_waits(int rounds)
{
    cl_command_queue queue = make_queue(0);

    for (int i = 0; i < rounds; i++) {
        run_kernel(queue, scale, "scale", 0);
        check(clFinish(queue), "clFinish");
    }
}

static void run_copies(int rounds)
{
    cl_command_queue queue = make_queue(0);

    for (int i = 0; i < rounds; i++)
        check(clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, 64, numbers, 0, NULL, NULL), "write");
    check(clFinish(queue), "clFinish");
}

static void run_large(int rounds)
{
    cl_command_queue queue = make_queue(0);

    for (int i = 0; i < rounds; i += ITEMS)
        run_kernel(queue, scale, "scale", 0);
    check(clFinish(queue), "clFinish");
}

static void run_builds(int rounds)
{
    cl_command_queue queue = make_queue(0);

    for (int i = 0; i < rounds; i++) {
        build_program();
        run_kernel(queue, sum, "sum", 0);
        check(clFinish(queue), "clFinish");
        check(clReleaseProgram(program), "clReleaseProgram");
    }
}

static void run_built(void)
{
    cl_command_queue queue = make_queue(0);
    long end_ns = now_ns() + 30 * build_ns;

    while (now_ns() < end_ns) {
        for (int i = 0; i < ROUNDS; i++)
            run_kernel(queue, sum, "sum", 0);
        check(clFinish(queue), "clFinish");
    }
}

/* Prints the memory that was asked for more than once. */
static void run_on_memory(int rounds, int is_kept)
{
    cl_command_queue queue = make_queue(0);
    cl_mem memory = NULL;

    for (int i = 0; i < rounds; i++) {
        if (memory && !is_kept)
            clReleaseMemObject(memory);
        if (!memory || !is_kept)
            memory = make_buffer(SIZE);
        check(clSetKernelArg(scale, 0, sizeof memory, &memory), "scale 0");
        run_kernel(queue, scale, "scale", 0);
        check(clFinish(queue), "clFinish");
    }
    printf("again %d\n", is_kept ? 0 : rounds - 1);
    clReleaseMemObject(memory);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain";

    open_device();
    set_arguments();
    if (strcmp(mode, "plain") == 0)
        run_plain();
    else if (strcmp(mode, "profiled") == 0)
        run_profiled();
    else if (strcmp(mode, "unordered") == 0)
        run_unordered();
    else if (strcmp(mode, "flight") == 0)
        run_flight();
    else if (strcmp(mode, "sees") == 0)
        run_sees();
    else if (strcmp(mode, "memory") == 0)
        run_memory();
    else if (strcmp(mode, "small") == 0 && argc > 2)
        run_small(atoi(argv[2]));
    else if (strcmp(mode, "waits") == 0 && argc > 2)
        run_waits(atoi(argv[2]));
    else if (strcmp(mode, "copies") == 0 && argc > 2)
        run_copies(atoi(argv[2]));
    else if (strcmp(mode, "large") == 0 && argc > 2)
        run_large(atoi(argv[2]));
    else if (strcmp(mode, "builds") == 0 && argc > 2)
        run_builds(atoi(argv[2]));
    else if (strcmp(mode, "built") == 0)
        run_built();
    else if ((strcmp(mode, "again") == 0 || strcmp(mode, "kept") == 0) && argc > 2)
        run_on_memory(atoi(argv[2]), mode[0] == 'k');
    else
        return 2;
    return 0;
}
