"use strict";
for (const button of document.querySelectorAll("button.copy")) {
  const scope = button.closest(".test, .command");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(scope.querySelector("code").textContent);
    button.textContent = "Copied";
  });
}
// What scrolls can be reached and moved by keys.
const makeReachable = () => {
  for (const box of document.querySelectorAll("pre, .wide, .calls")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
};
makeReachable();
document.addEventListener("toggle", makeReachable, true);
for (const film of document.querySelectorAll(".film")) {
  const frames = [...film.querySelectorAll("li")];
  let at = 0;
  film.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.min(Math.max(at + step, 0), frames.length - 1);
    film.dataset.frame = at + 1;
    frames[at].scrollIntoView({ inline: "start", block: "nearest" });
  });
}
for (const input of document.querySelectorAll("input[data-filters]")) {
  input.closest(".filter").hidden = false;
  input.addEventListener("input", () => {
    for (const one of document.querySelectorAll(input.dataset.filters)) {
      one.hidden = !one.textContent.toLowerCase().includes(input.value.toLowerCase());
    }
  });
}
