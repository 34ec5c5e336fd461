// How a browser tells of one's turn: by a note while its tab is in the background, and by web push without any tab.

const WORKER = "/notices-worker.js";
/** Does the reader want notes from tabs in the background? Kept in this browser alone. */
const WANTED = "sf_notes";
const INSECURE = "Browsers allow this only to sites reached by https (or on the computer itself). This page is not.";
const ABSENT = "This browser cannot do this. On a phone it may be able to once the site lies on its home screen.";
const DENIED = "This browser has been told to show no notes of this site. Its settings for the site can change that.";

const wanted = (): boolean => localStorage.getItem(WANTED) === "yes";
const permitted = (): boolean => "Notification" in window && Notification.permission === "granted";

/** Why the browser cannot show notes, in words; empty if it can, or may be asked. */
function obstacle(): string {
  if (!window.isSecureContext) return INSECURE;
  if (!("Notification" in window) || !("serviceWorker" in navigator)) return ABSENT;
  return Notification.permission === "denied" ? DENIED : "";
}

async function allowed(): Promise<boolean> {
  return Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
}

async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER);
  return navigator.serviceWorker.ready;
}

let before: boolean | null = null;

/** The page has learned whether it is the reader's turn: a tab in the background says so, once, without a sound. */
export function turned(mine: boolean, title: string): void {
  const news = mine && before === false;
  before = mine;
  if (!news || !document.hidden || !wanted() || !permitted()) return;
  // The same tag as the push of this table: there is one note, not two.
  const tag = location.pathname.split("/")[2] ?? "all";
  const options = { body: `It is your turn. ${title}`, tag, silent: true, data: { link: location.pathname } };
  worker().then(
    (found) => void found.showNotification("Shopfloor", options),
    () => undefined,
  );
}

function key(text: string): Uint8Array<ArrayBuffer> {
  const padded = text.replace(/-/g, "+").replace(/_/g, "/") + "=".repeat((4 - (text.length % 4)) % 4);
  return Uint8Array.from(atob(padded), (letter) => letter.charCodeAt(0));
}

async function subscribed(pushKey: string): Promise<PushSubscription> {
  const found = await worker();
  const old = await found.pushManager.getSubscription();
  const same = old?.options.applicationServerKey;
  const wantedKey = key(pushKey);
  if (old && same && String(new Uint8Array(same)) === String(wantedKey)) return old;
  await old?.unsubscribe();
  return found.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wantedKey });
}

/** Fill the form with what the browser tells of itself, then let it be sent as any other. */
async function push(form: HTMLFormElement): Promise<void> {
  const state = form.querySelector<HTMLElement>("[data-push-state]");
  const say = (text: string): void => {
    if (state) state.textContent = text;
  };
  const why = obstacle() || ("PushManager" in window ? "" : ABSENT);
  if (why) return say(why);
  try {
    if (!(await allowed())) return say(DENIED);
    say("Asking the browser's push service.");
    const told = (await subscribed(form.dataset.push ?? "")).toJSON();
    const fields: Record<string, string | undefined> = { endpoint: told.endpoint, ...told.keys };
    for (const name of ["endpoint", "p256dh", "auth"])
      form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = fields[name] ?? "";
    form.dataset.ready = "";
    form.requestSubmit();
  } catch {
    say("The browser's push service could not be reached. Try again later, or in another browser.");
  }
}

/** What the panel says of this browser. */
function describe(): void {
  const tab = document.querySelector<HTMLElement>("[data-tab-state]");
  const button = document.querySelector<HTMLButtonElement>("[data-tab-notes]");
  const why = obstacle();
  if (tab && button) {
    const on = !why && wanted() && permitted();
    tab.textContent = why || (on ? "Notes are shown." : "");
    button.textContent = on ? "Show no notes" : "Show notes";
    button.hidden = why !== "";
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-push]")) {
    const cannot = why || ("PushManager" in window ? "" : ABSENT);
    const state = form.querySelector<HTMLElement>("[data-push-state]");
    if (state && cannot) state.textContent = cannot;
    for (const part of form.querySelectorAll<HTMLElement>("button, select, label")) part.hidden = cannot !== "";
  }
}

export function notices(): void {
  describe();
  document.addEventListener("htmx:after:swap", () => {
    const dialog = document.querySelector<HTMLDialogElement>("dialog#notices");
    const asked = dialog?.querySelector(".notices");
    if (dialog && asked && !asked.hasAttribute("data-shown")) {
      asked.setAttribute("data-shown", "");
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0; // what was refused, or has been added, stands at the top
      describe();
    }
  });
  // Emptied when it is closed, so that it shows what holds when it is opened again.
  document.querySelector("dialog#notices")?.addEventListener("close", () => {
    document.getElementById("notices-panel")?.replaceChildren();
  });
  document.addEventListener("click", (event) => {
    if (!(event.target as Element).closest("[data-tab-notes]")) return;
    if (wanted() && permitted()) {
      localStorage.removeItem(WANTED);
      describe();
    } else {
      void allowed().then((yes) => {
        if (yes) localStorage.setItem(WANTED, "yes");
        describe();
      });
    }
  });
  // Before htmx sees it: what it is to send is not there yet.
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target as HTMLFormElement;
      if (form.dataset.push === undefined || form.dataset.ready !== undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void push(form);
    },
    true,
  );
}
