// Corners of rectangles. Compiled with a #version line and, by program, some of
//   IMAGE      an image is sampled at uv
//   PROJECTED  the image's coordinates are divided by q in each pixel
//   COVERAGE   a coverage tile is sampled at st
//   TINT       the colour multiplies
//   SWAPPED    targets and textures hold blue in the red channel
// On llvmpipe the order of the outputs matters: the image's coordinates come first, and the coverage tile's are
// centroid so that they are not packed into the same slot. Without multisampling, centroid changes no value.

layout(location = 0) in vec2 position;
layout(location = 1) in vec3 image;
layout(location = 2) in vec2 tile;
layout(location = 3) in vec4 color;

// Pixels of the target to clip space: factor, then offset. Row 0 stays row 0.
uniform vec4 toClip;
// The part of the source's texture that the plan's 0…1 means.
uniform vec2 imageScale;

#ifdef IMAGE
#ifdef PROJECTED
out vec3 uv;
#else
out vec2 uv;
#endif
#endif
#ifdef COVERAGE
centroid out vec2 st;
#endif
#ifdef TINT
out vec4 tint;
#endif

void main() {
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
#ifdef TINT
#ifdef SWAPPED
    tint = color.bgra;
#else
    tint = color;
#endif
#endif
    gl_Position = vec4(position * toClip.xy + toClip.zw, 0.0, 1.0);
}
