// Pixels of rectangles: a product of at most an image, a coverage tile, a mask and a color, all premultiplied. Compiled
// with the same words as rectangle.vert, and
//   BILINEAR   the image's four nearest pixels are weighed here, exactly: samplers weigh in steps of 1/256, and llvmpipe's
//              cuts off besides, which together can be three levels
//   LEVEL_BIAS the image has mipmaps, and the batch says how far to lean to the smaller ones; with BILINEAR both levels and
//              the step between them are weighed here
//   ALPHA      the image's alpha stands for all its channels
//   SEAM       the tile times the color's alpha is the share of the pixel that is left at a seam; how much of the image
//              that takes depends on the image's own alpha. The color's green, in relation to its alpha, says how much of
//              it
//   MASKED     the alpha of another surface, pixel for pixel, multiplies
//   MODE       the pixel is what the mode of this number makes of the backdrop, another surface, and the product; with
//              MODE_... for every mode's number
//   SHAPED     with MODE: the mask is no factor but says where the mode acts although nothing is drawn; the tile says how much
//              of all that counts
//   REPLACE    the pixel is between the backdrop and the image, as coverage, mask and the color's alpha say
// Without the last four there are only texture reads and products, and highp samplers: anything else takes llvmpipe off its
// fast road.

#if defined(MODE) || defined(REPLACE)
#define BACKDROP
#endif

precision highp float;
precision highp int;
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
#define IMAGE_PIXEL trilinear(PLACE)
#elif defined(BILINEAR)
#define IMAGE_PIXEL bilinear(PLACE, 0)
#elif defined(LEVEL_BIAS)
#define IMAGE_PIXEL texture(imageTexture, PLACE, levelBias)
#else
#define IMAGE_PIXEL texture(imageTexture, PLACE)
#endif
#ifdef ALPHA
#define PIXEL IMAGE_PIXEL.aaaa
#else
#define PIXEL IMAGE_PIXEL
#endif
#endif
#ifdef COVERAGE
AT(2) in vec2 st;
#endif
#ifdef MASKED
uniform sampler2D maskTexture;
// Offset from the target's pixel to the mask's; size of the mask.
uniform ivec4 maskPlace;
#endif
#ifdef BACKDROP
uniform sampler2D backdropTexture;
uniform ivec4 backdropPlace;
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

#if defined(MASKED) || defined(BACKDROP)
// The pixel of another surface under this one; nothing outside it.
vec4 under(sampler2D surface, ivec4 place) {
    ivec2 pixel = ivec2(gl_FragCoord.xy) + place.xy;
    ivec2 inside = clamp(pixel, ivec2(0), place.zw - 1);
    return pixel == inside ? texelFetch(surface, inside, 0) : vec4(0.0);
}
#endif

#ifdef MODE
// What the modes make of a backdrop b and a source s. Formulas: semantic reference, 6.15.

#ifdef SWAPPED
const vec3 luminanceShares = vec3(0.11, 0.59, 0.3);
#else
const vec3 luminanceShares = vec3(0.3, 0.59, 0.11);
#endif

float least(vec3 color) { return min(color.r, min(color.g, color.b)); }
float most(vec3 color) { return max(color.r, max(color.g, color.b)); }
float luminance(vec3 color) { return dot(color, luminanceShares); }

vec3 withLuminance(vec3 color, float light) {
    color += light - luminance(color);
    float low = least(color);
    float high = most(color);
    if (low < 0.0) color = light + (color - light) * light / (light - low);
    if (high > 1.0) color = light + (color - light) * (1.0 - light) / (high - light);
    return color;
}

vec3 withSaturation(vec3 color, float saturation) {
    float low = least(color);
    float range = most(color) - low;
    return range > 0.0 ? (color - low) * saturation / range : vec3(0.0);
}

float saturation(vec3 color) { return most(color) - least(color); }

float hardLight(float b, float s) { return s <= 0.5 ? 2.0 * b * s : b + (2.0 * s - 1.0) * (1.0 - b); }

float colorDodge(float b, float s) { return b <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : min(1.0, b / (1.0 - s)); }

float colorBurn(float b, float s) { return b >= 1.0 ? 1.0 : s <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - b) / s); }

// Nothing by nothing is nothing.
float divide(float b, float s) { return b <= 0.0 ? 0.0 : s <= 0.0 ? 1.0 : min(1.0, b / s); }

float softLight(float b, float s) {
    if (s <= 0.5) return b - (1.0 - 2.0 * s) * b * (1.0 - b);
    float d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : sqrt(b);
    return b + (2.0 * s - 1.0) * (d - b);
}

float pinLight(float b, float s) { return s <= 0.5 ? min(b, 2.0 * s) : max(b, 2.0 * s - 1.0); }

#define EACH(f) vec3(f(b.r, s.r), f(b.g, s.g), f(b.b, s.b))

// The blend function, of straight colors.
vec3 blended(vec3 b, vec3 s) {
    switch (MODE) {
        case MODE_multiply: return b * s;
        case MODE_screen: return b + s - b * s;
        case MODE_overlay: return vec3(hardLight(s.r, b.r), hardLight(s.g, b.g), hardLight(s.b, b.b));
        case MODE_darken: return min(b, s);
        case MODE_lighten: return max(b, s);
        case MODE_colorDodge: return EACH(colorDodge);
        case MODE_colorBurn: return EACH(colorBurn);
        case MODE_softLight: return EACH(softLight);
        case MODE_hardLight: return EACH(hardLight);
        case MODE_difference: return abs(b - s);
        case MODE_exclusion: return b + s - 2.0 * b * s;
        case MODE_linearBurn: return max(vec3(0.0), b + s - 1.0);
        case MODE_linearDodge: return min(vec3(1.0), b + s);
        case MODE_linearLight: return clamp(b + 2.0 * s - 1.0, 0.0, 1.0);
        case MODE_pinLight: return EACH(pinLight);
        case MODE_subtract: return max(vec3(0.0), b - s);
        case MODE_divide: return EACH(divide);
        case MODE_hue: return withLuminance(withSaturation(s, saturation(b)), luminance(b));
        case MODE_saturation: return withLuminance(withSaturation(b, saturation(s)), luminance(b));
        case MODE_color: return withLuminance(s, luminance(b));
        case MODE_luminosity: return withLuminance(b, luminance(s));
        default: return s;
    }
}

vec3 straight(vec4 color) { return color.a > 0.0 ? min(color.rgb / color.a, vec3(1.0)) : vec3(0.0); }

// Premultiplied, as both are.
vec4 composited(vec4 b, vec4 s) {
    switch (MODE) {
        case MODE_normal: return s + b * (1.0 - s.a);
        case MODE_copy: return s;
        case MODE_clear: return vec4(0.0);
        case MODE_destination: return b;
        case MODE_destinationOver: return b + s * (1.0 - b.a);
        case MODE_sourceIn: return s * b.a;
        case MODE_destinationIn: return b * s.a;
        case MODE_sourceOut: return s * (1.0 - b.a);
        case MODE_destinationOut: return b * (1.0 - s.a);
        case MODE_sourceAtop: return s * b.a + b * (1.0 - s.a);
        case MODE_destinationAtop: return b * s.a + s * (1.0 - b.a);
        case MODE_xor: return s * (1.0 - b.a) + b * (1.0 - s.a);
        case MODE_plusLighter: return min(vec4(1.0), s + b);
        case MODE_plusDarker: {
            float alpha = min(1.0, s.a + b.a);
            return vec4(max(vec3(0.0), alpha - (s.a - s.rgb) - (b.a - b.rgb)), alpha);
        }
        default: {
            vec3 both = blended(straight(b), straight(s));
            return vec4(
                s.rgb * (1.0 - b.a) + b.rgb * (1.0 - s.a) + s.a * b.a * both, s.a + b.a - s.a * b.a);
        }
    }
}
#endif

void main() {
#if defined(MASKED) || defined(BACKDROP)
#ifdef IMAGE
    vec4 pixel = PIXEL;
#else
    vec4 pixel = vec4(1.0);
#endif
    vec4 share = tint;
#if defined(COVERAGE) && defined(SHAPED)
    float covered = texture(coverageTexture, st).a;
#elif defined(COVERAGE)
    share *= texture(coverageTexture, st);
#elif defined(SHAPED)
    const float covered = 1.0;
#endif
#if defined(MASKED) && !defined(SHAPED)
    share *= under(maskTexture, maskPlace).a;
#endif
#if defined(SHAPED)
    vec4 below = under(backdropTexture, backdropPlace);
    vec4 drawn = pixel * share;
    float part = max(under(maskTexture, maskPlace).a, drawn.a);
    vec4 result = part > 0.0 ? composited(below, min(drawn / part, vec4(1.0))) : below;
    fragment = mix(below, result, part * covered);
#elif defined(MODE)
    fragment = composited(under(backdropTexture, backdropPlace), pixel * share);
#elif defined(REPLACE)
    fragment = mix(under(backdropTexture, backdropPlace), pixel, share.a);
#else
    fragment = pixel * share;
#endif
#elif defined(SEAM)
    // The rest of the pixel was, or will be, covered by the same image: of what reaches this depth, (1 - share) times the
    // image's alpha is taken there. A share is at least 1/255, or nothing.
    vec4 pixel = PIXEL;
    float share = texture(coverageTexture, st).a * tint.a;
    float part = tint.a > 0.0 ? tint.g / tint.a : 0.0;
    fragment = pixel * (share * part / max(1.0 - (1.0 - share) * pixel.a, 0.001));
#elif defined(COVERAGE)
    fragment = PIXEL * texture(coverageTexture, st) * tint;
#elif defined(IMAGE) && defined(TINT)
    fragment = PIXEL * tint;
#elif defined(IMAGE)
    fragment = PIXEL;
#else
    fragment = tint;
#endif
}
