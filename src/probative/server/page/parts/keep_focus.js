// The keyboard's focus must not get lost. Where the element that has it is removed (a form that was sent, "Cancel"
// of a run that has ended), the focus goes to the heading of the section around it, or to that of the page.

const SECTIONS = "section, article, aside, form";

// Follow the focus inside `root`; gives a function that stops.
export function keepFocus(root) {
  let around = [];
  const remember = (event) => {
    around = [];
    for (let at = event.target; at && at !== root; at = at.parentElement) around.push(at);
  };
  const rescue = () => {
    if (!around.length || around[0].isConnected || document.activeElement !== document.body) return;
    const section = around.find((element) => element.isConnected && element.matches(SECTIONS) && headingIn(element));
    around = [];
    focusHeading(section ?? root);
  };
  const observer = new MutationObserver(rescue);
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener("focusin", remember);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", remember);
  };
}

const headingIn = (element) => element.querySelector("h1, h2, h3, h4, h5, h6");

// Move the focus to the first heading in an element; the page does not scroll.
export function focusHeading(element) {
  const heading = headingIn(element);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
