/** A replay file from this computer: shown like any other replay, and not kept by the server (P63). */

import { request } from "./net.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const MAX_PACKED = 11_900; // bytes that fit into one message
const { decode } = globalThis.MessagePack;

async function through(bytes, transformer) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transformer)).arrayBuffer());
}

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The playback of a file from a viewpoint. */
export async function filePlayback(file, view) {
  const packed = await through(await file.arrayBuffer(), new CompressionStream("deflate"));
  if (packed.length > MAX_PACKED) throw new Error(t("too_large"));
  const { playback } = await request("view_file", { packed: toBase64(packed), view });
  return decode(await through(fromBase64(playback), new DecompressionStream("gzip")));
}
