export const texts = {
  "Five table games, live in the browser, with friends or with bots.": "Fünf Tischspiele, live im Browser, mit Freunden oder mit Bots.",
  "Cheeseboard needs JavaScript. Please turn it on and reload the page.": "Cheeseboard braucht JavaScript. Bitte schalte es ein und lade die Seite neu."
};
