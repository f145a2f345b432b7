"""Small PNG files: pictures with 256 colours, and animations of them (APNG) that store only what changes."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import Page

Pixels = NDArray[np.uint8]  # height x width x 3
Indices = NDArray[np.uint8]  # height x width, each the number of a colour
COLOURS = 256
# The browser decodes a picture: its pixels as RGBA, in base64.
DECODE = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const bytes = context.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""


async def pixels_of(page: Page, png: bytes) -> Pixels:
    """The pixels of a PNG file, decoded by this page."""
    width, height, text = await page.evaluate(DECODE, base64.b64encode(png).decode())
    rgba = np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)
    return rgba[:, :, :3]


def _codes(pixels: Pixels) -> NDArray[np.int64]:
    """Each pixel as one number, with 5, 6 and 5 bits of its colours."""
    red, green, blue = (pixels[..., at].astype(np.int64) for at in range(3))
    return (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3


def _palette(pictures: list[Pixels]) -> tuple[Pixels, Indices]:
    """The colours that suit these pictures best (median cut), and the number of the colour for each code."""
    flat = np.concatenate([picture.reshape(-1, 3) for picture in pictures])
    codes, inverse, counts = np.unique(_codes(flat), return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(inverse, flat[:, at]) / counts for at in range(3)], axis=1)
    boxes = [np.arange(len(codes))]
    while len(boxes) < COLOURS:
        weights = [np.ptp(means[box], axis=0).max() * np.sqrt(counts[box].sum()) for box in boxes]
        if not max(weights):
            break
        box = boxes.pop(int(np.argmax(weights)))
        box = box[np.argsort(means[box][:, int(np.argmax(np.ptp(means[box], axis=0)))])]
        share = np.cumsum(counts[box])
        cut = min(len(box) - 1, max(1, int(np.searchsorted(share, share[-1] / 2))))
        boxes += [box[:cut], box[cut:]]
    colours = np.zeros((len(boxes), 3), np.uint8)
    numbers = np.zeros(1 << 16, np.uint8)
    for number, box in enumerate(boxes):
        colours[number] = np.average(means[box], axis=0, weights=counts[box]).round()
        numbers[codes[box]] = number
    return colours, numbers


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _packed(picture: Indices) -> bytes:
    """The rows of a picture, compressed, each without a filter."""
    rows = np.zeros((picture.shape[0], picture.shape[1] + 1), np.uint8)
    rows[:, 1:] = picture
    return zlib.compress(rows.tobytes(), 9)


def _head(picture: Indices, colours: Pixels) -> bytes:
    height, width = picture.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"PLTE", colours.tobytes())


def small(pixels: Pixels) -> bytes:
    """A PNG file of this picture with 256 colours."""
    colours, numbers = _palette([pixels])
    picture = numbers[_codes(pixels)]
    return _head(picture, colours) + _chunk(b"IDAT", _packed(picture)) + _chunk(b"IEND", b"")


def animated(frames: list[Pixels], frame_ms: int, rest_ms: int = 1500) -> bytes:
    """An APNG file of these frames, again and again; the last one stays for longer."""
    colours, numbers = _palette(frames)
    pictures = [numbers[_codes(frame)] for frame in frames]
    shown: list[tuple[int, int, int, Indices]] = []  # milliseconds, x, y, what changes there
    for picture, before in zip(pictures, [None, *pictures[:-1]], strict=True):
        changed = np.ones_like(picture, bool) if before is None else picture != before
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not len(rows):
            ms, *rest = shown[-1]
            shown[-1] = (ms + frame_ms, *rest)  # type: ignore[assignment]
            continue
        top, left = int(rows[0]), int(columns[0])
        shown.append((frame_ms, left, top, picture[top : rows[-1] + 1, left : columns[-1] + 1]))
    ms, *rest = shown[-1]
    shown[-1] = (ms + rest_ms, *rest)  # type: ignore[assignment]
    file = _head(pictures[0], colours) + _chunk(b"acTL", struct.pack(">II", len(shown), 0))
    number = 0
    for at, (lasts, x, y, part) in enumerate(shown):
        control = struct.pack(">IIIIIHHBB", number, part.shape[1], part.shape[0], x, y, lasts, 1000, 0, 0)
        file += _chunk(b"fcTL", control)
        number += 1
        packed = _packed(part)
        if at == 0:
            file += _chunk(b"IDAT", packed)
        else:
            file += _chunk(b"fdAT", struct.pack(">I", number) + packed)
            number += 1
    return file + _chunk(b"IEND", b"")
