// Numbers and times as people read them.
import { text } from "../strings";

export function score(thousandths: number | null | undefined): string {
  return thousandths === null || thousandths === undefined ? text.none : (thousandths / 1000).toFixed(3);
}

/** A score between 0 and 1. */
export function share(value: number | null | undefined): string {
  return value === null || value === undefined ? text.none : value.toFixed(3);
}

export function money(micros: number | null | undefined): string {
  if (!micros) return text.none;
  const dollars = micros / 1_000_000;
  return `$${dollars < 0.01 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

const grouped = new Intl.NumberFormat("en");

export function tokens(count: number): string {
  return grouped.format(count);
}

const STEPS: [number, string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

export function age(since: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  for (const [size, unit] of STEPS) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return "0 s";
}

export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function elapsed(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "" : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function when(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** An identifier in words. */
export function words(name: string): string {
  return name.replaceAll(/[_-]/g, " ");
}

/** The colour class of a run. */
export function tone(run: { state: string; status?: string | null }): string {
  if (run.state === "failed") return "bad";
  if (run.state === "waiting") return "fair";
  if (run.state !== "done") return "neutral";
  switch (run.status) {
    case "accepted":
      return "good";
    case "escalated":
      return "bad";
    case "accepted_warning":
    case "best_effort":
      return "fair";
    default:
      return "neutral";
  }
}

export function outcome(run: { state: string; status?: string | null }): string {
  if (run.state === "done" && run.status) return text.statuses[run.status] ?? words(run.status);
  return text.states[run.state] ?? run.state;
}

/** A reason as data, in a few words. */
export function reason(value: unknown): string {
  if (!value) return "";
  if (typeof value === "string") return words(value);
  if (typeof value === "object") {
    const fields = value as Record<string, unknown>;
    for (const name of ["message", "reason", "kind"]) {
      if (typeof fields[name] === "string") return words(fields[name]);
    }
    const [first] = Object.keys(fields);
    return first ? words(first) : "";
  }
  return String(value);
}
