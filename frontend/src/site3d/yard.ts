// The pieces as they stand, lie and wait: one mesh each, and what is fixed.
import { BackSide, Color, type Group, Group as Made, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { colourOf, HAT_SEAT, INK, type Kind, kindOf, numberOf, PARTS, PIECES } from "./pieces";
import { shapeOf } from "./shapes";
import type { Pose } from "./wire";
import { cardboard, type Wood, woodOf } from "./wood";

/** body, middle, half sizes, degrees about the vertical. */
export type Fixed = [number, number, number, number, number, number, number, number];
export type Body = Mesh & { material: Wood; userData: { piece: number; kind: Kind } };

const P = new Vector3();
const Q = new Quaternion();
const UP = new Vector3(0, 0, 1);

export class Yard {
  readonly group: Group = new Made();
  readonly bodies: Body[] = [];
  /** Pieces of the supply that are laid out, with their places. */
  readonly waiting = new Map<number, Pose>();
  private readonly outlines: Mesh[] = [];
  /** What is fixed. */
  readonly solid: Group = new Made();

  constructor() {
    for (let piece = 0; piece < PIECES; piece++) {
      const kind = kindOf(piece);
      const size = PARTS[kind][0]?.size ?? [1, 1, 1];
      const half = new Vector3(...size).multiplyScalar(0.5);
      const material = woodOf(kind, INK[colourOf(piece)] ?? "#ffffff", (piece * 0.6180339) % 1, half);
      const body = new Mesh(shapeOf(kind), material) as unknown as Body;
      body.castShadow = body.receiveShadow = true;
      body.userData = { piece, kind };
      body.visible = false;
      this.bodies.push(body);
      this.group.add(body);
    }
    for (let i = 0; i < 6; i++) {
      const material = new MeshBasicMaterial({ color: "#ffb000", side: BackSide });
      material.onBeforeCompile = (s) => {
        s.vertexShader = s.vertexShader.replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\ntransformed+=normalize(normal)*1.1;",
        );
      };
      const outline = new Mesh(shapeOf("girder"), material);
      outline.visible = false;
      this.outlines.push(outline);
      this.group.add(outline);
    }
    this.group.add(this.solid);
  }

  build(solids: Fixed[]): void {
    for (const old of [...this.solid.children]) this.solid.remove(old);
    const inks: Record<number, [string, number]> = {
      [-2]: ["#b9a888", 0],
      [-3]: ["#a8452c", 0],
      [-4]: ["#cdbf9f", 0],
      [-5]: ["#e0b32e", 2],
      [-6]: ["#e7b52f", 1],
    };
    for (const [body, x, y, z, hx, hy, hz, turn] of solids) {
      const [ink, print] = inks[body] ?? ["#cdbf9f", 0];
      const round = Math.min(0.6, hx, hy, hz) * 0.8;
      const mesh = new Mesh(new RoundedBoxGeometry(2 * hx, 2 * hy, 2 * hz, 1, round), cardboard(ink, print));
      mesh.position.set(x, y, z);
      mesh.rotation.z = (turn * Math.PI) / 180;
      mesh.castShadow = mesh.receiveShadow = true;
      this.solid.add(mesh);
    }
  }

  /** Show pieces where they are said to be, and those that wait beside the site. True if anything moved. */
  place(where: (piece: number, place: Vector3, turn: Quaternion) => boolean): boolean {
    let moved = false;
    for (const body of this.bodies) {
      const piece = body.userData.piece;
      let there = where(piece, P, Q);
      const waits = this.waiting.get(piece);
      if (!there && waits) {
        P.set(...waits.p);
        Q.fromArray(waits.q);
        there = true;
      }
      if (body.visible !== there) {
        body.visible = there;
        moved = true;
      }
      if (there && (body.position.distanceToSquared(P) > 1e-6 || 1 - Math.abs(body.quaternion.dot(Q)) > 1e-8)) {
        body.position.copy(P);
        body.quaternion.copy(Q);
        moved = true;
      }
    }
    return moved;
  }

  /** This turn's pieces in front of the site, the rest of the supply in rows behind it. */
  layOut(next: number[][], supply: number[], all: boolean): void {
    this.waiting.clear();
    const flat = [...next].flat();
    const main = flat.filter((piece) => kindOf(piece) !== "hat");
    const width = (piece: number): number => ({ girder: 200, beam: 76, worker: 60, support: 46 })[kindOf(piece) as string] ?? 34;
    const sum = main.reduce((total, piece) => total + width(piece), 0);
    let x = -sum / 2;
    for (const piece of main) {
      const w = width(piece);
      this.stand(piece, x + w / 2, -172);
      const hat = flat.find((other) => kindOf(other) === "hat" && !this.waiting.has(other));
      if (kindOf(piece) === "worker" && hat !== undefined) this.wear(hat, piece);
      x += w;
    }
    if (!all) return;
    const rest = new Set(supply.filter((piece) => !this.waiting.has(piece)));
    // Everything has a place of its own, which stays empty while it is elsewhere.
    for (const piece of rest) {
      const kind = kindOf(piece);
      const n = numberOf(piece);
      if (kind === "girder") {
        // What is taken first lies on top.
        const [colour, slot] = [Math.floor(n / 7), 6 - (n % 7)];
        const layer = slot < 4 ? 0 : 1;
        this.lie(piece, -150 + colour * 4, 226 + colour * 46 + (slot % 4) * 10.6 + layer * 5, 5 + 10 * layer, colour * 0.02 - 0.03);
      } else if (kind === "worker") this.stand(piece, 8 + (n % 5) * 50, 236 + Math.floor(n / 5) * 34);
      else if (kind === "support") this.stand(piece, 236 + (n % 2) * 34, 88 + Math.floor(n / 2) * 34);
      else if (kind === "beam") this.lie(piece, 246 - (n % 2) * 5, 56 - Math.floor(n / 2) * 11, 3.5, 0.05);
      else if (kind === "brick") this.lie(piece, 224 + (n % 3) * 20, -26 - Math.floor(n / 3) * 13, 4, 0);
    }
    for (const piece of rest) {
      if (kindOf(piece) !== "hat") continue;
      const n = numberOf(piece);
      const wearer = [...rest].find((other) => kindOf(other) === "worker" && numberOf(other) === n);
      if (wearer !== undefined) this.wear(piece, wearer);
      else this.stand(piece, 8 + (n % 5) * 50, 236 + Math.floor(n / 5) * 34);
    }
  }

  private stand(piece: number, x: number, y: number): void {
    const kind = kindOf(piece);
    const z = { support: 25, worker: 23, girder: 5, beam: 3.5, brick: 4, hat: 4.3 }[kind];
    this.waiting.set(piece, { p: [x, y, z], q: [0, 0, 0, 1] });
  }

  private lie(piece: number, x: number, y: number, z: number, turn: number): void {
    Q.setFromAxisAngle(UP, turn);
    this.waiting.set(piece, { p: [x, y, z], q: Q.toArray() as Pose["q"] });
  }

  private wear(hat: number, worker: number): void {
    const at = this.waiting.get(worker);
    if (!at) return;
    this.waiting.set(hat, { p: [at.p[0], at.p[1], at.p[2] + HAT_SEAT[2]], q: at.q });
  }

  glow(piece: number, ink: string, strength: number): void {
    const u = this.bodies[piece]?.material.userData.u;
    if (!u) return;
    (u.uGlowInk?.value as Color).set(ink);
    if (u.uGlow) u.uGlow.value = strength;
  }

  /** A line around pieces; the strongest cue where wood is as light as a glow. */
  outline(lines: [number, string][]): boolean {
    let changed = false;
    this.outlines.forEach((outline, i) => {
      const line = lines[i];
      const body = line ? this.bodies[line[0]] : undefined;
      const show = !!body?.visible;
      if (outline.visible !== show) changed = true;
      outline.visible = show;
      if (!body || !line || !show) return;
      if (outline.geometry !== body.geometry) {
        outline.geometry = body.geometry;
        changed = true;
      }
      (outline.material as MeshBasicMaterial).color.set(line[1]);
      outline.position.copy(body.position);
      outline.quaternion.copy(body.quaternion);
    });
    return changed;
  }
}

/** How far below its middle a piece reaches when it is turned like that. */
export function reachBelow(kind: Kind, turn: Quaternion): number {
  let most = 0;
  for (const b of PARTS[kind]) {
    const middle = P.set(...b.centre).applyQuaternion(turn).z;
    let reach = 0;
    for (let a = 0; a < 3; a++) {
      P.set(a === 0 ? b.size[0] / 2 : 0, a === 1 ? b.size[1] / 2 : 0, a === 2 ? b.size[2] / 2 : 0);
      reach += Math.abs(P.applyQuaternion(turn).z);
    }
    most = Math.max(most, reach - middle);
  }
  return most;
}
