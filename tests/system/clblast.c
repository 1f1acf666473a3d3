/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of CLBlast, of sizes that are known.  Prints the status, and a number of each result.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <stdio.h>

enum { M = 64, N = 48, K = 32, BATCH = 3, ELEMENTS = 8192, ROUNDS = 4 };

int main(void)
{
    const float one[BATCH] = {1, 1, 1}, none[BATCH] = {0, 0, 0}, value = 0.5f;
    const double wide = 0.25;
    const size_t offsets[BATCH] = {0, M * K, 2 * M * K};
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem a, d;
    float result = 0;
    double wide_result = 0;
    int status = 0;

    if (clGetPlatformIDs(1, &platform, NULL) != 0 ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != 0)
        return 77;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    a = clCreateBuffer(context, CL_MEM_READ_WRITE, 3 * ELEMENTS * sizeof(double), NULL, NULL);
    d = clCreateBuffer(context, CL_MEM_READ_WRITE, 3 * ELEMENTS * sizeof(double), NULL, NULL);
    clEnqueueFillBuffer(queue, a, &value, sizeof value, 0, 3 * ELEMENTS * sizeof(double), 0, NULL,
                        NULL);
    for (int i = 0; i < ROUNDS; i++)
        status |= CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, M, N,
                               K, 1, a, 0, K, a, 0, N, 0, d, 0, N, &queue, NULL);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL);
    status |= CLBlastSgemmBatched(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, M,
                                  N, K, one, a, offsets, K, a, offsets, N, none, d, offsets, N,
                                  BATCH, &queue, NULL);
    clFinish(queue);
    clEnqueueFillBuffer(queue, a, &wide, sizeof wide, 0, 3 * ELEMENTS * sizeof(double), 0, NULL,
                        NULL);
    status |= CLBlastDgemm(CLBlastLayoutColMajor, CLBlastTransposeYes, CLBlastTransposeNo, N, M, K,
                           1, a, 0, K, a, 0, K, 0, d, 0, N, &queue, NULL);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, sizeof wide_result, &wide_result, 0, NULL, NULL);
    printf("status %d results %g %g\n", status, (double)result, wide_result);
    return 0;
}
