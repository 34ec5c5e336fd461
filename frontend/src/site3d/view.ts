// Where the camera stands: four places to look from, and a closer look at what has fallen.
import { Vector3 } from "three";
import type { Stage } from "./stage";
import type { Pose } from "./wire";

const LOOKS: Record<string, [number, number]> = {
  // degrees around the site, and above the table
  front: [-90, 14],
  side: [0, 14],
  top: [-90, 86],
  round: [-68, 36],
};
/** How high in the picture a thing in the hand may be, of 1: over it there are sentences. */
const ROOM = 0.7;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class View {
  private before: [Vector3, Vector3] | null = null;

  constructor(private readonly stage: Stage) {}

  /** top: how high the site is, mm. */
  look(name: string, top: number, seconds = still.matches ? 0 : 0.55): void {
    const [around, up] = LOOKS[name] ?? [-68, 36];
    const narrow = this.stage.width < 600;
    const far = Math.max(narrow ? 700 : 640, top * 3 + 380) * (name === "top" ? 1.1 : 1);
    const [a, b] = [(around * Math.PI) / 180, (up * Math.PI) / 180];
    const aim = new Vector3(0, name === "front" || name === "side" ? 0 : -22, name === "top" ? 0 : Math.max(14, top * 0.45));
    const eye = new Vector3(Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)).multiplyScalar(far).add(aim);
    this.before = null;
    this.stage.fly(eye, aim, seconds);
  }

  /** Go back as far as it takes to see a place and the middle of the site, looking the same way. */
  include(place: Vector3): void {
    const { camera, orbit } = this.stage;
    const way = camera.position.clone().sub(orbit.target);
    const probe = camera.clone();
    const sees = (k: number): boolean => {
      probe.position.copy(orbit.target).addScaledVector(way, k);
      probe.updateMatrixWorld();
      return [place, new Vector3()].every((p) => {
        const at = p.clone().project(probe);
        return Math.abs(at.x) < 0.9 && at.y < ROOM && at.y > -0.95;
      });
    };
    let k = 1;
    while (k < 2 && !sees(k)) k += 0.06;
    if (k > 1) this.stage.fly(orbit.target.clone().addScaledVector(way, k), orbit.target.clone(), still.matches ? 0 : 0.45);
  }

  /** Go near to what happened, and know the way back. */
  close(pose: Pose): void {
    const { camera, orbit } = this.stage;
    this.before ??= [camera.position.clone(), orbit.target.clone()];
    const aim = new Vector3(...pose.p);
    aim.z = Math.max(10, aim.z * 0.6);
    const way = camera.position.clone().sub(aim).setZ(0).normalize();
    const eye = aim.clone().addScaledVector(way, 215).add(new Vector3(0, 0, 125));
    if (!still.matches) this.stage.fly(eye, aim, 0.7);
  }

  back(): void {
    if (this.before) this.stage.fly(this.before[0], this.before[1], still.matches ? 0 : 0.9);
    this.before = null;
  }
}
