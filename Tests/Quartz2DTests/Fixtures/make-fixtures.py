#!/usr/bin/env python3
"""Makes the pictures of this folder and expected.txt, the straight RGBA that another decoder (Pillow) sees in them.

Usage: ./make-fixtures.py            (needs `pip install pillow`)

Pillow writes what it can; PNG files it cannot write (16 bits a channel, interlaced, chunks of our choice) are put
together here, and their pixels are known from the formula that made them. A line of expected.txt is
    name width height tolerance RRGGBBAA...
where the tolerance, in levels, allows for other roundings in lossy formats.
"""
import os
import struct
import zlib

from PIL import Image, ImageCms

WIDTH, HEIGHT = 7, 5
os.chdir(os.path.dirname(os.path.abspath(__file__)))
lines = []


def color(x, y):
    """A smooth but asymmetric picture, so that a mirrored or shifted one differs everywhere."""
    return (x * 36, y * 60, 255 - x * 20 - y * 10, 255 if y == 0 else (x * 7 + y * 50) % 256)


def picture(mode):
    image = Image.new("RGBA", (WIDTH, HEIGHT))
    image.putdata([color(x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    return image.convert(mode)


def note(name, pixels, width=WIDTH, height=HEIGHT, tolerance=0):
    lines.append(f"{name} {width} {height} {tolerance} " + "".join("%02x%02x%02x%02x" % tuple(p) for p in pixels))


def save(name, image, tolerance=0, **options):
    image.save(name, **options)
    read = Image.open(name)
    note(name, list(read.convert("RGBA").getdata()), read.width, read.height, tolerance)


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(name, depth, kind, rows, chunks=(), interlaced=False):
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, int(interlaced))
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


everywhere = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]

# PNG through Pillow
save("rgba.png", picture("RGBA"))
save("rgb.png", picture("RGB"))
save("gray.png", picture("L"))
save("gray-alpha.png", picture("LA"))
save("bilevel.png", picture("1"))
save("palette.png", picture("RGB").quantize(9, dither=Image.Dither.NONE))
save("palette-transparent.png", picture("RGB").quantize(9, dither=Image.Dither.NONE), transparency=3)
save("rgb-key-color.png", picture("RGB"), transparency=color(2, 3)[:3])

# PNG by hand: 16 bits, whose low bytes decide the rounding: round(v * 255 / 65535)
deep = {(x, y): tuple((c * 257 + 97 * x + 131 * y) % 65536 for c in color(x, y)) for x, y in everywhere}
rows = b"".join(b"\0" + b"".join(struct.pack(">4H", *deep[x, y]) for x in range(WIDTH)) for y in range(HEIGHT))
png("rgba-16.png", 16, 6, rows)
note("rgba-16.png", [[(2 * v * 255 + 65535) // (2 * 65535) for v in deep[p]] for p in everywhere])
rows = b"".join(b"\0" + b"".join(struct.pack(">H", deep[x, y][0]) for x in range(WIDTH)) for y in range(HEIGHT))
png("gray-16.png", 16, 0, rows)
note("gray-16.png", [[(2 * deep[p][0] * 255 + 65535) // (2 * 65535)] * 3 + [255] for p in everywhere])

# PNG by hand: Adam7
rows = b""
for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
    for y in range(y0, HEIGHT, dy):
        row = b"".join(bytes(color(x, y)) for x in range(x0, WIDTH, dx))
        rows += b"\0" + row if row else b""
png("interlaced.png", 8, 6, rows, interlaced=True)
note("interlaced.png", [color(*p) for p in everywhere])

# PNG by hand: colors that are not sRGB's, whose pixels must come through unchanged
rows = b"".join(b"\0" + b"".join(bytes(color(x, y)) for x in range(WIDTH)) for y in range(HEIGHT))
png("gamma.png", 8, 6, rows, [chunk(b"gAMA", struct.pack(">I", 100000))])
note("gamma.png", [color(*p) for p in everywhere])
png("gamma-srgb.png", 8, 6, rows, [chunk(b"gAMA", struct.pack(">I", 45455)), chunk(b"tEXt", b"Comment\0unread")])
note("gamma-srgb.png", [color(*p) for p in everywhere])
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
png("profile.png", 8, 6, rows, [chunk(b"iCCP", b"any\0\0" + zlib.compress(profile))])
note("profile.png", [color(*p) for p in everywhere])

# JPEG
save("ycc.jpg", picture("RGB"), quality=92, subsampling=0, tolerance=1)
save("ycc-420.jpg", picture("RGB"), quality=92, subsampling=2, tolerance=2)
save("gray.jpg", picture("L"), quality=92, tolerance=1)
save("progressive.jpg", picture("RGB"), quality=92, progressive=True, subsampling=0, tolerance=1)
save("profile.jpg", picture("RGB"), quality=92, subsampling=0, icc_profile=profile, tolerance=1)
turned = Image.Exif()
turned[0x0112] = 6
save("turned.jpg", picture("RGB"), quality=92, subsampling=0, exif=turned, tolerance=1)
save("cmyk-adobe.jpg", picture("CMYK"), quality=95, subsampling=0, tolerance=2)
adobe = open("cmyk-adobe.jpg", "rb").read()
marker = adobe.index(b"\xff\xee\0\x0eAdobe")
with open("ycck-adobe.jpg", "wb") as file:
    file.write(adobe[: marker + 15] + b"\x02" + adobe[marker + 16 :])
note("ycck-adobe.jpg", list(Image.open("ycck-adobe.jpg").convert("RGBA").getdata()), tolerance=2)
# Without Adobe's marker the inks are not inverted. Pillow always inverts, so it is given the inverse to write.
picture("CMYK").point(lambda v: 255 - v).save("cmyk-plain.jpg", quality=95, subsampling=0)
plain = open("cmyk-plain.jpg", "rb").read()
marker = plain.index(b"\xff\xee\0\x0eAdobe")
with open("cmyk-plain.jpg", "wb") as file:
    file.write(plain[:marker] + plain[marker + 16 :])
note("cmyk-plain.jpg", list(Image.open("cmyk-adobe.jpg").convert("RGBA").getdata()), tolerance=3)

# WebP
save("lossless.webp", picture("RGBA"), lossless=True, exact=True)
save("lossy.webp", picture("RGB"), quality=90, tolerance=2)
save("lossy-alpha.webp", picture("RGBA"), quality=90, tolerance=2)
frames = [picture("RGBA"), Image.new("RGBA", (WIDTH, HEIGHT), (1, 2, 3, 255))]
frames[0].save("animated.webp", save_all=True, append_images=frames[1:], lossless=True, exact=True, duration=100)
note("animated.webp", list(Image.open("animated.webp").convert("RGBA").getdata()))

with open("expected.txt", "w") as file:
    file.write("\n".join(lines) + "\n")
