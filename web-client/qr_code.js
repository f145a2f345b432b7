/** QR codes. This module is loaded when somebody first wants to see one. */

import encodeQR from "qr";

/** The dark squares of the QR code of a text as an SVG path, and the number of squares on a side. */
export function qrCode(text) {
  const rows = encodeQR(text, "raw", { ecc: "medium" });
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: squares.join("") };
}
