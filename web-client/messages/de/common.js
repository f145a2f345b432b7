export const texts = {
  "you": "Du",
  "you_inside": "du"
};
