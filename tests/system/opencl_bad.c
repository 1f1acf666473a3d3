/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL as programs rarely use it.  `opencl_bad MODE` prints what the library answers; that is
 * the same without a profiler:
 *
 *   nothing    asks for platforms, and for devices of the first one
 *   kept       takes an event for each command and gives none back
 *   million    a million commands behind an event that comes last
 *   forked     a child works on after its parent opened the device, without it
 *   devices    one kernel on the first device, two on the second
 *   mapped     buffers that are mapped, and shared memory that is filled and copied
 *   refused    commands of objects that are none
 */
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEVICES = 8, ITEMS = 64, SIZE = 4096, KEPT = 500, MILLION = 1000000 };

static const char *source = "__kernel void one(__global float *y) { y[get_global_id(0)] += 1; }";

static cl_device_id devices[DEVICES];
static cl_context context;
static cl_kernel kernel;
static cl_mem memory;

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, error);
    exit(1);
}

static void open_devices(cl_uint wanted)
{
    cl_platform_id platform;
    cl_program program;
    cl_uint count;
    cl_int error;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count), "clGetDeviceIDs");
    if (count < wanted)
        exit(77);
    context = clCreateContext(NULL, wanted, devices, NULL, NULL, &error);
    check(error, "clCreateContext");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, wanted, devices, "", NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "one", &error);
    check(error, "clCreateKernel");
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
}

static cl_command_queue make_queue(cl_device_id device)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);

    check(error, "clCreateCommandQueueWithProperties");
    return queue;
}

static void run(cl_command_queue queue, cl_event *event)
{
    const size_t items = ITEMS;

    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event), "kernel");
}

static int ask_for_nothing(void)
{
    cl_platform_id platform = NULL;
    cl_uint platforms = 0, count = 0;
    cl_int error = clGetPlatformIDs(1, &platform, &platforms);

    printf("platforms %d: %u\n", error, platforms);
    error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count);
    printf("devices %d: %u\n", error, error == CL_SUCCESS ? count : 0);
    return 0;
}

/* A thread of the driver may give its own back a moment after the command has ended. */
static cl_uint count_references(cl_event event)
{
    cl_uint references = 0;

    for (int i = 0; references != 1 && i < 1000; i++, usleep(1000))
        clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL);
    return references;
}

static int keep_events(void)
{
    static cl_event events[KEPT];
    cl_command_queue queue;

    open_devices(1);
    queue = make_queue(devices[0]);
    for (int i = 0; i < KEPT; i++)
        run(queue, &events[i]);
    check(clFinish(queue), "clFinish");
    for (int i = 0; i < KEPT; i += 100)
        printf("references %u\n", count_references(events[i]));
    return 0;
}

static int queue_a_million(void)
{
    const cl_int zero = 0;
    cl_command_queue queue;
    cl_event gate;
    cl_int error;

    open_devices(1);
    queue = make_queue(devices[0]);
    gate = clCreateUserEvent(context, &error);
    check(error, "clCreateUserEvent");
    check(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL), "gate");
    for (int i = 0; i < MILLION; i++)
        check(clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, 4, 0, NULL, NULL), "fill");
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    check(clFinish(queue), "clFinish");
    printf("commands %d\n", MILLION + 1);
    return 0;
}

static int fork_behind(void)
{
    cl_command_queue queue;
    int status;

    open_devices(1);
    queue = make_queue(devices[0]);
    run(queue, NULL);
    check(clFinish(queue), "clFinish");
    if (fork() == 0) {
        printf("child\n");
        fflush(stdout);
        _exit(3);
    }
    wait(&status);
    run(queue, NULL);
    check(clFinish(queue), "clFinish");
    printf("child ended with %d\n", WEXITSTATUS(status));
    return 0;
}

static int use_devices(void)
{
    open_devices(2);
    for (int i = 0; i < 2; i++) {
        cl_command_queue queue = make_queue(devices[i]);

        for (int calls = 0; calls <= i; calls++)
            run(queue, NULL);
        check(clFinish(queue), "clFinish");
    }
    printf("kernels 1 and 2\n");
    return 0;
}

static int map_memory(void)
{
    const cl_int zero = 0;
    cl_command_queue queue;
    char *mapped, *shared, *other;
    cl_int error;

    open_devices(1);
    queue = make_queue(devices[0]);
    shared = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
    other = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE / 2, 0);
    for (int i = 0; i < 5; i++) {
        mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_WRITE, 0, SIZE / 4, 0, NULL,
                                    NULL, &error);
        check(error, "clEnqueueMapBuffer");
        memset(mapped, 0, SIZE / 4);
        check(clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL), "unmap");
        if (!shared || !other)
            continue;
        check(clEnqueueSVMMemFill(queue, shared, &zero, sizeof zero, SIZE, 0, NULL, NULL), "fill");
        check(clEnqueueSVMMemcpy(queue, CL_TRUE, other, shared, SIZE / 2, 0, NULL, NULL), "copy");
    }
    check(clFinish(queue), "clFinish");
    clSVMFree(context, other);
    printf("shared %d\n", shared && other);
    return 0;
}

static int be_refused(void)
{
    const size_t items = ITEMS;
    cl_command_queue queue;
    cl_int error;

    open_devices(1);
    queue = make_queue(devices[0]);
    printf("%d", clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    printf(" %d", clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 4, &error, 0, NULL, NULL));
    printf(" %d", clEnqueueReadBuffer(queue, memory, CL_TRUE, SIZE, SIZE, &error, 0, NULL, NULL));
    printf(" %d", clReleaseMemObject(NULL));
    clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &error);
    printf(" %d\n", error);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*function)(void);
    } modes[] = {{"nothing", ask_for_nothing}, {"kept", keep_events},
                 {"million", queue_a_million}, {"forked", fork_behind},
                 {"devices", use_devices},     {"mapped", map_memory},
                 {"refused", be_refused}};

    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, argv[1]) == 0)
            return modes[i].function();
    return 2;
}
