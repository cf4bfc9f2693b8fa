/** The page beside the text on which the board is drawn. */

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign);

/** Neither scripts nor anything from elsewhere: the picture is an image, and inert. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** A page with a picture, or with why there is none. */
export function page(title: string, svg: string | undefined, fault: string): string {
  const picture =
    svg === undefined
      ? ""
      : `<img alt="${escaped(title)}" src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`;
  const said = fault === "" ? "" : `<pre role="alert">${escaped(fault)}</pre>`;
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}</title>
<style>body { margin: 0; padding: 8px; } img { width: 100%; } pre { white-space: pre-wrap; }</style>
</head><body>${said}${picture}</body></html>
`;
}
