// Sets the chosen theme before the page is painted. A plain script, not a module: modules run too late.
(function () {
  try {
    const theme = localStorage.getItem("probative-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the page then follows the system.
  }
})();
