// Who is signed in. Without keys the service on this machine lets everybody in.
import { text } from "../strings";
import { forgetAll } from "./drafts";

export interface Session {
  state: "unknown" | "signed-in" | "signed-out";
  csrf: string;
  name: string;
  tenant: string;
  scopes: string[];
  /** Whether there is something to sign out of. */
  hasCookie: boolean;
}

export const session = $state<Session>({
  state: "unknown",
  csrf: "",
  name: "",
  tenant: "",
  scopes: [],
  hasCookie: false,
});

interface Told {
  name?: string;
  tenant?: string;
  scopes?: string[];
  csrf_token?: string | null;
}

function took(told: Told): void {
  session.csrf = told.csrf_token ?? "";
  session.hasCookie = Boolean(told.csrf_token);
  session.name = told.name ?? "";
  session.tenant = told.tenant ?? "";
  session.scopes = told.scopes ?? [];
  session.state = "signed-in";
}

/** Fails if the service does not tell. */
export async function look(): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch("/v1/session", { headers: { accept: "application/json" } });
  } catch {
    throw new Error(text.errors.unreachable);
  }
  if (answer.ok) took((await answer.json()) as Told);
  else if (answer.status === 401) session.state = "signed-out";
  else {
    const body = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new Error(body.detail ?? text.errors.answered(answer.status));
  }
}

/** Signs in; tells what is wrong with the key, if something is. */
export async function signIn(key: string): Promise<string> {
  const answer = await fetch("/v1/session", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ key }),
  });
  const body = (await answer.json().catch(() => ({}))) as Told & { detail?: string };
  if (!answer.ok) return body.detail ?? `${answer.status}`;
  took(body);
  if (!session.csrf) await look();
  return "";
}

/** Signs out, also of what was written and not sent; fails if the session is still there. */
export async function signOut(): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch("/v1/session", { method: "DELETE", headers: { "x-csrf-token": session.csrf } });
  } catch {
    throw new Error(text.errors.unreachable);
  }
  if (!answer.ok && answer.status !== 401) throw new Error(text.signIn.stillIn(answer.status));
  forgetAll();
  session.csrf = "";
  session.hasCookie = false;
  session.state = "signed-out";
}

export function may(scope: string): boolean {
  return session.scopes.includes(scope);
}
