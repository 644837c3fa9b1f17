#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "report.h"

// What libjpeg may hold at once, bytes. A progressive file keeps every coefficient; beyond this it is refused.
#define WORKING_MEMORY_MAXIMUM (1L << 30)

typedef struct jpeg_reading {
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct decompress;
    jmp_buf escape;
    codec_report *report;
} jpeg_reading;

static jpeg_reading *reading_of(j_common_ptr common) { return common->client_data; }

static void stop_with_message(j_common_ptr common) {
    char message[JMSG_LENGTH_MAX];
    common->err->format_message(common, message);
    codec_fail(reading_of(common)->report, "%s", message);
    longjmp(reading_of(common)->escape, 1);
}

/// libjpeg calls damage a warning and paints gray. Here only what leaves every pixel as the file means it passes.
static void weigh_message(j_common_ptr common, int level) {
    if (level >= 0) return;
    switch (common->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA: {
        char message[JMSG_LENGTH_MAX];
        common->err->format_message(common, message);
        codec_complain(reading_of(common)->report, message);
        return;
    }
    default:
        stop_with_message(common);
    }
}

static void print_nothing(j_common_ptr common) { (void)common; }

static void count_scans(j_common_ptr common) {
    jpeg_reading *reading = reading_of(common);
    if (reading->decompress.input_scan_number <= CODEC_MAXIMUM_JPEG_SCANS) return;
    codec_fail(reading->report, "more than %d scans", CODEC_MAXIMUM_JPEG_SCANS);
    longjmp(reading->escape, 1);
}

/// Everything up to the first row. Jumps to `escape` on an error.
static void read_header(jpeg_reading *reading, const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct *decompress = &reading->decompress;
    jpeg_create_decompress(decompress);
    decompress->mem->max_memory_to_use = WORKING_MEMORY_MAXIMUM;
    decompress->progress = &reading->progress;
    jpeg_mem_src(decompress, bytes, count);
    jpeg_save_markers(decompress, JPEG_APP0 + 2, 16);
    jpeg_read_header(decompress, TRUE);
    reading->report->width = decompress->image_width;
    reading->report->height = decompress->image_height;
    for (jpeg_saved_marker_ptr marker = decompress->marker_list; marker != NULL; marker = marker->next) {
        if (marker->data_length >= 12 && memcmp(marker->data, "ICC_PROFILE", 12) == 0) {
            reading->report->has_color_profile = true;
        }
    }
}

static uint8_t product(unsigned a, unsigned b) { return (uint8_t)((a * b + 127) / 255); }

/// CMYK to RGB in place, without a profile: a channel is (1 - ink)(1 - black). Files that Adobe's programs write, which
/// is nearly all, hold the inks inverted, so there the bytes are the factors already.
static void convert_inks(uint8_t *row, uint32_t width, bool inverted) {
    uint8_t flip = inverted ? 0 : 0xFF;
    for (uint32_t x = 0; x < width; x++, row += 4) {
        unsigned light = row[3] ^ flip;
        row[0] = product(row[0] ^ flip, light);
        row[1] = product(row[1] ^ flip, light);
        row[2] = product(row[2] ^ flip, light);
        row[3] = 0xFF;
    }
}

static bool probe(jpeg_reading *reading, const uint8_t *bytes, size_t count) {
    if (setjmp(reading->escape)) return false;
    read_header(reading, bytes, count);
    return codec_check_size(reading->report, reading->report->width, reading->report->height);
}

static bool decode(jpeg_reading *reading, const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count) {
    struct jpeg_decompress_struct *decompress = &reading->decompress;
    if (setjmp(reading->escape)) return false;
    read_header(reading, bytes, count);
    if (!codec_check_size(reading->report, reading->report->width, reading->report->height)) return false;
    if (!codec_check_memory(reading->report, rgba_count)) return false;

    bool is_ink = decompress->jpeg_color_space == JCS_CMYK || decompress->jpeg_color_space == JCS_YCCK;
    decompress->out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(decompress);
    if (decompress->output_width != reading->report->width || decompress->output_height != reading->report->height
        || decompress->output_components != 4) {
        return codec_fail(reading->report, "its pixel format has no way to RGBA");
    }
    size_t row_bytes = (size_t)decompress->output_width * 4;
    while (decompress->output_scanline < decompress->output_height) {
        JSAMPROW row = rgba + decompress->output_scanline * row_bytes;
        if (jpeg_read_scanlines(decompress, &row, 1) != 1) {
            return codec_fail(reading->report, "the file ends in the middle of the picture");
        }
        if (is_ink) convert_inks(row, decompress->output_width, decompress->saw_Adobe_marker);
    }
    jpeg_finish_decompress(decompress);
    return true;
}

static bool with_reader(
    const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report, bool is_probe
) {
    memset(report, 0, sizeof *report);
    if (count == 0) return codec_fail(report, "the file is empty");
    jpeg_reading reading;
    memset(&reading, 0, sizeof reading);
    reading.report = report;
    reading.decompress.err = jpeg_std_error(&reading.errors);
    reading.decompress.client_data = &reading;
    reading.errors.error_exit = stop_with_message;
    reading.errors.emit_message = weigh_message;
    reading.errors.output_message = print_nothing;
    reading.progress.progress_monitor = count_scans;
    bool done =
        is_probe ? probe(&reading, bytes, count) : decode(&reading, bytes, count, rgba, rgba_count);
    jpeg_destroy_decompress(&reading.decompress);
    return done;
}

bool codec_jpeg_probe(const uint8_t *bytes, size_t count, codec_report *report) {
    return with_reader(bytes, count, NULL, 0, report, true);
}

bool codec_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report) {
    return with_reader(bytes, count, rgba, rgba_count, report, false);
}
