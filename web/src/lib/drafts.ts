// What a reviewer has written and not sent yet survives going to another text and back, and
// a reload of the page; it never leaves the browser.
const KEY = (run: string): string => `redraft-draft-${run}`;

export function draft(run: string): string | null {
  return sessionStorage.getItem(KEY(run));
}

export function keep(run: string, content: string): void {
  try {
    sessionStorage.setItem(KEY(run), content);
  } catch {
    // Too long for the browser's store: then it lives as long as the editor.
  }
}

export function forget(run: string): void {
  sessionStorage.removeItem(KEY(run));
}
