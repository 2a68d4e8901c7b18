// What every page can do: copy, download tables, print with everything open.
"use strict";
const ackclock = (() => {
  const motion = window.matchMedia("(prefers-reduced-motion: reduce)");

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name in node && name !== "list") node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };

  // Tells screen readers what has changed; one for the whole page.
  const live = make("p", { className: "unseen", "aria-live": "polite" });
  document.querySelector("main")?.append(live);
  const say = (text) => { live.textContent = text; };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const save = (name, content, type) => {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const csv = (rows) =>
    rows.map((row) => row.map((one) => cell(one === null || one === undefined ? "" : String(one))).join(",")).join("\r\n") + "\r\n";

  const title = document.querySelector("h1")?.textContent ?? "ackclock";
  const fileName = (...parts) => [title, ...parts].join("-").replace(/[^\p{L}\p{N}.+-]+/gu, "-").replace(/^-+|-+$/g, "");

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // A page opened from a file may be refused the clipboard: the old way still works there.
      const area = make("textarea", { value: text, className: "unseen", ariaHidden: "true" });
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  const button = (text, told, act) => make("button", { type: "button", className: "small", title: told, onclick: act }, text);

  // Buttons that copy a text of the page, or a command.
  for (const one of document.querySelectorAll("button[data-copy]")) {
    const label = one.textContent;
    one.hidden = false;
    one.addEventListener("click", async () => {
      const text = one.dataset.text ?? document.querySelector(one.dataset.copy).textContent;
      const done = await copy(text);
      one.textContent = done ? "Copied" : "Select it and copy by hand";
      say(one.textContent);
      setTimeout(() => { one.textContent = label; }, 2000);
    });
  }

  // A table as CSV, as it is shown.
  const tables = [...document.querySelectorAll(".table")];
  for (const [index, frame] of tables.entries()) {
    const table = frame.querySelector("table");
    const name = table.caption?.textContent || `table-${index + 1}`;
    const act = () => {
      const rows = [...table.rows].map((row) => [...row.cells].map((one) => one.innerText.replaceAll("\u00ad", "").trim()));
      save(`${fileName(name)}.csv`, csv(rows), "text/csv");
    };
    frame.append(make("div", { className: "tools interactive" }, button("CSV", `Save as CSV: ${name}`, act)));
  }

  // Folded parts that belong on paper.
  const folded = [...document.querySelectorAll("details.in-print")];
  const beforePaper = [];
  const afterPaper = [];
  window.addEventListener("beforeprint", () => {
    folded.forEach((each) => { each.dataset.was = each.open; each.open = true; });
    document.documentElement.classList.add("paper");
    beforePaper.forEach((act) => act());
  });
  window.addEventListener("afterprint", () => {
    folded.forEach((each) => { each.open = each.dataset.was === "true"; });
    document.documentElement.classList.remove("paper");
    afterPaper.forEach((act) => act());
  });

  const choice = document.getElementById("metric");
  if (choice) {
    const show = () => document.querySelectorAll("[data-metric]").forEach((each) => { each.hidden = each.dataset.metric !== choice.value; });
    choice.addEventListener("change", show);
    show();
  }

  // The contents show where the reader is.
  const links = new Map([...document.querySelectorAll(".contents a")].map((one) => [one.hash.slice(1), one]));
  if (links.size && "IntersectionObserver" in window) {
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
      // The innermost part that begins above the middle.
      const now = [...links.keys()].filter((id) => { const one = document.getElementById(id); return seen.has(one) && one.getBoundingClientRect().top < innerHeight * 0.4; }).pop();
      for (const [id, link] of links) {
        if (id === now) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }, { rootMargin: "0px 0px -60% 0px" });
    for (const id of links.keys()) {
      const target = document.getElementById(id);
      if (target) watch.observe(target);
    }
  }

  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  // Draws again when colours change, and for paper.
  const redrawn = (draw) => {
    scheme.addEventListener("change", () => draw());
    beforePaper.push(() => draw(true));
    afterPaper.push(() => draw());
  };

  // Words beside the pointer.
  const tip = (inside) => {
    const node = make("div", { className: "tip interactive", hidden: true });
    inside.append(node);
    return {
      show(text, x, y) {
        node.textContent = text;
        node.hidden = false;
        const room = inside.clientWidth;
        const width = Math.min(node.offsetWidth, room);
        node.style.left = `${Math.max(0, Math.min(x + 14, room - width))}px`;
        node.style.top = `${y > node.offsetHeight + 14 ? y - node.offsetHeight - 10 : y + 16}px`;
      },
      hide() { node.hidden = true; },
    };
  };

  return { make, say, colour, save, csv, fileName, button, redrawn, tip, motion, isDark: () => scheme.matches };
})();
