// Pixels of rectangles: a product of at most an image, a coverage tile and a colour, all premultiplied. Compiled with the
// same words as rectangle.vert, and
//   LEVEL_BIAS the image has mipmaps, and the batch says how far to lean to the smaller ones
// Only texture reads and products, and highp samplers: anything else takes llvmpipe off its fast road.

precision highp float;
precision highp sampler2D;

uniform sampler2D imageTexture;
uniform sampler2D coverageTexture;
uniform float levelBias;

#ifdef TINT
AT(0) in vec4 tint;
#endif
#ifdef IMAGE
#ifdef PROJECTED
AT(1) in vec3 uv;
#define PLACE uv.xy / uv.z
#else
AT(1) in vec2 uv;
#define PLACE uv
#endif
#ifdef LEVEL_BIAS
#define PIXEL texture(imageTexture, PLACE, levelBias)
#else
#define PIXEL texture(imageTexture, PLACE)
#endif
#endif
#ifdef COVERAGE
AT(2) in vec2 st;
#endif

layout(location = 0) out vec4 fragment;

void main() {
#if defined(IMAGE) && defined(COVERAGE)
    fragment = PIXEL * texture(coverageTexture, st) * tint;
#elif defined(IMAGE) && defined(TINT)
    fragment = PIXEL * tint;
#elif defined(IMAGE)
    fragment = PIXEL;
#else
    fragment = tint;
#endif
}
