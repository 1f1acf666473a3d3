/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs, which are built from source or from binaries, and the names of their kernels.
 *
 * A build is the host's work: its record has the time of the call.  Programs made from the same
 * source have the same name here, so a report can tell that one was built again.
 */
#include "opencl/opencl_parts.h"

#include <stdio.h>
#include <string.h>

#include "device/command.h"
#include "device/handles.h"
#include "platform/hash.h"
#include "record/strings.h"
#include "spec/trace.h"
#include "unwind/machine.h"

enum { NAME_MAX_SIZE = 512 };

/* ---- builds --------------------------------------------------------------- */

static uint64_t hash_source(uint32_t count, const char **texts, const size_t *sizes)
{
    uint64_t hash = count;

    for (uint32_t i = 0; i < count; i++) {
        size_t size = sizes && sizes[i] > 0 ? sizes[i] : strlen(texts[i]);

        hash = (hash ^ hash_fnv(texts[i], size)) * HASH_FACTOR;
    }
    return hash | 1;
}

cl_object opencl_create_program(cl_object context, uint32_t count, const char **texts,
                                const size_t *sizes, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint32_t, const char **, const size_t *, int32_t *);
    maker real = (maker)opencl_real.clCreateProgramWithSource;
    cl_object program = real(context, count, texts, sizes, error);

    if (program)
        handles_set(program, HANDLES_SOURCE, hash_source(count, texts, sizes));
    return program;
}

static uint32_t name_build(const char *verb, cl_object program)
{
    uint64_t source = program ? handles_find(program, HANDLES_SOURCE) : 0;
    char name[48];

    snprintf(name, sizeof name, source ? "%s program %08x" : "%s", verb, (unsigned)(source >> 32));
    return strings_intern(name);
}

/* The build's device is that of its context; it has no queue. */
static struct device_command begin_build(const char *verb, cl_object program)
{
    struct device_command command = {.what = TRACE_COMMAND_BUILD,
                                     .flags = TRACE_COMMAND_BLOCKS | TRACE_COMMAND_UNTIMED,
                                     .name = name_build(verb, program)};

    command_begin(&command);
    return command;
}

int32_t opencl_build_program(cl_object program, uint32_t count, const cl_object *devices,
                             const char *options, void *callback, void *argument)
{
    typedef int32_t (*builder)(cl_object, uint32_t, const cl_object *, const char *, void *,
                               void *);
    const struct unwind_state caller = unwind_caller();
    struct device_command command = begin_build("build", program);
    int32_t result =
        ((builder)opencl_real.clBuildProgram)(program, count, devices, options, callback, argument);

    command_end(&command, &caller, result == CL_SUCCESS);
    return result;
}

int32_t opencl_compile_program(cl_object program, uint32_t count, const cl_object *devices,
                               const char *options, uint32_t headers, const cl_object *programs,
                               const char **names, void *callback, void *argument)
{
    typedef int32_t (*compiler)(cl_object, uint32_t, const cl_object *, const char *, uint32_t,
                                const cl_object *, const char **, void *, void *);
    const struct unwind_state caller = unwind_caller();
    struct device_command command = begin_build("compile", program);
    int32_t result = ((compiler)opencl_real.clCompileProgram)(
        program, count, devices, options, headers, programs, names, callback, argument);

    command_end(&command, &caller, result == CL_SUCCESS);
    return result;
}

cl_object opencl_link_program(cl_object context, uint32_t count, const cl_object *devices,
                              const char *options, uint32_t parts, const cl_object *programs,
                              void *callback, void *argument, int32_t *error)
{
    typedef cl_object (*linker)(cl_object, uint32_t, const cl_object *, const char *, uint32_t,
                                const cl_object *, void *, void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    struct device_command command = begin_build("link", NULL);
    cl_object program = ((linker)opencl_real.clLinkProgram)(context, count, devices, options, parts,
                                                            programs, callback, argument, error);

    command_end(&command, &caller, program != NULL);
    return program;
}

/* ---- kernels -------------------------------------------------------------- */

static uint32_t remember(cl_object kernel, const char *name)
{
    uint32_t id = strings_intern(name);

    handles_set(kernel, HANDLES_NAME, id);
    return id;
}

static REALIGNED uint32_t learn_name(cl_object kernel)
{
    char name[NAME_MAX_SIZE];

    if (!opencl_ask(opencl_real.clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME, sizeof name,
                    name))
        return 0;
    name[sizeof name - 1] = '\0';
    return remember(kernel, name);
}

uint32_t opencl_kernel_name(cl_object kernel)
{
    uint32_t id = (uint32_t)handles_find(kernel, HANDLES_NAME);

    return LIKELY(id != 0) || !kernel ? id : learn_name(kernel);
}

/* The address may have been another kernel's. */
static cl_object learn(cl_object kernel)
{
    if (kernel)
        learn_name(kernel);
    return kernel;
}

cl_object opencl_create_kernel(cl_object program, const char *name, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, const char *, int32_t *);

    return learn(((maker)opencl_real.clCreateKernel)(program, name, error));
}

int32_t opencl_create_kernels(cl_object program, uint32_t count, cl_object *kernels, uint32_t *made)
{
    typedef int32_t (*maker)(cl_object, uint32_t, cl_object *, uint32_t *);
    uint32_t number = 0;
    int32_t result =
        ((maker)opencl_real.clCreateKernelsInProgram)(program, count, kernels, &number);

    for (uint32_t i = 0; result == CL_SUCCESS && kernels && i < number && i < count; i++)
        learn(kernels[i]);
    if (made && result == CL_SUCCESS)
        *made = number;
    return result;
}

cl_object opencl_clone_kernel(cl_object kernel, int32_t *error)
{
    return learn(((cl_object(*)(cl_object, int32_t *))opencl_real.clCloneKernel)(kernel, error));
}
