// What a reviewer has written and not sent yet survives going to another text and back, and
// a reload of the page; it never leaves the browser. It belongs to one request: after another
// round of repair the text is a different one.
const START = "redraft-draft-";
const KEY = (run: string, since: number): string => `${START}${run}-${since}`;

export function draft(run: string, since: number): string | null {
  return sessionStorage.getItem(KEY(run, since));
}

export function keep(run: string, since: number, content: string): void {
  try {
    sessionStorage.setItem(KEY(run, since), content);
  } catch {
    // Too long for the browser's store: then it lives as long as the editor.
  }
}

export function forget(run: string, since: number): void {
  sessionStorage.removeItem(KEY(run, since));
}

export function forgetAll(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(START)) sessionStorage.removeItem(key);
}
