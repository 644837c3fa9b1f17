// One step of a filter: each pixel of the target from pixels of a slot. Compiled with rectangle.vert, one word of
//   TAPS        weights along a step, in both directions
//   RESAMPLE    the slot at the place
//   AVERAGE     the mean of a cell of pixels
//   MATRIX      a color matrix on straight colors; nothing stays nothing
//   PREMULTIPLIED  a color matrix on premultiplied colors
//   THRESHOLD   alpha becomes 0 or 1
//   VARIABLE    a Gaussian along a step, as wide as an image says
//   DISC        a Gaussian in both directions, as wide as an image says
//   MEANS       the mean of a square of a grid
//   SQUARES     the square of a grid that the place lies in
//   CUT         what lies in a parallelogram; below it, white in the same shape
//   DIVIDE      a pixel by the alpha of another
//   EXTEND      outside of a parallelogram its nearest place
// and
//   BETWEEN_X, BETWEEN_Y  places lie between pixels across, or down: two are weighed, or four, exactly. Else the pixel that
//               holds the place is read
//   NEAREST     outside the source rectangle its nearest pixel counts
//   NORMALIZED  outside nothing counts, and what is inside is divided by its weight
// Without the last two, outside is transparent.
//
// Pixels are fetched, not sampled: samplers weigh in steps of 1/256, and the edges of the source rectangle are not those
// of the texture.

precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D sourceTexture;
// First and last pixel of the source rectangle.
uniform ivec4 source;
// Center of a target pixel to a place in the slot: factor, then offset.
uniform vec4 toPlace;

layout(location = 0) out vec4 fragment;

vec4 sum = vec4(0.0);
// The weight that fell inside.
float total = 0.0;
#ifdef MEANS
float counted = 0.0;
#endif

void add(ivec2 pixel, float weight) {
    ivec2 inside = clamp(pixel, source.xy, source.zw);
#ifdef NEAREST
    sum += texelFetch(sourceTexture, inside, 0) * weight;
#else
    float counted = pixel == inside ? weight : 0.0;
    sum += texelFetch(sourceTexture, inside, 0) * counted;
#ifdef NORMALIZED
    total += counted;
#endif
#endif
}

#if defined(BETWEEN_X) || defined(BETWEEN_Y)
#define PLACE vec2
void addAt(vec2 place, float weight) {
#ifndef BETWEEN_X
    ivec2 first = ivec2(floor(vec2(place.x, place.y - 0.5)));
    float share = fract(place.y - 0.5);
    add(first, weight * (1.0 - share));
    add(first + ivec2(0, 1), weight * share);
#elif !defined(BETWEEN_Y)
    ivec2 first = ivec2(floor(vec2(place.x - 0.5, place.y)));
    float share = fract(place.x - 0.5);
    add(first, weight * (1.0 - share));
    add(first + ivec2(1, 0), weight * share);
#else
    ivec2 first = ivec2(floor(place - 0.5));
    vec2 share = fract(place - 0.5);
    vec2 left = weight * (1.0 - share.x) * vec2(1.0 - share.y, share.y);
    vec2 right = weight * share.x * vec2(1.0 - share.y, share.y);
    add(first, left.x);
    add(first + ivec2(1, 0), right.x);
    add(first + ivec2(0, 1), left.y);
    add(first + ivec2(1, 1), right.y);
#endif
}
#else
#define PLACE ivec2
void addAt(ivec2 pixel, float weight) { add(pixel, weight); }
#endif

// What was added, by a weight that counts as 1.
vec4 added(float whole) {
#ifdef NORMALIZED
    // Less than a level: what is divided by it is noise.
    return total > whole / 4096.0 ? sum / total : vec4(0.0);
#else
    return sum / whole;
#endif
}

#if defined(MATRIX) || defined(PREMULTIPLIED) || defined(THRESHOLD)
vec4 straight(vec4 color) { return color.a > 0.0 ? vec4(min(color.rgb / color.a, vec3(1.0)), color.a) : vec4(0.0); }
#endif

#if defined(TAPS) || defined(VARIABLE)
uniform PLACE stride;
// How many taps there are to each side. They are added four by four: a loop costs llvmpipe as much as a tap.
uniform int count;
#endif
#ifdef TAPS
uniform float middle;
// From the middle outwards.
uniform vec4 weights[16];
#endif
#ifdef AVERAGE
uniform ivec2 cell;
#endif
#if defined(MATRIX) || defined(PREMULTIPLIED)
// Rows, then what is added.
uniform vec4 matrix[5];
#endif
#ifdef THRESHOLD
// In levels of 255, a little less.
uniform float threshold;
#endif
#if defined(VARIABLE) || defined(DISC) || defined(MEANS) || defined(SQUARES) || defined(CUT) || defined(EXTEND)
// A map of places of the slot: a row each.
uniform vec4 across;
uniform vec4 down;
vec2 mapped(vec2 place) { return vec2(dot(across.xyz, vec3(place, 1.0)), dot(down.xyz, vec3(place, 1.0))); }
#endif
#if defined(MEANS) || defined(EXTEND)
uniform vec4 backX;
uniform vec4 backY;
vec2 back(vec2 place) { return vec2(dot(backX.xyz, vec3(place, 1.0)), dot(backY.xyz, vec3(place, 1.0))); }
#endif
#if defined(MEANS) || defined(SQUARES)
// The square of the first pixel.
uniform ivec2 first;
#endif
#if defined(CUT) || defined(DIVIDE)
// Of CUT: how many, and where the white ones begin. Of DIVIDE: how far down.
uniform ivec2 rows;
#endif
#ifdef EXTEND
uniform vec2 inset;
#endif
#if defined(CUT) || defined(EXTEND)
bool isInside(vec2 unit) { return all(greaterThanEqual(unit, vec2(0.0))) && all(lessThan(unit, vec2(1.0))); }
#endif
#ifdef MEANS
vec4 mean(ivec2 square) {
    vec2 a = back(vec2(square));
    vec2 b = back(vec2(square) + vec2(1.0, 0.0));
    vec2 c = back(vec2(square) + vec2(0.0, 1.0));
    vec2 d = back(vec2(square) + vec2(1.0));
    ivec2 from = ivec2(floor(min(min(a, b), min(c, d)) - 0.5));
    ivec2 to = ivec2(floor(max(max(a, b), max(c, d)) + 0.5));
    for (int y = from.y; y <= to.y; y++) {
        for (int x = from.x; x <= to.x; x++) {
            if (ivec2(floor(mapped(vec2(x, y) + 0.5))) == square) {
                add(ivec2(x, y), 1.0);
                counted += 1.0;
            }
        }
    }
    return sum / max(counted, 1.0);
}
#endif
#ifdef VARIABLE
// The deviation where the image is opaque, steps.
uniform float deviation;
#endif
#ifdef DISC
// Factors of x², 2xy and y² where the image is opaque.
uniform vec4 shape;
uniform ivec2 reach;
#endif
#if defined(VARIABLE) || defined(DISC)
uniform sampler2D widthTexture;

// The image's alpha at a place in the slot.
float widthAt(vec2 place) {
    ivec2 last = textureSize(widthTexture, 0) - 1;
    vec2 texel = mapped(place) * vec2(last + 1) - 0.5;
    vec2 share = fract(texel);
    ivec2 first = ivec2(floor(texel));
    ivec2 near = clamp(first, ivec2(0), last);
    ivec2 far = clamp(first + 1, ivec2(0), last);
    vec2 top = vec2(texelFetch(widthTexture, near, 0).a, texelFetch(widthTexture, ivec2(far.x, near.y), 0).a);
    vec2 bottom = vec2(texelFetch(widthTexture, ivec2(near.x, far.y), 0).a, texelFetch(widthTexture, far, 0).a);
    vec2 column = mix(top, bottom, share.y);
    return mix(column.x, column.y, share.x);
}
#endif

#ifdef AVERAGE
// How many of the cell's pixels count as this one of the source, along an axis.
#ifdef NEAREST
int times(int at, int first, int last, int low, int high) {
    return min(at == high ? last : at, last) - max(at == low ? first : at, first) + 1;
}
#else
int times(int at, int first, int last, int low, int high) { return 1; }
#endif

vec4 average(ivec2 first) {
    ivec2 last = first + cell - 1;
#ifdef NEAREST
    ivec2 from = clamp(first, source.xy, source.zw);
    ivec2 to = clamp(last, source.xy, source.zw);
#else
    ivec2 from = max(first, source.xy);
    ivec2 to = min(last, source.zw);
#endif
    for (int y = from.y; y <= to.y; y++) {
        vec4 row = vec4(0.0);
        for (int x = from.x; x <= to.x; x++) {
            row += texelFetch(sourceTexture, ivec2(x, y), 0) * float(times(x, first.x, last.x, source.x, source.z));
        }
        sum += row * float(times(y, first.y, last.y, source.y, source.w));
    }
#ifdef NORMALIZED
    ivec2 counted = max(to - from + 1, ivec2(0));
#else
    ivec2 counted = cell;
#endif
    return sum / max(float(counted.x) * float(counted.y), 1.0);
}
#endif

void main() {
    vec2 point = gl_FragCoord.xy * toPlace.xy + toPlace.zw;
#if defined(BETWEEN_X) || defined(BETWEEN_Y)
    vec2 place = point;
#else
    ivec2 place = ivec2(floor(point));
#endif
#if defined(TAPS)
    addAt(place, middle);
    for (int block = 0; block < count; block += 4) {
        vec4 four = weights[block / 4];
        PLACE far = stride * PLACE(block);
        for (int tap = 0; tap < 4; tap++) {
            far += stride;
            addAt(place - far, four[tap]);
            addAt(place + far, four[tap]);
        }
    }
    fragment = added(1.0);
#elif defined(AVERAGE)
    fragment = average(place);
#elif defined(MEANS)
    fragment = mean(ivec2(gl_FragCoord.xy) + first);
#elif defined(SQUARES)
    addAt(ivec2(floor(mapped(point))) - first, 1.0);
    fragment = sum;
#elif defined(CUT)
    bool isWhite = int(gl_FragCoord.y) >= rows.y;
    int row = int(gl_FragCoord.y) - (isWhite ? rows.y : 0);
    if (isWhite) point.y -= float(rows.y);
    addAt(ivec2(floor(point)), 1.0);
    fragment = row < rows.x && isInside(mapped(point)) ? (isWhite ? vec4(1.0) : sum) : vec4(0.0);
#elif defined(DIVIDE)
    addAt(place, 1.0);
    float share = texelFetch(sourceTexture, min(place + ivec2(0, rows.x), source.zw), 0).a;
    fragment = share > 0.0 ? min(sum / share, vec4(1.0)) : vec4(0.0);
#elif defined(EXTEND)
    vec2 unit = mapped(point);
    addAt(isInside(unit) ? point : back(clamp(unit, inset, 1.0 - inset)), 1.0);
    fragment = sum;
#elif defined(DISC)
    float size = max(widthAt(point), 0.002);
    float whole = 0.0;
    ivec2 seen = min(reach, ivec2(ceil(vec2(reach) * size)));
    for (int y = -seen.y; y <= seen.y; y++) {
        for (int x = -seen.x; x <= seen.x; x++) {
            vec2 away = vec2(x, y);
            float power = shape.x * away.x * away.x + 2.0 * shape.y * away.x * away.y + shape.z * away.y * away.y;
            float weight = exp(-0.5 * power / (size * size));
            whole += weight;
            addAt(place + ivec2(x, y), weight);
        }
    }
    fragment = added(whole);
#elif defined(VARIABLE)
    // exp(-k²/2σ²) from one k to the next: the factor itself falls by a factor. Below a hundredth of a step nothing but the
    // middle weighs.
    float width = max(deviation * widthAt(point), 0.01);
    float fall = exp(-0.5 / (width * width));
    float falling = fall * fall;
    float weight = 1.0;
    float whole = 1.0;
    addAt(place, weight);
    for (int block = 0; block < count; block += 4) {
        PLACE far = stride * PLACE(block);
        for (int tap = 0; tap < 4; tap++) {
            far += stride;
            weight = block + tap < count ? weight * fall : 0.0;
            fall *= falling;
            whole += 2.0 * weight;
            addAt(place - far, weight);
            addAt(place + far, weight);
        }
    }
    fragment = added(whole);
#else
    addAt(place, 1.0);
    vec4 pixel = added(1.0);
#if defined(MATRIX) || defined(PREMULTIPLIED)
#ifdef MATRIX
    vec4 color = straight(pixel);
#else
    vec4 color = pixel;
#endif
    vec4 mapped = clamp(
        vec4(dot(matrix[0], color), dot(matrix[1], color), dot(matrix[2], color), dot(matrix[3], color)) + matrix[4], 0.0,
        1.0);
#ifdef MATRIX
    fragment = pixel.a > 0.0 ? vec4(mapped.rgb * mapped.a, mapped.a) : vec4(0.0);
#else
    fragment = mapped;
#endif
#elif defined(THRESHOLD)
    fragment = pixel.a * 255.0 >= threshold ? vec4(straight(pixel).rgb, 1.0) : vec4(0.0);
#else
    fragment = pixel;
#endif
#endif
}
