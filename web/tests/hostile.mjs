// Texts that attack: nothing of them runs, loads or leaves its place.
import { expect, hard, page, same } from "./harness.mjs";

const GONE = "document.documentElement.dataset.gone = 1";

export const LESSON = `# Water </title><script>${GONE}</script>

<script>${GONE}</script>

Text <img src=x onerror="${GONE}"> and [a](javascript:${GONE}), ![i](https://example.org/p.png).

</style></textarea></div></section>]]> {{ 7 * 7 }} {@html 1} <svg onload="${GONE}"><animate onbegin="${GONE}" attributeName=x dur=1s></svg>

<iframe srcdoc="<script>parent.${GONE}</script>"></iframe> <base href="https://example.org/"> <meta http-equiv=refresh content="0;url=https://example.org">

Turned \u202earound\u202c. <style>body { display: none }</style> <form action="https://example.org"><button>Send</button></form>

## שלום "><svg onload=${GONE}>

המים רותחים ב־100 מעלות. $\\text{<img src=x onerror=${GONE}>}$

| a | b |
|---|---|
| Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft | \`${"x".repeat(90)}\` |

\`\`\`mermaid
graph TD; A["<img src=x onerror=${GONE}>"] --> B["<script>${GONE}</script>"]; click A "javascript:${GONE}"
\`\`\`
`;

async function unharmed(made, asked) {
  await made.waitForTimeout(300);
  same(await made.evaluate(() => document.documentElement.dataset.gone ?? null), null, "a script of the text ran");
  expect(!asked.some((url) => url.includes("example.org")), `asked for ${asked}`);
  same(new URL(made.url()).hostname, "127.0.0.1", "the text led elsewhere");
  const wide = await made.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide <= 1, `the page is ${wide} pixels too wide`);
}

export const hostile = {
  async "a hostile lesson does nothing, on any screen"(browser, start) {
    const service = await start();
    const made = await page(browser, service.url, { viewport: { width: 390, height: 844 } });
    const asked = [];
    made.on("request", (request) => asked.push(request.url()));
    made.on("dialog", (dialog) => {
      asked.push("example.org dialog");
      void dialog.dismiss();
    });
    await made.goto("/check");
    const name = "<img src=x onerror=alert(1)>.md";
    await made.setInputFiles("input[type=file]", { name, mimeType: "text/plain", buffer: Buffer.from(LESSON) });
    await made.locator(".fragment .group").first().waitFor();
    await unharmed(made, asked);
    await made.getByRole("button", { name: "Draw the diagram" }).click();
    await made.locator("iframe.diagram[height], .notice:has-text('cannot be drawn')").first().waitFor();
    await unharmed(made, asked);
    const framed = made.frames().find((frame) => frame.url().endsWith("/diagram.html"));
    if (framed) {
      same(await framed.evaluate(() => document.documentElement.dataset.gone ?? null), null, "a script of the diagram ran");
      same(await framed.evaluate(() => window.origin), "null", "the origin of the frame");
    }
    const run = await service.submit({ document: LESSON, name, goal: "check" });
    await service.settled(run);
    for (const view of ["", "?view=text", "?view=changes", "?view=events", "?view=json"]) {
      await made.goto(`/runs/${run}${view}`);
      await made.locator(".stepper").waitFor();
      await unharmed(made, asked);
    }
    // The same text before a reviewer.
    const waits = await service.submit({ ...hard(name), document: LESSON });
    same((await service.settled(waits)).state, "waiting", "the hostile lesson");
    await made.goto(`/review/${waits}`);
    await made.locator(".item-text .fragment .group").first().waitFor();
    await unharmed(made, asked);
    for (const [key, wanted] of [["s", ".item-text .source pre"], ["2", "#pane-changes[aria-selected=true]"], ["e", ".editor .cm-content"]]) {
      await made.keyboard.press(key);
      await made.locator(wanted).first().waitFor();
      await made.locator("#pane .loading").waitFor({ state: "detached" });
      await unharmed(made, asked);
    }
    await made.keyboard.press("Control+End");
    await made.keyboard.type(`<img src=x onerror="${GONE}">`);
    await made.locator(".fragment ins").first().waitFor();
    await unharmed(made, asked);
    for (const address of ["/", "/course"]) {
      await made.goto(address);
      await made.getByText(name).first().waitFor();
      await unharmed(made, asked);
    }
  },

  async "a drawn diagram is drawn, and only in its frame"(browser, start) {
    const service = await start();
    const made = await page(browser, service.url);
    await made.goto("/check");
    const text = "# Water\n\n```mermaid\ngraph TD; Sea-->Cloud; Cloud-->Rain\n```\n";
    await made.setInputFiles("input[type=file]", { name: "w.md", mimeType: "text/plain", buffer: Buffer.from(text) });
    await made.getByRole("button", { name: "Draw the diagram" }).click();
    await made.locator("iframe.diagram[height]").waitFor();
    await made.frameLocator("iframe.diagram").getByText("Cloud").first().waitFor();
    same(made.troubles, [], "troubles");
  },
};
