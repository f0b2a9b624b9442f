// Draws one diagram. The frame has no origin and reaches nothing; the page sends it the
// source and hears how large the drawing is, or why there is none.
"use strict";
window.addEventListener("message", async (event) => {
  if (event.source !== window.parent || typeof event.data?.source !== "string") return;
  const tell = (words) => window.parent.postMessage(words, "*");
  try {
    const dark = event.data.dark === true;
    document.documentElement.style.background = dark ? "#181d23" : "#fff";
    window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: dark ? "dark" : "default" });
    const { svg } = await window.mermaid.render("diagram", event.data.source);
    document.body.innerHTML = svg;
    const drawn = document.body.firstElementChild;
    tell({ diagram: "drawn", height: Math.ceil(drawn.getBoundingClientRect().height) + 16 });
  } catch (error) {
    tell({ diagram: "failed", why: String(error?.message ?? error).slice(0, 300) });
  }
});
window.parent.postMessage({ diagram: "ready" }, "*");
