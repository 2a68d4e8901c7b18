import { expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";

/** A capture of raw IPv4, made byte by byte: a handshake of 10 ms and `rounds` answered segments. */
function capture(rounds: number): Buffer {
  const frames: Buffer[] = [];
  const add = (
    ms: number,
    out: boolean,
    seq: number,
    ack: number,
    flags: number,
    size: number,
  ) => {
    const packet = Buffer.alloc(40);
    packet.writeUInt16BE(0x4500, 0);
    packet.writeUInt16BE(40 + size, 2);
    packet.writeUInt16BE(0x4006, 8);
    packet.writeUInt32BE(out ? 0x0a000001 : 0x0a000002, 12);
    packet.writeUInt32BE(out ? 0x0a000002 : 0x0a000001, 16);
    packet.writeUInt16BE(out ? 40000 : 80, 20);
    packet.writeUInt16BE(out ? 80 : 40000, 22);
    packet.writeUInt32BE(seq, 24);
    packet.writeUInt32BE(ack, 28);
    packet.writeUInt16BE(0x5000 + flags, 32);
    packet.writeUInt16BE(65535, 34);
    const head = Buffer.alloc(16);
    head.writeUInt32LE(Math.floor(ms / 1000), 0);
    head.writeUInt32LE(Math.round((ms % 1000) * 1000), 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length + size, 12);
    frames.push(head, packet);
  };
  add(0, true, 0, 0, 0x02, 0);
  add(10, false, 0, 1, 0x12, 0);
  add(10, true, 1, 1, 0x10, 0);
  for (let round = 0; round < rounds; round += 1) {
    add(20 + 10 * round, true, 1 + 1000 * round, 1, 0x10, 1000);
    add(30 + 10 * round - 0.001, false, 1, 1001 + 1000 * round, 0x10, 0);
  }
  const header = Buffer.from("d4c3b2a1020004000000000000000000ffff000065000000", "hex");
  return Buffer.concat([header, ...frames]);
}

const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/pcap", buffer });

test.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])("a capture is laid out, $width px, dark: $dark", async (look) => {
  const page = await open("", look);
  await page.getByText(/events/).waitFor();
  await page.setInputFiles("input[type=file]", file("mine.pcap", capture(200)));
  await page.locator("#capture-rate canvas").waitFor();
  const part = page.locator(".part-capture");
  expect(await part.textContent()).toContain("mine.pcap stays in this browser");
  expect(await part.textContent()).toContain("10.0.0.1:40000 sent to 10.0.0.2:80");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close the capture" }).click();
  expect(await part.isVisible()).toBe(false);
});

test("a broken capture is one line", async () => {
  const page = await open();
  await page.getByText(/events/).waitFor();
  await page.setInputFiles(
    "input[type=file]",
    file("broken.pcap", Buffer.from("d4c3b2a1ff", "hex")),
  );
  await page.getByText("broken.pcap: this is no pcap or pcapng capture").waitFor();
  expect(await page.locator(".part-capture").isVisible()).toBe(false);
});

test("another algorithm runs on the path of a capture", async () => {
  const page = await open();
  await page.getByText(/events/).waitFor();
  await page.setInputFiles("input[type=file]", file("mine.pcap", capture(200)));
  await page.getByLabel("Algorithm to try on this path").selectOption("bbr");
  const before = page.url();
  await page.getByRole("button", { name: "Try other algorithms on this path" }).click();
  await page.waitForURL((url) => url.href !== before, { timeout: 60_000 });
  expect(await page.locator(".problem").textContent()).toBe("");
  expect(await page.locator(".part-summary").textContent()).toContain("bbr");
}, 90_000);
