// The editor: plain text with the differences to the model's version and the findings of
// the checks at their places.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, Text } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import type { PreviewFinding } from "./api";

export interface EditorHandle {
  mark(findings: PreviewFinding[]): void;
  goTo(byte: number): void;
  focus(): void;
  close(): void;
}

interface Opening {
  parent: HTMLElement;
  original: string;
  start: string;
  label: string;
  changed: (content: string) => void;
}

/** Colours are those of the page, light and dark. */
const look = EditorView.theme({
  "&": { border: "1px solid var(--muted)", borderRadius: "8px", maxHeight: "60vh", fontSize: "0.9375rem", background: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace', lineHeight: "1.5", overflow: "auto" },
  ".cm-gutters": { background: "var(--soft)", color: "var(--muted)", border: "0" },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--info-mark)" },
  "&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-inlineChangedLine": { background: "transparent" },
  "&.cm-merge-b .cm-changedText, .cm-changedText": { background: "var(--ins)", color: "var(--ins-ink)" },
  ".cm-deletedChunk": { background: "var(--soft)", color: "var(--muted)" },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedChunk del": { background: "var(--del)", color: "var(--del-ink)", textDecoration: "line-through" },
  "&.cm-merge-b .cm-changedLineGutter, .cm-changedLineGutter": { background: "var(--good)" },
  ".cm-deletedLineGutter": { background: "var(--bad)" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px dashed var(--fair)" },
  ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--info)" },
  ".cm-tooltip": { background: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
});

/**
 * The line end that the text is split and joined at. A text that mixes both is split at `\n` alone: a
 * `\r` then stays at the end of its line, so that no line is changed that nobody has touched.
 */
function lineEnd(content: string): string {
  const both = content.split("\r\n").length - 1;
  const all = content.split("\n").length - 1;
  return both > 0 && both === all ? "\r\n" : "\n";
}

export function open({ parent, original, start, label, changed }: Opening): EditorHandle {
  // In a tree of its own the styles of the library are sheets, which the policy of the page
  // allows; as elements they would be inline.
  const root = parent.attachShadow({ mode: "open" });
  const separator = lineEnd(original);
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: start,
      extensions: [
        EditorState.lineSeparator.of(separator),
        EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, separator)),
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", tabindex: "0" }),
        markdown(),
        look,
        unifiedMergeView({ original: Text.of(original.split(separator)), mergeControls: false, gutter: true, highlightChanges: true }),
        keymap.of([...defaultKeymap.filter((one) => one.key !== "Mod-Enter"), ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.sliceDoc());
        }),
      ],
    }),
  });

  /** Bytes of UTF-8 of the file to positions of the editor, where each line end counts one. */
  const at = (byte: number): number => {
    const bytes = new TextEncoder().encode(view.state.sliceDoc()).slice(0, byte);
    const before = new TextDecoder().decode(bytes);
    const ends = before.split(separator).length - 1;
    return Math.min(before.length - ends * (separator.length - 1), view.state.doc.length);
  };

  return {
    mark(findings) {
      const marks: Diagnostic[] = findings.map((finding) => {
        const from = at(finding.start);
        return {
          from,
          to: Math.max(from, at(finding.end)),
          severity: finding.severity === "error" || finding.severity === "warning" ? finding.severity : "info",
          message: finding.message,
        };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    goTo(byte) {
      const place = at(byte);
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
