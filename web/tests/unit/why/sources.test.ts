import { describe, expect, test } from "vitest";

import { partsOf } from "../../../src/why/sources";

const RFC = "https://www.rfc-editor.org/rfc";

describe("sources", () => {
  test.each([
    ["RFC 5681 section 3.1", `${RFC}/rfc5681.html#section-3.1`],
    ["RFC 9438, section 4.6", `${RFC}/rfc9438.html#section-4.6`],
    ["RFC 9438 sections 4.6", `${RFC}/rfc9438.html#section-4.6`],
    ["RFC 8985", `${RFC}/rfc8985.html`],
  ])("links %s", (text, href) => {
    expect(partsOf(`(${text})`)).toEqual([
      { text: "(", href: null },
      { text, href },
      { text: ")", href: null },
    ]);
  });

  test("links each of several", () => {
    const parts = partsOf("RFC 2861 section 3.1; RFC 7661 section 4.4.3");
    expect(parts.map((part) => part.href)).toEqual([
      `${RFC}/rfc2861.html#section-3.1`,
      null,
      `${RFC}/rfc7661.html#section-4.4.3`,
    ]);
  });

  test("leaves papers and kernel files as they are", () => {
    const text = "Fu & Liew 2003; Linux 6 net/ipv4/tcp_bic.c, bictcp_update";
    expect(partsOf(text)).toEqual([{ text, href: null }]);
  });
});
