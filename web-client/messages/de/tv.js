export const texts = {
  "now_playing": "Jetzt im Spiel",
  "to_lobby": "Zur Lobby",
  "other_tables": "Andere Tische",
  "full_screen": "Vollbild{key}",
  "loading_table": "Der Tisch wird geladen …",
  "watching": "{count, plural, one {# schaut} other {# schauen}} zu",
  "late": "{late, plural, one {# Zug} other {# Züge}} später",
  "to_table": "Zu diesem Tisch",
  "free": "frei",
  "loading": "Wird geladen …"
};
