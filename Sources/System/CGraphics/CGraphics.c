#include "CGraphics.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef void (*Function)(void);

GraphicsLibraryNames graphics_default_names(void) {
    return (GraphicsLibraryNames){.egl = "libEGL.so.1", .gles = "libGLESv2.so.2", .gbm = "libgbm.so.1"};
}

static bool fail(GraphicsLoadFailure *failure, const char *library, const char *symbol, const char *package) {
    const char *words = dlerror();
    failure->library = library;
    failure->symbol = symbol;
    failure->package = package;
    snprintf(failure->detail, sizeof failure->detail, "%s", words ? words : "");
    return false;
}

static Function find(void *library, const char *name) {
    return (Function)dlsym(library, name);
}

bool graphics_load(GraphicsLibraryNames names, GraphicsTable *table, GraphicsLoadFailure *failure) {
    memset(table, 0, sizeof *table);
    memset(failure, 0, sizeof *failure);
    dlerror();

    // RTLD_LAZY: drivers bind thousands of symbols, few of which a frame needs.
    void *egl = dlopen(names.egl, RTLD_LAZY | RTLD_LOCAL);
    if (!egl) return fail(failure, names.egl, NULL, "libegl1");
    void *gles = dlopen(names.gles, RTLD_LAZY | RTLD_LOCAL);
    if (!gles) return fail(failure, names.gles, NULL, "libgles2");

#define ENTRY(name, type)                                                          \
    if (!(*(Function *)&table->name = find(egl, #name))) return fail(failure, names.egl, #name, "libegl1");
    GRAPHICS_EGL_ENTRIES(ENTRY)
#undef ENTRY

#define ENTRY(name, type)                                                          \
    if (!(*(Function *)&table->name = find(gles, #name))) return fail(failure, names.gles, #name, "libgles2");
    GRAPHICS_GL_ENTRIES(ENTRY)
#undef ENTRY

#define ENTRY(name, type) table->name = (type)table->eglGetProcAddress(#name);
    GRAPHICS_EXTENSION_ENTRIES(ENTRY)
#undef ENTRY

    void *gbm = dlopen(names.gbm, RTLD_LAZY | RTLD_LOCAL);
    if (gbm) {
        *(Function *)&table->gbm_create_device = find(gbm, "gbm_create_device");
        *(Function *)&table->gbm_device_destroy = find(gbm, "gbm_device_destroy");
    }
    return true;
}
