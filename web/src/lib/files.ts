// Files in and out.
import { ApiError } from "./api";
import { text } from "../strings";

/** As much as the service takes in a request, with room for what stands around it. */
const MOST = 7 << 20;

export async function readText(file: File): Promise<string> {
  if (file.size > MOST) throw new ApiError(413, text.check.tooLarge("7 MB"));
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    // A byte order mark is part of the file, and stays.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ApiError(422, text.check.notText);
  }
}

export function save(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Rows as CSV. What a spreadsheet would take for a formula is marked as text. */
export function table(rows: (string | number)[][]): string {
  const cell = (value: string | number): string => {
    const words = String(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}
