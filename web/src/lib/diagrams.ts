// Diagrams are drawn on demand, in a frame without an origin: their source is foreign.
import { text } from "../strings";
import { isDark } from "./theme.svelte";

/** Puts a button beside each diagram; the function that is returned takes them away. */
export function offerDiagrams(box: HTMLElement): () => void {
  const added: Element[] = [];
  for (const name of box.querySelectorAll("pre .language")) {
    if (name.textContent?.trim() !== "mermaid") continue;
    const block = name.closest("pre");
    const source = block?.querySelector("code")?.textContent;
    if (!block || !source) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "draw";
    button.textContent = text.diagram.show;
    button.addEventListener("click", () => {
      const frame = drawn(source, button);
      added.push(frame);
      button.replaceWith(frame);
    });
    block.after(button);
    added.push(button);
  }
  return () => added.forEach((element) => element.remove());
}

function drawn(source: string, button: HTMLElement): HTMLElement {
  const frame = document.createElement("iframe");
  frame.className = "diagram";
  frame.title = text.diagram.frame;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "/diagram.html";
  const hear = (event: MessageEvent) => {
    if (event.source !== frame.contentWindow) return;
    const said = event.data as { diagram?: string; height?: number; why?: string };
    if (said.diagram === "ready") frame.contentWindow?.postMessage({ source, dark: isDark() }, "*");
    if (said.diagram === "drawn") frame.height = String(Math.min(Math.max(said.height ?? 200, 60), 1_200));
    if (said.diagram === "failed") {
      const told = document.createElement("p");
      told.className = "notice";
      told.textContent = text.diagram.failed(said.why ?? "");
      frame.replaceWith(told, button);
    }
    if (said.diagram === "drawn" || said.diagram === "failed") removeEventListener("message", hear);
  };
  addEventListener("message", hear);
  return frame;
}
