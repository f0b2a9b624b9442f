// Single keys act only where nobody writes, and only if they are wanted: who speaks to the machine or
// slips easily turns them off.
const KEY = "redraft-keys";

export const keys = $state({ areOn: localStorage.getItem(KEY) !== "off" });

export function turnKeys(on: boolean): void {
  keys.areOn = on;
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}

const WRITING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable='true']";

/** Whether a single key is a command here. */
export function isCommand(event: KeyboardEvent): boolean {
  return keys.areOn && !isWriting(event);
}

function isWriting(event: KeyboardEvent): boolean {
  // The editor has a tree of its own, so the target is not where the event began.
  const begun = event.composedPath()[0];
  return begun instanceof Element && begun.closest(WRITING) !== null;
}
