#include "CShaders.h"

// C23, which clang has in every mode and names an extension before that.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char rectangle_vertex[] = {
#embed "rectangle.vert"
    , 0};

static const char rectangle_fragment[] = {
#embed "rectangle.frag"
    , 0};

static const char effect_fragment[] = {
#embed "effect.frag"
    , 0};

const char *shader_rectangle_vertex(void) {
    return rectangle_vertex;
}

const char *shader_rectangle_fragment(void) {
    return rectangle_fragment;
}

const char *shader_effect_fragment(void) {
    return effect_fragment;
}
