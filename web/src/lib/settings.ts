// The settings of a tenant as a form has them, and back.
import type { Settings } from "./api";

export interface Form {
  reviewers: number;
  threshold: string;
  goodEnough: string;
  rounds: string;
  tokens: string;
  cost: string;
  seconds: string;
  weights: Record<string, string>;
  models: Record<string, string>;
  /** Other keys of the policy, as JSON. */
  rest: string;
}

type Table = Record<string, unknown>;

const shown = (value: unknown): string => (typeof value === "number" ? String(value) : "");
const table = (value: unknown): Table => ({ ...((value ?? {}) as Table) });
const number = (words: string): number | null => (words.trim() ? Number(words) : null);

export function read(settings: Partial<Settings>): Form {
  const policy = table(settings.policy);
  const enough = table(policy["good-enough"]);
  const repair = table(policy["repair"]);
  const form: Form = {
    reviewers: settings.reviewers ?? 1,
    threshold: shown(settings.threshold),
    goodEnough: shown(enough["from"]),
    rounds: shown(repair["iterations"]),
    tokens: shown(settings.budgets?.tokens_per_run),
    cost: shown(settings.budgets?.cost_per_run),
    seconds: shown(settings.budgets?.seconds_per_run),
    weights: Object.fromEntries(Object.entries(settings.weights ?? {}).map(([name, value]) => [name, String(value)])),
    models: { ...(settings.models ?? {}) } as Record<string, string>,
    rest: "",
  };
  delete enough["from"];
  delete repair["iterations"];
  for (const [name, value] of [["good-enough", enough], ["repair", repair]] as const) {
    if (Object.keys(value).length) policy[name] = value;
    else delete policy[name];
  }
  form.rest = Object.keys(policy).length ? JSON.stringify(policy, null, 2) : "";
  return form;
}

/** Throws what is wrong with the JSON, if something is. */
export function written(form: Form): Settings {
  const policy = table(form.rest.trim() ? JSON.parse(form.rest) : {});
  if (form.goodEnough) policy["good-enough"] = { ...table(policy["good-enough"]), from: Number(form.goodEnough) };
  if (form.rounds) policy["repair"] = { ...table(policy["repair"]), iterations: Number(form.rounds) };
  const filled = Object.entries(form.weights).filter(([name, value]) => name && value.trim());
  return {
    reviewers: form.reviewers,
    policy: Object.keys(policy).length ? policy : null,
    threshold: number(form.threshold),
    weights: Object.fromEntries(filled.map(([name, value]) => [name, Number(value)])),
    models: Object.fromEntries(Object.entries(form.models).filter(([, model]) => model)),
    budgets: {
      tokens_per_run: number(form.tokens),
      cost_per_run: number(form.cost),
      seconds_per_run: number(form.seconds),
    },
  } as Settings;
}
