// Shows the site in three dimensions where the browser can; without it the drawing stands, and the forms do all.
function draws(): boolean {
  try {
    const gl = document.createElement("canvas").getContext("webgl2");
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return gl !== null;
  } catch {
    return false;
  }
}

function say(text: string): void {
  const note = document.getElementById("no-site");
  if (!note) return;
  note.textContent = text;
  note.hidden = false;
}

let begun = false;

async function begin(): Promise<void> {
  const host = document.getElementById("stage");
  const source = document.getElementById("scene");
  if (begun || !host || !source) return;
  begun = true;
  if (!draws()) {
    say("This browser draws no three-dimensional pictures (WebGL 2). The drawing shows the site, and pieces are placed by their numbers.");
    return;
  }
  try {
    const { start } = await import("../../../../../frontend/src/site3d/site");
    start(host, source);
    document.documentElement.classList.add("has3d");
  } catch (error) {
    console.warn(error);
    say("The three-dimensional site could not be loaded. The drawing shows it, and pieces are placed by their numbers.");
  }
}

void begin();
// The table may begin, or begin anew, on a page that is open already.
document.addEventListener("htmx:after:swap", () => void begin());
