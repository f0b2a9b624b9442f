// How many texts wait for a reviewer, for the bar at the top.
import { all, type Review } from "./api";

export const queue = $state({ waiting: 0 });

export async function count(): Promise<void> {
  try {
    queue.waiting = (await all<Review>("/v1/reviews", "reviews")).length;
  } catch {
    // The screen says what is wrong; the bar keeps what it had.
  }
}
