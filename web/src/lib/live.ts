// What the events of a run come to: stages, rounds with their batches and tasks, verdicts,
// locks, scores. Events are facts in their order; this only gathers them.
import type { RunEvent } from "./stream";

export type TaskState = "pending" | "in_progress" | "completed" | "failed" | "skipped";

export interface Task {
  section: string;
  action: string;
  state: TaskState;
  batch: number;
  summary: string;
  reason: unknown;
}

export interface Round {
  number: number;
  estimated: number;
  batches: { number: number; sections: string[] }[];
  tasks: Task[];
  score: number | null;
  delta: number | null;
  isOver: boolean;
}

export interface Verdict {
  role: string;
  model: string;
  score: number | null;
  confidence: string;
  issues: number;
  why: string;
}

export interface Live {
  stage: string;
  done: string[];
  rounds: Round[];
  verdicts: Verdict[];
  locks: Record<string, unknown>;
  edits: Record<string, number>;
  scores: { round: number; score: number }[];
  tokens: number;
  costMicros: number;
  agreement: { level: string; alpha: number | null; issues: number; setAside: number; conflicts: number } | null;
  isConverged: boolean;
  bestEffort: RunEvent | null;
  escalation: RunEvent | null;
  finished: RunEvent | null;
  scripted: boolean;
}

export function start(): Live {
  return {
    stage: "",
    done: [],
    rounds: [],
    verdicts: [],
    locks: {},
    edits: {},
    scores: [],
    tokens: 0,
    costMicros: 0,
    agreement: null,
    isConverged: false,
    bestEffort: null,
    escalation: null,
    finished: null,
    scripted: false,
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function used(tokens: unknown): number {
  if (!tokens || typeof tokens !== "object") return 0;
  const { input, output } = tokens as { input?: number; output?: number };
  return (input ?? 0) + (output ?? 0);
}

function round(live: Live): Round {
  const last = live.rounds.at(-1);
  if (last) return last;
  const first: Round = { number: 1, estimated: 0, batches: [], tasks: [], score: null, delta: null, isOver: false };
  live.rounds.push(first);
  return first;
}

function task(live: Live, section: string): Task {
  const tasks = round(live).tasks;
  let found = tasks.findLast((one) => one.section === section);
  if (!found) {
    found = { section, action: "", state: "pending", batch: 0, summary: "", reason: null };
    tasks.push(found);
  }
  return found;
}

type Taking = (live: Live, event: RunEvent) => void;

const takings: Record<string, Taking> = {
  run_started: (live, event) => {
    live.scripted = event.scripted === true;
  },
  node_enter: (live, event) => {
    live.stage = text(event.node);
  },
  node_complete: (live, event) => {
    const node = text(event.node);
    if (!live.done.includes(node)) live.done.push(node);
    if (live.stage === node) live.stage = "";
  },
  self_review: (live) => {
    if (!live.done.includes("review")) live.done.push("review");
  },
  verdict: (live, event) => {
    const scored = event.scored as { score?: number; confidence?: string; issues?: number } | undefined;
    const unscored = event.unscored as { message?: string } | undefined;
    live.tokens += used(event.tokens);
    live.verdicts.push({
      role: text(event.role),
      model: text(event.model),
      score: number(scored?.score),
      confidence: scored?.confidence ?? "",
      issues: scored?.issues ?? 0,
      why: unscored?.message ?? "",
    });
  },
  arbiter_consolidation: (live, event) => {
    live.agreement = {
      level: text(event.agreement),
      alpha: number(event.alpha),
      issues: number(event.issues) ?? 0,
      setAside: number(event.set_aside) ?? 0,
      conflicts: number(event.conflicts) ?? 0,
    };
  },
  refinement_start: (live, event) => {
    live.rounds.push({
      number: number(event.iteration) ?? live.rounds.length + 1,
      estimated: number(event.estimated_tokens) ?? 0,
      batches: [],
      tasks: list(event.target_sections).map((section) => ({
        section,
        action: "",
        state: "pending",
        batch: 0,
        summary: "",
        reason: null,
      })),
      score: null,
      delta: null,
      isOver: false,
    });
  },
  batch_started: (live, event) => {
    const batch = number(event.batch) ?? 0;
    const sections = list(event.sections);
    round(live).batches.push({ number: batch, sections });
    for (const section of sections) task(live, section).batch = batch;
  },
  task_started: (live, event) => {
    const section = text(event.section);
    const one = task(live, section);
    // A task that is tried again at once is one edit of its section.
    if (event.retry !== true) live.edits[section] = (live.edits[section] ?? 0) + 1;
    one.state = "in_progress";
    one.action = text(event.task);
    one.batch = number(event.batch) ?? one.batch;
  },
  patch_applied: (live, event) => {
    task(live, text(event.section)).summary = text(event.diff_summary);
  },
  section_regenerated: (live, event) => {
    task(live, text(event.section)).summary = text(event.diff_summary);
  },
  verification_result: (live, event) => {
    const section = text(event.section);
    const one = task(live, section);
    one.state = event.passed === true ? "completed" : "failed";
    one.reason = event.reason ?? null;
    live.tokens += used(event.tokens);
  },
  rolled_back: (live, event) => {
    const reference = event.task as { section_id?: string; section?: string } | undefined;
    const section = reference?.section_id ?? reference?.section;
    if (!section) return;
    const one = task(live, section);
    one.state = "failed";
    one.reason = event.reason ?? null;
  },
  section_locked: (live, event) => {
    live.locks[text(event.section)] = event.reason ?? true;
    const one = round(live).tasks.findLast((task) => task.section === text(event.section));
    if (one?.state === "pending") one.state = "skipped";
  },
  iteration_complete: (live, event) => {
    const last = round(live);
    last.score = number(event.score);
    last.delta = number(event.score_delta);
    last.isOver = true;
    for (const one of last.tasks) if (one.state === "pending") one.state = "skipped";
    if (last.score !== null) live.scores.push({ round: last.number, score: last.score });
    live.tokens = used(event.tokens) || live.tokens;
    live.costMicros = number(event.cost_micros) ?? live.costMicros;
  },
  convergence_detected: (live) => {
    live.isConverged = true;
  },
  best_effort_selected: (live, event) => {
    live.bestEffort = event;
  },
  escalation_triggered: (live, event) => {
    live.escalation = event;
  },
  human_decision: (live, event) => {
    const section = text(event.section);
    if (!section) live.escalation = null;
    else if (event.decision === "lock") live.locks = { ...live.locks, [section]: event };
    else if (event.decision === "unlock") {
      const { [section]: _, ...rest } = live.locks;
      live.locks = rest;
    }
  },
  run_complete: (live, event) => {
    live.finished = event;
    live.stage = "";
    live.tokens = used(event.tokens) || live.tokens;
    live.costMicros = number(event.cost_micros) ?? live.costMicros;
  },
  run_failed: (live, event) => {
    live.finished = event;
    live.stage = "";
  },
  run_cancelled: (live, event) => {
    live.finished = event;
    live.stage = "";
  },
};

export function take(live: Live, event: RunEvent): void {
  takings[event.event]?.(live, event);
}
