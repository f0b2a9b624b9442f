// Where we are: the address of the page is the state that can be shared.
import { tick } from "svelte";

function current() {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export const place = $state(current());

/**
 * Whether a word of the address can be the id of a run or a batch. It is put into paths of the API, so
 * nothing that has a meaning there may pass.
 */
export function isId(word: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(word);
}


function moved(): void {
  const now = current();
  place.path = now.path;
  place.query = now.query;
}

/** What had the focus may be gone: it goes to what the new screen is about. */
async function land(): Promise<void> {
  await tick();
  const target = document.querySelector<HTMLElement>("#content [data-landing]") ?? document.getElementById("content");
  target?.focus({ preventScroll: true });
}

window.addEventListener("popstate", () => {
  const before = place.path;
  moved();
  if (place.path !== before) void land();
});

export function go(address: string): void {
  if (address === location.pathname + location.search) return;
  history.pushState(null, "", address);
  moved();
  window.scrollTo(0, 0);
  void land();
}

/** Changes the query; empty values are left out. */
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const words = query.toString();
  history.replaceState(null, "", location.pathname + (words ? `?${words}` : ""));
  moved();
}

/** Links inside the page do not load it again. */
export function followLink(event: MouseEvent): void {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || modified) return;
  const link = (event.target as Element | null)?.closest?.("a");
  const href = link?.getAttribute("href");
  if (!link || !href || link.target || link.hasAttribute("download")) return;
  if (!href.startsWith("/") || href.startsWith("/v1/")) return;
  event.preventDefault();
  go(href);
}
