// Shows what a push brings, and leads to the table when it is opened. Keeps nothing and fetches nothing.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {
    // Shown all the same: a browser ends a subscription whose pushes show nothing.
  }
  const shown = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    // Who looks at the table right now is not disturbed by a sound.
    const looking = pages.some((page) => page.visibilityState === "visible" && page.url.startsWith(told.link));
    await self.registration.showNotification(told.title || "Shopfloor", {
      body: told.body || "It is your turn.",
      tag: told.tag || "all",
      renotify: !looking,
      silent: looking,
      icon: "/static/icon.svg",
      data: { link: told.link || "/" },
    });
  };
  event.waitUntil(shown());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = new URL(event.notification.data.link, self.location.origin);
  if (link.origin !== self.location.origin) return;
  const lead = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((page) => page.url.split(/[?#]/)[0] === link.href);
    await (open ? open.focus() : self.clients.openWindow(link.href));
  };
  event.waitUntil(lead());
});
