// The bar that shows turns again.
import { type Film, film, type Listed, listed } from "./film";
import { make } from "./overlay";

export class Cinema {
  film: Film | null = null;
  t = 0;
  playing = false;
  private speed = 1;
  private upTo = Infinity;
  private readonly bar = make("div", { cls: "film3" });
  private readonly which = make("select");
  private readonly play = make("button", { icon: "play", label: "Play" });
  private readonly slide = make("input");
  private readonly pace = make("select");
  private turns: Listed[] = [];

  constructor(
    host: HTMLElement,
    private readonly path: string,
    private readonly nameOfSeat: (seat: number) => string,
    private readonly changed: () => void,
    private readonly said: (text: string) => void,
  ) {
    this.bar.hidden = true;
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Turns again");
    this.which.setAttribute("aria-label", "Turn");
    this.slide.type = "range";
    this.slide.step = "0.01";
    this.slide.min = "0";
    this.slide.setAttribute("aria-label", "Time in the turn");
    this.pace.setAttribute("aria-label", "Speed");
    for (const [value, text] of [
      ["1", "1×"],
      ["0.3", "slow"],
      ["3", "3×"],
    ] as const) {
      const option = make("option", { text });
      option.value = value;
      this.pace.append(option);
    }
    const close = make("button", { icon: "cross", label: "Back to the site" });
    this.play.addEventListener("click", () => this.toggle());
    close.addEventListener("click", () => this.close());
    this.which.addEventListener("change", () => void this.load(Number(this.which.value)));
    this.pace.addEventListener("change", () => (this.speed = Number(this.pace.value)));
    this.slide.addEventListener("input", () => {
      this.playing = false;
      this.t = Number(this.slide.value);
      this.changed();
    });
    this.bar.append(this.which, this.play, this.slide, this.pace, close);
    host.append(this.bar);
  }

  get open(): boolean {
    return !this.bar.hidden;
  }

  async toggleBar(): Promise<void> {
    if (this.open) {
      this.close();
      return;
    }
    try {
      this.turns = await listed(this.path);
    } catch {
      this.turns = [];
    }
    if (!this.turns.length) {
      this.said("There is no turn yet that could be shown again.");
      return;
    }
    this.which.replaceChildren(
      ...this.turns
        .map((turn, i) => {
          const text = `${i + 1}: ${this.nameOfSeat(turn.seat)}${turn.accident ? ", accident" : ""}`;
          const option = make("option", { text });
          option.value = String(turn.number);
          return option;
        })
        .reverse(),
    );
    this.bar.hidden = false;
    await this.load(this.turns.at(-1)?.number ?? 0);
    this.which.focus();
  }

  private async load(number: number): Promise<void> {
    try {
      this.show(await film(this.path, number), 0, Infinity, Number(this.pace.value));
    } catch {
      this.said("This turn was not kept.");
    }
  }

  /** From when to when, and how fast. */
  show(what: Film, from: number, to: number, speed: number): void {
    this.film = what;
    this.t = from;
    this.upTo = Math.min(to, what.seconds);
    this.speed = speed;
    this.slide.max = String(what.seconds);
    this.playing = true;
    this.changed();
  }

  private toggle(): void {
    if (!this.film) return;
    if (!this.playing && this.t >= this.upTo - 0.01) this.t = 0;
    this.upTo = this.film.seconds;
    this.playing = !this.playing;
    this.changed();
  }

  close(): void {
    this.bar.hidden = true;
    this.film = null;
    this.playing = false;
    this.changed();
  }

  /** True while something is shown again. */
  step(dt: number): boolean {
    if (!this.film) return false;
    if (this.playing) {
      this.t = Math.min(this.upTo, this.t + dt * this.speed);
      if (this.t >= this.upTo) {
        this.playing = false;
        if (!this.open) this.film = null;
      }
      this.changed();
    }
    this.slide.value = String(this.t);
    const label = this.playing ? "Pause" : "Play";
    if (this.play.title !== label) {
      this.play.title = label;
      this.play.setAttribute("aria-label", label);
      this.play.replaceChildren(...make("button", { icon: this.playing ? "pause" : "play" }).childNodes);
    }
    return this.film !== null;
  }
}
