import type { Later } from "../controllers/link";

/** The browser's timer. */
export const later: Later = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};
