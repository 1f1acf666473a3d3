/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file that calls CBLAS for the models, beside naive.c: each call is
 * counted with the extents that it passes, on the line above it.
 */
#include "nn.h"

#include <cblas.h>
#include <math.h>

struct matrix matrix_view(float *data, size_t rows, size_t columns)
{
    return (struct matrix){data, rows, columns, columns, false};
}

struct matrix matrix_take(struct arena *arena, size_t rows, size_t columns)
{
    return matrix_view(arena_take_floats(arena, rows * columns), rows, columns);
}

struct matrix matrix_rows(struct matrix matrix, size_t first, size_t count)
{
    matrix.data += first * matrix.stride;
    matrix.rows = count;
    return matrix;
}

struct matrix matrix_columns(struct matrix matrix, size_t first, size_t count)
{
    matrix.data += first;
    matrix.columns = count;
    return matrix;
}

struct matrix matrix_transpose(struct matrix matrix)
{
    matrix.is_transposed = !matrix.is_transposed;
    return matrix;
}

static CBLAS_TRANSPOSE transposition(struct matrix matrix)
{
    return matrix.is_transposed ? CblasTrans : CblasNoTrans;
}

void nn_multiply(const struct nn *nn, const struct product *product)
{
    struct matrix left = product->left, right = product->right, sum = product->sum;
    size_t shared = left.is_transposed ? left.rows : left.columns;

    truth_count(nn->truth, (struct truth_shape){TRUTH_SGEMM, sum.rows, sum.columns, shared});
    cblas_sgemm(CblasRowMajor, transposition(left), transposition(right), (int)sum.rows,
                (int)sum.columns, (int)shared, product->blend.scale, left.data, (int)left.stride,
                right.data, (int)right.stride, product->blend.keep, sum.data, (int)sum.stride);
}

void nn_sum_rows(const struct nn *nn, struct matrix matrix, float *sums, struct blend blend)
{
    truth_count(nn->truth, (struct truth_shape){TRUTH_SGEMV, matrix.rows, matrix.columns, 1});
    cblas_sgemv(CblasRowMajor, CblasTrans, (int)matrix.rows, (int)matrix.columns, blend.scale,
                matrix.data, (int)matrix.stride, nn->ones, 1, blend.keep, sums, 1);
}

void nn_add_scaled(const struct nn *nn, size_t count, float scale, const float *source,
                   float *target)
{
    truth_count(nn->truth, (struct truth_shape){TRUTH_SAXPY, 1, count, 1});
    cblas_saxpy((int)count, scale, source, 1, target, 1);
}

void nn_add(struct matrix target, struct matrix source)
{
    for (size_t row = 0; row < target.rows; row++) {
        float *to = matrix_row(target, row);
        const float *from = matrix_row(source, row);

        for (size_t i = 0; i < target.columns; i++)
            to[i] += from[i];
    }
}

size_t layout_reserve(struct layout *layout, size_t count)
{
    size_t place = layout->count;

    layout->count += count;
    return place;
}

struct linear linear_place(struct layout *layout, size_t inputs, size_t outputs)
{
    struct linear linear = {.inputs = inputs, .outputs = outputs};

    linear.weight = layout_reserve(layout, inputs * outputs);
    linear.bias = layout_reserve(layout, outputs);
    return linear;
}

void linear_init(const struct linear *linear, float *values, struct random_stream *random)
{
    /* Uniform within sqrt(3 / inputs) has variance 1 / inputs, so that the
     * output is as large as the input (LeCun, "Efficient BackProp", 1998). */
    float bound = sqrtf(3.0f / (float)linear->inputs);

    for (size_t i = 0; i < linear->inputs * linear->outputs; i++)
        values[linear->weight + i] = bound * random_uniform(random);
    for (size_t i = 0; i < linear->outputs; i++)
        values[linear->bias + i] = 0.0f;
}

static struct matrix linear_weight(const struct linear *linear, float *array)
{
    return matrix_view(array + linear->weight, linear->inputs, linear->outputs);
}

/* Each row becomes the bias; the product is added to it. */
void linear_forward(const struct nn *nn, const struct linear *linear, struct matrix input,
                    struct matrix output)
{
    const float *bias = nn->values + linear->bias;

    for (size_t row = 0; row < output.rows; row++)
        for (size_t i = 0; i < output.columns; i++)
            matrix_row(output, row)[i] = bias[i];
    nn->multiply(nn, &(struct product){input, linear_weight(linear, nn->values), output, {1, 1}});
}

void linear_learn(const struct nn *nn, const struct linear *linear, struct matrix input,
                  struct matrix output_gradient)
{
    nn_multiply(nn, &(struct product){matrix_transpose(input),
                                      output_gradient,
                                      linear_weight(linear, nn->gradients),
                                      {1, 1}});
    nn_sum_rows(nn, output_gradient, nn->gradients + linear->bias, (struct blend){1, 1});
}

void linear_send_back(const struct nn *nn, const struct linear *linear,
                      struct matrix output_gradient, struct matrix input_gradient)
{
    struct matrix weight = linear_weight(linear, nn->values);

    nn_multiply(
        nn, &(struct product){output_gradient, matrix_transpose(weight), input_gradient, {1, 0}});
}

struct norm norm_place(struct layout *layout, size_t width)
{
    struct norm norm = {.width = width};

    norm.gain = layout_reserve(layout, width);
    norm.shift = layout_reserve(layout, width);
    return norm;
}

void norm_init(const struct norm *norm, float *values)
{
    for (size_t i = 0; i < norm->width; i++) {
        values[norm->gain + i] = 1.0f;
        values[norm->shift + i] = 0.0f;
    }
}

struct norm_tape norm_tape_take(struct arena *arena, size_t rows, size_t width)
{
    return (struct norm_tape){
        .normal = matrix_take(arena, rows, width),
        .output = matrix_take(arena, rows, width),
        .scales = arena_take_floats(arena, rows),
    };
}

/* Returns: 1 / standard deviation of the row. */
static float normalize_row(const float *input, float *normal, size_t width)
{
    const float epsilon = 1e-5f; /* keeps a constant row finite */
    float mean = 0.0f, variance = 0.0f;

    for (size_t i = 0; i < width; i++)
        mean += input[i];
    mean /= (float)width;
    for (size_t i = 0; i < width; i++) {
        normal[i] = input[i] - mean;
        variance += normal[i] * normal[i];
    }
    float scale = 1.0f / sqrtf(variance / (float)width + epsilon);
    for (size_t i = 0; i < width; i++)
        normal[i] *= scale;
    return scale;
}

void norm_forward(const struct nn *nn, const struct norm *norm, struct matrix input,
                  struct norm_tape *tape)
{
    const float *gain = nn->values + norm->gain;
    const float *shift = nn->values + norm->shift;

    for (size_t row = 0; row < input.rows; row++) {
        float *normal = matrix_row(tape->normal, row);
        float *output = matrix_row(tape->output, row);

        tape->scales[row] = normalize_row(matrix_row(input, row), normal, norm->width);
        for (size_t i = 0; i < norm->width; i++)
            output[i] = gain[i] * normal[i] + shift[i];
    }
}

static void norm_learn(const struct nn *nn, const struct norm *norm, const float *normal,
                       const float *gradient)
{
    float *gain = nn->gradients + norm->gain;
    float *shift = nn->gradients + norm->shift;

    for (size_t i = 0; i < norm->width; i++) {
        gain[i] += gradient[i] * normal[i];
        shift[i] += gradient[i];
    }
}

/* With g the gradient by the normal row z, that by the input is
 * scale * (g - mean(g) - z * mean(g z)): the mean and the variance take out the
 * two directions of the input that cannot change z. */
static void norm_send_back(const float *gain, const float *normal, float *gradient, size_t width)
{
    float sum = 0.0f, sum_with_normal = 0.0f;

    for (size_t i = 0; i < width; i++) {
        gradient[i] *= gain[i];
        sum += gradient[i];
        sum_with_normal += gradient[i] * normal[i];
    }
    sum /= (float)width;
    sum_with_normal /= (float)width;
    for (size_t i = 0; i < width; i++)
        gradient[i] -= sum + normal[i] * sum_with_normal;
}

void norm_backward(const struct nn *nn, const struct norm *norm, const struct norm_tape *tape,
                   struct matrix gradient)
{
    for (size_t row = 0; row < gradient.rows; row++) {
        float *line = matrix_row(gradient, row);
        const float *normal = matrix_row(tape->normal, row);

        norm_learn(nn, norm, normal, line);
        norm_send_back(nn->values + norm->gain, normal, line, norm->width);
        for (size_t i = 0; i < norm->width; i++)
            line[i] *= tape->scales[row];
    }
}

/* Lanes of a fixed number become vectors; a branch at each element would be
 * guessed wrong half the time. */
enum { LANES = 16 };

void relu_forward(struct matrix output)
{
    size_t count = output.rows * output.columns, done = 0;

    for (; done + LANES <= count; done += LANES) {
        float *lanes = output.data + done;

        for (int i = 0; i < LANES; i++)
            lanes[i] = lanes[i] > 0.0f ? lanes[i] : 0.0f;
    }
    for (; done < count; done++)
        output.data[done] = output.data[done] > 0.0f ? output.data[done] : 0.0f;
}

void relu_backward(struct matrix output, struct matrix gradient)
{
    for (size_t i = 0; i < output.rows * output.columns; i++)
        gradient.data[i] = output.data[i] > 0.0f ? gradient.data[i] : 0.0f;
}

/* GELU by tanh, x (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3)
 * (Hendrycks and Gimpel, "Gaussian error linear units", 2016), written as
 * x / (1 + exp(-2 u)): the same function with one exp. */
static const float gelu_slope = 0.7978845608f; /* sqrt(2 / pi) */
static const float gelu_cubic = 0.044715f;

static float gelu_gate(float x)
{
    float u = gelu_slope * (x + gelu_cubic * x * x * x);

    return 1.0f / (1.0f + expf(-2.0f * u));
}

void gelu_forward(struct matrix input, struct matrix output)
{
    for (size_t i = 0; i < input.rows * input.columns; i++)
        output.data[i] = input.data[i] * gelu_gate(input.data[i]);
}

/* d/dx (x s(2u)) = s + x s (1 - s) 2 du/dx */
void gelu_backward(struct matrix input, struct matrix gradient)
{
    for (size_t i = 0; i < input.rows * input.columns; i++) {
        float x = input.data[i];
        float gate = gelu_gate(x);
        float slope = gelu_slope * (1.0f + 3.0f * gelu_cubic * x * x);

        gradient.data[i] *= gate + x * gate * (1.0f - gate) * 2.0f * slope;
    }
}

/* The index of the largest element, the first if there are more. */
static size_t find_largest(const float *row, size_t count)
{
    size_t largest = 0;

    for (size_t i = 1; i < count; i++)
        if (row[i] > row[largest])
            largest = i;
    return largest;
}

static void softmax_row(float *row, size_t count)
{
    float largest = row[find_largest(row, count)];
    float sum = 0.0f;

    for (size_t i = 0; i < count; i++) {
        row[i] = expf(row[i] - largest);
        sum += row[i];
    }
    for (size_t i = 0; i < count; i++)
        row[i] /= sum;
}

void softmax_forward(struct matrix scores)
{
    for (size_t row = 0; row < scores.rows; row++)
        softmax_row(matrix_row(scores, row), scores.columns);
}

/* With p the row and g its gradient: p (g - sum(g p)). */
static void softmax_row_backward(const float *output, float *gradient, size_t count)
{
    float sum = 0.0f;

    for (size_t i = 0; i < count; i++)
        sum += gradient[i] * output[i];
    for (size_t i = 0; i < count; i++)
        gradient[i] = output[i] * (gradient[i] - sum);
}

void softmax_backward(struct matrix output, struct matrix gradient)
{
    for (size_t row = 0; row < output.rows; row++)
        softmax_row_backward(matrix_row(output, row), matrix_row(gradient, row), output.columns);
}

/* The logarithm is of the sum of exponents and not of the softmax, which may
 * be 0 in float.  Leaves the probabilities in `gradient`. */
static double cross_entropy_row(const float *scores, unsigned label, float *gradient, size_t count)
{
    float largest = scores[find_largest(scores, count)];
    float sum = 0.0f;

    for (size_t i = 0; i < count; i++) {
        gradient[i] = expf(scores[i] - largest);
        sum += gradient[i];
    }
    for (size_t i = 0; i < count; i++)
        gradient[i] /= sum;
    return (double)(logf(sum) + largest - scores[label]);
}

double cross_entropy(struct matrix scores, const unsigned *labels, struct matrix gradient,
                     float scale)
{
    double loss = 0.0;

    for (size_t row = 0; row < scores.rows; row++) {
        float *line = matrix_row(gradient, row);

        loss += cross_entropy_row(matrix_row(scores, row), labels[row], line, scores.columns);
        line[labels[row]] -= 1.0f;
        for (size_t i = 0; i < scores.columns; i++)
            line[i] *= scale;
    }
    return loss;
}

size_t correct_count(struct matrix scores, const unsigned *labels)
{
    size_t correct = 0;

    for (size_t row = 0; row < scores.rows; row++)
        correct += find_largest(matrix_row(scores, row), scores.columns) == labels[row];
    return correct;
}
