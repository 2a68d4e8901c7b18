import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";
import {
  address,
  CODE,
  following,
  GARBAGE,
  HTML,
  MARK,
  MODULES,
  NAMES,
  raw,
  scenario,
} from "./attacks";
import { openToAttack } from "./harness";
import { drop, pictured, pythonReady, shows } from "./page-steps";

declare global {
  /** What an attack sets. */
  var mark: unknown;
  interface Object {
    mark?: unknown;
  }
}

/** Another host, and the paths that it was asked for. */
async function stranger(): Promise<{ readonly home: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const headers = { "access-control-allow-origin": "*", "content-type": "text/javascript" };
    response.writeHead(200, headers).end("globalThis.mark = 1");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { home: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

/** Everything that the page and its workers write to the console, in a list that grows. */
function console_(page: Page): readonly string[] {
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  page.on("pageerror", (error) => lines.push(String(error)));
  return lines;
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Shows an address that the page must refuse with a sentence. */
async function refused(page: Page, hash: string, sentence: string): Promise<void> {
  // An alert of the address before this one must not count.
  await page.evaluate(() => {
    for (const alert of document.querySelectorAll("[role=alert]")) alert.textContent = "";
  });
  await go(page, hash);
  await page.getByRole("alert").filter({ hasText: sentence }).waitFor({ timeout: 20_000 });
}

/** Marks of attacks: of the page, its prototypes and its workers. */
async function marks(page: Page): Promise<readonly unknown[]> {
  const here = () => [globalThis.mark, ({} as Object).mark, ([] as Object).mark];
  const all = [page.evaluate(here), ...page.workers().map((worker) => worker.evaluate(here))];
  return (await Promise.all(all)).flat().filter((mark) => mark !== undefined && mark !== null);
}

/** Elements that no part of the page makes, and links that would run code. */
function intruders(page: Page): Promise<number> {
  return page
    .locator(
      "img, iframe, object, embed, base, math, [onerror], [onload], a[href^='javascript:' i]",
    )
    .count();
}

/** Enough of the attacks for a browser; tests/unit/foreign.test.ts tries all of them. */
const third = (_: unknown, at: number) => at % 3 === 0;

test("what an address, a file or a message holds is data", async () => {
  // With the headers of docs/playground.md, which must leave the page whole.
  const page = await openToAttack(inject("guardedPage"));
  const lines = console_(page);
  await pictured(page);
  await pythonReady(page);
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
  const editor = page.getByLabel("Scenario as TOML");

  // Modules among the files: none is kept, and what the resolver imports late is its own.
  await go(page, address(scenario("anna"), MODULES));
  await shows(page, ["anna (reno)"]);
  await expect.poll(() => editor.inputValue()).toContain('name = "anna"');

  for (const [name, sentence] of NAMES.filter(third)) {
    await refused(page, address(following(name), { ...MODULES, [name]: "1\n" }), sentence);
  }
  for (const changes of CODE.filter(third)) {
    const hash = address({ ...scenario("eve"), ...changes });
    await refused(page, hash, "a class of your own cannot run in the page");
  }
  for (const [text, sentence] of GARBAGE) await refused(page, raw(text), sentence);
  await refused(page, "#s=javascript:mark=1", "cannot be unpacked");
  await refused(page, "#preset=../../mark", "it names no preset");

  // HTML in all that a scenario may say, as text on the page or within a sentence.
  await go(page, address(scenario("berta", { description: HTML })));
  await shows(page, ["berta (reno)"]);
  await refused(page, address(scenario(HTML)), "is not a name");
  await refused(page, address(scenario("eve", { name: HTML })), "is not a name");
  await refused(page, address(scenario("eve", { [HTML]: 1 })), "unknown key");
  await refused(page, address(scenario("eve", { flows: [{ cc: HTML }] })), "img src=x");
  const trace = `${HTML.replaceAll("/", "")}.trace`;
  await go(page, address(following(trace, "carla"), { [trace]: "1\n2\n3\n" }));
  await shows(page, ["carla (reno)"]);

  // Dropped files.
  await drop(page, `${trace}.up`, "1\n2\n");
  await page.getByText("The bottleneck's rate now follows").waitFor();
  await drop(page, "../../lib/tomli_w.py", "duration = ]");
  await page.getByRole("alert").filter({ hasText: "scenario.toml: line 1" }).waitFor();
  await drop(page, `${HTML}.toml`, "duration = ]");
  await page.getByRole("alert").filter({ hasText: "not valid TOML" }).waitFor();
  await drop(page, "deep.toml", `a = ${"[".repeat(20_000)}`);
  await page.getByRole("alert").filter({ hasText: "nested too deeply" }).waitFor();
  await drop(page, `${HTML}.pcap`, "no capture");
  await page.getByRole("alert").filter({ hasText: "this is no pcap" }).waitFor();

  // Messages from another window.
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate(() => void window.open("about:blank")),
  ]);
  await popup.evaluate(() => {
    for (const message of [
      { source: { folder: "https://evil.example/" } },
      { id: 1, answer: "" },
      "mark=1",
    ]) {
      (opener as Window).postMessage(message, "*");
    }
  });
  await popup.close();

  // The page still does its work, and no attack has left a mark.
  await go(page, address(scenario("dora"), MODULES));
  await shows(page, ["dora (reno)"]);
  await expect.poll(() => editor.inputValue()).toContain('name = "dora"');
  expect(await editor.inputValue()).not.toContain(MARK);
  expect(lines.filter((line) => line.includes(MARK))).toEqual([]);
  expect(await marks(page)).toEqual([]);
  expect(await intruders(page)).toBe(0);
}, 120_000);

/** Ways by which a text could become code, or leave the page, in a page that has let it in. */
async function attackFromWithin(
  page: Page,
  home: string,
  patience: number,
): Promise<readonly string[]> {
  const attack = async ([home, patience]: readonly [string, number]) => {
    const succeeded: string[] = [];
    const attempt = async (name: string, act: () => unknown) => {
      globalThis.mark = undefined;
      try {
        await act();
        const end = performance.now() + patience;
        while (globalThis.mark === undefined && performance.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      } catch {
        // The browser refuses.
      }
      if (globalThis.mark !== undefined) succeeded.push(name);
    };
    const add = (html: string) => {
      const place = document.createElement("div");
      place.innerHTML = html;
      document.body.append(place);
    };
    const script = (set: (made: HTMLScriptElement) => void) => {
      const made = document.createElement("script");
      set(made);
      document.body.append(made);
    };
    // Not within the call of the test's driver, which may evaluate what the page may not.
    await new Promise((resolve) => setTimeout(resolve));
    // biome-ignore lint/security/noGlobalEval: the attack
    await attempt("eval", () => globalThis.eval("globalThis.mark = 1"));
    await attempt("new Function", () => new Function("globalThis.mark = 1")());
    await attempt("timer", () => setTimeout("globalThis.mark = 1" as unknown as () => void));
    await attempt("handler", () => add("<img src=data:, onerror='globalThis.mark = 1'>"));
    await attempt("svg", () =>
      add("<svg><animate onbegin='globalThis.mark = 1' attributeName='x' dur='9s'/></svg>"),
    );
    await attempt("inline script", () =>
      script((made) => {
        made.textContent = "globalThis.mark = 1";
      }),
    );
    await attempt("foreign script", () =>
      script((made) => {
        made.src = `${home}script`;
      }),
    );
    await attempt("data script", () =>
      script((made) => {
        made.src = "data:text/javascript,globalThis.mark = 1";
      }),
    );
    await attempt("foreign module", () =>
      script((made) => {
        made.type = "module";
        made.src = `${home}module`;
      }),
    );
    await attempt("javascript: link", () => {
      const link = document.createElement("a");
      link.href = "javascript:globalThis.mark = 1";
      link.click();
    });
    await attempt("frame", () => add("<iframe srcdoc='<script>parent.mark = 1</script>'>"));
    await attempt("fetch", async () => {
      await fetch(`${home}fetch`);
      globalThis.mark = 1;
    });
    await attempt("picture", async () => {
      const image = new Image();
      image.src = `${home}picture`;
      await image.decode().catch(() => undefined);
      throw new Error("it leaves no mark but its question");
    });
    await attempt("base", () => {
      add(`<base href='${home}'>`);
      if (document.baseURI === home) globalThis.mark = 1;
    });
    return succeeded;
  };
  return page.evaluate(attack, [home, patience] as const);
}

/** Ways out of a worker, as a text: the test's tools would change an import in code. */
const FROM_WORKER = `async (home) => {
  const done = [];
  await new Promise((resolve) => setTimeout(resolve));
  const attempt = async (name, act) => {
    try { await act(); done.push(name); } catch {}
  };
  await attempt("eval", () => globalThis.eval("1"));
  await attempt("new Function", () => new Function("return 1")());
  await attempt("fetch", () => fetch(home + "worker"));
  await attempt("import", () => import(home + "worker-module"));
  await attempt("data import", () => import("data:text/javascript,export default 1"));
  return done;
}`;

test("a text that got into the page could neither run nor leave it", async () => {
  const { home, asked } = await stranger();
  const page = await openToAttack(inject("page"));
  await pythonReady(page);
  expect(await attackFromWithin(page, home, 50)).toEqual([]);

  // Workers are texts of the page, and inherit its policy.
  const workers = page.workers();
  expect(workers.length).toBeGreaterThanOrEqual(2);
  for (const worker of workers) {
    const succeeded = await worker.evaluate(`(${FROM_WORKER})(${JSON.stringify(home)})`);
    expect(succeeded, worker.url()).toEqual([]);
  }
  expect(asked).toEqual([]);
}, 90_000);

test("with the headers of the documentation no page of another host can frame it", async () => {
  const other = await openToAttack("about:blank");
  await other.setContent(`<iframe src="${inject("guardedPage")}"></iframe>`);
  await expect.poll(() => other.frames().at(1)?.url()).toContain("chrome-error:");
});

test("without the policy of the page each of these attacks succeeds", async () => {
  const { home, asked } = await stranger();
  const page = await openToAttack(inject("page"), { lawless: true });
  await pictured(page);
  const succeeded = await attackFromWithin(page, home, 5000);
  expect(succeeded).toEqual([
    "eval",
    "new Function",
    "timer",
    "handler",
    "svg",
    "inline script",
    "foreign script",
    "data script",
    "foreign module",
    "javascript: link",
    "frame",
    "fetch",
    "base",
  ]);
  expect(asked).toEqual(["/script", "/module", "/fetch", "/picture"]);
}, 60_000);
