// Premultiplied BGRA to the planes that video encoders take: BT.709, limited range. With R, G, B from 0 to 255 and
// luma L = 0.2126 R + 0.7152 G + 0.0722 B, for 8 bits
//
//     Y  = 16  + 219 L / 255
//     Cb = 128 + 224 (B - L) / (255 * 1.8556)
//     Cr = 128 + 224 (R - L) / (255 * 1.5748)
//
// and for 10 bits 4 times each. Every value is rounded once: sums are kept in fixed point until the end. Four neighbors
// share a chroma sample that lies on the left pixel of its pair, halfway between its two rows, as H.264 and VP9 have it unless
// they are told otherwise: columns weigh 1, 2, 1, rows 1, 1, and what lies outside is the nearest pixel inside.
//
// Straight colors come from premultiplied ones without a rounding between: sums of channels are divided by sums of alpha, so
// that what is invisible weighs nothing. What is invisible itself is black.
//
// All in integers: the same planes on every machine. In C so that a debug build is not slow.

#include "CImageCodecs.h"

#include <stdlib.h>
#include <string.h>

/// Coefficients in units of 1 / 2^20 of a level of 8 bits, which is 1 / 2^18 of one of 10 bits.
typedef struct coefficients {
    int32_t red, green, blue;
} coefficients;

// Gray has no chroma, and white is white: the middle one is what the other two leave.
enum {
    LUMA_ALL = 900542,
    LUMA_RED = 191455,
    LUMA_BLUE = 65019,
    CHROMA = 460551,
    CB_RED = -105533,
    CR_BLUE = -42230,
};

static const coefficients luma = {LUMA_RED, LUMA_ALL - LUMA_RED - LUMA_BLUE, LUMA_BLUE};
static const coefficients blueness = {CB_RED, -(CHROMA + CB_RED), CHROMA};
static const coefficients redness = {CHROMA, -(CHROMA + CR_BLUE), CR_BLUE};

static inline int32_t weighted(coefficients c, int32_t red, int32_t green, int32_t blue) {
    return c.red * red + c.green * green + c.blue * blue;
}

/// round(value / 2^shift); halves go up.
static inline int32_t rounded(int64_t value, int shift) {
    return (int32_t)((value + ((int64_t)1 << (shift - 1))) >> shift);
}

/// round(value * 255 / (alpha * 2^shift)), alpha above 0.
static inline int32_t straight(int64_t value, int64_t alpha, int shift) {
    int64_t numerator = value * 510 + (alpha << shift), denominator = alpha << (shift + 1);
    int64_t quotient = numerator / denominator;
    return (int32_t)(quotient - (numerator % denominator < 0));
}

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

#if defined(__x86_64__)
// Twice as fast where the processor has it; integers, so the same planes.
__attribute__((target_clones("avx2", "default")))
#endif
bool codec_yuv420(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint8_t *planes, bool *is_opaque
) {
    size_t padded = (size_t)width + 2, chroma_width = ((size_t)width + 1) / 2, chroma_height = ((size_t)height + 1) / 2;
    uint16_t *sums = malloc(padded * 3 * sizeof *sums);
    if (sums == NULL) return false;
    uint16_t *restrict red = sums + 1, *restrict green = red + padded, *restrict blue = green + padded;
    uint8_t *cb = planes + (size_t)width * height, *cr = cb + chroma_width * chroma_height;
    unsigned all = 0xFF;
    for (size_t row = 0; row < height; row += 2) {
        bool has_second = row + 1 < height;
        const uint8_t *restrict first = bgra + row * bytes_per_row;
        const uint8_t *restrict second = has_second ? first + bytes_per_row : first;
        uint8_t *restrict first_luma = planes + row * width;
        uint8_t *restrict second_luma = has_second ? first_luma + width : first_luma;
        for (size_t x = 0; x < width; x++) {
            int32_t b = first[x * 4], g = first[x * 4 + 1], r = first[x * 4 + 2];
            int32_t under_b = second[x * 4], under_g = second[x * 4 + 1], under_r = second[x * 4 + 2];
            all &= first[x * 4 + 3] & second[x * 4 + 3];
            first_luma[x] = (uint8_t)(16 + ((weighted(luma, r, g, b) + (1 << 19)) >> 20));
            second_luma[x] = (uint8_t)(16 + ((weighted(luma, under_r, under_g, under_b) + (1 << 19)) >> 20));
            blue[x] = (uint16_t)(b + under_b);
            green[x] = (uint16_t)(g + under_g);
            red[x] = (uint16_t)(r + under_r);
        }
        for (int channel = 0; channel < 3; channel++) {
            uint16_t *sum = red + channel * padded;
            sum[-1] = sum[0];
            sum[width] = sum[width - 1];
        }
        for (size_t x = 0; x < chroma_width; x++) {
            size_t at = x * 2;
            int32_t r = red[(ptrdiff_t)at - 1] + 2 * red[at] + red[at + 1];
            int32_t g = green[(ptrdiff_t)at - 1] + 2 * green[at] + green[at + 1];
            int32_t b = blue[(ptrdiff_t)at - 1] + 2 * blue[at] + blue[at + 1];
            cb[x] = (uint8_t)(128 + ((weighted(blueness, r, g, b) + (1 << 22)) >> 23));
            cr[x] = (uint8_t)(128 + ((weighted(redness, r, g, b) + (1 << 22)) >> 23));
        }
        cb += chroma_width;
        cr += chroma_width;
    }
    free(sums);
    *is_opaque = all == 0xFF;
    return true;
}

typedef struct sum {
    int32_t red, green, blue, alpha;
} sum;

/// Adds a pixel `weight` times; a channel above its alpha counts as equal to it.
static inline void add(sum *sum, const uint8_t *pixel, int32_t weight) {
    int32_t alpha = pixel[3];
    sum->blue += weight * least(pixel[0], alpha);
    sum->green += weight * least(pixel[1], alpha);
    sum->red += weight * least(pixel[2], alpha);
    sum->alpha += weight * alpha;
}

static inline int32_t straight_sum(coefficients c, sum sum, int shift) {
    if (sum.alpha == 0) return 0;
    return straight(weighted(c, sum.red, sum.green, sum.blue), sum.alpha, shift);
}

bool codec_yuva420(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint8_t *planes, bool *is_opaque
) {
    // Most pictures are opaque: then this is the fast conversion and a plane of 255.
    if (!codec_yuv420(bgra, bytes_per_row, width, height, planes, is_opaque)) return false;
    size_t chroma_width = ((size_t)width + 1) / 2, chroma_height = ((size_t)height + 1) / 2;
    uint8_t *cb = planes + (size_t)width * height, *cr = cb + chroma_width * chroma_height;
    uint8_t *alphas = cr + chroma_width * chroma_height;
    for (size_t row = 0; row < height; row++) {
        const uint8_t *pixel = bgra + row * bytes_per_row;
        for (size_t x = 0; x < width; x++, pixel += 4) {
            alphas[row * width + x] = pixel[3];
            if (pixel[3] == 255) continue;
            sum one = {0};
            add(&one, pixel, 1);
            planes[row * width + x] = (uint8_t)(16 + straight_sum(luma, one, 20));
        }
    }
    if (*is_opaque) return true;
    for (size_t y = 0; y < chroma_height; y++) {
        const uint8_t *rows[2] = {bgra + y * 2 * bytes_per_row, NULL};
        rows[1] = y * 2 + 1 < height ? rows[0] + bytes_per_row : rows[0];
        for (size_t x = 0; x < chroma_width; x++) {
            size_t middle = x * 2, left = middle > 0 ? middle - 1 : 0;
            size_t right = middle + 1 < width ? middle + 1 : middle;
            sum all = {0};
            for (int row = 0; row < 2; row++) {
                add(&all, rows[row] + left * 4, 1);
                add(&all, rows[row] + middle * 4, 2);
                add(&all, rows[row] + right * 4, 1);
            }
            cb[y * chroma_width + x] = (uint8_t)(128 + straight_sum(blueness, all, 20));
            cr[y * chroma_width + x] = (uint8_t)(128 + straight_sum(redness, all, 20));
        }
    }
    return true;
}

void codec_yuva444_10(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint16_t *planes, bool *is_opaque
) {
    size_t area = (size_t)width * height;
    uint16_t *cb = planes + area, *cr = cb + area, *alphas = cr + area;
    unsigned all = 0xFF;
    for (size_t row = 0; row < height; row++) {
        const uint8_t *pixel = bgra + row * bytes_per_row;
        for (size_t at = row * width; at < (row + 1) * width; at++, pixel += 4) {
            all &= pixel[3];
            if (pixel[3] == 255) {
                planes[at] = (uint16_t)(64 + rounded(weighted(luma, pixel[2], pixel[1], pixel[0]), 18));
                cb[at] = (uint16_t)(512 + rounded(weighted(blueness, pixel[2], pixel[1], pixel[0]), 18));
                cr[at] = (uint16_t)(512 + rounded(weighted(redness, pixel[2], pixel[1], pixel[0]), 18));
            } else {
                sum one = {0};
                add(&one, pixel, 1);
                planes[at] = (uint16_t)(64 + straight_sum(luma, one, 18));
                cb[at] = (uint16_t)(512 + straight_sum(blueness, one, 18));
                cr[at] = (uint16_t)(512 + straight_sum(redness, one, 18));
            }
            // Its upper bits again below: 8 bits of it, cut off or rounded, are the level.
            alphas[at] = (uint16_t)(pixel[3] << 2 | pixel[3] >> 6);
        }
    }
    *is_opaque = all == 0xFF;
}

bool codec_changed_part(
    const uint8_t *before, size_t before_row, const uint8_t *after, size_t after_row, uint32_t width, uint32_t height,
    uint32_t part[4]
) {
    size_t row_bytes = (size_t)width * 4;
    uint32_t top = 0, bottom = height;
    while (top < height && memcmp(before + top * before_row, after + top * after_row, row_bytes) == 0) top++;
    if (top == height) return false;
    while (memcmp(before + (bottom - 1) * before_row, after + (bottom - 1) * after_row, row_bytes) == 0) bottom--;
    uint32_t left = width, right = 0;
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *old = before + y * before_row, *new = after + y * after_row;
        uint32_t x = 0;
        while (x < left && memcmp(old + x * 4, new + x * 4, 4) == 0) x++;
        left = x;
        x = width;
        while (x > right && memcmp(old + (x - 1) * 4, new + (x - 1) * 4, 4) == 0) x--;
        right = x;
    }
    part[0] = left;
    part[1] = top;
    part[2] = right - left;
    part[3] = bottom - top;
    return true;
}
