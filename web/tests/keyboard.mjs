// The keyboard alone: everything is reached in the order of the page, seen where it is, and named.
import { expect, hard, kettle, page, same } from "./harness.mjs";

/** What has the focus: its name, whether it shows that, and whether something lies over it. */
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const label = element.getAttribute("aria-label")
    ?? element.labels?.[0]?.textContent
    ?? document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent
    ?? element.textContent;
  // A hidden file field shows its focus on its label.
  const shown = element.matches("input[type=file]") ? element.closest("label") : element;
  const edge = shown.getBoundingClientRect();
  const points = [0.5, 0.05, 0.95].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [edge.left + edge.width * x, edge.top + edge.height * y]));
  const isSeen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit && (shown.contains(hit) || hit.contains(shown));
  });
  const style = getComputedStyle(shown);
  return {
    what: `${element.tagName.toLowerCase()} ${(label ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 50)}`,
    isNamed: Boolean((label ?? "").trim()),
    isMarked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    isSeen,
    isFirst: element.matches(".skip"),
    isAfter: !window.lastFocused || Boolean(window.lastFocused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
    remember: void (window.lastFocused = element),
  };
}

export const keyboard = {
  async "every control is reached by the keyboard in the order of the page, seen and named"(browser, start) {
    const service = await start();
    const done = await service.submit(kettle());
    const waits = await service.submit(hard());
    for (const run of [done, waits]) await service.settled(run);
    const problems = [];
    for (const width of [1280, 390]) {
      const made = await page(browser, service.url, { viewport: { width, height: 800 } });
      for (const [address, wanted, key] of [
        ["/", "table.runs tbody tr"],
        [`/runs/${done}`, ".chart"],
        [`/runs/${done}?view=text`, ".fragment .group"],
        [`/review/${waits}`, ".judges .criterion"],
        [`/review/${waits}`, ".judges .criterion", "i"],
        ["/course", "table.runs tbody tr"],
        ["/check", ".drop"],
        ["/settings", ".settings"],
      ]) {
        await made.goto(address);
        await made.locator(wanted).first().waitFor();
        await made.locator(".loading").first().waitFor({ state: "detached" });
        if (key) await made.keyboard.press(key);
        await made.evaluate(() => {
          document.activeElement?.blur?.();
          window.lastFocused = null;
        });
        const order = [];
        for (let times = 0; times < 200; times += 1) {
          await made.keyboard.press("Tab");
          const found = await made.evaluate(focused);
          if (!found || (found.isFirst && order.length)) break;
          order.push(found.what);
          const place = `${address.replace(/r[0-9a-f]{10,}/, "RUN")}${key ?? ""} ${width}: ${found.what}`;
          if (!found.isNamed) problems.push(`${place}: no name`);
          if (!found.isMarked) problems.push(`${place}: the focus is not seen`);
          if (!found.isSeen) problems.push(`${place}: something lies over it`);
          if (!found.isAfter) problems.push(`${place}: out of order`);
        }
        if (order.length < 3 || order.length === 200) problems.push(`${address} ${width}: ${order.length} stops, ${order.slice(0, 12)}`);
      }
      await made.context().close();
    }
    expect(problems.length === 0, `\n  ${problems.join("\n  ")}`);
  },

  async "who wants no motion gets none"(browser, start) {
    const service = await start();
    const waits = await service.submit(hard());
    await service.settled(waits);
    const made = await page(browser, service.url, { reducedMotion: "reduce" });
    for (const [address, wanted, key] of [["/", "table.runs tbody tr"], [`/review/${waits}`, ".judges .criterion", "e"]]) {
      await made.goto(address);
      await made.locator(wanted).first().waitFor();
      if (key) {
        await made.keyboard.press(key);
        await made.locator(".editor .cm-content").waitFor();
      }
      const moving = await made.evaluate(() => ({
        running: document.getAnimations().filter((one) => one.playState === "running").map((one) => one.animationName ?? one.transitionProperty),
        scrolling: getComputedStyle(document.body).scrollBehavior,
      }));
      same(moving, { running: [], scrolling: "auto" }, address);
    }
  },
};
