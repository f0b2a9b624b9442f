// Single keys act only where nobody writes.
const WRITING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable='true']";

export function isWriting(event: KeyboardEvent): boolean {
  // The editor has a tree of its own, so the target is not where the event began.
  const begun = event.composedPath()[0];
  return begun instanceof Element && begun.closest(WRITING) !== null;
}
