// A service of the real program, a real browser, and what tests ask of both.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const example = (path) => readFileSync(join(repository, "examples", path), "utf8");

export const settings = {
  program: join(repository, "target/debug/redraft"),
  browser: "/usr/bin/chromium",
  out: join(repository, "target/inspector"),
  /** Where the page comes from, if not from the program. */
  dist: "",
};

const KETTLE = "refine-kettle/replies.toml";

/** A script whose replies take a while. */
export function slowly(script, milliseconds) {
  return script.replaceAll("[[reply]]\n", `[[reply]]\ndelay_ms = ${milliseconds}\n`);
}

export class Service {
  static async start({ script = example(KETTLE), tenants = [] } = {}) {
    const service = new Service();
    service.folder = mkdtempSync(join(tmpdir(), "redraft-inspector-"));
    writeFileSync(join(service.folder, "replies.toml"), script);
    service.keys = {};
    for (const { tenant, name, scopes } of tenants) {
      if (tenant !== "default") service.admin(["tenant", "add", tenant], true);
      service.keys[name] = service.admin([
        "key", "add", "--tenant", tenant, "--name", name, "--scopes", scopes ?? "submit,read,review,admin",
      ]);
    }
    await service.serve();
    return service;
  }

  admin(words, mayFail = false) {
    const done = spawnSync(settings.program, ["admin", ...words], { cwd: this.folder, encoding: "utf8" });
    if (done.status !== 0 && !mayFail) throw new Error(`admin ${words.join(" ")}: ${done.stderr}`);
    return done.stdout.trim();
  }

  async serve() {
    this.process = spawn(
      settings.program,
      ["serve", "--listen", "127.0.0.1:0", "--script", "replies.toml"],
      { cwd: this.folder, stdio: ["ignore", "pipe", "ignore"] },
    );
    this.url = await new Promise((done, fail) => {
      let said = "";
      this.process.stdout.on("data", (data) => {
        said += data;
        const found = said.match(/listening on (http:\S+)/);
        if (found) done(found[1]);
      });
      this.process.on("exit", (code) => fail(new Error(`serve ended with ${code}`)));
    });
  }

  async call(method, path, body, key) {
    const headers = {};
    if (body !== undefined) headers["content-type"] = typeof body === "string" ? "application/x-ndjson" : "application/json";
    if (key) headers.authorization = `Bearer ${this.keys[key]}`;
    const answer = await fetch(this.url + path, {
      method,
      headers,
      body: typeof body === "string" ? body : body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  async submit(order, key) {
    return (await this.call("POST", "/v1/runs", order, key)).run;
  }

  async settled(run, key) {
    for (;;) {
      const info = await this.call("GET", `/v1/runs/${run}`, undefined, key);
      if (!["queued", "running"].includes(info.state)) return info;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  stop() {
    this.process?.removeAllListeners("exit");
    this.process?.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An order that its script repairs in two rounds and accepts. */
export function kettle(name = "kettle.md") {
  return { document: example("refine-kettle/lesson.md"), name, mode: "semi-auto" };
}

/** The same with a threshold that it does not reach, so that it waits for a reviewer. */
export function hard(name = "kettle.md") {
  return {
    ...kettle(name),
    policy: { accept: 0.9, "good-enough": { from: 0.9 }, repair: { iterations: 1 } },
  };
}

/** A wire between browser and service that can be cut. */
export async function wire(url) {
  const target = new URL(url);
  const open = new Set();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    open.add(near).add(far);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      end.on("error", () => {});
      end.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut() {
      isCut = true;
      for (const end of open) end.destroy();
      open.clear();
    },
    mend() {
      isCut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}

export async function browser() {
  return chromium.launch({
    executablePath: settings.browser,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

/** Answers with the files of a folder, under the headers of the service: to try a page that is not yet in the program. */
function serveFrom(folder) {
  return async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const isFile = pathname !== "/" && existsSync(join(folder, pathname));
    const isFrame = pathname === "/diagram.html";
    try {
      const { headers } = await fetch(origin + (isFrame ? pathname : "/"));
      const policy = headers.get("content-security-policy");
      await route.fulfill({ path: join(folder, isFile ? pathname : "index.html"), headers: { "content-security-policy": policy } });
    } catch {
      await route.abort().catch(() => {});
    }
  };
}

/** A page that fails the test if a script fails or the policy stops something. */
export async function page(launched, url, options = {}) {
  const context = await launched.newContext({ viewport: { width: 1280, height: 900 }, baseURL: url, ...options });
  if (settings.dist) await context.route(({ pathname }) => !pathname.startsWith("/v1/"), serveFrom(settings.dist));
  const made = await context.newPage();
  made.troubles = [];
  made.on("pageerror", (error) => made.troubles.push(`script: ${error.message}`));
  made.on("console", (message) => {
    const words = message.text();
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(words)) made.troubles.push(words);
  });
  made.setDefaultTimeout(15_000);
  return made;
}

export function expect(condition, words) {
  if (!condition) throw new Error(words);
}

export function same(found, expected, words = "") {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${words}: found ${one}, expected ${other}`);
}

export async function signIn(made, key) {
  await made.goto("/");
  await made.getByLabel("API key").fill(key);
  await made.getByRole("button", { name: "Sign in" }).click();
  await made.getByRole("heading", { name: "Runs", exact: true }).waitFor();
}

export function prepare() {
  rmSync(settings.out, { recursive: true, force: true });
  mkdirSync(settings.out, { recursive: true });
}
