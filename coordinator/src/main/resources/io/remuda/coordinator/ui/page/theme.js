// @ts-check
// Runs before the first paint, so that a dark page does not flash white.
(() => {
  const chosen = (() => {
    try {
      return localStorage.getItem("remuda-theme");
    } catch {
      return null;
    }
  })();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = chosen === "dark" || chosen === "light" ? chosen : dark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
})();
