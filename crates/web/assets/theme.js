// Loaded in the head as a plain script, before anything is painted: a page must not flash in the
// wrong colours.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  try {
    const theme = localStorage.getItem('spuk.theme');
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  } catch {
    // Without storage the system's colours are right.
  }
})();
