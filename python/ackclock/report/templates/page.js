"use strict";
(() => {
  const folded = [...document.querySelectorAll("details.in-print")];
  window.addEventListener("beforeprint", () => folded.forEach((each) => { each.dataset.was = each.open; each.open = true; }));
  window.addEventListener("afterprint", () => folded.forEach((each) => { each.open = each.dataset.was === "true"; }));

  const choice = document.getElementById("metric");
  if (choice) {
    const show = () => document.querySelectorAll("[data-metric]").forEach((each) => { each.hidden = each.dataset.metric !== choice.value; });
    choice.addEventListener("change", show);
    show();
  }

  const place = document.getElementById("series");
  if (!place) return;
  const figure = JSON.parse(document.getElementById("series-figure").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const axes = Object.keys(figure.layout).filter((key) => /^[xy]axis/.test(key));
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    const [text, line, ground] = ["--text", "--line", "--ground"].map((name) => style.getPropertyValue(name).trim());
    const update = { "font.color": text, "hoverlabel.bgcolor": ground };
    for (const axis of axes) {
      update[`${axis}.gridcolor`] = line;
      update[`${axis}.linecolor`] = line;
    }
    return update;
  };
  // One finger must scroll the page on a phone; the buttons zoom there.
  const config = {
    responsive: true,
    displaylogo: false,
    displayModeBar: touch ? true : "hover",
    modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d", "toImage"]],
  };
  const height = figure.layout.height;
  figure.layout.dragmode = touch ? false : "zoom";
  Plotly.newPlot(place, figure.data, figure.layout, config).then(() => Plotly.relayout(place, colours()));
  dark.addEventListener("change", () => Plotly.relayout(place, colours()));
  // On paper: dark lines on white, as wide as the page between its margins, and all on one page.
  const paper = { "font.color": "#000", width: 680, height: 640 };
  for (const axis of axes) {
    paper[`${axis}.gridcolor`] = "#bbb";
    paper[`${axis}.linecolor`] = "#bbb";
  }
  window.addEventListener("beforeprint", () => Plotly.relayout(place, paper));
  window.addEventListener("afterprint", () => Plotly.relayout(place, { ...colours(), width: null, height, autosize: true }));
})();
