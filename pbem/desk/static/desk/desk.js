// Unfold opens its menus by a click alone: here they open from the keyboard too.
document.addEventListener("DOMContentLoaded", () => {
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
