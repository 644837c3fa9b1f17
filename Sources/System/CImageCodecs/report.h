// Shared by the codecs of this target.
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "CImageCodecs.h"

__attribute__((format(printf, 2, 3)))
static inline bool codec_fail(codec_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
    return false;
}

/// Keeps the first complaint; a file can cause thousands.
static inline void codec_complain(codec_report *report, const char *message) {
    if (report->has_complaint) return;
    report->has_complaint = true;
    snprintf(report->message, sizeof report->message, "%s", message);
}

static inline bool codec_check_size(codec_report *report, uint32_t width, uint32_t height) {
    if (width == 0 || height == 0) return codec_fail(report, "the picture is empty: %u x %u pixels", width, height);
    if (width > CODEC_MAXIMUM_SIDE || height > CODEC_MAXIMUM_SIDE) {
        return codec_fail(
            report, "%u x %u pixels is too large; a side may have %d", width, height, CODEC_MAXIMUM_SIDE);
    }
    return true;
}

static inline bool codec_check_memory(codec_report *report, size_t rgba_count) {
    if ((size_t)report->width * report->height * 4 == rgba_count) return true;
    return codec_fail(
        report, "the picture is %u x %u pixels, which is not what its header said", report->width, report->height);
}
