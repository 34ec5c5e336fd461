// Clocks that run: their time is told by the server as the moment at which it is up; the seconds are counted here.

const meta = document.querySelector<HTMLMetaElement>('meta[name="now"]');
/** How far the server's clock is ahead of the one in this computer, in seconds. */
const ahead = meta ? Number(meta.content) - Date.now() / 1000 : 0;
let warned = "";

const two = (n: number): string => String(n).padStart(2, "0");

/** The same as `left_words` on the server. */
function words(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole >= 86400) return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))} h`;
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

function tick(): void {
  for (const clock of document.querySelectorAll<HTMLElement>("#live [data-until]")) {
    const until = Number(clock.dataset.until);
    const left = until - Date.now() / 1000 - ahead;
    const face = clock.querySelector("b");
    const text = words(left);
    if (face && face.textContent !== text) face.textContent = text;
    const low = left <= Number(clock.dataset.low);
    clock.classList.toggle("low", low);
    if (low && clock.dataset.mine !== undefined && warned !== clock.dataset.until) {
      warned = clock.dataset.until ?? "";
      const news = document.getElementById("news");
      if (news) news.textContent = `Your time runs out: ${text} left.`;
    }
  }
}

export function clocks(): void {
  tick();
  setInterval(tick, 500);
  document.addEventListener("htmx:after:swap", tick);
}
