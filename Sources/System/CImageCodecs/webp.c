#include <string.h>

#include <webp/decode.h>

#include "report.h"

static const char *reason(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY: return "out of memory";
    case VP8_STATUS_BITSTREAM_ERROR: return "the compressed data is damaged";
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "it uses a feature of WebP that libwebp does not know";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return "the file ends in the middle of the picture";
    default: return "libwebp could not decode it";
    }
}

static bool read_features(
    const uint8_t *bytes, size_t count, WebPBitstreamFeatures *features, codec_report *report
) {
    VP8StatusCode status = WebPGetFeatures(bytes, count, features);
    if (status != VP8_STATUS_OK) return codec_fail(report, "%s", reason(status));
    return codec_check_size(report, (uint32_t)features->width, (uint32_t)features->height);
}

static uint32_t little_endian(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

/// Part of the canvas that an animation's frame covers, and the frame's own compressed data.
typedef struct webp_frame {
    uint32_t x, y, width, height;
    const uint8_t *bytes;
    size_t count;
} webp_frame;

/// The first chunk called `name` in a list of chunks: name (4 bytes), size (4), content, a zero if the size is odd.
static bool find_chunk(
    const uint8_t *bytes, size_t count, const char *name, const uint8_t **content, size_t *content_count
) {
    while (count >= 8) {
        size_t size = little_endian(bytes + 4, 4);
        if (size > count - 8) return false;
        if (memcmp(bytes, name, 4) == 0) {
            *content = bytes + 8;
            *content_count = size;
            return true;
        }
        size_t step = 8 + size + (size & 1);
        if (step >= count) return false;
        bytes += step;
        count -= step;
    }
    return false;
}

/// The first frame of an animated file: "RIFF" size "WEBP", then chunks, of which "ANMF" holds a frame. A frame has 16
/// bytes of header (x/2, y/2, width-1, height-1, duration, each 3 bytes, and flags), then chunks of its own.
static bool find_first_frame(const uint8_t *bytes, size_t count, webp_frame *frame) {
    const uint8_t *content = NULL;
    size_t size = 0;
    if (count < 12 || !find_chunk(bytes + 12, count - 12, "ANMF", &content, &size) || size < 16) return false;
    frame->x = little_endian(content, 3) * 2;
    frame->y = little_endian(content + 3, 3) * 2;
    frame->width = little_endian(content + 6, 3) + 1;
    frame->height = little_endian(content + 9, 3) + 1;
    frame->bytes = content + 16;
    frame->count = size - 16;
    return true;
}

static bool decode_frame(const webp_frame *frame, uint8_t *rgba, size_t rgba_count, codec_report *report) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return codec_fail(report, "libwebp is of another version");
    VP8StatusCode status = WebPGetFeatures(frame->bytes, frame->count, &config.input);
    if (status != VP8_STATUS_OK) return codec_fail(report, "%s", reason(status));
    if ((uint32_t)config.input.width != frame->width || (uint32_t)config.input.height != frame->height
        || frame->x + frame->width > report->width || frame->y + frame->height > report->height) {
        return codec_fail(report, "its first frame does not fit the %u x %u pixels", report->width, report->height);
    }
    size_t row_bytes = (size_t)report->width * 4;
    size_t offset = frame->y * row_bytes + (size_t)frame->x * 4;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba + offset;
    config.output.u.RGBA.stride = (int)row_bytes;
    config.output.u.RGBA.size = rgba_count - offset;
    status = WebPDecode(frame->bytes, frame->count, &config);
    WebPFreeDecBuffer(&config.output);
    if (status != VP8_STATUS_OK) return codec_fail(report, "%s", reason(status));
    return true;
}

static void note_profile(const uint8_t *bytes, size_t count, codec_report *report) {
    const uint8_t *content = NULL;
    size_t size = 0;
    if (count > 12 && find_chunk(bytes + 12, count - 12, "ICCP", &content, &size)) report->has_color_profile = true;
}

bool codec_webp_probe(const uint8_t *bytes, size_t count, codec_report *report) {
    memset(report, 0, sizeof *report);
    // libwebp is content with a file that ends early as long as the first picture is whole.
    if (count < 12 || little_endian(bytes + 4, 4) > count - 8) {
        return codec_fail(report, "%s", reason(VP8_STATUS_NOT_ENOUGH_DATA));
    }
    WebPBitstreamFeatures features;
    if (!read_features(bytes, count, &features, report)) return false;
    report->width = (uint32_t)features.width;
    report->height = (uint32_t)features.height;
    report->is_animated = features.has_animation;
    note_profile(bytes, count, report);
    return true;
}

bool codec_webp_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t rgba_count, codec_report *report) {
    if (!codec_webp_probe(bytes, count, report)) return false;
    if (!codec_check_memory(report, rgba_count)) return false;
    webp_frame frame = {.width = report->width, .height = report->height, .bytes = bytes, .count = count};
    if (report->is_animated) {
        if (!find_first_frame(bytes, count, &frame)) return codec_fail(report, "its first frame is missing");
        memset(rgba, 0, rgba_count);
    }
    return decode_frame(&frame, rgba, rgba_count, report);
}
