"use strict";
(() => {
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
  const places = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => moves.length - 1 };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  slider.addEventListener("input", () => show(Number(slider.value)));
  moves.forEach((move, number) => move.addEventListener("click", event => { event.preventDefault(); show(number); }));
  for (const place of steps.children) {
    place.addEventListener("click", event => { event.preventDefault(); show(places[place.dataset.to]()); });
  }
  document.addEventListener("keydown", event => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    event.preventDefault();
    show(places[keys[event.key]]());
  });
})();
