// The judge's opinion: a sentence about it, and ticks and crosses for the pieces that it is about.
import { Vector3 } from "three";
import type { Mark, Tone } from "./overlay";
import { kindOf, nameOf } from "./pieces";
import type { Finding, Turn } from "./wire";
import { type Body, reachBelow } from "./yard";

/** That something is still in the supply is no fault of what stands. */
const MISSING = "piece_missing";

function faults(findings: Finding[]): Finding[] {
  return findings.filter((f) => !f.met && f.code !== MISSING);
}

function plain(f: Finding): string {
  return (f.words ?? f.code).replace(/^No: /, "");
}

/** What is to be said once all is at rest. mine: to whoever builds. */
export function opinion(findings: Finding[], turn: Turn, mine: boolean): { text: string; tone: Tone } {
  const wrong = faults(findings)[0];
  if (wrong) return { text: `Not yet: ${plain(wrong)}`, tone: "" };
  if (findings.every((f) => f.met)) return { text: "It stands, as the card asks.", tone: "good" };
  if (!mine) return { text: "It stands. There is more to place.", tone: "good" };
  const next = (turn.steps[turn.step] ?? []).find((piece) => turn.grips.includes(piece) && !turn.placed.includes(piece));
  const text = next === undefined ? "It stands. If it is to stay there, go on to the next piece." : `It stands. Now take ${nameOf(next)}.`;
  return { text, tone: "good" };
}

export function marks(findings: Finding[], turn: Turn | null, bodies: Body[]): Mark[] {
  const fresh = turn?.placed ?? [];
  if (!fresh.length) return [];
  const wrong = new Map<number, string>();
  for (const f of faults(findings)) for (const piece of f.pieces) wrong.set(piece, plain(f));
  const named = wrong.size || faults(findings).length ? [...wrong.keys()] : fresh.filter((piece) => kindOf(piece) !== "hat");
  const found: Mark[] = [];
  for (const piece of named) {
    const body = bodies[piece];
    if (!body?.visible) continue;
    const at = new Vector3().copy(body.position);
    at.z += reachBelow(body.userData.kind, body.quaternion) + 4;
    found.push({ at, met: !wrong.has(piece), title: wrong.get(piece) ?? "as the card asks" });
  }
  return found;
}
