// Keys. Whoever has no pointer goes by steps, and is told where the piece is.
import type { Controls } from "./controls";

const MOVES: Record<string, string> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "far",
  ArrowDown: "near",
  PageUp: "up",
  PageDown: "down",
  KeyQ: "turnl",
  KeyE: "turnr",
};
const VIEWS: Record<string, string> = { Digit5: "front", Digit6: "side", Digit7: "top", Digit8: "round" };

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("textarea, select, input, summary, [contenteditable]");
}

export class Keyboard {
  constructor(
    private readonly controls: Controls,
    signal: AbortSignal,
  ) {
    document.addEventListener("keydown", (event) => this.press(event), { signal, capture: true });
    document.addEventListener("keyup", (event) => this.lift(event), { signal, capture: true });
  }

  private press(event: KeyboardEvent): void {
    if (typing(event.target) || event.metaKey || event.altKey) return;
    if (event.key === "Shift") this.controls.down.add("fine");
    const does = this.deed(event);
    if (!does) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.controls.use("keys");
    does();
  }

  /** What a key does now; nothing if it is none of ours. */
  private deed(event: KeyboardEvent): (() => void) | null {
    const { controls } = this;
    const { hand, moves } = controls;
    const holds = hand.piece !== null;
    const target = event.target as HTMLElement;
    const onButton = target.matches("button, a");
    const ours = !!target.closest(".stage");
    const code = event.code;
    const move = MOVES[code];
    if (holds && move) {
      const step = event.ctrlKey ? 1 : controls.stepping * (event.shiftKey ? 0.2 : 1);
      if (!step) return () => controls.down.add(move);
      return () => {
        controls.step(move, step);
        moves.stepped();
      };
    }
    if (event.ctrlKey) return null;
    if (code === "Space" && holds && (!onButton || ours) && !target.matches(".pad3 button")) return () => hand.lower(true);
    if (code === "Enter" && holds && (!onButton || target.matches("[data-grip]"))) {
      return () => {
        if (!event.repeat) moves.release();
      };
    }
    if (code === "Escape" && holds) return () => moves.cancel();
    if (event.repeat) return null;
    const view = VIEWS[code];
    if (view) return () => moves.view(view);
    if (code === "KeyR" && holds) return () => moves.tip();
    if (code === "KeyW") return () => moves.where();
    if (code === "KeyT" && !holds) return () => moves.takeNext();
    if ((code === "KeyN" || code === "KeyP") && !holds && ours) return () => moves.next(code === "KeyN" ? 1 : -1);
    return null;
  }

  private lift(event: KeyboardEvent): void {
    const { controls } = this;
    if (event.code === "Space") controls.hand.lower(false);
    const move = MOVES[event.code];
    if (move) controls.down.delete(move);
    if (event.key === "Shift") controls.down.delete("fine");
  }
}
