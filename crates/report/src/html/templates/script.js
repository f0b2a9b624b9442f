(() => {
  "use strict";
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  // Opens whatever hides the element that a link leads to.
  const reveal = (hash) => {
    if (!hash || hash.length < 2) return;
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    for (let box = target; box; box = box.parentElement) {
      if (box.tagName === "DETAILS") box.open = true;
      if (box.classList.contains("document")) {
        box.hidden = false;
        const own = box.querySelector("details");
        if (own) own.open = true;
      }
    }
    const pane = target.closest(".source, .rendered");
    const view = target.closest(".switch");
    if (pane && view) {
      const wanted = pane.classList.contains("source") ? "source" : "rendered";
      const radio = view.querySelector(`input[value="${wanted}"]`);
      if (radio) radio.checked = true;
    }
    target.scrollIntoView({ block: "center" });
    all(".target").forEach((old) => old.classList.remove("target"));
    target.classList.add("target");
  };
  window.addEventListener("hashchange", () => reveal(location.hash));
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link) setTimeout(() => reveal(link.getAttribute("href")), 0);
  });

  const filter = document.querySelector("[data-filter]");
  const count = document.querySelector("[data-count]");
  if (filter) {
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const article of all("article.document")) {
        const name = (article.dataset.name || "").toLowerCase();
        const fits = words.every((word) => name.includes(word));
        article.hidden = !fits;
        const row = document.querySelector(`[data-row="${article.id}"]`);
        if (row) row.hidden = !fits;
        if (fits) shown += 1;
      }
      if (count) count.textContent = words.length ? `${shown} found` : "";
    });
  }
  for (const button of all("[data-open]")) {
    button.addEventListener("click", () => {
      const open = button.dataset.open === "all";
      all("article.document:not([hidden]) > details").forEach((box) => { box.open = open; });
    });
  }

  // On paper everything is open but the event log.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = all("article.document > details:not([open])");
    closed.forEach((box) => { box.open = true; });
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((box) => { box.open = false; });
  });
  reveal(location.hash);
})();
