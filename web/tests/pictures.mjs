// `npm run pictures`: the pictures of the documentation, from our own examples.
import { statSync } from "node:fs";
import { join } from "node:path";
import { browser, expect, hard, kettle, page, repository, Service } from "./harness.mjs";

/** Larger ones would weigh on everybody who clones the repository. */
const MOST = 150_000;

const service = await Service.start();
const launched = await browser();
try {
  const done = await service.submit(kettle("how-a-kettle-boils.md"));
  const names = ["boiling-points.md", "steam-engines.md", "heat-and-pressure.md"];
  const waits = [];
  for (const name of names) waits.push(await service.submit(hard(name)));
  for (const run of [done, ...waits]) await service.settled(run);
  const made = await page(launched, service.url, { viewport: { width: 1180, height: 700 } });
  for (const [name, address, wanted, key] of [
    ["review", `/review/${waits[0]}`, ".judges .criterion", "2"],
    ["run", `/runs/${done}`, ".overview-grid .chart"],
    ["runs", "/", "table.runs tbody tr"],
  ]) {
    await made.goto(address);
    await made.locator(wanted).first().waitFor();
    if (key) await made.keyboard.press(key);
    await made.waitForTimeout(700);
    const path = join(repository, `docs/inspector-${name}.png`);
    await made.screenshot({ path });
    const { size } = statSync(path);
    expect(size < MOST, `${path} has ${size} bytes`);
  }
} finally {
  await launched.close();
  service.stop();
}
