// Streams of the service (SSE), kept up: after a lost connection they are opened again. A tab
// that nobody sees holds no connection, since a browser has only six for a service.
import { ApiError, request } from "./api";

export interface RunEvent {
  seq: number;
  at?: number;
  elapsed?: number;
  event: string;
  [field: string]: unknown;
}

export type Link = "connecting" | "live" | "lost" | "over";

/** What to do after some messages: read on, open the stream again at once, or end. */
type Next = "on" | "again" | "over";

interface Listener<Message> {
  /** The address, each time that the stream is opened. */
  address: () => string;
  take: (messages: Message[]) => Next;
  /** With what the service said, if it refused. */
  link: (state: Link, why?: string) => void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

const isHidden = () => document.visibilityState === "hidden";

/** Waits until the tab is seen. */
function seen(stop: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (isHidden() && !stop.aborted) return;
      document.removeEventListener("visibilitychange", look);
      stop.removeEventListener("abort", look);
      done();
    };
    document.addEventListener("visibilitychange", look);
    stop.addEventListener("abort", look);
    look();
  });
}

/** Reads a stream until it is over; the function that is returned ends it. */
function listen<Message>(listener: Listener<Message>): () => void {
  const stop = new AbortController();
  let pause = FIRST_PAUSE;

  const read = async (signal: AbortSignal): Promise<Next> => {
    const answer = await request("GET", listener.address(), { accept: "text/event-stream", signal });
    if (answer.status === 204 || !answer.body) return "over";
    listener.link("live");
    pause = FIRST_PAUSE;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "again";
      waiting += value;
      const cut = waiting.lastIndexOf("\n\n");
      if (cut < 0) continue;
      const messages = parse<Message>(waiting.slice(0, cut));
      waiting = waiting.slice(cut + 2);
      const next = messages.length ? listener.take(messages) : "on";
      if (next === "on") continue;
      await reader.cancel();
      return next;
    }
  };

  const keepUp = async (): Promise<void> => {
    listener.link("connecting");
    while (!stop.signal.aborted) {
      await seen(stop.signal);
      const line = new AbortController();
      const hang = () => {
        if (isHidden() || stop.signal.aborted) line.abort();
      };
      document.addEventListener("visibilitychange", hang);
      stop.signal.addEventListener("abort", hang);
      try {
        if ((await read(line.signal)) === "over") {
          listener.link("over");
          return;
        }
      } catch (error) {
        const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
        if (isFinal) {
          listener.link("over", error.message);
          return;
        }
      } finally {
        document.removeEventListener("visibilitychange", hang);
        stop.signal.removeEventListener("abort", hang);
        line.abort();
      }
      if (stop.signal.aborted) return;
      if (isHidden()) continue;
      listener.link("lost");
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  };
  void keepUp();
  return () => stop.abort();
}

function parse<Message>(block: string): Message[] {
  const messages: Message[] = [];
  for (const part of block.split("\n\n")) {
    const data = part
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n");
    if (data) messages.push(JSON.parse(data) as Message);
  }
  return messages;
}

const LAST = ["run_complete", "run_failed", "run_cancelled"];

export interface Follower {
  events(events: RunEvent[]): void;
  link(state: Link): void;
}

/**
 * Follows a run until it is over. It goes on after the last number that was seen; a number that is
 * missing is asked for again, so there is no gap.
 */
export function follow(run: string, after: number, follower: Follower): () => void {
  let last = after;
  return listen<RunEvent>({
    address: () => `/v1/runs/${encodeURIComponent(run)}/events?after=${last}`,
    link: (state) => follower.link(state),
    take(events) {
      const fitting: RunEvent[] = [];
      for (const event of events) {
        if (event.seq <= last) continue;
        if (event.seq !== last + 1) break;
        last = event.seq;
        fitting.push(event);
      }
      if (fitting.length) follower.events(fitting);
      if (events.some((event) => event.seq > last)) return "again";
      return events.some((event) => LAST.includes(event.event)) ? "over" : "on";
    },
  });
}

/** Watches something else than a run, for which every opening begins with all of it. */
export function watch<Message>(address: string, take: (message: Message) => void, link: (state: Link, why?: string) => void): () => void {
  return listen<Message>({
    address: () => address,
    link,
    take(messages) {
      for (const message of messages) take(message);
      return "on";
    },
  });
}
