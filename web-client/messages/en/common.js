export const texts = {
  "you": "You"
};
