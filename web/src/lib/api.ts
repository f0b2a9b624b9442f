// Requests to the service. A problem becomes an error with its words; 401 asks to sign in.
import type { components } from "../api-types";
import { session } from "./session.svelte";
import { text } from "../strings";

type Schemas = components["schemas"];
export type RunInfo = Schemas["RunInfo"];
export type RunSummary = Schemas["RunSummary"];
export type Review = Schemas["Review"];
export type CheckView = Schemas["CheckView"];
export type EditPreview = Schemas["EditPreview"];
export type PreviewFinding = Schemas["PreviewFinding"];
export type DecisionRow = Schemas["DecisionRow"];
export type Comment = Schemas["Comment"];
export type SettingsPreview = Schemas["SettingsPreview"];
export type ModelInfo = Schemas["ModelInfo"];
export type JudgeTestInfo = Schemas["JudgeTestInfo"];
export type LiveRuns = Schemas["LiveRuns"];
export type CourseView = Schemas["CourseView"];
export type CourseDocument = Schemas["CourseDocument"];
export type Agreement = Schemas["Agreement"];
export type KeyInfo = Schemas["KeyInfo"];
export type ProfileDefaults = Schemas["ProfileDefaults"];
export type Settings = Schemas["Settings"];
export type Order = Partial<Schemas["Order"]>;

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function problem(response: Response): Promise<ApiError> {
  let words = `${response.status} ${response.statusText}`;
  try {
    const body = (await response.json()) as { detail?: string };
    if (body.detail) words = body.detail;
  } catch {
    // Not a problem of ours; the status has to do.
  }
  return new ApiError(response.status, words);
}

export interface Options {
  body?: unknown;
  accept?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

export async function request(method: string, path: string, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? "application/json", ...options.headers };
  if (method !== "GET" && session.csrf) headers["x-csrf-token"] = session.csrf;
  let body: string | undefined;
  if (typeof options.body === "string") body = options.body;
  else if (options.body !== undefined) {
    headers["content-type"] = "application/json";
    body = JSON.stringify(options.body);
  }
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body, signal: options.signal, credentials: "same-origin" });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, text.errors.unreachable);
  }
  if (response.status === 401) session.state = "signed-out";
  if (!response.ok) throw await problem(response);
  return response;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await request("GET", path, { signal })).json()) as T;
}

/** All rows of a list, page by page. */
export async function all<Row>(path: string, name: string, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  const more = path.includes("?") ? "&" : "?";
  let cursor = "";
  do {
    const address = `${path}${more}limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await get<Record<string, unknown>>(address, signal);
    rows.push(...((page[name] ?? []) as Row[]));
    cursor = (page.next as string | null | undefined) ?? "";
  } while (cursor);
  return rows;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await request("POST", path, { body, signal });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  const response = await request("PUT", path, { body });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A fragment that the server has rendered and escaped; empty if there is nothing to show. */
export async function fragment(path: string, signal?: AbortSignal): Promise<string> {
  const response = await request("GET", path, { accept: "text/html", signal });
  return response.status === 204 ? "" : await response.text();
}

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
