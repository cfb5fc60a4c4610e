// Makes a round smooth: reading times, keys, focus. Without it everything still works.
(() => {
  "use strict";
  const KEYS = "roft-keys";
  const MOST_MS = 2_000_000_000; // what the server takes: 23 days
  let shownAt = 0;
  let hiddenFor = 0;
  let hiddenSince = null;

  const whole = (ms) => Math.min(Math.round(ms), MOST_MS);
  const sinceShown = () => whole(performance.now() - shownAt);

  function restartClock() {
    shownAt = performance.now();
    hiddenFor = 0;
    hiddenSince = document.hidden ? shownAt : null;
  }

  function fillTimes(form) {
    const fields = form.elements;
    if (fields.client_ms) fields.client_ms.value = sinceShown();
    if (fields.hidden_ms) {
      const now = hiddenSince === null ? 0 : performance.now() - hiddenSince;
      fields.hidden_ms.value = whole(hiddenFor + now);
    }
  }

  function noteVisibility() {
    if (document.hidden) {
      hiddenSince = performance.now();
    } else if (hiddenSince !== null) {
      hiddenFor += performance.now() - hiddenSince;
      hiddenSince = null;
    }
    const round = document.getElementById("round");
    if (!round || !document.getElementById("decide")) return;
    const kind = document.hidden ? "hidden" : "shown";
    const form = new URLSearchParams({ kind, turn: round.dataset.turn, client_ms: sinceShown() });
    navigator.sendBeacon(round.dataset.events, form);
  }

  const keysOn = () => localStorage.getItem(KEYS) !== "off";

  function showKeys() {
    const holder = document.querySelector("[data-keys]");
    document.body.classList.toggle("keys-on", keysOn());
    if (!holder) return;
    holder.classList.add("works");
    const button = holder.querySelector("button");
    button.setAttribute("aria-pressed", String(keysOn()));
    button.textContent = keysOn() ? button.dataset.on : button.dataset.off;
  }

  function onKey(event) {
    const typing = event.target.closest("textarea, input:not([type=checkbox]), select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "escape") {
      document.querySelector("[data-key=escape]")?.click();
      return;
    }
    if (!keysOn()) return;
    const target = key === "n"
      ? document.querySelector(".after [data-next]")
      : [...document.querySelectorAll("#round [data-key]")].find((one) => one.dataset.key === key);
    if (!target) return;
    event.preventDefault();
    target.click();
  }

  function arrive(isFirst) {
    document.getElementById("offline").hidden = true;
    const clockRuns = document.getElementById("round")?.dataset.turn;
    if (clockRuns !== arrive.turn) restartClock();
    arrive.turn = clockRuns;
    showKeys();
    if (isFirst) return;
    const chip = document.querySelector(".panel input[type=checkbox]");
    const target = chip ?? document.querySelector("[data-focus]");
    target?.focus({ preventScroll: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    (chip?.closest(".panel") ?? target)?.scrollIntoView({ block: chip ? "end" : "nearest", behavior: still ? "auto" : "smooth" });
  }

  // how long the guide was in front
  function noteReading() {
    const opened = document.querySelector("[data-reading]")?.dataset.reading;
    if (!opened) return;
    const away = hiddenSince === null ? 0 : performance.now() - hiddenSince;
    const visible = whole(performance.now() - hiddenFor - away);
    navigator.sendBeacon("/guide/readings", new URLSearchParams({ opened, visible_ms: visible }));
  }

  async function copyText(button) {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    document.getElementById("copied").textContent = button.dataset.copied;
  }

  function showLocalTimes() {
    for (const time of document.querySelectorAll("time[data-local]")) {
      const at = new Date(time.dateTime);
      const clock = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      time.textContent = `${time.textContent} ${time.dataset.local.replace("{clock}", clock)}`;
    }
  }

  document.addEventListener("submit", (event) => fillTimes(event.target), true);
  document.addEventListener("visibilitychange", noteVisibility);
  document.addEventListener("visibilitychange", () => document.hidden && noteReading());
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const copier = event.target.closest("[data-copy]");
    if (copier) copyText(copier);
    if (!event.target.closest("[data-keys] button")) return;
    localStorage.setItem(KEYS, keysOn() ? "off" : "on");
    showKeys();
  });
  document.addEventListener("htmx:configRequest", (event) => {
    const form = event.detail.elt.closest("form");
    if (!form) return;
    fillTimes(form);
    for (const name of ["client_ms", "hidden_ms"]) {
      if (form.elements[name]) event.detail.parameters.set(name, form.elements[name].value);
    }
  });
  document.addEventListener("htmx:sendError", () => {
    const notice = document.getElementById("offline");
    if (notice) notice.hidden = false;
  });
  document.addEventListener("htmx:afterSettle", () => arrive(false));
  navigator.serviceWorker?.register("/sw.js").catch(() => {}); // private windows may refuse: it is a convenience
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  showLocalTimes();
  arrive(true);
})();
