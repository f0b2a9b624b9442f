// The events of a run as they happen. After a lost connection it goes on after the last
// number that was seen; a number that is missing is asked for again, so there is no gap.
import { ApiError, request } from "./api";

export interface RunEvent {
  seq: number;
  at?: number;
  elapsed?: number;
  event: string;
  [field: string]: unknown;
}

export type Link = "connecting" | "live" | "lost" | "over";

const LAST = ["run_complete", "run_failed", "run_cancelled"];

export interface Follower {
  events(events: RunEvent[]): void;
  link(state: Link): void;
}

/** Follows a run until it is over; the function that is returned ends it. */
export function follow(run: string, after: number, follower: Follower): () => void {
  const stop = new AbortController();
  let last = after;
  let pause = 250;

  /** Takes what fits; tells whether something is missing before it. */
  const take = (events: RunEvent[]): boolean => {
    const fitting: RunEvent[] = [];
    for (const event of events) {
      if (event.seq <= last) continue;
      if (event.seq !== last + 1) break;
      last = event.seq;
      fitting.push(event);
    }
    if (fitting.length) follower.events(fitting);
    return events.some((event) => event.seq > last);
  };

  const read = async (): Promise<"over" | "again"> => {
    const path = `/v1/runs/${encodeURIComponent(run)}/events?after=${last}`;
    const answer = await request("GET", path, { accept: "text/event-stream", signal: stop.signal });
    if (answer.status === 204 || !answer.body) return "over";
    follower.link("live");
    pause = 250;
    let ended = false;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      waiting += value;
      const cut = waiting.lastIndexOf("\n\n");
      if (cut < 0) continue;
      const events = parse(waiting.slice(0, cut));
      waiting = waiting.slice(cut + 2);
      if (take(events)) {
        await reader.cancel();
        return "again";
      }
      ended ||= events.some((event) => LAST.includes(event.event));
    }
    return ended ? "over" : "again";
  };

  const run_ = async (): Promise<void> => {
    follower.link("connecting");
    while (!stop.signal.aborted) {
      try {
        if ((await read()) === "over") {
          follower.link("over");
          return;
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
          follower.link("over");
          return;
        }
      }
      if (stop.signal.aborted) return;
      follower.link("lost");
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 8_000);
    }
  };
  void run_();
  return () => stop.abort();
}

function parse(block: string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const part of block.split("\n\n")) {
    const data = part
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n");
    if (data) events.push(JSON.parse(data) as RunEvent);
  }
  return events;
}
