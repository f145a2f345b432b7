/** A sheet over the page: rules, settings, explanations, chat on a phone. Escape or its cross closes it. */

import { html, signal, useEffect, useRef } from "./html.js";
import { icons } from "./icons.js";
import { AskName } from "./name.js";
import { hints, motion, named, sound, theme } from "./settings.js";

export const sheet = signal(null); // {title, body: () => vnode, kind}

export const openSheet = (title, body, kind = "") => (sheet.value = { title, body, kind });
export const closeSheet = () => (sheet.value = null);

export function Sheet() {
  const box = useRef(null);
  const shown = sheet.value;
  useEffect(() => {
    if (shown && box.current && !box.current.open) box.current.showModal();
  }, [shown]);
  if (!shown) return null;
  const close = () => box.current.close(); // gives the focus back, then says so
  const outside = (event) => event.target === box.current && close();
  return html`<dialog class=${`sheet ${shown.kind}`} ref=${box} aria-label=${shown.title} onClose=${closeSheet} onClick=${outside}>
    <div class="sheet-in">
      <header><h2>${shown.title}</h2><button class="icon" aria-label="Close" onClick=${close}>${icons.close()}</button></header>
      <div class="sheet-body" tabindex="0">${shown.body()}</div>
    </div>
  </dialog>`;
}

function Choose({ label, value, choices }) {
  return html`<div class="setting" role="group" aria-label=${label}>
    <span>${label}</span>
    <span class="segments">
      ${choices.map(
        ([choice, text]) =>
          html`<button key=${text} aria-pressed=${value.value === choice} onClick=${() => (value.value = choice)}>${text}</button>`,
      )}
    </span>
  </div>`;
}

const ON_OFF = [
  [true, "on"],
  [false, "off"],
];

export function Settings() {
  return html`<div class="settings">
    ${named.value ? html`<${AskName} always />` : null}
    <${Choose} label="Colours" value=${theme} choices=${[["auto", "as the system"], ["light", "light"], ["dark", "dark"]]} />
    <${Choose} label="Motion" value=${motion} choices=${[["auto", "as the system"], ["on", "on"], ["off", "off"]]} />
    <${Choose} label="Sound" value=${sound} choices=${ON_OFF} />
    <${Choose} label="Hints in a first game" value=${hints} choices=${ON_OFF} />
    <p class="quiet">Keys: <kbd>?</kbd> rules, <kbd>w</kbd> what can I do, <kbd>c</kbd> chat, <kbd>Esc</kbd> closes.</p>
  </div>`;
}
export const openSettings = () => openSheet("Settings", () => html`<${Settings} />`);
