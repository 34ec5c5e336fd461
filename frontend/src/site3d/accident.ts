// An accident: the camera goes to what fell, it is shown once more and slowly, and the camera goes home.
import type { Cinema } from "./cinema";
import { Film } from "./film";
import { PIECES } from "./pieces";
import type { View } from "./view";
import type { Frame, History, Pose } from "./wire";

/** Seconds before and after it fell that are shown again, and how fast. */
const AGAIN = { before: 0.8, after: 0.7, speed: 0.3 };
/** Seconds that are filmed at most. */
const LONGEST = 600;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Accident {
  /** What fell, as long as the picture is about it. */
  piece: number | null = null;
  /** When all had come to rest, or what was shown again was over; 0: there is nothing to go home from. */
  private over = 0;
  private reel: Film | null = null;
  private began = -1;

  constructor(
    private readonly history: History,
    private readonly view: View,
    private readonly cinema: Cinema,
    private readonly shows: boolean,
  ) {}

  /** A new reel for what comes now. */
  begin(): void {
    const poses: [number, Pose][] = [];
    for (let piece = 0; piece < PIECES; piece++) {
      const pose = this.history.last(piece);
      if (pose) poses.push([piece, pose]);
    }
    this.reel = new Film(poses);
    this.began = -1;
  }

  film(s: Frame): void {
    if (!this.reel || !s.poses.length) return;
    if (this.began < 0) this.began = s.tick;
    const t = (s.tick - this.began) / 60 + 0.02;
    if (t < LONGEST) this.reel.add(t, s.poses, s.held, s.accident);
  }

  struck(piece: number): void {
    this.piece = piece;
    const pose = this.history.last(piece);
    if (pose) this.view.close(pose);
  }

  /** All is at rest; reel: what was filmed until then. */
  rested(reel: Film | null): void {
    const crash = reel?.crash ?? null;
    if (reel && crash !== null && this.shows && !still.matches) {
      this.cinema.show(reel, Math.max(0, crash - AGAIN.before), crash + AGAIN.after, AGAIN.speed);
    }
    this.over = performance.now();
  }

  /** What has been filmed since `begin`. */
  get filmed(): Film | null {
    return this.reel;
  }

  /** Before every picture; again: something is shown again. True once it is time to go on. */
  step(now: number, again: boolean): boolean {
    if (again) this.over = this.over && now;
    else if (this.over && now - this.over > (still.matches ? 4000 : 1500)) {
      this.over = 0;
      this.piece = null;
      this.view.back();
      return true;
    }
    return false;
  }
}
