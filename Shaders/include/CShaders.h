// The project's GLSL, compiled in. Each source lacks its #version line and the words that choose a program: whoever
// compiles it puts them in front. Null-terminated, valid for the life of the process.
#pragma once

const char *_Nonnull shader_rectangle_vertex(void);
const char *_Nonnull shader_rectangle_fragment(void);
const char *_Nonnull shader_effect_fragment(void);
