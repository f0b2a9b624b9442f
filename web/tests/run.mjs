// node tests/run.mjs [--long] [--program PATH] [--browser PATH] [--out FOLDER] [--dist FOLDER] [--only WORDS]
import { parseArgs } from "node:util";
import { browser, prepare, Service, settings } from "./harness.mjs";
import { hostile } from "./hostile.mjs";
import { keyboard } from "./keyboard.mjs";
import { allFirst, allLooks, first, large, looks } from "./looks.mjs";
import { paths } from "./paths.mjs";
import { types } from "./types.mjs";

const { values } = parseArgs({
  options: {
    long: { type: "boolean" },
    program: { type: "string" },
    browser: { type: "string" },
    out: { type: "string" },
    dist: { type: "string" },
    only: { type: "string" },
  },
});
for (const name of ["program", "browser", "out", "dist"]) if (values[name]) settings[name] = values[name];
if (values.long) prepare();

const tests = { ...types, ...paths, ...keyboard, ...hostile, ...large, ...(values.long ? { ...allFirst, ...allLooks } : { ...first, ...looks }) };
const wanted = Object.entries(tests).filter(([name]) => !values.only || name.includes(values.only));
const launched = await browser();
const failed = [];
const queue = [...wanted];

async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, test] = next;
    const started = Date.now();
    const services = [];
    const start = async (options) => {
      const service = await Service.start(options);
      services.push(service);
      return service;
    };
    try {
      const note = await test(launched, start);
      console.log(`ok    ${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${name}${note ? `\n               ${note}` : ""}`);
    } catch (error) {
      failed.push(name);
      console.log(`FAILED ${((Date.now() - started) / 1000).toFixed(1).padStart(4)} s  ${name}\n${error.stack ?? error}`);
    } finally {
      for (const service of services) service.stop();
    }
  }
}

// Most of a test is waiting, so two go on at once.
await Promise.all([work(), work()]);
await launched.close();
if (failed.length) {
  console.log(`${failed.length} of ${wanted.length} failed`);
  process.exit(1);
}
console.log(`${wanted.length} passed`);
