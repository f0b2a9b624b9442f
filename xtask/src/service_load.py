"""Loads a service: python3 service_load.py REDRAFT EXAMPLES RUNS [POSTGRES_URL]"""
import http.client, json, os, resource, subprocess, sys, tempfile, threading, time

redraft, examples, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
postgres = sys.argv[4] if len(sys.argv) > 4 else ""
script = os.path.join(examples, "judge-replies.toml")
order = json.dumps({"document": open(os.path.join(examples, "photosynthesis.md")).read(),
                    "name": "photosynthesis.md", "goal": "judge"})


def get(address, path):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", path)
    return connection.getresponse().read().decode()


def left(address):
    lines = [line for line in get(address, "/v1/metrics").splitlines() if line.startswith("redraft_runs{")]
    return sum(int(line.split()[-1]) for line in lines if "queued" in line or "running" in line)


def submit(address, number, took, ids):
    connection = http.client.HTTPConnection(address)
    for _ in range(number):
        start = time.time()
        connection.request("POST", "/v1/runs", order, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 201, body
        took.append(time.time() - start)
        ids.append(json.loads(body)["run"])


def follow(address, run, ends):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", f"/v1/runs/{run}/events")
    ends.append(b"run_complete" in connection.getresponse().read())


def memory(process):
    with open(f"/proc/{process.pid}/status") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))


def cpu(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def postgres_cpu():
    """Seconds of the server of PostgreSQL and all that it started, also of those that ended."""
    if not postgres:
        return 0
    port, found = postgres.rsplit(":", 1)[-1].split("/")[0], 0
    stats = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/cmdline").read().split("\0")
            stats[int(name)] = words, open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            pass  # it has ended
    for pid, (words, fields) in stats.items():
        if "postgres" in words[0] and "-p" in words and words[words.index("-p") + 1] == port:
            ended = int(fields[13]) + int(fields[14])
            ours = [fields] + [other for _, other in stats.values() if int(other[1]) == pid]
            found = ended + sum(int(one[11]) + int(one[12]) for one in ours)
    return found / os.sysconf("SC_CLK_TCK")


def busy():
    """Seconds of all processors that were not idle, and all seconds."""
    with open("/proc/stat") as file:
        times = [int(word) / os.sysconf("SC_CLK_TCK") for word in file.readline().split()[1:9]]
    return sum(times) - times[3] - times[4], sum(times)


def measure(name, database, workers, readers=0):
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, REDRAFT_DATABASE=database.format(folder=folder))
        log = open(os.path.join(folder, "log"), "w")
        start = lambda *words: subprocess.Popen([redraft, *words, "--script", script], cwd=folder, env=env,
                                                stdout=subprocess.PIPE, stderr=log, text=True)
        server = start("serve", "--listen", "127.0.0.1:0", "--no-work", "--rate", "1000000")
        address = server.stdout.readline().strip().removeprefix("listening on http://")
        took, ids, ends = [], [], []
        before, postgres_before = busy(), postgres_cpu()
        begun = time.time()
        if not readers:
            others = [start("worker") for _ in range(workers)]
        clients = [threading.Thread(target=submit, args=(address, runs // 4, took, ids)) for _ in range(4)]
        [client.start() for client in clients]
        [client.join() for client in clients]
        submitted = time.time() - begun
        if readers:
            streams = [threading.Thread(target=follow, args=(address, ids[n % len(ids)], ends)) for n in range(readers)]
            [stream.start() for stream in streams]
            begun = time.time()
            others = [start("worker") for _ in range(workers)]
        while left(address):
            time.sleep(0.1)
        all_of_it = time.time() - begun
        used = [now - then for now, then in zip(busy(), before)]
        took.sort()
        spent = [cpu(server), sum(map(cpu, others)), postgres_cpu() - postgres_before if name.startswith("Post") else 0]
        at = lambda share: round(1000 * took[min(len(took) - 1, int(len(took) * share))], 1)
        print(f"{name:30} {len(ids) / all_of_it:7.1f} runs/s   POST {len(ids) / submitted:6.1f}/s "
              f"p50 {at(.5)} ms p99 {at(.99)} ms   server {memory(server)} MB, worker {memory(others[0])} MB   "
              f"a run: server {1000 * spent[0] / len(ids):.1f}, workers {1000 * spent[1] / len(ids):.1f}, "
              f"database {1000 * spent[2] / len(ids):.1f} ms of processor, {len(ids) / sum(spent):.0f} runs for a second of it; "
              f"machine {100 * used[0] / used[1]:.0f}% busy, load {os.getloadavg()[0]:.1f}", flush=True)
        if readers:
            [stream.join() for stream in streams]
            print(f"{'':30} {sum(ends)} of {readers} readers saw the end")
        for process in [server, *others]:
            process.terminate()
            process.wait()


resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
databases = [("SQLite", "{folder}/load.db")]
if postgres:
    databases.append(("PostgreSQL", postgres))
for name, database in databases:
    for workers in (1, 2, 4):
        measure(f"{name}, {workers} workers", database, workers)
    measure(f"{name}, 1000 readers of events", database, 1, readers=1000)
