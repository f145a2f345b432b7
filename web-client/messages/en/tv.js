export const texts = {
  "now_playing": "Now playing",
  "to_lobby": "To the lobby",
  "other_tables": "Other tables",
  "full_screen": "Full screen{key}",
  "loading_table": "Loading the table…",
  "watching": "{count} watching",
  "late": "{late, plural, one {# move} other {# moves}} late",
  "to_table": "To this table",
  "free": "free",
  "loading": "Loading…"
};
