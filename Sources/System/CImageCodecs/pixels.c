#include "CImageCodecs.h"

// Here rather than in Swift so that a debug build of an app loads its pictures at full speed.

bool codec_premultiply(uint8_t *pixels, size_t pixel_count) {
    unsigned all = 0xFF;
    for (uint8_t *pixel = pixels, *end = pixels + pixel_count * 4; pixel != end; pixel += 4) {
        unsigned red = pixel[0], green = pixel[1], blue = pixel[2], alpha = pixel[3];
        all &= alpha;
        // 255 is odd, so no product lies halfway between two quotients: adding 127 rounds exactly.
        pixel[0] = (uint8_t)((blue * alpha + 127) / 255);
        pixel[1] = (uint8_t)((green * alpha + 127) / 255);
        pixel[2] = (uint8_t)((red * alpha + 127) / 255);
    }
    return all == 0xFF;
}

static uint8_t divided(unsigned channel, unsigned alpha) {
    unsigned quotient = (channel * 255 + alpha / 2) / alpha;
    return (uint8_t)(quotient > 255 ? 255 : quotient);
}

void codec_unpremultiply(const uint8_t *bgra, uint8_t *rgba, size_t pixel_count) {
    for (const uint8_t *end = bgra + pixel_count * 4; bgra != end; bgra += 4, rgba += 4) {
        unsigned alpha = bgra[3];
        rgba[0] = alpha == 0 ? 0 : divided(bgra[2], alpha);
        rgba[1] = alpha == 0 ? 0 : divided(bgra[1], alpha);
        rgba[2] = alpha == 0 ? 0 : divided(bgra[0], alpha);
        rgba[3] = (uint8_t)alpha;
    }
}

bool codec_is_opaque(const uint8_t *pixels, size_t pixel_count) {
    unsigned all = 0xFF;
    for (size_t i = 0; i < pixel_count; i++) all &= pixels[i * 4 + 3];
    return all == 0xFF;
}
