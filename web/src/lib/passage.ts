// The passage that a reader has selected, as a span of the file.
export interface Passage {
  quote: string;
  start: number;
  end: number;
}

const bytes = new TextEncoder();

/** Where the selected words stand in the file; `null` if nothing is selected there. */
export function selected(box: HTMLElement, content: string): Passage | "unknown" | null {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount ? selection.getRangeAt(0) : null;
  if (!selection || !range || selection.isCollapsed || !box.contains(range.commonAncestorContainer)) return null;
  // Numbers of remarks stand inside the text, but are not part of it.
  const copy = range.cloneContents();
  for (const number of copy.querySelectorAll(".ref")) number.remove();
  const quote = (copy.textContent ?? "").trim();
  if (!quote) return null;
  return found(content, quote) ?? "unknown";
}

export function found(content: string, quote: string): Passage | null {
  const at = content.indexOf(quote);
  if (at < 0) return null;
  const start = bytes.encode(content.slice(0, at)).length;
  return { quote, start, end: start + bytes.encode(quote).length };
}
