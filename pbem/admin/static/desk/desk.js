// Unfold opens its menus by a click alone: here they open from the keyboard too.
// The names of its icons are no words: nobody wants to hear "chevron_right". Icons that are pressed have a name instead.
const PRESSED = "[x-on\\:click]";
const hush = (part) => part.querySelectorAll?.(`.material-symbols-outlined:not(${PRESSED})`).forEach((icon) => icon.setAttribute("aria-hidden", "true"));
// Scrolling boxes of a library, all with the same English name.
const unname = (part) => part.querySelectorAll?.(".simplebar-content-wrapper[role]").forEach((box) => {
  box.removeAttribute("role");
  box.removeAttribute("aria-label");
});

// What its pages lack: a main part, names of controls that show an icon, of columns and of fields in tables.
function complete(words) {
  document.getElementById("main")?.setAttribute("role", "main");
  const named = (selector, name) => document.querySelectorAll(selector).forEach((thing) => {
    if (!thing.textContent.trim() || thing.querySelector(".material-symbols-outlined") || thing.matches(".material-symbols-outlined")) thing.setAttribute("aria-label", name);
  });
  named(`.material-symbols-outlined${PRESSED}`, words.menu);
  named("#searchbar-submit", words.search);
  named("a[href$='/admin/']:not([aria-label])", words.front);
  for (const head of document.querySelectorAll("th")) {
    if (head.textContent.trim() || head.querySelector("input")) continue;
    const name = document.createElement("span");
    name.className = "sr-only";
    name.textContent = words.more;
    head.append(name);
  }
  for (const field of document.querySelectorAll("table :is(input:not([type=hidden]), select, textarea)")) {
    const cell = field.closest("td");
    const column = cell && field.closest("table").querySelectorAll("thead th")[cell.cellIndex]?.textContent.trim();
    if (column && !field.labels?.length && !field.hasAttribute("aria-label")) field.setAttribute("aria-label", column);
  }
  for (const box of document.querySelectorAll(".desk-scroll")) box.tabIndex = 0;
}

document.addEventListener("DOMContentLoaded", () => {
  hush(document);
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
    hush(node);
    unname(node.parentNode ?? node);
  }))).observe(document.body, { childList: true, subtree: true });
  for (const thing of document.querySelectorAll(PRESSED)) {
    if (thing.matches("button, a[href], input, select, [id$=-close]")) continue;
    thing.tabIndex = 0;
    thing.setAttribute("role", "button");
  }
  const words = document.querySelector(".desk-skip")?.dataset;
  if (words) complete(words);
});
// What was named by a script later keeps the name of its library.
window.addEventListener("load", () => unname(document));
document.addEventListener("keydown", (event) => {
  const thing = event.target;
  if (["Enter", " "].includes(event.key) && thing.matches?.('[role="button"][x-on\\:click]')) {
    event.preventDefault();
    thing.click();
  }
});
// A form about moves asks what would be, while it is filled in; without this it says so when it is sent.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form[data-look]");
  const field = form?.querySelector("[name=move], [name=ply]");
  if (!field) return;
  const said = form.querySelector(".desk-said");
  if (field.name === "move") field.after(said);
  let waiting, asked = 0;
  async function look() {
    const mine = ++asked;
    const answer = await fetch(`${form.dataset.look}?${new URLSearchParams({ [field.name]: field.value })}`);
    if (!answer.ok || mine !== asked) return;
    const told = await answer.json();
    said.textContent = field.value.trim() ? told.said : "";
    said.classList.toggle("desk-wrong", Boolean(told.wrong));
    const picture = document.querySelector(".desk-beside img");
    if (!told.picture || !picture) return;
    picture.src = told.picture;
    picture.alt = told.alt;
    document.querySelector(".desk-beside figcaption").textContent = told.said;
  }
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 250);
  });
});
