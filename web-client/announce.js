/** Tells screen readers what is new, in one live region outside of the page that is drawn anew. */

let region = null;

/** Say a text when the screen reader has finished what it is saying. To say a text twice, say "" in between. */
export function announce(text) {
  if (!region) {
    region = document.createElement("p");
    region.className = "sr";
    region.id = "announcements";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = text;
}
