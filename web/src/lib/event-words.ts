// An event in a line. What has no words of its own is shown as its fields.
import { text } from "../strings";
import { reason, share, tokens, words } from "./format";
import type { RunEvent } from "./stream";

const OWN = new Set(["seq", "at", "elapsed", "event"]);
const say = text.events.words;

const string = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const list = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : "");
const action = (value: unknown): string => text.run.actions[string(value)] ?? words(string(value));
const stage = (value: unknown): string => (text.run.stages[string(value)] ?? string(value)).toLowerCase();

function verdict(event: RunEvent): string {
  const scored = event.scored as { score: number; confidence: string; issues: number } | undefined;
  const unscored = event.unscored as { message?: string } | undefined;
  const said = scored
    ? text.run.verdict(share(scored.score), scored.confidence, scored.issues)
    : text.run.noVerdict(unscored?.message ?? "");
  return say.verdict(string(event.model), said);
}

function delta(value: unknown): string {
  if (typeof value !== "number") return "";
  return `${value < 0 ? "−" : "+"}${Math.abs(value / 1000).toFixed(3)}`;
}

const KINDS: Record<string, (event: RunEvent) => string> = {
  run_started: () => say.run_started,
  node_enter: (event) => say.node_enter(stage(event.node)),
  node_complete: (event) => say.node_complete(stage(event.node)),
  check_complete: (event) => say.check_complete(number(event.errors), number(event.warnings), number(event.infos)),
  self_review: (event) => say.self_review(string(event.by), words(string(event.status)).toLowerCase(), string(event.reasoning)),
  verdict,
  fell_back: (event) => say.fell_back(string(event.from), string(event.to), words(string(event.role))),
  arbiter_consolidation: (event) =>
    say.arbiter_consolidation(
      words(string(event.agreement)),
      typeof event.alpha === "number" ? event.alpha.toFixed(2) : "",
      number(event.issues),
      number(event.set_aside),
      number(event.conflicts),
    ),
  refinement_start: (event) =>
    say.refinement_start(number(event.iteration), list(event.target_sections), tokens(number(event.estimated_tokens))),
  batch_started: (event) => say.batch_started(number(event.batch), list(event.sections)),
  task_started: (event) => say.task_started(string(event.section), action(event.task)),
  patch_applied: (event) => say.changed(string(event.section), string(event.diff_summary)),
  section_regenerated: (event) => say.changed(string(event.section), string(event.diff_summary)),
  verification_result: (event) =>
    event.passed === true ? say.verified(string(event.section)) : say.rejected(string(event.section), reason(event.reason)),
  rolled_back: (event) =>
    say.rejected(string((event.task as { section?: string } | undefined)?.section), reason(event.reason)),
  section_locked: (event) => say.section_locked(string(event.section), reason(event.reason)),
  batch_complete: (event) => say.batch_complete(number(event.batch), number(event.kept), number(event.rolled_back)),
  iteration_complete: (event) =>
    say.iteration_complete(number(event.iteration), share(event.score as number | null), delta(event.score_delta)),
  human_decision: (event) => say.human_decision(string(event.by), words(string(event.decision)), string(event.section)),
  refinement_complete: (event) =>
    say.complete(text.statuses[string(event.status)] ?? string(event.status), share(event.final_score as number | null)),
  run_complete: (event) =>
    say.complete(text.statuses[string(event.status)] ?? string(event.status), share(event.score as number | null)),
};

export function eventWords(event: RunEvent): string {
  const made = KINDS[event.event]?.(event);
  if (made) return made;
  const fields = Object.entries(event).filter(([name]) => !OWN.has(name));
  return fields
    .map(([name, value]) => `${words(name)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ")
    .slice(0, 300);
}
