// What the page itself says of the site: enough for a picture where the site's line is closed.
import type { Finding, Placed, Turn } from "./wire";
import type { Fixed } from "./yard";

export type Told = {
  seat: number | null;
  phase: string;
  hook: number;
  pieces: number[][];
  dead: number[];
  steps: number[][];
  step: number;
  grips: number[];
  findings: Finding[];
  fixed: Fixed[];
  duties: number[];
  placed: number[];
  names: string[];
  /** The sample site to begin a design of one's own with. */
  sample: Placed[];
};

/** The page's own element is replaced whenever the table moves on; `first` is the one there was at the beginning. */
export function told(first: HTMLElement): Told {
  const source = document.getElementById("scene") ?? first;
  return JSON.parse(source.dataset.scene ?? "{}") as Told;
}

/** This turn, as far as the page knows it. */
export function turnOf(page: Told): Turn | null {
  if (!page.steps.length) return null;
  const { steps, step, grips, placed } = page;
  return { kind: "build", pieces: steps.flat(), steps, step, grips, placed };
}
