// Unpacks the page's figures: SVG texts as a JSON list, by gzip and base64.
"use strict";
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("pictures").textContent), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(stream).json();
  for (const image of document.querySelectorAll("img[data-picture]")) {
    image.src = URL.createObjectURL(new Blob([all[Number(image.dataset.picture)]], { type: "image/svg+xml" }));
  }
})();
