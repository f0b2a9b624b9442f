// Shows the element that a link inside a fragment leads to, wherever it is hidden.
export function reveal(box: HTMLElement, id: string): void {
  const target = box.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"]`);
  if (!target) return;
  for (let parent: HTMLElement | null = target; parent && parent !== box; parent = parent.parentElement) {
    if (parent instanceof HTMLDetailsElement) parent.open = true;
  }
  const pane = target.closest(".source, .rendered");
  const view = target.closest(".switch");
  if (pane && view) {
    const wanted = pane.classList.contains("source") ? "source" : "rendered";
    const radio = view.querySelector<HTMLInputElement>(`input[value="${wanted}"]`);
    if (radio) radio.checked = true;
  }
  for (const old of box.querySelectorAll(".target")) old.classList.remove("target");
  target.classList.add("target");
  target.scrollIntoView({ block: "center" });
  const focus = target.matches("a, button") ? target : target.querySelector<HTMLElement>("a, button");
  focus?.focus({ preventScroll: true });
}

/** Switches between what is rendered and what stands in the file. */
export function switchSource(box: HTMLElement): void {
  for (const view of box.querySelectorAll(".switch")) {
    const source = view.querySelector<HTMLInputElement>('input[value="source"]');
    const rendered = view.querySelector<HTMLInputElement>('input[value="rendered"]');
    if (!source || !rendered) continue;
    if (source.checked) rendered.checked = true;
    else source.checked = true;
  }
}

/** Goes to the next or the previous finding or issue. */
export function stepNote(box: HTMLElement, step: 1 | -1): void {
  const notes = [...box.querySelectorAll<HTMLElement>(".note")];
  if (!notes.length) return;
  const at = notes.findIndex((note) => note.classList.contains("target"));
  const next = notes[(at + step + notes.length) % notes.length] ?? notes[0];
  if (next) reveal(box, next.id);
}
