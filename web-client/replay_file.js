/** A replay file from this computer: the server plays it back like any other replay, and does not keep it. */

import { told } from "./told.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const MAX_PACKED = 256 * 1024; // bytes that the server takes
const { decode } = globalThis.MessagePack;

/** The playback of a file from a viewpoint. */
export async function filePlayback(file, view) {
  const packed = await new Response(file.stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  if (packed.byteLength > MAX_PACKED) throw new Error(t("too_large"));
  const answer = await fetch(`/replays/view?view=${view}`, { method: "POST", body: packed });
  if (!answer.ok) throw new Error(told((await answer.text()).trim()));
  return decode(new Uint8Array(await answer.arrayBuffer()));
}
