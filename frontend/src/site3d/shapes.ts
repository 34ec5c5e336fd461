// What the pieces look like: rounded boxes, the worker's silhouette, the hardhat's dome.
import {
  type BufferGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  Shape,
  SplineCurve,
  TorusGeometry,
  Vector2,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { type Kind, PARTS } from "./pieces";

const ROUND: Record<string, number> = { girder: 0.8, support: 1.3, beam: 0.7, brick: 0.7 };

function plain(geometry: BufferGeometry): BufferGeometry {
  const found = geometry.index ? geometry.toNonIndexed() : geometry;
  found.deleteAttribute("uv");
  return found;
}

/** The silhouette is that of the collision boxes, drawn in by the bevel. */
function worker(): BufferGeometry {
  const r = 0.7;
  const s = new Shape();
  s.moveTo(-12 + r, -23 + r);
  const to = (x: number, y: number): void => void s.lineTo(x, y);
  to(-3 - r, -23 + r);
  to(-3 - r, -7.5);
  s.absarc(0, -7.5, 3 + r, Math.PI, 0, true);
  to(3 + r, -23 + r);
  to(12 - r, -23 + r);
  to(12 - r, -7);
  to(11 - r, -5);
  to(11 - r, 2 + r);
  to(19, 2 + r);
  s.absarc(20.4 - r, 5, 3 - r, -Math.PI / 2, Math.PI / 2, false);
  to(8, 8 - r);
  to(-19, 8 - r);
  s.absarc(-20.4 + r, 5, 3 - r, Math.PI / 2, Math.PI * 1.5, false);
  to(-11 + r, 2 + r);
  to(-11 + r, -5);
  to(-12 + r, -7);
  const body = new ExtrudeGeometry(s, {
    depth: 10 - 2 * r,
    bevelEnabled: true,
    bevelThickness: r,
    bevelSize: r,
    bevelSegments: 3,
    curveSegments: 10,
  });
  body.translate(0, 0, -(10 - 2 * r) / 2);
  body.rotateX(Math.PI / 2);
  const profile: [number, number][] = [
    [0, 7],
    [4.2, 7],
    [4.9, 8.3],
    [5.35, 11],
    [5.35, 19.5],
    [4.9, 21.6],
    [3.6, 22.8],
    [0, 23],
  ];
  const head = new LatheGeometry(new SplineCurve(profile.map((p) => new Vector2(...p))).getPoints(26), 32);
  head.rotateX(Math.PI / 2);
  return mergeGeometries([plain(body), plain(head)]);
}

function hat(): BufferGeometry {
  // From the rim to the crown: turned over, the dome would be seen from inside.
  const profile: [number, number][] = [
    [7.4, -4.0],
    [8.2, -4.25],
    [9.4, -4.2],
    [9.7, -3.6],
    [9.2, -3.1],
    [8.1, -3.0],
    [8.0, -1.4],
    [7.3, 1.2],
    [5.6, 3.2],
    [3, 4.35],
    [0, 4.6],
  ];
  const dome = new LatheGeometry(new SplineCurve(profile.map((p) => new Vector2(...p))).getPoints(40), 36);
  dome.rotateX(Math.PI / 2);
  dome.scale(1, 0.95, 1);
  const parts = [plain(dome)];
  for (const [x, w] of [
    [0, 1.5],
    [-3.4, 1],
    [3.4, 1],
  ] as const) {
    const k = Math.sqrt(1 - (x / 8.6) ** 2);
    const rib = new TorusGeometry(8.05 * k, w * 0.55, 6, 24, Math.PI);
    rib.scale(1, 0.88, 1);
    rib.rotateX(Math.PI / 2);
    rib.rotateZ(Math.PI / 2);
    rib.scale(1, 0.95, 1);
    rib.translate(x, 0, -3);
    parts.push(plain(rib));
  }
  const peak = new RoundedBoxGeometry(9, 5, 1.1, 2, 0.5);
  peak.translate(0, -9, -3.7);
  parts.push(plain(peak));
  return mergeGeometries(parts);
}

const made = new Map<Kind, BufferGeometry>();

export function shapeOf(kind: Kind): BufferGeometry {
  let found = made.get(kind);
  if (!found) {
    const size = PARTS[kind][0]?.size ?? [1, 1, 1];
    found = kind === "worker" ? worker() : kind === "hat" ? hat() : new RoundedBoxGeometry(...size, 3, ROUND[kind]);
    made.set(kind, found);
  }
  return found;
}
