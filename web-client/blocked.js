/** The users whom I block. The server keeps the list; blocks hold for every page and device of mine. */

import { signal } from "./html.js";
import { request } from "./net.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

export const blocked = signal(new Map()); // user id -> name; empty until it is loaded

/** Load the list. Pages that show it call this. */
export async function loadBlocked() {
  const answer = await request("blocks");
  blocked.value = new Map(answer.blocked.map((one) => [one.user, one.name ?? t("somebody")]));
}

export async function block(user, name) {
  await request("block", { user, name });
  blocked.value = new Map([...blocked.value, [user, name]]);
}

export async function unblock(user) {
  await request("unblock", { user });
  blocked.value = new Map([...blocked.value].filter(([other]) => other !== user));
}
