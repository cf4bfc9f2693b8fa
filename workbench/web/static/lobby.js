// The lobby: another game shows its own form at once; links are copied by a button.
"use strict";
const choose = document.getElementById("choose");
choose?.addEventListener("change", () => choose.submit());
if (choose) choose.querySelector("button").hidden = true;
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).href);
    button.textContent = button.dataset.copied;
  });
}
