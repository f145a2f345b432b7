/** "Check this deal": computes the chance of a finished game again in this browser, and says what was found. */

import { commitmentSeen } from "./commitments.js";
import { html, useEffect, useState } from "./html.js";
import { commitmentOf } from "./replay_chance.js";
import { checkDigest, checkDraws, checkSource } from "./replay_draws.js";
import { checkSalts } from "./replay_salts.js";
import { told } from "./told.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(told((await answer.text()).trim()));
  return answer;
}

/** The replay file as a list of objects. */
const rowsOf = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** Check a game, of which `file` may be on this computer. Returns findings: [{ok, text}]; `ok` is null for what could not be checked. */
export async function checkDeal({ id, file, commitment }) {
  const text = await (file ?? (await get(`/replays/${id}.jsonl`))).text();
  const rows = rowsOf(text);
  return [...(await checkCommitment(id, rows[0].seed, commitment, file)), ...checkSalts(rows), ...(await checkDigest(text, rows)), ...checkSource(rows), ...(await checkDraws(rows))];
}

async function checkCommitment(id, seed, commitment, file) {
  const computed = await commitmentOf(seed);
  if (computed !== commitment) return [{ ok: false, text: t("not_committed") }];
  const short = `${computed.slice(0, 16)}…`;
  const seen = commitmentSeen(id);
  if (seen && seen !== computed) return [{ ok: false, text: t("other_seed", { short, seen: seen.slice(0, 16) }) }];
  if (seen) return [{ ok: true, text: t("same_seed", { short }) }];
  return [
    ...(file ? [] : [{ ok: true, text: t("named_seed", { short }) }]),
    { ok: null, text: file ? t("not_seen_file", { short }) : t("not_seen") },
  ];
}

const SIGNS = { true: "✓", false: "✗", null: "–" };

/** Run the check and show what it found. */
export function CheckDeal(game) {
  const [findings, setFindings] = useState(null);
  useEffect(() => {
    const fail = (error) => setFindings([{ ok: null, text: t("not_checked", { reason: error.message }) }]);
    if (!crypto.subtle) fail(new Error(t("only_https")));
    else checkDeal(game).then(setFindings, fail);
  }, [game.id, game.file]);
  if (!findings) return html`<p role="status">${t("drawing")}</p>`;
  return html`<ul class="findings" role="status">
    ${findings.map(({ ok, text }) => html`<li key=${text} class=${ok === false ? "fault" : ""}><span aria-hidden="true">${SIGNS[ok]}</span> ${text}</li>`)}
  </ul>
  <p class="quiet">${t("seed_fixed")} <a href="/docs/replay">${t("how_works")}</a></p>`;
}
