export const texts = {
  "you": "Du"
};
