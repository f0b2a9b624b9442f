// A page of runs that keeps up with them.
import type { LiveRuns, RunInfo } from "./api";
import { queue } from "./queue.svelte";
import { watch, type Link } from "./stream";

export interface Shown {
  /** The latest first. */
  runs: RunInfo[];
  /** Those that a later one pushed off the page, or that no longer fit its filters. */
  gone: RunInfo[];
  next: string | null;
}

/** Watches the page with these filters; the function that is returned ends it. */
export function watchRuns(query: URLSearchParams, shown: (page: Shown) => void, link: (state: Link, why?: string) => void): () => void {
  let known = new Map<string, RunInfo>();
  return watch<LiveRuns>(
    `/v1/live?${query}`,
    (message) => {
      if (message.is_whole) known = new Map();
      const gone: RunInfo[] = [];
      for (const run of message.gone) {
        const old = known.get(run);
        if (old) gone.push(old);
        known.delete(run);
      }
      for (const run of message.runs) known.set(run.run, run);
      if (typeof message.waiting === "number") queue.waiting = message.waiting;
      // Ids of later runs sort after those of earlier ones.
      const runs = [...known.values()].sort((a, b) => (a.run < b.run ? 1 : -1));
      shown({ runs, gone, next: message.next ?? null });
    },
    link,
  );
}
