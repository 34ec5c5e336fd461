// What makes depth readable: the footprint, a ruler to the first touch, the view from above, hidden parts, touched things.
import {
  BoxGeometry,
  CylinderGeometry,
  DoubleSide,
  GreaterDepth,
  Group,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  Vector3,
} from "three";
import type { Hand } from "./hand";
import { kindOf, PARTS } from "./pieces";
import type { Stage } from "./stage";
import { shapeOf } from "./shapes";
import { words } from "./spoken";
import type { Pose, State } from "./wire";
import { shared } from "./wood";
import { reachBelow, type Body } from "./yard";

const X = new Vector3();
const P = new Vector3();
const ORANGE = "#e4702a";

/** Where the piece in the hand would come to rest; falls: it, or something else, would fall. */
export type Preview = { pose: Pose; falls: boolean };

export class Cues {
  readonly group = new Group();
  readonly tag: HTMLElement;
  private readonly ghost: Mesh;
  private readonly hidden: Mesh;
  private readonly rest: Mesh;
  private readonly ruler = new Group();
  private readonly bar: Mesh;
  private readonly foot: Mesh;
  private readonly ticks: Mesh[];

  constructor(private readonly stage: Stage) {
    const see = (opacity: number, ink = ORANGE): MeshBasicMaterial =>
      new MeshBasicMaterial({ color: ink, transparent: true, opacity, depthWrite: false });
    const shape = shapeOf("girder");
    this.ghost = new Mesh(shape, see(0.28));
    this.hidden = new Mesh(shape, see(0.3));
    (this.hidden.material as MeshBasicMaterial).depthFunc = GreaterDepth;
    this.hidden.renderOrder = 2;
    this.rest = new Mesh(shape, see(0.4, "#6f8f3a"));
    const ink = new MeshBasicMaterial({ color: "#c2501a" });
    this.bar = new Mesh(new CylinderGeometry(0.45, 0.45, 1, 8).rotateX(Math.PI / 2), ink);
    this.foot = new Mesh(new RingGeometry(1.6, 2.8, 28), new MeshBasicMaterial({ color: "#c2501a", side: DoubleSide }));
    this.ticks = Array.from({ length: 14 }, () => new Mesh(new BoxGeometry(6, 0.7, 0.7), ink));
    this.ruler.add(this.bar, this.foot, ...this.ticks);
    this.group.add(this.ghost, this.hidden, this.rest, this.ruler);
    this.tag = document.createElement("div");
    this.tag.className = "tag3";
    this.tag.setAttribute("aria-hidden", "true");
    this.hide();
  }

  hide(): void {
    for (const thing of [this.ghost, this.hidden, this.rest, this.ruler]) thing.visible = false;
    shared.uFootZ.value = -1;
    this.tag.style.visibility = "hidden";
  }

  /** Around a held piece. hand: only of one's own, it runs ahead. preview: where it would come to rest, if it is told. */
  show(body: Body, s: State, hand: Hand | null, at: Vector3, preview: Preview | null): void {
    const kind = kindOf(body.userData.piece);
    const shape = shapeOf(kind);
    if (hand) {
      this.ghost.geometry = shape;
      this.ghost.position.copy(hand.p);
      this.ghost.quaternion.copy(hand.q);
      const off = this.ghost.position.distanceTo(body.position);
      const turn = this.ghost.quaternion.angleTo(body.quaternion);
      this.ghost.visible = off > 1.5 || turn > 0.03;
      (this.ghost.material as MeshBasicMaterial).opacity = Math.min(0.34, 0.06 + off / 60 + turn);
    } else this.ghost.visible = false;
    this.hidden.visible = kind !== "worker";
    this.hidden.geometry = shape;
    this.hidden.position.copy(body.position);
    this.hidden.quaternion.copy(body.quaternion);
    const bottom = this.footprint(body);
    const gap = Math.min(s.gap, bottom);
    this.rest.visible = preview !== null;
    if (preview) {
      this.rest.geometry = shape;
      this.rest.position.set(...preview.pose.p);
      this.rest.quaternion.fromArray(preview.pose.q);
      (this.rest.material as MeshBasicMaterial).color.set(preview.falls ? "#e02a12" : "#6f8f3a");
    }
    // The ruler stands where the piece would touch first; between two frames it goes with the piece.
    const x = s.land[0] + body.position.x - at.x;
    const y = s.land[1] + body.position.y - at.y;
    const low = bottom - gap;
    this.ruler.visible = Number.isFinite(s.gap);
    this.ruler.position.set(x, y, low);
    this.bar.scale.z = Math.max(0.01, gap);
    this.bar.position.z = gap / 2;
    this.foot.position.z = 0.3;
    const eye = this.stage.camera.position;
    this.ruler.rotation.z = Math.atan2(eye.y - y, eye.x - x) + Math.PI / 2;
    this.ticks.forEach((tick, i) => {
      tick.visible = i * 10 <= gap;
      tick.position.z = i * 10;
      tick.scale.x = i % 5 ? 0.6 : 1;
    });
    this.label(s, P.set(x, y, low + gap / 2), bottom);
  }

  private footprint(body: Body): number {
    const kind = body.userData.kind;
    const parts = PARTS[kind];
    X.set(1, 0, 0).applyQuaternion(body.quaternion);
    const flat = Math.hypot(X.x, X.y);
    if (flat > 0.3) shared.uFootAxis.value.set(X.x / flat, X.y / flat);
    const bottom = body.position.z - reachBelow(kind, body.quaternion);
    shared.uFootZ.value = bottom;
    const first = parts[0]?.size ?? [1, 1, 1];
    const legs =
      kind === "worker" && flat > 0.9
        ? parts.slice(0, 2)
        : [
            {
              centre: [0, 0, 0] as const,
              size: kind === "worker" ? [44, 10] : flat > 0.3 ? [first[0] * flat + first[2] * Math.abs(X.z), first[1]] : [first[2], first[1]],
            },
          ];
    const feet = shared.uFoot.value;
    feet[1]?.set(0, 0, 0, 0);
    legs.forEach((leg, i) => {
      P.set(leg.centre[0], leg.centre[1], 0).applyQuaternion(body.quaternion).add(body.position);
      feet[i]?.set(P.x, P.y, (leg.size[0] ?? 1) / 2, (leg.size[1] ?? 1) / 2);
    });
    return bottom;
  }

  private label(s: State, at: Vector3, bottom: number): void {
    const touch = s.touch.length > 0;
    const tag = this.tag;
    at.project(this.stage.camera);
    const x = MathUtils.clamp(((at.x + 1) / 2) * this.stage.width + 30, 4, this.stage.width - 170);
    const y = MathUtils.clamp(((1 - at.y) / 2) * this.stage.height - 56, 4, this.stage.height - 30);
    tag.className = touch ? "tag3 touch" : "tag3";
    tag.style.transform = `translate(${Math.round(x)}px,${Math.round(y)}px)`;
    tag.textContent = words(s, bottom);
    tag.style.visibility = tag.textContent ? "visible" : "hidden";
  }
}
