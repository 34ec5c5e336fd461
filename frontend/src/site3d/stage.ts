// Light, camera and table: daylight from a window on the left by day, a lamp over the table by night.
import {
  Color,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  NeutralToneMapping,
  Object3D,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ground, plain, table } from "./wood";

export type Quality = "low" | "mid" | "high";
export type Inset = { x: number; y: number; element: HTMLElement };

/** Pixels that cards take at the top of a narrow screen. */
const CARDS = 100;
const SUNS: Record<Quality, number> = { low: 1, mid: 3, high: 6 };

/** What shines on glossy things: a bright window, warm walls, a paper floor. */
function room(): Scene {
  const s = new Scene();
  const add = (ink: string, light: number, at: [number, number, number], size: [number, number]): void => {
    const material = new MeshBasicMaterial({ color: new Color(ink).multiplyScalar(light), side: DoubleSide });
    const wall = new Mesh(new PlaneGeometry(...size), material);
    wall.position.set(...at);
    wall.lookAt(0, 0, 0);
    s.add(wall);
  };
  s.background = new Color("#d9cbb4").multiplyScalar(0.55);
  add("#fff3dd", 7, [-6, 4, 5], [4, 4]);
  add("#fff3dd", 3.5, [-7, -3, 4], [3, 4]);
  add("#dfe8f2", 1.3, [6, -4, 6], [6, 5]);
  add("#fffaf0", 1.2, [0, 0, 9], [9, 9]);
  add("#e6d8bf", 0.75, [0, 0, -4], [14, 14]);
  return s;
}

/** Software has a second for a picture, phones have a sixtieth; a wish in the address counts most. */
export function qualityOf(wished: string | null): Quality {
  if (wished === "low" || wished === "mid" || wished === "high") return wished;
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info && gl ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  if (/swiftshader|llvmpipe|software|basic render/i.test(name)) return "low";
  return matchMedia("(pointer: coarse)").matches ? "mid" : "high";
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 20, 3000);
  readonly orbit: OrbitControls;
  private readonly above = new OrthographicCamera(-60, 60, 50, -50, 1, 900);
  private readonly suns: DirectionalLight[] = [];
  private readonly sky = new HemisphereLight("#f6f4f2", "#d8c4a4", 0.55);
  private readonly fill = new DirectionalLight("#eef1f6", 0.75);
  private readonly board: Mesh;
  private flight: { from: Vector3; to: Vector3; eye: Vector3; aim: Vector3; t: number; seconds: number } | null = null;
  width = 1;
  height = 1;
  private below = 50;
  /** Something has changed since the last picture. */
  stale = true;

  constructor(
    readonly host: HTMLElement,
    readonly quality: Quality,
  ) {
    Object3D.DEFAULT_UP.set(0, 0, 1);
    const low = quality === "low";
    plain.wood = low;
    this.renderer = new WebGLRenderer({ antialias: !low, powerPreference: "high-performance" });
    const r = this.renderer;
    r.setPixelRatio(low ? 0.75 : Math.min(devicePixelRatio, 2));
    r.shadowMap.enabled = true;
    r.shadowMap.type = PCFShadowMap;
    r.shadowMap.autoUpdate = false;
    r.toneMapping = NeutralToneMapping;
    r.autoClear = false;
    host.append(r.domElement);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(175, -455, 365);
    const generator = new PMREMGenerator(r);
    this.scene.environment = generator.fromScene(room(), 0.03).texture;
    // The window is no point: a few suns on a small disc throw shadows that soften with distance.
    const n = SUNS[quality];
    const dir = new Vector3(-260, 60, 430);
    const u = new Vector3(0, 0, 1).cross(dir).normalize();
    const v = dir.clone().cross(u).normalize();
    for (let i = 0; i < n; i++) {
      const sun = new DirectionalLight("#fff1dc", 1);
      const a = i * 2.4;
      const k = n > 1 ? 19 * Math.sqrt((i + 0.5) / n) : 0;
      sun.position.copy(dir).addScaledVector(u, k * Math.cos(a)).addScaledVector(v, k * Math.sin(a));
      sun.castShadow = true;
      Object.assign(sun.shadow.camera, { left: -380, right: 380, top: 330, bottom: -330, near: 50, far: 1000 });
      sun.shadow.mapSize.setScalar(low ? 512 : 2048);
      sun.shadow.radius = low ? 2 : 4.5;
      sun.shadow.bias = -0.0004;
      sun.shadow.normalBias = 0.5;
      this.scene.add(sun, sun.target);
      this.suns.push(sun);
    }
    this.fill.position.set(260, -420, 200);
    this.scene.add(this.sky, this.fill);
    this.board = new Mesh(new PlaneGeometry(1800, 1800), table());
    this.board.receiveShadow = true;
    this.board.renderOrder = -1;
    this.scene.add(this.board);
    this.orbit = new OrbitControls(this.camera, r.domElement);
    this.orbit.target.set(0, 5, 45);
    this.orbit.enableDamping = true;
    this.orbit.minDistance = 120;
    this.orbit.maxDistance = 1100;
    this.orbit.maxPolarAngle = 1.52;
    this.orbit.zoomSpeed = 0.8;
    this.orbit.addEventListener("change", () => (this.stale = true));
    this.shift();
    this.size();
  }

  /** Day or night, as the page has it. */
  shift(): void {
    const theme = document.documentElement.dataset.theme;
    const night = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const paper = new Color(night ? "#0f1a2e" : "#f6e7c4");
    this.scene.background = paper;
    this.scene.environmentIntensity = night ? 0.42 : 0.55;
    this.renderer.toneMappingExposure = night ? 1.0 : 0.92;
    for (const sun of this.suns) {
      sun.color.set(night ? "#ffd9a0" : "#fff1dc");
      sun.intensity = (night ? 2.6 : 2.75) / this.suns.length;
    }
    this.sky.color.set(night ? "#8fa6d0" : "#f6f4f2");
    this.sky.groundColor.set(night ? "#33456b" : "#d8c4a4");
    this.sky.intensity = 0.55;
    this.fill.color.set(night ? "#86a4e0" : "#eef1f6");
    this.fill.intensity = 0.75;
    (this.board.material as unknown as { color: Color }).color.set(night ? "#263654" : "#efe3c8");
    ground.uInk.value.set(night ? "#a9bde0" : "#8a6a4c");
    ground.uMat.value.set(night ? "#d8e2ff" : "#fffaf0");
    this.moved();
  }

  /** Something moved: shadows have to be thrown anew. */
  moved(): void {
    this.stale = true;
    this.renderer.shadowMap.needsUpdate = true;
  }

  size(): void {
    const box = this.host.getBoundingClientRect();
    if (!box.width || !box.height) return;
    this.width = box.width;
    this.height = box.height;
    this.renderer.setSize(box.width, box.height, false);
    this.camera.aspect = box.width / box.height;
    this.camera.fov = box.width < 600 ? 38 : 30;
    this.frame();
  }

  /** Cards and buttons hang over a part of the picture: the site stands in the middle of the rest. */
  private frame(): void {
    const wide = this.width > 700;
    const [across, down] = wide ? [-55, 0] : [0, (this.below - CARDS) / 2];
    this.camera.setViewOffset(this.width, this.height, across, down, this.width, this.height);
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }

  /** How many pixels at the bottom are covered by buttons, on a narrow screen. */
  cover(below: number): void {
    if (below === this.below) return;
    this.below = below;
    this.frame();
  }

  /** Fly the camera; seconds 0: be there. */
  fly(eye: Vector3, aim: Vector3, seconds: number): void {
    if (seconds <= 0) {
      this.camera.position.copy(eye);
      this.orbit.target.copy(aim);
      this.orbit.update();
      this.flight = null;
      this.stale = true;
      return;
    }
    const from = this.camera.position.clone();
    this.flight = { from, to: eye.clone(), eye: this.orbit.target.clone(), aim: aim.clone(), t: 0, seconds };
  }

  step(dt: number): void {
    const f = this.flight;
    if (f) {
      f.t = Math.min(1, f.t + dt / f.seconds);
      const k = MathUtils.smootherstep(f.t, 0, 1);
      this.camera.position.lerpVectors(f.from, f.to, k);
      this.orbit.target.lerpVectors(f.eye, f.aim, k);
      if (f.t === 1) this.flight = null;
      this.stale = true;
    }
    this.orbit.update();
  }

  /** A flight ends where somebody takes the camera. */
  halt(): void {
    this.flight = null;
  }

  draw(inset: Inset | null): void {
    const r = this.renderer;
    r.setViewport(0, 0, this.width, this.height);
    r.clear();
    r.render(this.scene, this.camera);
    this.stale = false;
    if (!inset) return;
    const host = this.host.getBoundingClientRect();
    const box = inset.element.getBoundingClientRect();
    if (!box.width) return;
    const [left, bottom] = [box.left - host.left, host.bottom - box.bottom];
    const top = this.above;
    top.left = -112;
    top.right = 112;
    top.top = (112 * box.height) / box.width;
    top.bottom = -top.top;
    top.updateProjectionMatrix();
    const up = this.camera.position.clone().sub(this.orbit.target);
    top.up.set(-up.x, -up.y, 0).normalize();
    top.position.set(inset.x, inset.y, 650);
    top.lookAt(inset.x, inset.y, 0);
    r.setScissorTest(true);
    r.setScissor(left, bottom, box.width, box.height);
    r.setViewport(left, bottom, box.width, box.height);
    r.clear();
    r.render(this.scene, top);
    r.setScissorTest(false);
  }

  dispose(): void {
    this.orbit.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }
}
