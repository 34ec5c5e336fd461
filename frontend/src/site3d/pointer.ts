// Mouse, pen and fingers on the picture. On the piece they carry it; beside it, and with nothing in the hand, the camera.
import { Raycaster, Vector2, Vector3 } from "three";
import type { Controls } from "./controls";
import type { Yard } from "./yard";

/** How near to the piece a press has to be to mean it, pixels. */
const NEAR = { mouse: 36, touch: 60 };
/** Half the length of a piece along its own x, mm. */
const HALF = { girder: 90, beam: 30, worker: 22, support: 25, brick: 8, hat: 8 };
const V = new Vector3();

export class Pointers {
  private readonly ray = new Raycaster();
  private readonly pointers = new Map<number, [number, number]>();
  private mode: "move" | "turn" | "two" | null = null;
  /** Where two fingers were: their angle and their height. */
  private pair: { angle: number; y: number } | null = null;
  private readonly canvas: HTMLCanvasElement;

  constructor(
    private readonly controls: Controls,
    private readonly yard: Yard,
    signal: AbortSignal,
  ) {
    const canvas = controls.stage.renderer.domElement;
    this.canvas = canvas;
    const on = { signal, capture: true } as const;
    canvas.addEventListener("pointerdown", (event) => this.press(event), on);
    canvas.addEventListener("pointermove", (event) => this.drag(event), on);
    canvas.addEventListener("pointerrawupdate", (event) => this.drag(event as PointerEvent), on);
    for (const type of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(type, (event) => this.lift(event), on);
    }
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), on);
    canvas.addEventListener("wheel", (event) => this.wheel(event), { ...on, passive: false });
  }

  private at(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pick(event: MouseEvent, among: number[] | null): number | null {
    const { stage } = this.controls;
    const [x, y] = this.at(event);
    this.ray.setFromCamera(new Vector2((x / stage.width) * 2 - 1, 1 - (y / stage.height) * 2), stage.camera);
    const bodies = this.yard.bodies.filter((b) => b.visible && (!among || among.includes(b.userData.piece)));
    const hit = this.ray.intersectObjects(bodies, false)[0];
    return hit ? (hit.object.userData.piece as number) : null;
  }

  /** On the held piece, or so near that no other wish is likely. */
  private near(event: MouseEvent, slack: number): boolean {
    const { hand, stage } = this.controls;
    const body = hand.piece === null ? undefined : this.yard.bodies[hand.piece];
    if (hand.piece === null || !body) return false;
    if (this.pick(event, [hand.piece]) !== null) return true;
    const [x, y] = this.at(event);
    for (let i = -4; i <= 4; i++) {
      V.set((HALF[body.userData.kind] * i) / 4, 0, 0).applyQuaternion(body.quaternion).add(body.position).project(stage.camera);
      const dx = ((V.x + 1) / 2) * stage.width - x;
      const dy = ((1 - V.y) / 2) * stage.height - y;
      if (Math.hypot(dx, dy) < slack) return true;
    }
    return false;
  }

  private press(event: PointerEvent): void {
    const { hand, moves, stage } = this.controls;
    const touch = event.pointerType === "touch";
    this.controls.use(touch ? "touch" : "mouse");
    this.canvas.focus({ preventScroll: true });
    stage.halt();
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const first = this.pointers.size === 1;
    if (hand.piece !== null) {
      if (!first) this.mode = "two";
      else if (event.button === 2) this.mode = "turn";
      else if (event.button === 0 && !event.altKey && this.near(event, touch ? NEAR.touch : NEAR.mouse)) this.mode = "move";
      else this.mode = null;
    } else if (first && event.button === 0) {
      this.mode = null;
      const piece = this.pick(event, null);
      if (piece !== null && moves.takes(piece)) {
        moves.take(piece);
        this.mode = "move";
      } else moves.look(piece);
    } else if (this.mode !== "move") this.mode = null;
    this.pair = null;
    stage.orbit.enabled = this.mode === null;
    if (this.mode) {
      this.canvas.setPointerCapture(event.pointerId);
      event.stopImmediatePropagation();
    }
  }

  private drag(event: PointerEvent): void {
    const { hand } = this.controls;
    const last = this.pointers.get(event.pointerId);
    if (!last) {
      if (event.type === "pointermove") this.over(event);
      return;
    }
    const k = event.shiftKey ? 0.2 : 1;
    const dx = (event.clientX - last[0]) * k;
    const dy = (event.clientY - last[1]) * k;
    last[0] = event.clientX;
    last[1] = event.clientY;
    if (hand.piece === null || !this.mode || (!dx && !dy)) return;
    if (this.mode === "two" || this.pointers.size > 1) this.twist();
    else if (this.mode === "turn") hand.turn(dx * 0.008);
    else if (event.ctrlKey) hand.move(0, 0, -dy * 0.5);
    else this.slide(dx, dy);
  }

  /** Two fingers: their twist turns, up and down lifts. */
  private twist(): void {
    const [a, b] = [...this.pointers.values()];
    if (!a || !b) return;
    const now = { angle: Math.atan2(b[1] - a[1], b[0] - a[0]), y: (a[1] + b[1]) / 2 };
    if (this.pair) {
      let turned = now.angle - this.pair.angle;
      if (turned > Math.PI) turned -= 2 * Math.PI;
      if (turned < -Math.PI) turned += 2 * Math.PI;
      this.controls.hand.turn(-turned);
      this.controls.hand.move(0, 0, (this.pair.y - now.y) * 0.4);
    }
    this.pair = now;
  }

  private lift(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.pair = null;
    if (!this.pointers.size) {
      this.mode = null;
      this.controls.stage.orbit.enabled = true;
    } else if (this.mode === "two") this.mode = "move";
  }

  private over(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    const { hand, moves } = this.controls;
    if (hand.piece !== null) {
      this.canvas.style.cursor = this.near(event, NEAR.mouse) ? "move" : "";
      return;
    }
    const piece = this.pick(event, null);
    this.canvas.style.cursor = piece !== null && moves.takes(piece) ? "grab" : "";
    moves.hover(piece);
  }

  private wheel(event: WheelEvent): void {
    if (this.controls.hand.piece === null || event.ctrlKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.controls.use("mouse");
    const d = event.deltaY || event.deltaX;
    this.controls.hand.move(0, 0, -Math.sign(d) * Math.min(2, Math.abs(d) / 50) * 2.5 * (event.shiftKey ? 0.12 : 1));
  }

  /** Pixels become millimetres at the piece's depth; up on the screen is away. */
  private slide(dx: number, dy: number): void {
    const { hand, stage } = this.controls;
    const far = stage.camera.position.distanceTo(hand.p);
    const mm = (2 * far * Math.tan((stage.camera.fov * Math.PI) / 360)) / stage.height;
    const look = stage.camera.getWorldDirection(V);
    const pitch = Math.max(0.35, -look.z);
    look.z = 0;
    look.normalize();
    hand.move(mm * (dx * look.y - (dy / pitch) * look.x), mm * (-dx * look.x - (dy / pitch) * look.y));
  }
}
