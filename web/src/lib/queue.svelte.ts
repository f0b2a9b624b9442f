// How many texts wait for a reviewer, for the bar at the top.
import { get } from "./api";

export const queue = $state({ waiting: 0 });

/** Where no stream tells it. */
export async function count(): Promise<void> {
  try {
    queue.waiting = (await get<{ total: number }>("/v1/reviews?limit=1")).total;
  } catch {
    // The screen says what is wrong; the bar keeps what it had.
  }
}
