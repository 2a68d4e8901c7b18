import { readFileSync } from "node:fs";

/** Text that cannot end the script element around it. */
export function inScript(text: string): string {
  return text.replaceAll(/<\/(?=script)/gi, "<\\/").replaceAll("<!--", "<\\!--");
}

/** A file of the page's server as an element of the page. */
export function inlined(path: string): string {
  const text = inScript(readFileSync(`public/${path}`, "utf8"));
  return `<script type="application/json" data-path="${path}">${text}</script>`;
}
