// @ts-check
/** The shell: who looks, which view, what is live, keys, light and dark. */
import { readAddress, writeAddress } from "./lib/address.js";
import { request, takeKey } from "./lib/api.js";
import { byId, fill, h, setText } from "./lib/dom.js";
import { Feed } from "./lib/feed.js";
import { span } from "./lib/text.js";
import { clock, setServerZone } from "./lib/time.js";
import { showHelp } from "./part/help.js";
import { ask } from "./part/question.js";
import { VIEWS } from "./views.js";

/** What was done stands there for so many milliseconds. */
const SAID = 6000;

const feed = new Feed();
const main = byId("main");
/** @type {import("./lib/view.js").OpenView | null} */
let open = null;
/** what the view that is open shows, with the parts of its address, as job/12 */
let shown = "";
/** where each view was last shown @type {Map<string, string>} */
const last = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

/** @type {import("./lib/view.js").Page} */
const page = {
  feed,
  context: {},
  setParams(values) {
    const address = readAddress(location.hash);
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === undefined || value === "") {
        address.params.delete(name);
      } else {
        address.params.set(name, String(value));
      }
    }
    history.replaceState(null, "", writeAddress(address.view, address.rest, address.params));
    last.set(address.view, location.hash);
    open?.show(address);
  },
  lastOf(view) {
    return last.get(view) ?? writeAddress(view);
  },
  ask,
  say(text) {
    setText(byId("say"), text);
    clearTimeout(silence);
    silence = setTimeout(() => setText(byId("say"), ""), SAID);
  },
  setTitle(title) {
    document.title = `${title} – Remuda`;
  },
};

function navigate() {
  const address = readAddress(location.hash);
  const view = VIEWS.find((one) => one.name === address.view);
  last.set(address.view, location.hash);
  if (!view) {
    showNoView(address.view);
    return;
  }
  // another job is another view, so that nothing of the last one stays, and no button is for it
  const wanted = [view.name, ...address.rest].join("/");
  if (wanted !== shown) {
    open?.close();
    const root = h("div", { class: `view view-${view.name}` });
    fill(main, root);
    shown = wanted;
    page.setTitle(view.title);
    open = view.open(root, page);
    scrollTo(0, 0);
  }
  open?.show(address);
  for (const link of byId("nav").querySelectorAll("a")) {
    link.toggleAttribute("aria-current", link.dataset.view === view.name);
    if (link.dataset.view === view.name) {
      link.setAttribute("aria-current", "page");
    }
  }
}

/** @param {string} name */
function showNoView(name) {
  open?.close();
  open = null;
  shown = "";
  page.setTitle("Not found");
  fill(
    main,
    h("h1", {}, "There is no such page"),
    h("p", {}, `None is called “${name}”. `, h("a", { href: writeAddress("cluster") }, "Cluster"), " has all GPUs and jobs."),
  );
  byId("nav").querySelectorAll("a").forEach((link) => link.removeAttribute("aria-current"));
}

function showNavigation() {
  fill(
    byId("nav"),
    VIEWS.filter((view) => !view.isHidden).map((view) =>
      h("a", { href: writeAddress(view.name), data: { view: view.name } }, view.title),
    ),
  );
}

function showState() {
  const { kind, since, message } = feed.state;
  const banner = byId("banner");
  const away = kind === "away";
  const out = kind === "signed-out";
  banner.hidden = !away && !out;
  if (out) {
    fill(banner, h("strong", {}, "This browser has not opened the link of this remuda ui. "), "The terminal where it runs shows one; if it has ended, start remuda ui again.");
  } else if (away) {
    fill(
      banner,
      h("strong", {}, `The server does not answer since ${clock(since / 1000, { seconds: true })}. `),
      feed.latest ? "What you see is what was known then. " : "",
      "The page comes back by itself. ",
      h("span", { class: "soft" }, message),
    );
  }
  showPulse();
}

/** How fresh what is shown is: a sign, and words. */
function showPulse() {
  const pulse = byId("pulse");
  const { kind } = feed.state;
  pulse.dataset.kind = kind;
  const age = feed.latest ? (Date.now() - feed.cameAt) / 1000 : null;
  const words = { starting: "connecting", live: "live", away: "away", "signed-out": "signed out" }[kind];
  setText(pulse, kind === "away" && age !== null ? `away, ${span(age)} old` : words);
  const name = feed.latest?.server?.name;
  pulse.title = feed.latest ? `newest readings: ${clock(feed.latest.time, { seconds: true })}${name ? ` from ${name}` : ""}` : "";
}

/** @param {boolean} isFlipped */
function theme(isFlipped) {
  const root = document.documentElement;
  if (isFlipped) {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("remuda-theme", root.dataset.theme);
    } catch {
      // it holds until the page is closed
    }
    document.dispatchEvent(new Event("remuda-theme"));
  }
  const dark = root.dataset.theme === "dark";
  const button = byId("theme");
  setText(button, dark ? "☀" : "☾");
  button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
  button.title = dark ? "Light colours (t)" : "Dark colours (t)";
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = target.matches("input, textarea, select, [contenteditable]");
  if (event.key === "Escape" && isTyping) {
    target.blur();
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
    return;
  }
  if (event.key === "/") {
    const filter = /** @type {HTMLInputElement | null} */ (main.querySelector("[data-filter]"));
    if (filter) {
      event.preventDefault();
      filter.focus();
      filter.select();
    }
  } else if (event.key === "?") {
    showHelp();
  } else if (event.key === "t") {
    theme(true);
  } else if (/^[1-9]$/.test(event.key)) {
    const view = VIEWS.filter((one) => !one.isHidden)[Number(event.key) - 1];
    if (view) {
      location.hash = writeAddress(view.name);
    }
  }
}

async function findContext() {
  try {
    page.context = await (await request("/page/context.json")).json();
    setServerZone(page.context.zone, page.context.machine);
  } catch {
    // the feed says what is wrong; times have the reader's zone alone
  }
}

await takeKey();
showNavigation();
theme(false);
byId("theme").addEventListener("click", () => theme(true));
byId("help").addEventListener("click", showHelp);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.dispatchEvent(new Event("remuda-theme"));
});
addEventListener("keydown", onKey);
addEventListener("hashchange", navigate);
feed.on(showState);
setInterval(showPulse, 1000);
await findContext();
navigate();
feed.start();
