// Where the piece in the hand is, for eyes that read and ears that listen.
import { Vector3 } from "three";
import type { Preview } from "./cues";
import type { Hand } from "./hand";
import { nameOf } from "./pieces";
import type { State } from "./wire";

const P = new Vector3();

/** What is below and around the piece in the hand. */
export function words(s: State, bottom: number): string {
  const on = s.touch.map(nameOf).join(", ");
  if (s.borne) return `rests on ${on || "what is below"}`;
  if (s.touch.length) return `touches ${on}`;
  const gap = Math.min(s.gap, Math.max(0, bottom));
  if (!Number.isFinite(s.gap)) return "";
  return `${gap < 10 ? gap.toFixed(1) : Math.round(gap)} mm free below`;
}

/** A sentence for whoever does not see it. preview: where it would come to rest, if that may be told. */
export function placeInWords(piece: number, hand: Hand, s: State, preview: Preview | null): string {
  const { x, y, z } = hand.p;
  const side = (v: number, plus: string, minus: string): string => `${Math.abs(Math.round(v))} ${v < 0 ? minus : plus}`;
  P.set(1, 0, 0).applyQuaternion(hand.q);
  const turned = Math.round((Math.atan2(P.y, P.x) * 180) / Math.PI);
  const place = `${side(x, "right", "left")}, ${side(y, "away", "near")}, ${Math.round(z - hand.low)} high`;
  const standing = Math.abs(P.z) > 0.7 ? "on end" : `turned ${turned} degrees${hand.leans ? ", aslant" : ""}`;
  const name = nameOf(piece);
  const then = preview ? (preview.falls ? " Let go here, something would fall." : " Let go here, it would stay.") : "";
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}: ${place}, ${standing}; ${words(s, z - hand.low) || "nothing below"}.${then}`;
}

/** The page's list of this turn's pieces learns what is in the hand: the table does not know of it before it rests. */
export function inHand(piece: number | null): void {
  for (const row of document.querySelectorAll<HTMLElement>(".pcs[data-piece]")) {
    const held = piece !== null && row.dataset.piece === String(piece);
    if (row.classList.contains("held3") === held) continue;
    row.classList.toggle("held3", held);
    const state = row.querySelector("small");
    if (!state) continue;
    state.dataset.else ??= state.textContent ?? "";
    state.textContent = held ? "in hand" : state.dataset.else;
  }
}
