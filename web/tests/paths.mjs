// What users do, from the first file to the decision. Each is a test of its own.
import { readFileSync } from "node:fs";
import { expect, example, hard, kettle, page, same, Service, signIn, slowly, wire } from "./harness.mjs";

const dropped = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

export const paths = {
  async "a dropped file is checked at once, judged and followed to its end"(browser, start) {
    const service = await start({ script: slowly(example("refine-kettle/replies.toml"), 60) });
    const made = await page(browser, service.url);
    await made.goto("/");
    await made.getByRole("heading", { name: "No runs yet" }).waitFor();
    const file = { name: "kettle.md", content: example("refine-kettle/lesson.md") };
    const data = await made.evaluateHandle(({ name, content }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name, { type: "text/markdown" }));
      return transfer;
    }, file);
    await made.dispatchEvent(".drop", "drop", { dataTransfer: data });
    await made.getByText("passed the checks").waitFor();
    await made.getByText("Opening, and the document as a whole").waitFor();
    await made.getByRole("button", { name: "Refine it" }).click();
    await made.waitForURL(/\/runs\/r/);
    await made.getByText("Live", { exact: true }).waitFor();
    await made.locator(".stepper li.current").first().waitFor();
    await made.getByText("Complete", { exact: true }).waitFor();
    await made.locator(".run-head .status", { hasText: "accepted" }).waitFor();
    await made.getByText("rolled back").first().waitFor();
    same(await made.locator(".round").count(), 2, "rounds");
    await made.getByRole("tab", { name: "Changes" }).click();
    await made.locator(".fragment ins").first().waitFor();
    await made.getByRole("tab", { name: "Judges" }).click();
    await made.locator(".criterion").first().waitFor();
    await made.getByText(/Krippendorff/).waitFor();
    await made.getByRole("tab", { name: "Events" }).click();
    await made.getByText("60 events").waitFor();
    await made.getByRole("tab", { name: "JSON" }).click();
    await made.getByText('"status": "accepted"').waitFor();
    same(made.troubles, [], "troubles");
  },

  async "a file that is not text, and one that is nothing we read, say what to do"(browser, start) {
    const service = await start();
    const made = await page(browser, service.url);
    await made.goto("/check");
    await made.setInputFiles("input[type=file]", { name: "a.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0xff, 0xfe, 0]) });
    await made.getByText("the file is not text").waitFor();
    await made.setInputFiles("input[type=file]", dropped("openapi.json", '{"openapi": "3.1.0", "paths": {}}'));
    await made.getByRole("alert").filter({ hasText: "document:" }).waitFor();
    await made.setInputFiles("input[type=file]", dropped("kettle.md", example("refine-kettle/lesson.md")));
    await made.getByText("passed the checks").waitFor();
  },

  async "after a lost connection events go on without a gap"(browser) {
    const service = await Service.start({ script: slowly(example("refine-kettle/replies.toml"), 200) });
    const line = await wire(service.url);
    try {
      const made = await page(browser, line.url);
      const run = await service.submit(kettle());
      await made.goto(`/runs/${run}?view=events`);
      await made.getByText("Live", { exact: true }).waitFor();
      await made.getByText("verdict", { exact: true }).first().waitFor();
      line.cut();
      await made.getByText("Connection lost").waitFor();
      await service.settled(run);
      line.mend();
      await made.getByText("Complete", { exact: true }).waitFor();
      await made.getByText("60 events").waitFor();
      const numbers = await made.evaluate(async () => {
        const box = document.querySelector(".virtual");
        const seen = new Set();
        for (let top = 0; top <= box.scrollHeight; top += 200) {
          box.scrollTop = top;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          for (const cell of box.querySelectorAll("tbody tr td:first-child")) seen.add(Number(cell.textContent));
        }
        return [...seen].sort((a, b) => a - b);
      });
      same(numbers, Array.from({ length: 60 }, (_, index) => index + 1), "numbers of events");
      await made.locator(".run-head .status", { hasText: "accepted" }).waitFor();
    } finally {
      line.close();
      service.stop();
    }
  },

  async "a reviewer decides by keyboard alone"(browser, start) {
    const service = await start();
    const runs = [];
    for (const name of ["one.md", "two.md", "three.md", "four.md", "five.md"]) runs.push(await service.submit(hard(name)));
    for (const run of runs) same((await service.settled(run)).state, "waiting");
    const made = await page(browser, service.url);
    await made.goto("/review");
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.locator(".criterion").first().waitFor();
    await made.keyboard.press("?");
    await made.getByText("Next, previous text in the queue").waitFor();
    await made.keyboard.press("?");
    const current = () => new URL(made.url()).pathname.split("/").at(-1);
    const first = current();
    await made.keyboard.press("2");
    await made.locator(".change ins").first().waitFor();
    await made.keyboard.press("s");
    await made.locator(".change .source .inline-diff").first().waitFor();
    await made.keyboard.press("1");
    await made.locator(".item-text .note").first().waitFor();
    await made.keyboard.press("n");
    await made.locator(".note.target").waitFor();

    // Approve.
    await made.keyboard.press("a");
    await made.keyboard.type("good enough for me");
    await made.keyboard.press("Enter");
    await made.getByText("Decided; the run continues.").waitFor();
    await made.waitForFunction((old) => !location.pathname.endsWith(old), first);
    same((await service.settled(first)).status, "accepted");
    const [made1] = (await service.call("GET", `/v1/runs/${first}/decisions`)).decisions;
    same([made1.decision, made1.comment], ["approve", "good enough for me"]);

    // Reject.
    const second = current();
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.keyboard.press("r");
    await made.keyboard.press("Control+Enter");
    await made.waitForFunction((old) => !location.pathname.endsWith(old), second);
    same((await service.settled(second)).status, "escalated");

    // Instruct.
    const third = current();
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.keyboard.press("i");
    await made.keyboard.type("Shorten the summary");
    await made.keyboard.press("Control+Enter");
    await made.waitForFunction(
      async (run) => (await (await fetch(`/v1/runs/${run}/decisions`)).json()).decisions.length > 0,
      third,
    );
    const [told] = (await service.call("GET", `/v1/runs/${third}/decisions`)).decisions;
    same([told.decision, told.words], ["instruct", "Shorten the summary"]);

    // What is written survives a look at another text.
    const other = runs.find((run) => ![first, second, third].includes(run));
    await made.goto(`/review/${other}`);
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.keyboard.press("e");
    await made.locator(".editor .cm-content").waitFor();
    await made.keyboard.type("Kept. ");
    await made.locator(".fragment ins", { hasText: "Kept" }).first().waitFor();
    await made.reload();
    await made.getByText("draft", { exact: true }).waitFor();
    await made.keyboard.press("e");
    await made.locator(".editor .cm-content", { hasText: "Kept." }).waitFor();
    for (let times = 0; times < 6; times += 1) await made.keyboard.press("Delete");
    await made.getByText("draft", { exact: true }).waitFor({ state: "detached" });

    // Edit in place, with the checks and the difference beside it.
    const edited = runs.find((run) => ![first, second, third].includes(run));
    await made.goto(`/review/${edited}`);
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.keyboard.press("e");
    await made.locator(".editor .cm-content").waitFor();
    await made.keyboard.press("Control+End");
    await made.keyboard.type("\n\nTODO: say more");
    await made.getByText("placeholder", { exact: false }).first().waitFor();
    await made.locator(".fragment ins").first().waitFor();
    for (let times = 0; times < 16; times += 1) await made.keyboard.press("Backspace");
    await made.keyboard.type("A kettle switches itself off.");
    await made.locator(".fragment ins", { hasText: "switches" }).first().waitFor();
    await made.keyboard.press("Control+Enter");
    await made.waitForFunction(
      async (run) => (await (await fetch(`/v1/runs/${run}/decisions`)).json()).decisions.length > 0,
      edited,
    );
    const [edit] = (await service.call("GET", `/v1/runs/${edited}/decisions`)).decisions;
    same(edit.decision, "approve_with_edits");
    expect(edit.words.includes("A kettle switches itself off."), "the edit was not sent");

    // Cannot decide.
    const last = runs.find((run) => ![first, second, third, edited].includes(run));
    await made.goto(`/review/${last}`);
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    await made.keyboard.press("u");
    await made.keyboard.press("Control+Enter");
    await made.getByText("Recorded; another reviewer has to decide.").waitFor();
    same((await service.settled(last)).state, "waiting");
    same(made.troubles, [], "troubles");
  },

  async "a slip of the keys decides nothing"(browser, start) {
    const service = await start();
    const run = await service.submit(hard());
    await service.settled(run);
    const made = await page(browser, service.url);
    await made.goto(`/review/${run}`);
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    for (const key of ["r", "Escape", "a", "Escape", "i", "Control+Enter", "Escape", "e", "Control+Enter"]) await made.keyboard.press(key);
    await made.waitForTimeout(300);
    same((await service.call("GET", `/v1/runs/${run}/decisions`)).decisions, [], "decisions");
  },

  async "two tenants sign in and never see each other's runs"(browser, start) {
    const service = await start({
      tenants: [
        { tenant: "school-a", name: "anna" },
        { tenant: "school-b", name: "ben" },
        { tenant: "school-a", name: "reader", scopes: "read" },
      ],
    });
    const run = await service.submit(hard("secret-of-a.md"), "anna");
    await service.settled(run, "anna");
    const anna = await page(browser, service.url);
    await anna.goto("/");
    await anna.getByLabel("API key").fill("redraft_nonsense");
    await anna.getByRole("button", { name: "Sign in" }).click();
    await anna.getByText("unknown or revoked API key").waitFor();
    await signIn(anna, service.keys.anna);
    await anna.getByText("secret-of-a.md").waitFor();
    await anna.goto(`/review/${run}`);
    await anna.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();

    const ben = await page(browser, service.url);
    await signIn(ben, service.keys.ben);
    await ben.getByRole("heading", { name: "No runs yet" }).waitFor();
    await ben.goto(`/runs/${run}`);
    await ben.getByText("Run not found").waitFor();
    await ben.goto(`/review/${run}`);
    await ben.getByText("Nothing is waiting for review").waitFor();
    expect(!(await ben.content()).includes("secret-of-a"), "a name of another tenant");
    await ben.goto("/settings");
    const keys = ben.getByRole("region", { name: "API keys" }).locator("tbody th");
    await keys.first().waitFor();
    same((await keys.allTextContents()).map((words) => words.split(" ")[0]), ["ben"], "keys");

    const reader = await page(browser, service.url);
    await signIn(reader, service.keys.reader);
    await reader.getByText("secret-of-a.md").waitFor();
    same(await reader.getByRole("navigation").getByRole("link").allTextContents(), ["Runs", "Course"], "what a reader may open");

    // The cookie decides nothing without the page's own token.
    const status = await anna.evaluate(async (run) => {
      const answer = await fetch(`/v1/reviews/${run}/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ decision: "approve" }),
      });
      return answer.status;
    }, run);
    same(status, 403, "a decision without a token");
    await anna.getByRole("button", { name: "Sign out" }).click();
    await anna.getByLabel("API key").waitFor();
    await anna.reload();
    await anna.getByLabel("API key").waitFor();
  },

  async "two reviewers decide about one text"(browser, start) {
    const service = await start({
      tenants: [
        { tenant: "default", name: "anna" },
        { tenant: "default", name: "ben" },
        { tenant: "default", name: "cleo" },
      ],
    });
    await service.call("PUT", "/v1/settings", { reviewers: 2 }, "anna");
    const run = await service.submit(hard(), "anna");
    await service.settled(run, "anna");
    const open = async (name) => {
      const made = await page(browser, service.url);
      await signIn(made, service.keys[name]);
      await made.goto(`/review/${run}`);
      await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
      return made;
    };
    const anna = await open("anna");
    await anna.keyboard.press("a");
    await anna.keyboard.press("Control+Enter");
    await anna.getByText("Recorded; another reviewer has to decide.").waitFor();
    // A step about a section is no decision about the text.
    await service.call("POST", `/v1/runs/${run}/sections/sec_3`, { action: "lock" }, "ben");
    const ben = await open("ben");
    await ben.getByText("1 other reviewer has decided").waitFor();
    expect(!(await ben.content()).includes("anna: approved"), "one reviewer is influenced by another");
    await ben.keyboard.press("r");
    await ben.keyboard.press("Control+Enter");
    await ben.getByText("Recorded; the reviewers disagree.").waitFor();
    await ben.getByText("Reviewers agreed on 0 of 1 text that two of them decided").waitFor();
    const cleo = await open("cleo");
    await cleo.getByText("anna: approved").waitFor();
    await cleo.getByText("ben: rejected").waitFor();
    await cleo.keyboard.press("a");
    await cleo.keyboard.press("Control+Enter");
    await cleo.getByText("Decided; the run continues.").waitFor();
    same((await service.settled(run, "anna")).status, "accepted");

    // A second text, about which they agree; who looks at both later sees all of it.
    const other = await service.submit(hard("other.md"), "anna");
    await service.settled(other, "anna");
    for (const name of ["anna", "ben"]) await service.call("POST", `/v1/reviews/${other}/decisions`, { decision: "reject" }, name);
    const third = await service.submit(hard("third.md"), "anna");
    await service.settled(third, "anna");
    const later = await page(browser, service.url);
    await signIn(later, service.keys.cleo);
    await later.goto("/review");
    await later.getByText("Reviewers agreed on 1 of 2 texts that two of them decided").click();
    const row = later.locator(".reviewers tbody tr", { hasText: "ben" });
    same(await row.locator("td").allTextContents(), ["2", "2", "1"], "ben decided, with another, agreed");
    await later.getByLabel("Assigned to", { exact: true }).selectOption("anna");
    await later.locator(".queue a", { hasText: "anna" }).waitFor();
    same((await service.call("GET", `/v1/reviews/${third}`, undefined, "cleo")).assignee, "anna");
  },

  async "filters stand in the address; runs are compared, exported and run again"(browser, start) {
    const service = await start();
    const [done, waits] = [await service.submit(kettle("done.md")), await service.submit(hard("waits.md"))];
    await service.settled(done);
    await service.settled(waits);
    const made = await page(browser, service.url);
    await made.goto("/?state=waiting");
    await made.getByText("waits.md").waitFor();
    same(await made.locator("tbody tr").count(), 1, "waiting runs");
    await made.getByRole("combobox", { name: "State" }).selectOption("");
    await made.getByText("done.md").waitFor();
    same(new URL(made.url()).search, "");
    await made.getByLabel("Name contains").fill("zzz");
    await made.getByText("No run matches these filters.").waitFor();
    await made.getByRole("button", { name: "Clear filters" }).click();
    await made.getByLabel("Choose done.md").check();
    await made.getByLabel("Choose waits.md").check();
    const [file] = await Promise.all([made.waitForEvent("download"), made.getByRole("button", { name: "Export" }).click()]);
    same(file.suggestedFilename(), "outcomes.jsonl");
    await made.getByRole("button", { name: "Compare" }).click();
    await made.getByRole("heading", { name: "Compare two runs" }).waitFor();
    await made.locator("tbody td", { hasText: "0.913" }).waitFor();
    await made.goto("/");
    await made.getByLabel("Choose done.md").check();
    await made.getByRole("button", { name: "Run again" }).click();
    await made.getByText("1 run submitted again").waitFor();
    await made.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3);
    same(made.troubles, [], "troubles");
  },

  async "the list of runs is live on one stream, also after a lost connection"(browser) {
    const service = await Service.start({ script: slowly(example("refine-kettle/replies.toml"), 150) });
    const line = await wire(service.url);
    try {
      const made = await page(browser, line.url);
      const asked = [];
      made.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await service.settled(await service.submit({ ...kettle("early.md"), goal: "check" }));
      await made.goto("/");
      await made.getByText("early.md").waitFor();
      const run = await service.submit(kettle("live.md"));
      const row = made.locator("tbody tr", { hasText: "live.md" });
      await row.locator(".status", { hasText: "running" }).waitFor();
      await row.locator(".status", { hasText: "accepted" }).waitFor();
      await row.getByText("0.913", { exact: true }).waitFor();
      const before = asked.filter((path) => path === "/v1/live").length;
      same(before, 1, "streams");
      expect(!asked.includes("/v1/runs"), `the list is asked for beside its stream: ${asked}`);
      line.cut();
      await made.getByText("Connection lost").waitFor();
      const missed = await service.submit(hard("missed.md"));
      await service.settled(missed);
      await service.settled(run);
      line.mend();
      await made.locator("tbody tr", { hasText: "missed.md" }).getByText("waiting for a reviewer").waitFor();
      await made.getByRole("link", { name: /^Review ?1$/ }).waitFor();
      await made.getByText("Live", { exact: true }).waitFor();
      same(made.troubles, [], "troubles");
      await made.context().close();
    } finally {
      line.close();
      service.stop();
    }
  },

  async "a tab that nobody sees holds no connection, and catches up"(browser, start) {
    const service = await start({ script: slowly(example("refine-kettle/replies.toml"), 100) });
    const made = await page(browser, service.url);
    const shown = (state) =>
      made.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    const run = await service.submit(kettle());
    await made.goto(`/runs/${run}?view=events`);
    await made.getByText("Live", { exact: true }).waitFor();
    const ended = made.waitForEvent("requestfailed", (request) => request.url().includes("/events?"));
    await shown("hidden");
    await ended;
    await service.settled(run);
    await shown("visible");
    await made.getByText("60 events").waitFor();
    await made.getByText("Complete", { exact: true }).waitFor();
    same(made.troubles, [], "troubles");
  },

  async "a name is sought among all runs, not only those in sight"(browser, start) {
    const service = await start();
    const line = (name) => JSON.stringify({ document: "# Water\n\nIt boils.\n", name, goal: "check" });
    const lines = [line("Needle 100%.md"), line("Урок.md"), ...Array.from({ length: 150 }, (_, index) => line(`hay-${index}.md`))];
    await service.call("POST", "/v1/runs/batch", lines.join("\n"));
    const made = await page(browser, service.url);
    await made.goto("/");
    await made.getByText("100 runs, and more").waitFor();
    for (const [words, found] of [["needle 100%", "Needle 100%.md"], ["Урок", "Урок.md"]]) {
      await made.getByPlaceholder("Name contains").fill(words);
      await made.getByText("1 run", { exact: true }).waitFor();
      await made.locator("tbody th", { hasText: found }).waitFor();
    }
    expect(made.url().includes("name="), "the name is not in the address");
    await made.getByRole("button", { name: "Clear filters" }).click();
    await made.getByRole("button", { name: "Show more" }).click();
    await made.getByText("152 runs", { exact: true }).waitFor();
    same(made.troubles, [], "troubles");
  },

  async "a queue of several pages is read to its end, the worst first"(browser, start) {
    const service = await start();
    for (const name of ["one.md", "two.md", "three.md", "four.md", "five.md"]) await service.settled(await service.submit(hard(name)));
    const made = await page(browser, service.url);
    // As if a page had two rows.
    const cut = (route) => route.continue({ url: route.request().url().replace("limit=500", "limit=2") });
    await made.route(/\/v1\/(reviews|runs)\?/, cut);
    await made.goto("/review");
    await made.getByText("1 of 5").waitFor();
    same((await made.locator(".queue .name").allTextContents()).sort(), ["five.md", "four.md", "one.md", "three.md", "two.md"], "the queue");
    await made.getByRole("link", { name: /^Review ?5$/ }).waitFor();
    await made.context().close();
  },

  async "a course is shown as a whole: scores, findings, likeness, the worst, and exports"(browser, start) {
    const service = await start({ tenants: [{ tenant: "a", name: "anna" }, { tenant: "b", name: "ben" }] });
    const made = await page(browser, service.url);
    await signIn(made, service.keys.anna);
    await made.getByRole("link", { name: "Course" }).click();
    await made.getByRole("heading", { name: "No documents yet" }).waitFor();
    const todo = example("refine-kettle/lesson.md").replace("## ", "TODO: write this.\n\n## ");
    for (const order of [
      kettle("done.md"), hard("waits.md"), { ...kettle("=todo.md"), document: todo, goal: "check" },
      { ...kettle("copy.md"), document: todo.replace("TODO", "FIXME"), goal: "check" },
    ]) await service.settled(await service.submit(order, "anna"), "anna");
    // The latest run of a document counts.
    await service.settled(await service.submit({ ...kettle("done.md"), goal: "check" }, "anna"), "anna");
    await service.submit({ ...kettle("secret-of-b.md"), goal: "check" }, "ben");
    await made.getByText("3 of 4 documents done, 1 waiting for a reviewer").waitFor();
    await made.getByText("Documents with findings, by check").waitFor();
    await made.getByText("Nearly the same documents").waitFor();
    await made.locator(".tile", { hasText: "How they ended" }).getByText("waiting").waitFor();
    await made.locator(".bank .judge-bar", { hasText: "placeholder" }).first().waitFor();
    same(await made.locator("table.runs tbody th").count(), 4, "documents");
    expect(!(await made.content()).includes("secret-of-b"), "a document of another tenant");
    const [outcomes] = await Promise.all([made.waitForEvent("download"), made.getByRole("link", { name: "Export the outcomes" }).click()]);
    const lines = readFileSync(await outcomes.path(), "utf8").trim().split("\n").map((line) => JSON.parse(line).status);
    same(lines, ["checked", "checked", "checked"], "outcomes");
    const [rows] = await Promise.all([made.waitForEvent("download"), made.getByRole("button", { name: "Export the table" }).click()]);
    const csv = readFileSync(await rows.path(), "utf8");
    expect(csv.includes("'=todo.md,lesson,") && csv.split("\r\n").length === 6, csv);
    await made.getByLabel("Kind").selectOption("mcq");
    await made.getByText("No document of this kind.").waitFor();
    await made.getByLabel("Kind").selectOption("lesson");
    await made.locator(".tile", { hasText: "Most findings" }).getByRole("link").first().click();
    await made.waitForURL(/\/runs\/r/);
    same(made.troubles, [], "troubles");
  },

  async "a service that is gone, refuses or fails is named, and asked again"(browser) {
    const service = await Service.start({ tenants: [{ tenant: "default", name: "anna" }, { tenant: "default", name: "sender", scopes: "submit" }] });
    const line = await wire(service.url);
    try {
      const made = await page(browser, line.url);
      const problem = (status, detail) => ({ status, contentType: "application/problem+json", body: JSON.stringify({ detail }) });
      // At first.
      await made.route("**/v1/session", (route) => route.abort());
      await made.goto("/");
      await made.getByRole("heading", { name: "No answer from the service" }).waitFor();
      same(await made.getByLabel("API key").count(), 0, "asked for a key while the service is gone");
      await made.unroute("**/v1/session");
      await made.route("**/v1/session", (route) => route.fulfill(problem(500, "the database does not answer")));
      await made.getByText("the database does not answer").waitFor();
      await made.unroute("**/v1/session");
      await made.getByLabel("API key").waitFor();
      await signIn(made, service.keys.anna);
      const run = await service.submit(hard(), "anna");
      await service.settled(run, "anna");
      // Later, on each screen.
      const open = (name) => made.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).click();
      for (const name of ["Settings", "Course"]) {
        await open(name);
        await made.getByRole("heading", { name, exact: true }).waitFor();
      }
      line.cut();
      for (const [name, words] of [["Settings", "does not answer"], ["Course", "Connection lost"], ["Runs", "Connection lost"]]) {
        await open(name);
        await made.getByText(words).first().waitFor();
      }
      // Not even the screen itself can be loaded.
      await open("Review");
      await made.getByText("does not answer").waitFor();
      line.mend();
      await made.getByRole("button", { name: "Try again" }).click();
      await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
      // A part of the server that fails leaves the rest.
      await made.route("**/views/panel", (route) => route.fulfill(problem(500, "internal error, please report it")));
      await made.goto(`/review/${run}`);
      await made.locator(".judges").getByText("internal error, please report it").waitFor();
      await made.locator(".item-text .note").first().waitFor();
      await made.unroute("**/views/panel");
      await made.route("**/decisions", (route) => (route.request().method() === "POST" ? route.fulfill(problem(403, "this key lacks the scope `review`")) : route.continue()));
      await made.keyboard.press("a");
      await made.keyboard.press("Control+Enter");
      await made.getByRole("alert").filter({ hasText: "lacks the scope" }).waitFor();
      await made.unroute("**/decisions");
      same((await service.call("GET", `/v1/runs/${run}/decisions`, undefined, "anna")).decisions, [], "decisions");
      // A session that has ended asks to sign in again, at the same address.
      await made.context().clearCookies();
      await made.goto(`/runs/${run}`);
      await made.getByLabel("API key").fill(service.keys.anna);
      await made.getByRole("button", { name: "Sign in" }).click();
      await made.locator(".stepper").waitFor();
      same(new URL(made.url()).pathname, `/runs/${run}`, "the address after signing in");
      // A key that may not read says so.
      const sender = await page(browser, line.url);
      await signIn(sender, service.keys.sender);
      await sender.getByRole("alert").filter({ hasText: "lacks the scope `read`" }).waitFor();
      await made.context().close();
      await sender.context().close();
    } finally {
      line.close();
      service.stop();
    }
  },

  async "a slow service leaves the page usable"(browser, start) {
    const service = await start();
    const run = await service.submit(hard());
    await service.settled(run);
    const made = await page(browser, service.url);
    await made.route("**/v1/**", async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.continue().catch(() => {});
    });
    await made.goto(`/review/${run}`);
    await made.getByText("Loading", { exact: false }).first().waitFor();
    await made.locator(".judges .criterion").first().waitFor();
    // Twice in a row decides once.
    await made.keyboard.press("a");
    await made.keyboard.press("Control+Enter");
    await made.keyboard.press("Control+Enter");
    await made.getByText("Decided; the run continues.").waitFor();
    same((await service.call("GET", `/v1/runs/${run}/decisions`)).decisions.length, 1, "decisions");
    same(made.troubles, [], "troubles");
    await made.context().close();
  },

  async "a bank is shown as a whole and item by item"(browser, start) {
    const service = await start({ script: example("refine-item-replies.toml") });
    const made = await page(browser, service.url);
    await made.goto("/check");
    await made.setInputFiles("input[type=file]", dropped("question-bank.json", example("question-bank.json")));
    await made.getByText(/items: each gets a run of its own/).waitFor();
    await made.getByText("Positions of the keys").waitFor();
    await made.getByRole("button", { name: "Judge it" }).click();
    await made.waitForURL(/\/banks\/b/);
    await made.getByText("Positions of the keys").waitFor();
    await made.waitForFunction(() => {
      const words = document.querySelector("[role=status]")?.textContent ?? "";
      // The script's judge is not content with them, so a reviewer has to decide.
      return /4 waiting for a reviewer/.test(words);
    });
    await made.locator("table.runs tbody a").first().click();
    await made.getByRole("tab", { name: "Text" }).click();
    await made.locator(".fragment .field").first().waitFor();
    same(made.troubles, [], "troubles");
  },

  async "settings are saved, tried on past runs, and mistakes are named"(browser, start) {
    const service = await start();
    const run = await service.submit(kettle());
    same((await service.settled(run)).status, "accepted");
    const made = await page(browser, service.url);
    await made.goto("/settings");
    await made.getByText("Values of empty fields").click();
    const lesson = made.locator("table.defaults tr", { hasText: "a reviewer decides" }).filter({ hasText: "Lesson" });
    same((await lesson.locator("td").allTextContents())[1], "0.900", "where a lesson is accepted");
    await made.getByLabel("Accept from").fill("0.995");
    await made.getByLabel("Good enough from").fill("0.99");
    await made.getByRole("button", { name: "Preview" }).click();
    await made.getByText(/(1 of 1|For 1 of them)/).waitFor();
    await made.getByLabel("Good enough from").fill("");
    await made.getByLabel("Accept from").fill("0.905");
    await made.getByLabel("Reviewers who must agree").selectOption("2");
    await made.getByLabel("Criterion").fill("completeness");
    await made.getByRole("button", { name: "Add" }).click();
    await made.getByLabel("completeness").fill("0.4");
    await made.getByLabel("Tokens").fill("90000");
    await made.getByRole("button", { name: "Save" }).click();
    await made.getByText("Saved.").waitFor();
    const saved = await service.call("GET", "/v1/settings");
    same([saved.reviewers, saved.threshold, saved.weights, saved.budgets.tokens_per_run], [2, 0.905, { completeness: 0.4 }, 90000]);
    await made.getByLabel("Other keys of policy.toml").fill("{");
    await made.getByRole("button", { name: "Save" }).click();
    await made.getByText("invalid JSON").waitFor();
    await made.getByLabel("Other keys of policy.toml").fill('{"acept": 1}');
    await made.getByRole("button", { name: "Save" }).click();
    await made.getByRole("alert").filter({ hasText: "acept" }).waitFor();
    await made.getByText("scripted/judge_primary").waitFor();
    await made.getByRole("button", { name: "Test the judges" }).click();
    await made.getByText(/pairs right/).first().waitFor();
    same(made.troubles, [], "troubles");
  },

  async "a preview puts new settings in the place of old ones, under what an order set"(browser, start) {
    const service = await start();
    // Accepted under a low threshold that the tenant had, or that the order itself has.
    await service.call("PUT", "/v1/settings", { threshold: 0.5 });
    const judged = { ...kettle("old.md"), goal: "judge", mode: "full-auto" };
    for (const order of [judged, { ...judged, name: "own.md", policy: { accept: 0.4 } }]) {
      same((await service.settled(await service.submit(order))).status, "accepted");
    }
    const made = await page(browser, service.url);
    await made.goto("/settings");
    await made.getByRole("button", { name: "Preview" }).click();
    await made.getByText("None of 2 past runs would have had a different outcome.").waitFor();
    await made.getByLabel("Accept from").fill("");
    await made.getByRole("button", { name: "Preview" }).click();
    await made.getByText("1 of 2 runs would have had a different outcome").waitFor();
    await made.locator("tbody tr", { hasText: "old.md" }).getByText("best effort").waitFor();
    same(made.troubles, [], "troubles");
  },

  async "a reviewer comments on a passage and locks a section"(browser, start) {
    const service = await start();
    const run = await service.submit(hard());
    await service.settled(run);
    const made = await page(browser, service.url);
    await made.goto(`/review/${run}`);
    await made.locator(".item-text .content").first().waitFor();
    await made.keyboard.press("m");
    await made.getByText("Select a passage of the text first.").waitFor();
    await made.locator(".item-text .content p", { hasText: "Look for three signs" }).first().evaluate((element) => {
      getSelection().selectAllChildren(element);
    });
    await made.keyboard.press("m");
    await made.getByLabel("Comment", { exact: true }).fill("Name them first.");
    await made.keyboard.press("Control+Enter");
    await made.locator(".judges").getByText("Name them first.").waitFor();
    const [comment] = (await service.call("GET", `/v1/runs/${run}/comments`)).comments;
    same([comment.quote, comment.text], ["Look for three signs:", "Name them first."]);
    same((await service.call("GET", `/v1/runs/${run}/decisions`)).decisions, [], "a comment decides nothing");
    // Of words that stand there twice the ones that are selected are meant.
    const { content } = await service.call("GET", `/v1/reviews/${run}`);
    const word = "kettle";
    const marked = await made.evaluate((word) => {
      const pre = document.querySelector(".item-text .source pre");
      document.querySelector('.item-text input[value="source"]').click();
      const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(), seen = 0; node; node = walker.nextNode()) {
        for (let at = node.data.indexOf(word); at >= 0; at = node.data.indexOf(word, at + 1)) {
          seen += 1;
          if (seen !== 3) continue;
          getSelection().setBaseAndExtent(node, at, node, at + word.length);
          return seen;
        }
      }
      return 0;
    }, word);
    same(marked, 3, "words to select");
    await made.keyboard.press("m");
    await made.getByLabel("Comment", { exact: true }).fill("This one.");
    await made.keyboard.press("Control+Enter");
    await made.locator(".judges").getByText("This one.").waitFor();
    const second = (await service.call("GET", `/v1/runs/${run}/comments`)).comments.at(-1);
    const before = Buffer.from(content).subarray(0, second.start).toString();
    same(before.split(word).length - 1, 2, "the same words before the passage");
    await made.goto(`/runs/${run}`);
    await made.getByText("Lock or skip sections").click();
    await made.locator("details .task", { hasText: "sec_3" }).getByRole("button", { name: "Lock" }).click();
    await made.getByText("In effect now.").waitFor();
    same(made.troubles, [], "troubles");
  },

  async "an edit keeps the line ends of the file, and says which request it answers"(browser) {
    const service = await Service.start();
    const made = await page(browser, service.url);
    try {
      const run = await service.submit(hard());
      await service.settled(run);
      let content = "";
      await made.route(`**/v1/reviews/${run}`, async (route) => {
        const answer = await route.fetch();
        const review = await answer.json();
        content = review.content.replaceAll("\n", "\r\n");
        await route.fulfill({ response: answer, json: { ...review, content } });
      });
      await made.goto(`/review/${run}`);
      await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
      await made.keyboard.press("e");
      await made.locator(".editor .cm-content").waitFor();
      await made.keyboard.type("x");
      await made.keyboard.press("Control+End");
      await made.keyboard.press("Enter");
      await made.keyboard.type("y");
      await made.getByText("draft", { exact: true }).waitFor();
      const { since } = await service.call("GET", `/v1/reviews/${run}`);
      const [sent] = await Promise.all([
        made.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/decisions")),
        made.keyboard.press("Control+Enter"),
      ]);
      same(sent.postDataJSON(), { decision: "approve_with_edits", since, content: `x${content}\r\ny` }, "the decision");
    } finally {
      // The page goes on asking, and its routes with it.
      await made.context().close();
      service.stop();
    }
  },

  async "a decision about a text that is no longer the one that waits decides nothing"(browser) {
    const service = await Service.start();
    const made = await page(browser, service.url);
    try {
      const run = await service.submit(hard());
      await service.settled(run);
      const early = (review) => ({ ...review, since: review.since - 1 });
      await made.route(`**/v1/reviews/${run}`, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: early(await answer.json()) });
      });
      let isOld = true;
      await made.route("**/v1/reviews?*", async (route) => {
        const answer = await route.fetch();
        const list = await answer.json();
        await route.fulfill({ response: answer, json: isOld ? { ...list, reviews: list.reviews.map(early) } : list });
      });
      await made.goto(`/review/${run}`);
      await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
      await made.keyboard.press("a");
      await made.unroute(`**/v1/reviews/${run}`);
      isOld = false;
      await made.keyboard.press("Control+Enter");
      await made.getByText("Another reviewer has already decided this one.").first().waitFor();
      same((await service.call("GET", `/v1/runs/${run}/decisions`)).decisions, [], "decisions");
      // The text that waits now comes in its place, with no form open.
      await made.getByRole("button", { name: "Approve", exact: false }).first().waitFor();
      same(made.troubles, [], "troubles");
    } finally {
      // The page goes on asking, and its routes with it.
      await made.context().close();
      service.stop();
    }
  },

  async "an address that is not an id leads nowhere"(browser, start) {
    const service = await start();
    const run = await service.submit({ ...kettle(), goal: "check" });
    await service.settled(run);
    const made = await page(browser, service.url);
    const asked = [];
    made.on("request", (request) => asked.push(new URL(request.url()).pathname));
    for (const address of ["/runs/%", `/runs/${run}%2Fdocument%23`, `/review/${run}%3F`, "/banks/a%2Fb"]) {
      await made.goto(address);
      await made.getByText("This page does not exist.").waitFor();
    }
    await made.goto(`/compare?a=${run}%2Fdocument%23&b=${run}`);
    await made.getByText("This page does not exist.").waitFor();
    expect(!asked.some((path) => /^\/v1\/(runs|reviews|batches)\/./.test(path)), `asked for ${asked}`);
    same(made.troubles, [], "troubles");
  },

  async "of several runs that are submitted again one may fail, and none is paid for twice"(browser, start) {
    const service = await start();
    const runs = [];
    for (const name of ["one.md", "two.md", "three.md"]) runs.push(await service.submit({ ...kettle(name), goal: "check" }));
    for (const run of runs) await service.settled(run);
    const made = await page(browser, service.url);
    const problem = { status: 429, contentType: "application/problem+json", body: JSON.stringify({ detail: "too many requests" }) };
    await made.route(`**/v1/runs/${runs[1]}/again`, (route) => route.fulfill(problem));
    await made.goto("/");
    for (const name of ["one.md", "two.md", "three.md"]) await made.getByLabel(`Choose ${name}`).check();
    await made.getByRole("button", { name: "Run again" }).click();
    await made.getByText("2 runs submitted again").waitFor();
    await made.getByText("too many requests").waitFor();
    await made.getByText("1 run chosen").waitFor();
    expect(await made.getByLabel("Choose two.md").isChecked(), "what failed is not chosen any more");
    same((await service.call("GET", "/v1/runs")).runs.length, 5, "runs");
  },

  async "the focus follows, single keys can be turned off, and arrows go from tab to tab"(browser, start) {
    const service = await start();
    for (const name of ["one.md", "two.md"]) await service.settled(await service.submit(hard(name)));
    const made = await page(browser, service.url);
    await made.goto("/");
    await made.getByRole("link", { name: /^Review ?2$/ }).click();
    await made.waitForURL(/\/review\/r/);
    await made.locator(".item-head h2", { hasText: "How a kettle boils water" }).waitFor();
    const focused = () => made.evaluate(() => document.activeElement.closest("main")?.id ?? document.activeElement.tagName);
    same(await focused(), "content", "the focus after a link");
    const before = made.url();
    await made.keyboard.press("j");
    await made.waitForFunction((old) => location.href !== old, before);
    await made.locator("h2[data-landing]:focus").waitFor();
    await made.locator("#pane-text").focus();
    await made.keyboard.press("ArrowRight");
    await made.keyboard.press("Enter");
    await made.locator("#pane-changes[aria-selected=true][tabindex='0']:focus").waitFor();

    await made.keyboard.press("?");
    await made.getByLabel("Use single keys as commands").uncheck();
    await made.getByRole("button", { name: "Close" }).click();
    await made.keyboard.press("r");
    await made.waitForTimeout(100);
    same(await made.getByRole("button", { name: "Reject the text" }).count(), 0, "forms of a decision");
    await made.reload();
    await made.getByRole("button", { name: /^Keys/ }).click();
    await made.getByLabel("Use single keys as commands").check();
    await made.keyboard.press("r");
    await made.getByRole("button", { name: "Reject the text" }).click();
    await made.getByText("Decided; the run continues.").waitFor();
    await made.locator("h2[data-landing]:focus").waitFor();
    same(made.troubles, [], "troubles");
  },

  async "signing out says when it fails, and takes drafts along"(browser, start) {
    const service = await start({ tenants: [{ tenant: "default", name: "anna" }] });
    const made = await page(browser, service.url);
    await signIn(made, service.keys.anna);
    await made.evaluate(() => sessionStorage.setItem("redraft-draft-r1-1", "secret"));
    await made.route("**/v1/session", (route) => (route.request().method() === "DELETE" ? route.fulfill({ status: 503 }) : route.continue()));
    await made.getByRole("button", { name: "Sign out" }).click();
    await made.getByText("you are still signed in").waitFor();
    await made.unroute("**/v1/session");
    await made.getByRole("button", { name: "Sign out" }).click();
    await made.getByLabel("API key").waitFor();
    same(await made.evaluate(() => sessionStorage.length), 0, "drafts");
  },
};
