// EGL, OpenGL ES 3.0 and GBM through one table of function pointers, filled at run time.
//
// Nothing links these libraries, so commands that draw nothing work where no driver is installed, and the others can
// say what is missing. The headers below give types and numbers; their prototypes are switched off, so that calling GL
// past the table does not compile.
#pragma once

#include <stdbool.h>

#define EGL_EGL_PROTOTYPES 0
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>

struct gbm_device;

// Each row: the function's name and the type that its header gives it. The rows make the table's fields and the code
// that fills them.

/// From libEGL.so.1.
#define GRAPHICS_EGL_ENTRIES(ENTRY)                          \
    ENTRY(eglBindAPI, PFNEGLBINDAPIPROC)                     \
    ENTRY(eglChooseConfig, PFNEGLCHOOSECONFIGPROC)           \
    ENTRY(eglCreateContext, PFNEGLCREATECONTEXTPROC)         \
    ENTRY(eglCreatePbufferSurface, PFNEGLCREATEPBUFFERSURFACEPROC) \
    ENTRY(eglDestroyContext, PFNEGLDESTROYCONTEXTPROC)       \
    ENTRY(eglDestroySurface, PFNEGLDESTROYSURFACEPROC)       \
    ENTRY(eglGetCurrentContext, PFNEGLGETCURRENTCONTEXTPROC) \
    ENTRY(eglGetError, PFNEGLGETERRORPROC)                   \
    ENTRY(eglGetProcAddress, PFNEGLGETPROCADDRESSPROC)       \
    ENTRY(eglInitialize, PFNEGLINITIALIZEPROC)               \
    ENTRY(eglMakeCurrent, PFNEGLMAKECURRENTPROC)             \
    ENTRY(eglQueryString, PFNEGLQUERYSTRINGPROC)

/// From libGLESv2.so.2.
#define GRAPHICS_GL_ENTRIES(ENTRY)                                     \
    ENTRY(glActiveTexture, PFNGLACTIVETEXTUREPROC)                     \
    ENTRY(glAttachShader, PFNGLATTACHSHADERPROC)                       \
    ENTRY(glBindBuffer, PFNGLBINDBUFFERPROC)                           \
    ENTRY(glBindFramebuffer, PFNGLBINDFRAMEBUFFERPROC)                 \
    ENTRY(glBindSampler, PFNGLBINDSAMPLERPROC)                         \
    ENTRY(glBindTexture, PFNGLBINDTEXTUREPROC)                         \
    ENTRY(glBindVertexArray, PFNGLBINDVERTEXARRAYPROC)                 \
    ENTRY(glBlendFunc, PFNGLBLENDFUNCPROC)                             \
    ENTRY(glBlitFramebuffer, PFNGLBLITFRAMEBUFFERPROC)                 \
    ENTRY(glBufferData, PFNGLBUFFERDATAPROC)                           \
    ENTRY(glCheckFramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC)   \
    ENTRY(glClear, PFNGLCLEARPROC)                                     \
    ENTRY(glClearColor, PFNGLCLEARCOLORPROC)                           \
    ENTRY(glClientWaitSync, PFNGLCLIENTWAITSYNCPROC)                   \
    ENTRY(glCompileShader, PFNGLCOMPILESHADERPROC)                     \
    ENTRY(glCreateProgram, PFNGLCREATEPROGRAMPROC)                     \
    ENTRY(glCreateShader, PFNGLCREATESHADERPROC)                       \
    ENTRY(glDeleteBuffers, PFNGLDELETEBUFFERSPROC)                     \
    ENTRY(glDeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC)           \
    ENTRY(glDeleteProgram, PFNGLDELETEPROGRAMPROC)                     \
    ENTRY(glDeleteSamplers, PFNGLDELETESAMPLERSPROC)                   \
    ENTRY(glDeleteShader, PFNGLDELETESHADERPROC)                       \
    ENTRY(glDeleteSync, PFNGLDELETESYNCPROC)                           \
    ENTRY(glDeleteTextures, PFNGLDELETETEXTURESPROC)                   \
    ENTRY(glDeleteVertexArrays, PFNGLDELETEVERTEXARRAYSPROC)           \
    ENTRY(glDetachShader, PFNGLDETACHSHADERPROC)                       \
    ENTRY(glDisable, PFNGLDISABLEPROC)                                 \
    ENTRY(glDrawArrays, PFNGLDRAWARRAYSPROC)                           \
    ENTRY(glEnable, PFNGLENABLEPROC)                                   \
    ENTRY(glEnableVertexAttribArray, PFNGLENABLEVERTEXATTRIBARRAYPROC) \
    ENTRY(glFenceSync, PFNGLFENCESYNCPROC)                             \
    ENTRY(glFinish, PFNGLFINISHPROC)                                   \
    ENTRY(glFramebufferTexture2D, PFNGLFRAMEBUFFERTEXTURE2DPROC)       \
    ENTRY(glGenBuffers, PFNGLGENBUFFERSPROC)                           \
    ENTRY(glGenFramebuffers, PFNGLGENFRAMEBUFFERSPROC)                 \
    ENTRY(glGenSamplers, PFNGLGENSAMPLERSPROC)                         \
    ENTRY(glGenTextures, PFNGLGENTEXTURESPROC)                         \
    ENTRY(glGenVertexArrays, PFNGLGENVERTEXARRAYSPROC)                 \
    ENTRY(glGenerateMipmap, PFNGLGENERATEMIPMAPPROC)                   \
    ENTRY(glGetError, PFNGLGETERRORPROC)                               \
    ENTRY(glGetIntegerv, PFNGLGETINTEGERVPROC)                         \
    ENTRY(glGetProgramInfoLog, PFNGLGETPROGRAMINFOLOGPROC)             \
    ENTRY(glGetProgramiv, PFNGLGETPROGRAMIVPROC)                       \
    ENTRY(glGetShaderInfoLog, PFNGLGETSHADERINFOLOGPROC)               \
    ENTRY(glGetShaderiv, PFNGLGETSHADERIVPROC)                         \
    ENTRY(glGetString, PFNGLGETSTRINGPROC)                             \
    ENTRY(glGetStringi, PFNGLGETSTRINGIPROC)                           \
    ENTRY(glGetUniformLocation, PFNGLGETUNIFORMLOCATIONPROC)           \
    ENTRY(glInvalidateFramebuffer, PFNGLINVALIDATEFRAMEBUFFERPROC)     \
    ENTRY(glLinkProgram, PFNGLLINKPROGRAMPROC)                         \
    ENTRY(glPixelStorei, PFNGLPIXELSTOREIPROC)                         \
    ENTRY(glReadPixels, PFNGLREADPIXELSPROC)                           \
    ENTRY(glSamplerParameteri, PFNGLSAMPLERPARAMETERIPROC)             \
    ENTRY(glScissor, PFNGLSCISSORPROC)                                 \
    ENTRY(glShaderSource, PFNGLSHADERSOURCEPROC)                       \
    ENTRY(glTexImage2D, PFNGLTEXIMAGE2DPROC)                           \
    ENTRY(glTexParameteri, PFNGLTEXPARAMETERIPROC)                     \
    ENTRY(glTexSubImage2D, PFNGLTEXSUBIMAGE2DPROC)                     \
    ENTRY(glUniform1f, PFNGLUNIFORM1FPROC)                             \
    ENTRY(glUniform1fv, PFNGLUNIFORM1FVPROC)                           \
    ENTRY(glUniform1i, PFNGLUNIFORM1IPROC)                             \
    ENTRY(glUniform2f, PFNGLUNIFORM2FPROC)                             \
    ENTRY(glUniform2i, PFNGLUNIFORM2IPROC)                             \
    ENTRY(glUniform4f, PFNGLUNIFORM4FPROC)                             \
    ENTRY(glUniform4fv, PFNGLUNIFORM4FVPROC)                           \
    ENTRY(glUniform4i, PFNGLUNIFORM4IPROC)                             \
    ENTRY(glUseProgram, PFNGLUSEPROGRAMPROC)                           \
    ENTRY(glVertexAttribPointer, PFNGLVERTEXATTRIBPOINTERPROC)         \
    ENTRY(glViewport, PFNGLVIEWPORTPROC)

/// Extensions, from eglGetProcAddress. A pointer that is there proves nothing: ask for the extension's name as well.
#define GRAPHICS_EXTENSION_ENTRIES(ENTRY)                                \
    ENTRY(eglGetPlatformDisplayEXT, PFNEGLGETPLATFORMDISPLAYEXTPROC)     \
    ENTRY(eglQueryDevicesEXT, PFNEGLQUERYDEVICESEXTPROC)                 \
    ENTRY(eglQueryDeviceStringEXT, PFNEGLQUERYDEVICESTRINGEXTPROC)       \
    ENTRY(glDebugMessageCallbackKHR, PFNGLDEBUGMESSAGECALLBACKKHRPROC)   \
    ENTRY(glObjectLabelKHR, PFNGLOBJECTLABELKHRPROC)                     \
    ENTRY(glPushDebugGroupKHR, PFNGLPUSHDEBUGGROUPKHRPROC)               \
    ENTRY(glPopDebugGroupKHR, PFNGLPOPDEBUGGROUPKHRPROC)                 \
    ENTRY(glGenQueriesEXT, PFNGLGENQUERIESEXTPROC)                       \
    ENTRY(glDeleteQueriesEXT, PFNGLDELETEQUERIESEXTPROC)                 \
    ENTRY(glBeginQueryEXT, PFNGLBEGINQUERYEXTPROC)                       \
    ENTRY(glEndQueryEXT, PFNGLENDQUERYEXTPROC)                           \
    ENTRY(glGetQueryObjectui64vEXT, PFNGLGETQUERYOBJECTUI64VEXTPROC)     \
    ENTRY(glGetGraphicsResetStatusKHR, PFNGLGETGRAPHICSRESETSTATUSKHRPROC) \
    ENTRY(glGetGraphicsResetStatusEXT, PFNGLGETGRAPHICSRESETSTATUSEXTPROC)

/// Every entry point the project calls. A field has the name of its function.
typedef struct GraphicsTable {
#define GRAPHICS_REQUIRED(name, type) type _Nonnull name;
#define GRAPHICS_OPTIONAL(name, type) type _Nullable name;
    GRAPHICS_EGL_ENTRIES(GRAPHICS_REQUIRED)
    GRAPHICS_GL_ENTRIES(GRAPHICS_REQUIRED)
    GRAPHICS_EXTENSION_ENTRIES(GRAPHICS_OPTIONAL)
#undef GRAPHICS_REQUIRED
#undef GRAPHICS_OPTIONAL
    /// From libgbm.so.1; null where that library is missing.
    struct gbm_device *_Nullable (*_Nullable gbm_create_device)(int descriptor);
    void (*_Nullable gbm_device_destroy)(struct gbm_device *_Nonnull device);
} GraphicsTable;

/// Where the libraries are. Names without a slash are searched for as the dynamic linker does.
typedef struct GraphicsLibraryNames {
    const char *_Nonnull egl;
    const char *_Nonnull gles;
    const char *_Nonnull gbm;
} GraphicsLibraryNames;

/// Why a table could not be filled.
typedef struct GraphicsLoadFailure {
    /// The library that did not open, or that lacks the symbol: one of the names given.
    const char *_Nullable library;
    /// Null where the library itself is missing.
    const char *_Nullable symbol;
    /// The Debian package that brings the library.
    const char *_Nullable package;
    /// The dynamic linker's own words; may be empty.
    char detail[256];
} GraphicsLoadFailure;

/// Opens the libraries and fills the table. They stay open for the life of the process.
///
/// Returns false, with `failure` filled, where a required library or symbol is missing; the table is then unusable. A
/// missing libgbm is no failure.
bool graphics_load(
    GraphicsLibraryNames names, GraphicsTable *_Nonnull table, GraphicsLoadFailure *_Nonnull failure);

/// The names of Mesa and of every vendor: libEGL.so.1, libGLESv2.so.2, libgbm.so.1.
GraphicsLibraryNames graphics_default_names(void);
