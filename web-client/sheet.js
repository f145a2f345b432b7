/** A dialog over the page: rules, settings, explanations, chat on a phone. Escape or its cross closes it. */

import { html, useEffect, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { AskName } from "./name.js";
import { closeSheet, openSheet, sheet } from "./opened_sheet.js";
import { Pictures } from "./picture.js";
import { Privacy } from "./privacy.js";
import { hearsWatchers, hints, motion, namedWatcher, nameChosen, notify, sound, theme, vibrate } from "./settings.js";
import { allowNotifications } from "./turn.js";
import { texts } from "./messages/en/page.js";
import { language, translator } from "./messages.js";

const t = translator(texts);
const LANGUAGES = { en: "English", de: "Deutsch" }; // each by its own name

export { closeSheet, openSheet, sheet };

export function Sheet() {
  const box = useRef(null);
  const shown = sheet.value;
  useEffect(() => {
    if (!shown || !box.current) return;
    if (!box.current.open) box.current.showModal();
    else if (!box.current.contains(document.activeElement)) box.current.querySelector(".sheet-body").focus(); // the button that led here is gone
  }, [shown]);
  if (!shown) return null;
  const close = () => box.current.close(); // returns the focus, then fires onClose
  const outside = (event) => event.target === box.current && close();
  return html`<dialog class=${`sheet ${shown.kind}`} ref=${box} aria-label=${shown.title} onClose=${closeSheet} onClick=${outside}>
    <div class="sheet-in">
      <header><h2><bdi>${shown.title}</bdi></h2><button class="icon" aria-label=${t("close")} onClick=${close}>${icons.close()}</button></header>
      <div class="sheet-body" tabindex="0">${shown.body()}</div>
    </div>
  </dialog>`;
}

function Setting({ label, value, choices, choose = (choice) => (value.value = choice) }) {
  return html`<div class="setting" role="radiogroup" aria-label=${label}>
    <span>${label}</span>
    <span class="segments">
      ${choices.map(
        ([choice, text]) =>
          html`<button key=${text} role="radio" aria-checked=${value.value === choice} onClick=${() => choose(choice)}>${text}</button>`,
      )}
    </span>
  </div>`;
}

/** Switched on only with the browser's permission, which it asks for at the click. */
function NotifySetting() {
  const [fault, setFault] = useState("");
  const choose = (on) => allowNotifications(on).then(setFault);
  return html`<${Setting} label=${t("notify")} value=${notify} choices=${ON_OFF} choose=${choose} />
    ${fault ? html`<p class="fault" role="alert">${fault}</p>` : null}`;
}

/** The page is loaded again in the chosen language. */
function LanguageSetting() {
  const choose = (event) => {
    document.cookie = `language=${event.target.value}; path=/; max-age=31536000; samesite=lax`;
    location.reload();
  };
  return html`<label class="setting language"><span>${t("language")}</span>
    <select value=${language} onChange=${choose}>${Object.entries(LANGUAGES).map(([code, name]) => html`<option key=${code} value=${code} lang=${code}>${name}</option>`)}</select>
  </label>`;
}

const ON_OFF = [
  [true, t("on")],
  [false, t("off")],
];

export function Settings() {
  return html`<div class="settings">
    ${nameChosen.value ? html`<${AskName} always saves />` : null}
    <${Pictures} />
    <${LanguageSetting} />
    <${Setting} label=${t("colours")} value=${theme} choices=${[["auto", t("same_as_device")], ["light", t("light")], ["dark", t("dark")]]} />
    <${Setting} label=${t("motion")} value=${motion} choices=${[["auto", t("same_as_device")], ["on", t("on")], ["off", t("off")]]} />
    <${Setting} label=${t("sound")} value=${sound} choices=${ON_OFF} />
    <${NotifySetting} />
    ${navigator.vibrate && matchMedia("(pointer: coarse)").matches ? html`<${Setting} label=${t("vibration")} value=${vibrate} choices=${ON_OFF} />` : null}
    <${Setting} label=${t("watcher_name")} value=${namedWatcher} choices=${[[true, t("shown")], [false, t("not_shown")]]} />
    <${Setting} label=${t("crowd")} value=${hearsWatchers} choices=${[[true, t("shown")], [false, t("not_shown")]]} />
    <${Setting} label=${t("hints")} value=${hints} choices=${ON_OFF} />
    <${Privacy} />
    <p class="quiet">${t.rich("keys", { rules: html`<kbd>?</kbd>`, what: html`<kbd>w</kbd>`, chat: html`<kbd>c</kbd>`, esc: html`<kbd>Esc</kbd>` })}</p>
  </div>`;
}
export const openSettings = () => openSheet(t("settings"), () => html`<${Settings} />`);
