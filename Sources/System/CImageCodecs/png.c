#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "report.h"

// The widest gap between a file's gamma and sRGB's 1/2.2 that still counts as sRGB, in libpng's 1/100000.
#define GAMMA_TOLERANCE 500

// Memory for one ancillary chunk. The largest one we look at is a color profile.
#define CHUNK_BYTES_MAXIMUM (8 << 20)
#define CHUNK_CACHE_MAXIMUM 64

typedef struct png_reading {
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    png_structp png;
    png_infop info;
    codec_report *report;
} png_reading;

static void reading_error(png_structp png, png_const_charp message) {
    png_reading *reading = png_get_error_ptr(png);
    codec_fail(reading->report, "%s", message);
    png_longjmp(png, 1);
}

static void reading_warning(png_structp png, png_const_charp message) {
    png_reading *reading = png_get_error_ptr(png);
    codec_complain(reading->report, message);
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    png_reading *reading = png_get_io_ptr(png);
    if (count > reading->count - reading->offset) png_error(png, "the file ends in the middle of the picture");
    memcpy(target, reading->bytes + reading->offset, count);
    reading->offset += count;
}

static void note_colors(png_reading *reading) {
    if (png_get_valid(reading->png, reading->info, PNG_INFO_sRGB)) return;
    if (png_get_valid(reading->png, reading->info, PNG_INFO_iCCP)) {
        reading->report->has_color_profile = true;
        return;
    }
    png_fixed_point gamma = 0;
    if (png_get_gAMA_fixed(reading->png, reading->info, &gamma) == 0) return;
    if (abs(gamma - 45455) > GAMMA_TOLERANCE) reading->report->has_foreign_gamma = true;
}

/// Chunks that say nothing about pixels. They are skipped unread, which keeps texts that unpack to gigabytes, and the
/// code that parses them, out of the way.
static const png_byte skipped_chunks[] = "tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0hIST\0tIME\0pCAL\0sCAL\0oFFs\0pHYs\0bKGD\0sBIT";

/// Everything up to the first row. Jumps to png_jmpbuf on an error.
static void read_header(png_reading *reading) {
    png_structp png = reading->png;
    png_set_read_fn(png, reading, read_bytes);
    png_set_user_limits(png, CODEC_MAXIMUM_SIDE, CODEC_MAXIMUM_SIDE);
    png_set_chunk_malloc_max(png, CHUNK_BYTES_MAXIMUM);
    png_set_chunk_cache_max(png, CHUNK_CACHE_MAXIMUM);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, sizeof skipped_chunks / 5);
    png_read_info(png, reading->info);
    reading->report->width = png_get_image_width(png, reading->info);
    reading->report->height = png_get_image_height(png, reading->info);
    note_colors(reading);
}

static bool probe(png_reading *reading) {
    if (setjmp(png_jmpbuf(reading->png))) return false;
    read_header(reading);
    return codec_check_size(reading->report, reading->report->width, reading->report->height);
}

static bool decode(png_reading *reading, uint8_t *rgba, size_t rgba_count) {
    png_structp png = reading->png;
    if (setjmp(png_jmpbuf(png))) return false;
    read_header(reading);
    if (!codec_check_size(reading->report, reading->report->width, reading->report->height)) return false;
    if (!codec_check_memory(reading->report, rgba_count)) return false;

    // Palette and gray to RGB, tRNS to alpha, 16 bits to 8 with rounding. The file's own gamma is not applied.
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, reading->info);
    size_t row_bytes = (size_t)reading->report->width * 4;
    if (png_get_rowbytes(png, reading->info) != row_bytes) {
        return codec_fail(reading->report, "its pixel format has no way to RGBA");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < reading->report->height; row++) {
            png_read_row(png, rgba + row * row_bytes, NULL);
        }
    }
    png_read_end(png, NULL);
    return true;
}

static bool with_reader(
    const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report, bool is_probe
) {
    memset(report, 0, sizeof *report);
    png_reading reading = {.bytes = bytes, .count = count, .report = report};
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, reading_error, reading_warning);
    if (reading.png == NULL) return codec_fail(report, "libpng could not start (another version, or out of memory)");
    reading.info = png_create_info_struct(reading.png);
    bool done = false;
    if (reading.info == NULL) {
        codec_fail(report, "out of memory");
    } else {
        done = is_probe ? probe(&reading) : decode(&reading, rgba, rgba_count);
    }
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    return done;
}

bool codec_png_probe(const uint8_t *bytes, size_t count, codec_report *report) {
    return with_reader(bytes, count, NULL, 0, report, true);
}

bool codec_png_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report) {
    return with_reader(bytes, count, rgba, rgba_count, report, false);
}

// Writing

typedef struct png_writing {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    uint8_t *row;
    png_structp png;
    png_infop info;
    codec_report *report;
} png_writing;

static void writing_error(png_structp png, png_const_charp message) {
    png_writing *writing = png_get_error_ptr(png);
    codec_fail(writing->report, "%s", message);
    png_longjmp(png, 1);
}

static void writing_warning(png_structp png, png_const_charp message) {
    png_writing *writing = png_get_error_ptr(png);
    codec_complain(writing->report, message);
}

static void append_bytes(png_structp png, png_bytep source, size_t count) {
    png_writing *writing = png_get_io_ptr(png);
    if (count > writing->capacity - writing->count) {
        size_t capacity = writing->capacity + writing->capacity / 2 + count + 4096;
        uint8_t *grown = realloc(writing->bytes, capacity);
        if (grown == NULL) png_error(png, "out of memory for the PNG file");
        writing->bytes = grown;
        writing->capacity = capacity;
    }
    memcpy(writing->bytes + writing->count, source, count);
    writing->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static bool encode(
    png_writing *writing, uint32_t width, uint32_t height, int level, codec_row_source source, void *context
) {
    png_structp png = writing->png;
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, writing, append_bytes, flush_nothing);
    png_set_compression_level(png, level);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(
        png, writing->info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, writing->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, writing->info);
    for (uint32_t row = 0; row < height; row++) {
        source(context, row, writing->row);
        png_write_row(png, writing->row);
    }
    png_write_end(png, writing->info);
    return true;
}

bool codec_png_encode(
    uint32_t width, uint32_t height, int level, codec_row_source source, void *context, uint8_t **bytes, size_t *count,
    codec_report *report
) {
    memset(report, 0, sizeof *report);
    *bytes = NULL;
    *count = 0;
    if (!codec_check_size(report, width, height)) return false;
    if (level < 0 || level > 9) return codec_fail(report, "compression level %d; expected 0 to 9", level);

    png_writing writing = {.report = report};
    writing.row = calloc(width, 4);
    if (writing.row == NULL) return codec_fail(report, "out of memory");
    writing.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing, writing_error, writing_warning);
    if (writing.png != NULL) writing.info = png_create_info_struct(writing.png);
    bool done = false;
    if (writing.info == NULL) {
        codec_fail(report, "libpng could not start (another version, or out of memory)");
    } else {
        done = encode(&writing, width, height, level, source, context);
    }
    png_destroy_write_struct(&writing.png, &writing.info);
    free(writing.row);
    if (!done) {
        free(writing.bytes);
        return false;
    }
    *bytes = writing.bytes;
    *count = writing.count;
    return true;
}

uint32_t codec_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }
