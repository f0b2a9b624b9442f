"""Tries a service against its OpenAPI document:
python3 service_api.py REDRAFT EXAMPLES SCHEMATHESIS [POSTGRES_URL]

Schemathesis sends valid and invalid requests to every operation, and then to those with names
in their path once more with runs, banks and webhooks that exist. It fails with an answer of 500,
a status or a body that the document does not have, and a header that is missing."""
import http.client, json, os, subprocess, sys, tempfile, time

redraft, examples, schemathesis = sys.argv[1:4]
postgres = sys.argv[4] if len(sys.argv) > 4 else ""
examples_each = os.environ.get("REDRAFT_API_EXAMPLES", "60")


def call(address, key, method, path, body=None):
    connection = http.client.HTTPConnection(address)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request(method, path, body and json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    assert answer.status < 300, (answer.status, text)
    return text and json.loads(text)


HOOKS = """import schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
"""


def try_database(name, database):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "hooks.py"), "w") as file:
            file.write(HOOKS)
        env = dict(os.environ, REDRAFT_DATABASE=database.format(folder=folder))
        script = os.path.join(examples, "refine-kettle/replies.toml")
        admin = lambda *words: subprocess.run([redraft, "admin", *words], cwd=folder, env=env, check=True,
                                              capture_output=True, text=True).stdout.strip()
        tenant = f"api-{os.getpid()}"
        admin("tenant", "add", tenant)
        key = admin("key", "add", "--tenant", tenant, "--name", "tester", "--scopes", "submit,read,review,admin,operate")
        log = open(os.path.join(folder, "log"), "w")
        server = subprocess.Popen([redraft, "serve", "--listen", "127.0.0.1:0", "--script", script, "--rate", "100000",
                                   "--webhook-host", "127.0.0.1"], cwd=folder, env=env, stdout=subprocess.PIPE,
                                  stderr=log, text=True)
        try:
            address = server.stdout.readline().strip().removeprefix("listening on http://")
            text = open(os.path.join(examples, "refine-kettle/lesson.md")).read()
            policy = {"accept": 0.9, "good-enough": {"from": 0.9}, "repair": {"iterations": 1}}
            order = {"document": text, "name": "lesson.md", "mode": "semi-auto", "policy": policy}
            waiting = call(address, key, "POST", "/v1/runs", order)["run"]
            done = call(address, key, "POST", "/v1/runs", {"document": text, "goal": "check"})["run"]
            gift = "::One:: Which planet is nearest to the sun? {=Mercury ~Venus ~Mars}\n\n::Two:: What do plants take up? {=carbon dioxide ~neon ~helium}\n"
            bank = call(address, key, "POST", "/v1/banks", {"document": gift, "name": "bank.gift", "goal": "check"})
            hook = call(address, key, "POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/"})["id"]
            for run in [waiting, done, *bank["runs"]]:
                while call(address, key, "GET", f"/v1/runs/{run}")["state"] in ("queued", "running"):
                    time.sleep(0.1)
            url = f"http://{address}/v1/openapi.json"
            # The stream of events ends with its run only, so the runs that wait would hold it up.
            words = [schemathesis, "run", url, "-H", f"Authorization: Bearer {key}", "--max-examples", examples_each,
                     "--exclude-path-regex", "/events$", "--exclude-checks",
                     # A tenant's texts are its own business: no schema can say which are accepted.
                     "positive_data_acceptance,ignored_auth,unsupported_method", "--continue-on-failure",
                     "--suppress-health-check", "all", "--request-timeout", "70"]
            print(f"--- {name}", flush=True)
            hooked = dict(os.environ, SCHEMATHESIS_HOOKS="hooks", PYTHONPATH=folder)
            failed = 0
            for run in (done, waiting):
                known = {"run": run, "batch": bank["batch"], "webhook": hook, "section": "sec_1", "view": "text", "code": "TXT003"}
                config = os.path.join(folder, "known.toml")
                with open(config, "w") as file:
                    file.write("[parameters]\n" + "".join(f'"path.{name}" = "{value}"\n' for name, value in known.items()))
                named = [words[0], "--config-file", config, *words[1:], "--include-path-regex", "[{]"]
                failed |= subprocess.run(named, cwd=folder, env=hooked).returncode
            failed |= subprocess.run(words, cwd=folder, env=hooked).returncode
            with open(os.path.join(folder, "log")) as file:
                internal = [line.strip() for line in file if '"internal_error"' in line]
            for line in internal[:10]:
                print(line)
            return failed or bool(internal)
        finally:
            server.terminate()
            server.wait()


databases = [("SQLite", "{folder}/api.db")]
if postgres:
    databases.append(("PostgreSQL", postgres))
results = [try_database(name, database) for name, database in databases]
sys.exit(1 if any(results) else 0)
