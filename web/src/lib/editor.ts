// The editor: plain text with the differences to the model's version and the findings of
// the checks at their places.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
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

export function open({ parent, original, start, label, changed }: Opening): EditorHandle {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: start,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
        markdown(),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        unifiedMergeView({ original, mergeControls: false, gutter: true, highlightChanges: true, collapseUnchanged: { margin: 3, minSize: 12 } }),
        keymap.of([...defaultKeymap.filter((one) => one.key !== "Mod-Enter"), ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });

  /** Bytes of UTF-8 to the units of a string. */
  const at = (byte: number): number => {
    const bytes = new TextEncoder().encode(view.state.doc.toString()).slice(0, byte);
    return Math.min(new TextDecoder().decode(bytes).length, view.state.doc.length);
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
