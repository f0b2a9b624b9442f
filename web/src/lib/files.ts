// Files in and out.
import { ApiError } from "./api";
import { text } from "../strings";

/** As much as the service takes in a request, with room for what stands around it. */
const MOST = 7 << 20;

export async function readText(file: File): Promise<string> {
  if (file.size > MOST) throw new ApiError(413, text.check.tooLarge("7 MB"));
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
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
