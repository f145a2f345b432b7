export const texts = {
  "you": "You",
  "you_inside": "you"
};
