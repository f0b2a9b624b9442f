// The passage that a reader has selected, as a span of the file.
export interface Passage {
  quote: string;
  start: number;
  end: number;
}

const bytes = new TextEncoder();
/** Numbers of findings and issues, and labels of fields, stand inside the text, but are not part of it. */
const FOREIGN = ".ref, .label";
/** What of a view is the text itself. */
const TEXT = ".rendered .content, .source pre";

/** Where the selected words stand in the file; `null` if nothing is selected there. */
export function selected(box: HTMLElement, content: string): Passage | "unknown" | null {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount ? selection.getRangeAt(0) : null;
  if (!selection || !range || selection.isCollapsed || !box.contains(range.commonAncestorContainer)) return null;
  const chosen = textOf(range);
  const quote = chosen.trim();
  if (!quote) return null;
  const file = places(content, quote);
  if (file.length === 1) return passage(content, quote, file[0] ?? 0);
  // The same words stand there more than once: the one is meant that has as many before it.
  const pane = (range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement)?.closest(".rendered, .source");
  if (!pane) return "unknown";
  const indent = chosen.length - chosen.trimStart().length;
  let before = 0;
  let all = 0;
  for (const part of pane.parentElement?.querySelectorAll(TEXT) ?? []) {
    if (!pane.contains(part)) continue;
    const whole = document.createRange();
    whole.selectNodeContents(part);
    const found = places(textOf(whole), quote);
    all += found.length;
    const isLater = range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0;
    const isEarlier = range.compareBoundaryPoints(Range.END_TO_START, whole) >= 0;
    if (isLater) continue;
    if (!isEarlier) whole.setEnd(range.startContainer, range.startOffset);
    const start = textOf(whole).length + (isEarlier ? 0 : indent);
    before += found.filter((place) => place < start).length;
  }
  const at = all === file.length ? file[before] : undefined;
  return at === undefined ? "unknown" : passage(content, quote, at);
}

function textOf(range: Range): string {
  const copy = range.cloneContents();
  for (const foreign of copy.querySelectorAll(FOREIGN)) foreign.remove();
  return copy.textContent ?? "";
}

/** Where `quote` stands in `content`. */
function places(content: string, quote: string): number[] {
  const found: number[] = [];
  for (let at = content.indexOf(quote); at >= 0; at = content.indexOf(quote, at + 1)) found.push(at);
  return found;
}

function passage(content: string, quote: string, at: number): Passage {
  const start = bytes.encode(content.slice(0, at)).length;
  return { quote, start, end: start + bytes.encode(quote).length };
}
