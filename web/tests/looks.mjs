// Every screen, light and dark, wide and narrow: no violation that axe finds, nothing wider
// than the screen; in the long form with a picture of each, for people to look at.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { example, expect, hard, kettle, page, repository, same, Service, settings } from "./harness.mjs";
import { LESSON } from "./hostile.mjs";

const AXE = readFileSync(join(repository, "web/node_modules/axe-core/axe.min.js"), "utf8");

const GERMAN = `# Wie Wasser siedet

Der Wasserkocher enthält eine Heizspirale. Die Donaudampfschifffahrtsgesellschaft kochte Wasser mit Kohle.

## Siedetemperaturabhängigkeit und Luftdruckveränderungen

Auf der Zugspitze siedet Wasser bei ungefähr 90 °C, weil der Luftdruck geringer ist.
`;

const RUSSIAN = `# Почему вода закипает при разной температуре

Вода закипает при температуре сто градусов на уровне моря. TODO: добавить пример.

## Рассмотрим высокопревосходительствующее кипение

На вершине горы давление ниже, поэтому вода закипает раньше.

| Высота | Температура |
|---|---|
| 0 м | 100 °C |
| 3000 м | 90 °C |
`;

const ARABIC = `# كيف يغلي الماء

يسخن الإبريق الماء حتى يغلي عند درجة حرارة 100 مئوية. TODO: أضف مثالا.

## لماذا يغلي الماء أسرع في الجبال

- ينخفض الضغط الجوي مع الارتفاع.
- لذلك يغلي الماء عند درجة حرارة أقل، مثل $90^{\\circ}$ على ارتفاع 3000 متر.

> انظر إلى الفقاعات في قاع الإبريق.
`;

const LONG = `A lesson with a title that is so long that nobody would ever write it, ${"and that goes on and on ".repeat(6)}to its end.md`;

async function screens() {
  const service = await Service.start();
  const done = await service.submit(kettle("refined lesson.md"));
  const waits = await service.submit(hard("waiting lesson.md"));
  const german = await service.submit({ document: GERMAN, name: "Siedetemperaturabhängigkeitsuntersuchung.md", goal: "check" });
  const russian = await service.submit({ document: RUSSIAN, name: "Почему вода закипает.md", goal: "check" });
  const arabic = await service.submit({ document: ARABIC, name: "كيف يغلي الماء.md", goal: "check" });
  const long = await service.submit({ ...hard(LONG.slice(-200)), document: `# ${LONG}\n\n${ARABIC.slice(ARABIC.indexOf("##"))}` });
  const best = await service.submit({ ...hard("best effort.md"), mode: "full-auto" });
  const hostile = await service.submit({ document: LESSON, name: "hostile.md", goal: "check" });
  for (const run of [done, waits, german, russian, arabic, long, best, hostile]) await service.settled(run);
  const bank = JSON.stringify(example("question-bank.json"));
  const batch = await service.call("POST", "/v1/banks", { document: JSON.parse(bank), name: "question-bank.json", goal: "check" });
  for (const run of batch.runs) await service.settled(run);
  const list = [
    ["runs", "/", "table.runs tbody tr"],
    ["check", "/check", ".drop"],
    ["run", `/runs/${done}`, ".chart"],
    ["run-waiting", `/runs/${waits}`, ".chart"],
    ["run-text", `/runs/${done}?view=text`, ".fragment .group"],
    ["run-changes", `/runs/${done}?view=changes`, ".change"],
    ["run-judges", `/runs/${done}?view=panel`, ".criterion"],
    ["run-events", `/runs/${done}?view=events`, ".virtual-rows tr"],
    ["run-json", `/runs/${done}?view=json`, "pre.json"],
    ["run-german", `/runs/${german}?view=text`, ".fragment .group"],
    ["run-russian", `/runs/${russian}?view=text`, ".fragment .group"],
    ["run-arabic", `/runs/${arabic}?view=text`, ".fragment .group"],
    ["run-best-effort", `/runs/${best}`, ".chart"],
    ["run-long-title", `/runs/${long}`, ".stepper"],
    ["review-long-title", `/review/${long}`, ".judges .criterion"],
    ["course", "/course", "table.runs tbody tr"],
    ["run-hostile", `/runs/${hostile}?view=text`, ".fragment .group"],
    ["review", `/review/${waits}`, ".judges .criterion"],
    ["review-changes", `/review/${waits}`, ".judges .criterion", "2"],
    ["review-edit", `/review/${waits}`, ".judges .criterion", "e"],
    ["review-instruct", `/review/${waits}`, ".judges .criterion", "i"],
    ["review-keys", `/review/${waits}`, ".judges .criterion", "?"],
    ["compare", `/compare?a=${done}&b=${waits}`, ".criterion"],
    ["bank", `/banks/${batch.batch}`, "table.runs tbody tr"],
    ["settings", "/settings", ".settings"],
    ["not-found", "/nowhere", ".card"],
  ];
  return { service, list };
}

async function violations(made) {
  return made.evaluate(async () => {
    const found = await window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    // The bar of decisions may lie over a part of a control, which comes out when one scrolls.
    const bar = document.querySelector(".decision")?.getBoundingClientRect();
    const isCut = (node) => {
      const edge = document.querySelector(node.target[0])?.getBoundingClientRect();
      return bar && edge && edge.bottom > bar.top && edge.top < bar.bottom;
    };
    for (const one of found.violations) if (one.id === "target-size") one.nodes = one.nodes.filter((node) => !isCut(node));
    return found.violations.filter((one) => one.nodes.length).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  });
}

async function looked(browser, { schemes, widths, pictures }) {
  const { service, list } = await screens();
  const keyed = await Service.start({ tenants: [{ tenant: "default", name: "anna" }] });
  const empty = await Service.start();
  const problems = [];
  try {
    for (const scheme of schemes) {
      for (const width of widths) {
        const options = { viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP: true };
        const made = await page(browser, service.url, options);
        const all = [
          ...list,
          ["sign-in", keyed.url, "input[type=password]"],
          ["empty", empty.url, ".drop"],
          ["empty-review", `${empty.url}/review`, ".empty"],
          ["empty-course", `${empty.url}/course`, ".empty"],
          ["no-run", "/runs/r1", ".notice"],
          ["no-matches", "/?status=escalated", "table.runs"],
        ];
        for (const [name, address, wanted, key] of all) {
          await made.goto(address);
          await made.locator(wanted).first().waitFor();
          if (key) await made.keyboard.press(key);
          if (key === "e") await made.locator(".editor .cm-content").waitFor();
          await made.locator(".loading").first().waitFor({ state: "detached" });
          await made.waitForTimeout(pictures ? 500 : 100);
          const label = `${name}, ${scheme}, ${width}`;
          await made.evaluate(AXE);
          for (const one of await violations(made)) problems.push(`${label}: ${one}`);
          const wide = await made.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 1) problems.push(`${label}: ${wide} pixels too wide`);
          if (pictures) await made.screenshot({ path: join(settings.out, `${name}-${width}-${scheme}.png`) });
        }
        await made.context().close();
      }
    }
  } finally {
    for (const one of [service, keyed, empty]) one.stop();
  }
  expect(problems.length === 0, `\n  ${problems.join("\n  ")}`);
}

export const looks = {
  "every screen is accessible": (browser) => looked(browser, { schemes: ["light"], widths: [1280], pictures: false }),
};

export const allLooks = {
  "every screen is accessible, light and dark, wide and narrow": (browser) =>
    looked(browser, { schemes: ["light", "dark"], widths: [1280, 390], pictures: true }),
};

/** A run with ten thousand events, as the stream would send them. */
function manyEvents(count) {
  const lines = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const event = { seq, at: 0, elapsed: seq * 7, event: seq % 3 ? "task_started" : "verification_result", section: `sec_${seq % 200}`, passed: true };
    lines.push(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  lines.push(`id: ${count + 1}\ndata: ${JSON.stringify({ seq: count + 1, event: "run_complete", status: "accepted" })}\n\n`);
  return lines.join("");
}

export const large = {
  async "ten thousand events and two hundred sections put only what is in sight into the page"(browser, start) {
    const service = await start();
    const sections = Array.from({ length: 200 }, (_, index) => `## Part ${index + 1}\n\nWater boils at 100 °C at sea level, as part ${index + 1} says.\n`);
    const run = await service.submit({ document: `# Water\n\nIt boils.\n\n${sections.join("\n")}`, name: "long.md", goal: "check" });
    await service.settled(run);
    const made = await page(browser, service.url);
    await made.route("**/events?*", (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body: manyEvents(10_000) }));
    await made.goto(`/runs/${run}?view=events`);
    await made.getByText("10001 events").waitFor();
    const rows = await made.locator(".virtual-rows tbody tr").count();
    expect(rows < 100, `${rows} rows are in the page at once`);
    // Wherever one scrolls: the rows in sight are there, and few others.
    const seen = await made.evaluate(async () => {
      const box = document.querySelector(".virtual");
      const counts = [];
      for (let step = 0; step < 60; step += 1) {
        box.scrollTop = (box.scrollHeight / 60) * step;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const edge = box.getBoundingClientRect();
        const rows = [...box.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
        const isFilled = rows.some((row) => row.top <= edge.top + 48) && rows.some((row) => row.bottom >= edge.bottom - 48);
        counts.push({ rows: rows.length, isFilled });
      }
      return counts;
    });
    const most = Math.max(...seen.map((one) => one.rows));
    expect(most < 100, `${most} rows are in the page at once`);
    expect(seen.every((one) => one.isFilled), "rows in sight are missing after scrolling");
    await made.locator(".virtual").evaluate((box) => { box.scrollTop = box.scrollHeight; });
    await made.getByText("10001", { exact: true }).waitFor();
    await made.getByLabel("Filter events").fill("verification sec_7");
    await made.getByText(/ of 10001 events/).waitFor();
    await made.goto(`/runs/${run}?view=text`);
    await made.locator(".fragment .group").nth(200).waitFor({ state: "attached" });
    await made.locator(".outline button").last().click();
    await made.getByRole("heading", { name: "Part 200" }).or(made.locator(".heading", { hasText: "Part 200" })).first().waitFor();
    same(made.troubles, [], "troubles");
    return `10,000 events: at most ${most} rows in the page`;
  },
};

async function firstPage(browser, runs) {
  const service = await Service.start();
  try {
    const lines = Array.from({ length: runs }, (_, index) => JSON.stringify({ document: `# Water ${index}\n\nIt boils.\n`, name: `water-${index}.md`, goal: "check" }));
    await service.call("POST", "/v1/runs/batch", lines.join("\n"));
    const made = await page(browser, service.url);
    const client = await made.context().newCDPSession(made);
    await client.send("Network.enable");
    const sizes = {};
    const scripts = new Set();
    client.on("Network.responseReceived", ({ requestId, response }) => {
      if (/javascript/.test(response.mimeType)) scripts.add(requestId);
    });
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { sizes[requestId] = encodedDataLength; });
    await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await made.goto("/");
    await made.locator("table.runs tbody tr").nth(50).waitFor();
    const shown = await made.locator("table.runs tbody tr").count();
    expect(shown <= 100, `${shown} rows at once`);
    const painted = await made.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    const listed = await made.evaluate(() => performance.now());
    const bytes = [...scripts].reduce((sum, id) => sum + (sizes[id] ?? 0), 0);
    expect(bytes > 0 && bytes < 100_000, `${bytes} bytes of scripts`);
    return `first page: ${(bytes / 1000).toFixed(0)} kB of scripts; ${runs} runs at a quarter of the speed: first paint ${painted.toFixed(0)} ms, list ${listed.toFixed(0)} ms`;
  } finally {
    service.stop();
  }
}

export const first = {
  "the first page needs less than 100 kB of scripts": (browser) => firstPage(browser, 120),
};

export const allFirst = {
  "the first page of 1,000 runs needs less than 100 kB of scripts": (browser) => firstPage(browser, 1_000),
};
