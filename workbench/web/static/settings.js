// Settings of this browser: animations, sounds, notifications and the pace of bots.
"use strict";

const settings = (() => {
  const KEY = "rulebook.settings";
  const values = { motion: true, sound: false, notices: false, haste: false, ...stored() };

  function stored() {
    try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
  }

  function set(name, value) {
    values[name] = value;
    try { localStorage.setItem(KEY, JSON.stringify(values)); } catch { /* not remembered */ }
    show();
    document.dispatchEvent(new CustomEvent("setting", { detail: name }));
  }

  // Pages without the menu have the same settings.
  const menu = document.getElementById("settings"), inputs = [...document.querySelectorAll("#settings [data-setting]")];
  function show() { for (const input of inputs) input.checked = values[input.dataset.setting]; }

  function close() {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }

  for (const input of inputs) input.addEventListener("change", () => set(input.dataset.setting, input.checked));
  document.addEventListener("click", (event) => { if (menu?.open && !menu.contains(event.target)) menu.open = false; });
  menu?.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } });
  show();
  // A browser that stores nothing is like one that has stored nothing yet.
  const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not remembered */ } };
  return { values, set, remembered, remember, note: (text) => { document.getElementById("settings-note").textContent = text; } };
})();
