// Pixels of rectangles: a product of at most an image, a coverage tile and a colour, all premultiplied. Compiled with the
// same words as rectangle.vert, and
//   BILINEAR   the image's four nearest pixels are weighed here, exactly: samplers weigh in steps of 1/256, and llvmpipe's
//              cuts off besides, which together can be three levels
//   LEVEL_BIAS the image has mipmaps, and the batch says how far to lean to the smaller ones; with BILINEAR both levels and
//              the step between them are weighed here
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
#if defined(BILINEAR) && defined(LEVEL_BIAS)
#define PIXEL trilinear(PLACE)
#elif defined(BILINEAR)
#define PIXEL bilinear(PLACE, 0)
#elif defined(LEVEL_BIAS)
#define PIXEL texture(imageTexture, PLACE, levelBias)
#else
#define PIXEL texture(imageTexture, PLACE)
#endif
#endif
#ifdef COVERAGE
AT(2) in vec2 st;
#endif

layout(location = 0) out vec4 fragment;

#ifdef BILINEAR
vec4 bilinear(vec2 place, int level) {
    // Not textureSize of the level: llvmpipe asks it for one level a group of pixels.
    ivec2 last = max(textureSize(imageTexture, 0) >> level, ivec2(1)) - 1;
    vec2 texel = place * vec2(last + 1) - 0.5;
    vec2 share = fract(texel);
    ivec2 first = ivec2(floor(texel));
    ivec2 near = clamp(first, ivec2(0), last);
    ivec2 far = clamp(first + 1, ivec2(0), last);
    vec4 top = mix(texelFetch(imageTexture, near, level), texelFetch(imageTexture, ivec2(far.x, near.y), level), share.x);
    vec4 bottom = mix(texelFetch(imageTexture, ivec2(near.x, far.y), level), texelFetch(imageTexture, far, level), share.x);
    return mix(top, bottom, share.y);
}
#endif

#if defined(BILINEAR) && defined(LEVEL_BIAS)
// Between the two levels around the one where a pixel is a texel.
vec4 trilinear(vec2 place) {
    vec2 size = vec2(textureSize(imageTexture, 0));
    float texels = max(length(dFdx(place) * size), length(dFdy(place) * size));
    // The smallest level, of one texel; a power of two may come out a rounding error short.
    float last = floor(log2(max(size.x, size.y)) + 0.0001);
    float level = clamp(log2(texels) + levelBias, 0.0, last);
    vec4 larger = bilinear(place, int(level));
    vec4 smaller = bilinear(place, min(int(level) + 1, int(last)));
    return mix(larger, smaller, fract(level));
}
#endif

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
