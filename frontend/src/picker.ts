// People's own picks on the set-up page: counts them as they are ticked, and closes what a table of that size cannot
// have. Without script all can be ticked, and the server says what is wrong.

interface Count {
  players: number;
  given: Record<string, string>;
  count: number;
}

function chosen(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

function update(form: HTMLFormElement, own: HTMLElement): void {
  const players = Number(chosen(form, "players"));
  const counts = JSON.parse(own.dataset.counts ?? "[]") as Count[];
  const wanted = counts.find(
    (each) =>
      each.players === players &&
      Object.entries(each.given).every(([id, value]) => chosen(form, `option.${id}`) === value),
  )?.count;
  const labels = [...own.querySelectorAll<HTMLElement>("label.pick")];
  let ticked = 0;
  for (const label of labels) {
    const box = label.querySelector<HTMLInputElement>("input");
    const closed = (label.dataset.closed ?? "").split(" ").includes(String(players));
    label.classList.toggle("closed", closed);
    if (!box) continue;
    box.disabled = closed;
    if (box.checked && !closed) ticked += 1;
  }
  const tally = own.querySelector("[data-tally]");
  const more = own.querySelector("[data-more]");
  if (!tally || !more || wanted === undefined) return;
  own.classList.toggle("enough", ticked === wanted);
  tally.textContent = `${ticked} of ${wanted} picked.`;
  more.textContent =
    ticked === wanted ? "That is right." : ticked < wanted ? `${wanted - ticked} to go.` : `${ticked - wanted} too many.`;
}

export function picker(): void {
  for (const own of document.querySelectorAll<HTMLElement>(".own[data-counts]")) {
    const form = own.closest("form");
    if (!form) continue;
    form.addEventListener("change", () => update(form, own));
    update(form, own);
  }
}
