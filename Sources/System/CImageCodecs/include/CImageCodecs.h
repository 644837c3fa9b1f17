// Plain functions over libpng, libjpeg-turbo and libwebp. The two former report errors with longjmp, which must not
// cross a Swift frame: everything that can jump stays inside one function of this target.
//
// Every decoder writes straight (not premultiplied) RGBA, 8 bits a channel, rows from the top without padding. No
// function allocates pixels: the caller looks at the size that a probe found, judges it, and brings the memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODEC_MESSAGE_CAPACITY 200

/// No codec accepts a picture with a longer side, whatever its caller allows.
#define CODEC_MAXIMUM_SIDE 16384

/// A JPEG with more scans than this is refused: each scan may cost as much as the whole picture.
#define CODEC_MAXIMUM_JPEG_SCANS 100

/// What a codec found.
typedef struct codec_report {
    /// Pixels.
    uint32_t width;
    uint32_t height;
    /// The file carries an ICC profile that is not known to be sRGB.
    bool has_color_profile;
    /// The file carries a gamma that is not sRGB's.
    bool has_foreign_gamma;
    /// The file carries several pictures; the first is decoded.
    bool is_animated;
    /// The codec complained about something it could pass over; `message` says what.
    bool has_complaint;
    /// The error where a function returned false, else the complaint; ends with a zero.
    char message[CODEC_MESSAGE_CAPACITY];
} codec_report;

// A probe reads the size from the header. A decoder fills width * height * 4 bytes, for the size the probe found, and
// returns false for a file that is damaged, cut off or of another size. After false the memory's content means nothing.

bool codec_png_probe(const uint8_t *bytes, size_t count, codec_report *report);
bool codec_png_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report);

bool codec_jpeg_probe(const uint8_t *bytes, size_t count, codec_report *report);
bool codec_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report);

bool codec_webp_probe(const uint8_t *bytes, size_t count, codec_report *report);
bool codec_webp_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report);

/// Writes row `row` of the picture, width * 4 bytes of straight RGBA.
typedef void (*codec_row_source)(void *context, uint32_t row, uint8_t *rgba);

/// Encodes an RGBA PNG with filter SUB and an sRGB chunk. `level` is zlib's, 0...9. On success `*bytes` is the file,
/// `*count` long, to be freed with free(); on failure it is null and the report has the message.
bool codec_png_encode(
    uint32_t width, uint32_t height, int level, codec_row_source source, void *context, uint8_t **bytes, size_t *count,
    codec_report *report);

/// The checksum of a PNG chunk: of its name and data.
uint32_t codec_crc32(const uint8_t *bytes, size_t count);

/// Straight RGBA to premultiplied BGRA in place, each channel round(c * alpha / 255). Returns whether every alpha is 255.
bool codec_premultiply(uint8_t *pixels, size_t pixel_count);

/// Premultiplied BGRA to straight RGBA, each channel round(c * 255 / alpha), at most 255, and 0 where alpha is 0.
void codec_unpremultiply(const uint8_t *bgra, uint8_t *rgba, size_t pixel_count);

/// Whether the fourth byte of every pixel is 255.
bool codec_is_opaque(const uint8_t *pixels, size_t pixel_count);

// Planes for video encoders, one behind the other without padding: yuv.c has the formulas. `bgra` is premultiplied. Chroma of
// 4:2:0 is (width + 1) / 2 by (height + 1) / 2. `is_opaque`: every alpha is 255.

/// Y, Cb, Cr, 4:2:0, 8 bits, over black: false without memory.
bool codec_yuv420(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint8_t *planes, bool *is_opaque);
/// Y, Cb, Cr, alpha, 4:2:0, 8 bits, straight: false without memory.
bool codec_yuva420(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint8_t *planes, bool *is_opaque);
/// Y, Cb, Cr, alpha, 4:4:4, 10 bits in two bytes of this machine's order, straight.
void codec_yuva444_10(
    const uint8_t *bgra, size_t bytes_per_row, uint32_t width, uint32_t height, uint16_t *planes, bool *is_opaque);

/// The smallest rectangle that holds every pixel in which two pictures differ, as x, y, width, height: false where there is
/// none.
bool codec_changed_part(
    const uint8_t *before, size_t before_row, const uint8_t *after, size_t after_row, uint32_t width, uint32_t height,
    uint32_t part[4]);
