/*
 * sampler.c -- temperature sampling, checked by hand
 *
 * logits: 1.0, 0.4, -0.5, 1.3      T = 0.5
 *
 * 1. divide by T (i.e. times two):
 *      2.0   0.8   -1.0   2.6
 *
 * 2. expf():
 *      expf(2.0)  = 7.389
 *      expf(0.8)  = 2.226
 *      expf(-1.0) = 2.718
 *      expf(2.6)  = 13.464
 *                   ------
 *                   25.797
 *
 * 3. p = e / sum:
 *      [0] 0.286
 *      [1] 0.086
 *      [2] 0.105
 *      [3] 0.522     <- argmax
 */
#include <math.h>

static void softmax_t(float *x, int n, float t)
{
    float s = 0.f;
    for (int i = 0; i < n; i++) { x[i] = expf(x[i] / t); s += x[i]; }
    for (int i = 0; i < n; i++) x[i] /= s;
}

int main(void) { return 0; }   /* see test: sum of p must be 1.000 */
