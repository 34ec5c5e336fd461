// What moves the piece in the hand, by what is in the other hand: mouse, fingers, keys or gamepad.
export type Device = "mouse" | "touch" | "keys" | "pad";
/** What to press, and what it does. */
export type Hint = [string, string];

const HELD: Record<Exclude<Device, "pad">, Hint[]> = {
  mouse: [
    ["Drag", "carry"],
    ["Wheel", "raise, lower"],
    ["Right button", "turn"],
  ],
  touch: [
    ["One finger", "carry"],
    ["Two fingers", "turn, raise, lower"],
  ],
  keys: [
    ["← → ↑ ↓", "carry"],
    ["Page up, down", "raise, lower"],
    ["Q, E", "turn"],
    ["R", "tip over"],
    ["Space", "lower gently"],
    ["Enter", "let go"],
    ["Esc", "put back"],
  ],
};

/** The buttons of a gamepad as they are printed on it: below, right, left, above. */
export function buttonsOf(id: string): [string, string, string, string] {
  if (/054c|playstation|dualshock|dualsense/i.test(id)) return ["Cross", "Circle", "Square", "Triangle"];
  if (/057e|nintendo|joy-con|switch/i.test(id)) return ["B", "A", "Y", "X"];
  return ["A", "B", "X", "Y"];
}

function pad(id: string, holds: boolean): Hint[] {
  const [below, right, left, above] = buttonsOf(id);
  if (!holds) {
    return [
      [below, "take the piece"],
      ["Cross pad", "choose another"],
      ["Right stick", "look around"],
    ];
  }
  return [
    ["Left stick", "carry"],
    ["Cross pad", "carry by 1 mm"],
    ["Triggers", "lower, raise"],
    ["Shoulders", "turn"],
    [left, "held down: lower gently"],
    [above, "tip over"],
    [below, "let go"],
    [right, "put back"],
    ["Right stick", "look around"],
  ];
}

/** id: what the gamepad calls itself. takes: something may be taken now. */
export function hintsFor(device: Device, id: string, holds: boolean, takes: boolean): Hint[] {
  if (device === "pad") return holds || takes ? pad(id, holds) : [];
  return holds ? HELD[device] : [];
}
