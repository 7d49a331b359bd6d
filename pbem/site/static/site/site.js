"use strict";
(() => {
  const lang = document.documentElement.lang, own = navigator.languages.filter(own => own.startsWith(lang));
  const day = new Intl.DateTimeFormat(own.concat(lang), { dateStyle: "long" });
  document.querySelectorAll("time").forEach(each => each.textContent = day.format(new Date(each.dateTime)));
  const board = document.querySelector(".board"), said = document.querySelector(".said b");
  const moves = [...document.querySelectorAll("[data-board]")], steps = document.querySelector(".steps");
  if (!board || moves.length < 2) return;
  let at = moves.findIndex(move => move.hasAttribute("aria-current"));
  const slider = document.createElement("input");
  slider.type = "range";
  slider.max = moves.length - 1;
  slider.value = at;
  slider.setAttribute("aria-label", steps.getAttribute("aria-label"));
  steps.after(slider);
  const show = to => {
    to = Math.min(Math.max(to, 0), moves.length - 1);
    moves[at].removeAttribute("aria-current");
    const move = moves[at = to];
    move.setAttribute("aria-current", "true");
    board.src = move.dataset.board;
    board.alt = said.textContent = move.dataset.said;
    slider.value = at;
    slider.setAttribute("aria-valuetext", move.dataset.said);
    history.replaceState(null, "", move.href);
  };
  const on = (each, deed) => each.addEventListener("click", event => { event.preventDefault(); deed(); });
  const places = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => moves.length - 1 };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  slider.addEventListener("input", () => show(Number(slider.value)));
  moves.forEach((each, to) => on(each, () => show(to)));
  for (const each of steps.children) on(each, () => show(places[each.dataset.to]()));
  document.addEventListener("keydown", event => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    event.preventDefault();
    show(places[keys[event.key]]());
  });
})();
