// The pieces of the box by their numbers, and what they are called. Lengths are in millimetres everywhere here.
export const KINDS = ["support", "girder", "worker", "hat", "beam", "brick"] as const;
export type Kind = (typeof KINDS)[number];
export const COLOURS = ["black", "orange", "purple", "white"] as const;
export const PIECES = 92;
/** The number of the crane where it can fall. */
export const CRANE = 250;
const FIRST = [0, 8, 36, 52, 68, 80, 92];
const FIXED: Record<number, string> = {
  255: "the table",
  254: "the floor of the box",
  253: "the edge of the box",
  252: "the insert",
  251: "the platform",
  250: "the crane",
};

export type Vec = [number, number, number];
export type Box = { size: Vec; centre: Vec };

export const INK: Record<string, string> = {
  black: "#2b2b2e",
  orange: "#e4702a",
  purple: "#6d4aa0",
  white: "#f1efe8",
  support: "#8d9296",
  beam: "#c79a62",
  brick: "#b4432f",
  hat: "#f2c51d",
};

const box = (x: number, y: number, z: number, cx = 0, cy = 0, cz = 0): Box => ({ size: [x, y, z], centre: [cx, cy, cz] });
export const PARTS: Record<Kind, Box[]> = {
  support: [box(25, 25, 50)],
  girder: [box(180, 10, 10)],
  worker: [
    box(9, 10, 17, -7.5, 0, -14.5),
    box(9, 10, 17, 7.5, 0, -14.5),
    box(22, 10, 14, 0, 0, 1),
    box(11, 10, 6, -16.5, 0, 5),
    box(11, 10, 6, 16.5, 0, 5),
    box(11, 10, 15, 0, 0, 15.5),
  ],
  hat: [box(16, 15, 8.5)],
  beam: [box(60, 7, 7)],
  brick: [box(16, 8, 8)],
};
export const HAT_SEAT: Vec = [0, 0, 21.25];

export function kindOf(piece: number): Kind {
  let kind = 0;
  while (piece >= (FIRST[kind + 1] ?? PIECES)) kind += 1;
  return KINDS[kind] ?? "brick";
}

/** Its number within its kind, from 0; girders of all colours are one kind. */
export function numberOf(piece: number): number {
  return piece - (FIRST[KINDS.indexOf(kindOf(piece))] ?? 0);
}

export function colourOf(piece: number): string {
  const kind = kindOf(piece);
  return kind === "girder" ? (COLOURS[Math.floor((piece - 8) / 7)] ?? "white") : kind;
}

/** A piece, or something fixed, inside a sentence. */
export function nameOf(piece: number): string {
  const fixed = FIXED[piece];
  if (fixed !== undefined) return fixed;
  const kind = kindOf(piece);
  if (kind === "girder") return `${colourOf(piece)} girder ${((piece - 8) % 7) + 1}`;
  const at = KINDS.indexOf(kind);
  return `${kind === "hat" ? "hardhat" : kind} ${piece - (FIRST[at] ?? 0) + 1}`;
}
