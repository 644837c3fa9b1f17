// Corners of rectangles. Compiled with a #version line and, by program, some of
//   IMAGE      an image is sampled at uv
//   PROJECTED  the image's coordinates are divided by q in each pixel
//   COVERAGE   a coverage tile is sampled at st
//   TINT       the color multiplies
//   SWAPPED    targets and textures hold blue in the red channel
//   AT(n)      gives an output its slot, where the language has that
//
// On llvmpipe the slots matter. Its fast road wants each texture's coordinates in a slot of their own; and in Mesa 22.3 it
// takes the color from the wrong slot when that is slot 1. So: color, image, tile, in this order.

layout(location = 0) in vec2 position;
layout(location = 1) in vec3 image;
layout(location = 2) in vec2 tile;
layout(location = 3) in vec4 color;

// Pixels of the target to clip space: factor, then offset. Row 0 stays row 0.
uniform vec4 toClip;
// The part of the source's texture that the plan's 0…1 means.
uniform vec2 imageScale;

#ifdef TINT
AT(0) out vec4 tint;
#endif
#ifdef IMAGE
#ifdef PROJECTED
AT(1) out vec3 uv;
#else
AT(1) out vec2 uv;
#endif
#endif
#ifdef COVERAGE
AT(2) out vec2 st;
#endif

// Rounds to levels of 255. llvmpipe's fast road computes with bytes, its other one with floats: from a whole level both
// make the same pixel. The little more keeps the fast road, which cuts off, from losing the level.
vec4 toLevels(vec4 value) {
    return min((floor(value * 255.0 + 0.5) + 0.0009765625) / 255.0, vec4(1.0));
}

void main() {
#ifdef TINT
#ifdef SWAPPED
    tint = toLevels(color.bgra);
#else
    tint = toLevels(color);
#endif
#endif
#ifdef IMAGE
#ifdef PROJECTED
    uv = vec3(image.xy * imageScale, image.z);
#else
    uv = image.xy * imageScale;
#endif
#endif
#ifdef COVERAGE
    st = tile;
#endif
    gl_Position = vec4(position * toClip.xy + toClip.zw, 0.0, 1.0);
}
