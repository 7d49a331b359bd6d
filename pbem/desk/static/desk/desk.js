// Unfold opens its menus by a click alone: here they open from the keyboard too.
// The names of its icons are no words: nobody wants to hear "chevron_right".
const hush = (part) => part.querySelectorAll?.(".material-symbols-outlined").forEach((icon) => icon.setAttribute("aria-hidden", "true"));
document.addEventListener("DOMContentLoaded", () => {
  hush(document);
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(hush))).observe(document.body, { childList: true, subtree: true });
  for (const thing of document.querySelectorAll("[x-on\\:click]")) {
    if (thing.matches("button, a[href], input, select, [id$=-close]")) continue;
    thing.tabIndex = 0;
    thing.setAttribute("role", "button");
  }
});
document.addEventListener("keydown", (event) => {
  const thing = event.target;
  if (["Enter", " "].includes(event.key) && thing.matches?.('[role="button"][x-on\\:click]')) {
    event.preventDefault();
    thing.click();
  }
});
