// Light on pieces: what is touched, spoken of, about to be taken, or has fallen.
import { PIECES } from "./pieces";
import type { Yard } from "./yard";

export const INKS = { fallen: "#e02a12", spoken: "#ffb000", touched: "#ff9d2e", offered: "#ffc845", moved: "#ffb000" };

export class Glow {
  private painted = "";
  private glowing: number[] = [];

  constructor(private readonly yard: Yard) {}

  /** Pieces with their inks, the most important first. True if the picture is no longer right. */
  show(wanted: [number, string][]): boolean {
    const lines: [number, string][] = [];
    for (const [piece, ink] of wanted) {
      if (piece < PIECES && !lines.some(([other]) => other === piece)) lines.push([piece, ink]);
    }
    const told = lines.map((line) => line.join()).join(" ");
    const changed = told !== this.painted;
    if (changed) {
      for (const piece of this.glowing) this.yard.glow(piece, INKS.offered, 0);
      this.glowing = lines.map(([piece]) => piece);
      for (const [piece, ink] of lines) this.yard.glow(piece, ink, ink === INKS.fallen ? 0.9 : 0.4);
      this.painted = told;
    }
    return this.yard.outline(lines) || changed;
  }
}
