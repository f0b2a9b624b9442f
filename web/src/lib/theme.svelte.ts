// Light, dark, or as the system has it.
export type Theme = "auto" | "light" | "dark";

const KEY = "redraft-theme";

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "auto";
}

export const theme = $state({ chosen: stored() });

export function applyTheme(): void {
  const root = document.documentElement;
  if (theme.chosen === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme.chosen;
}

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  if (chosen === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  applyTheme();
}

export function isDark(): boolean {
  if (theme.chosen !== "auto") return theme.chosen === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
