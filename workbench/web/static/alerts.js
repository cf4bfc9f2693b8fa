// Alerts of a table, on request: short tones, and system notifications of hidden pages.
"use strict";

const alerts = (() => {
  // Frequencies in hertz, one note after the other.
  const TONES = { turn: [523, 784], offer: [659, 523, 659], event: [392], over: [523, 659, 784, 1047] };
  const NOTE_SECONDS = 0.12, LOUDNESS = 0.08, QUIET = 0.0001;
  let audio = null, notice = null;

  // Browsers start sound only after a click or a key.
  function wake() {
    if (!settings.values.sound) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  }

  function play(name) {
    if (!settings.values.sound || !audio) return;
    TONES[name].forEach((frequency, number) => {
      const note = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + number * NOTE_SECONDS;
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(LOUDNESS, start);
      volume.gain.exponentialRampToValueAtTime(QUIET, start + NOTE_SECONDS);
      note.connect(volume).connect(audio.destination);
      note.start(start);
      note.stop(start + NOTE_SECONDS);
    });
  }

  function notify(title, text) {
    if (!settings.values.notices || !document.hidden || window.Notification?.permission !== "granted") return;
    try {
      notice = new Notification(title, { body: text, tag: location.pathname, lang: document.documentElement.lang });
      notice.onclick = () => { focus(); notice.close(); };
    } catch { /* some phones have no notifications of pages */ }
  }

  async function ask() {
    const answer = await window.Notification?.requestPermission();
    if (answer === "granted") return;
    settings.set("notices", false);
    settings.note(words.no_notices);
  }

  // Return the state of the decision that the page shows.
  function moment() {
    const turn = document.querySelector("#turn [data-state]");
    return { decides: state.choices.decides, asked: "asked" in turn.dataset, over: turn.dataset.state === "over" };
  }

  // Alert the reader to the difference from an earlier moment.
  function tell(before, { isMine, hasEvents }) {
    const now = moment(), isDue = now.decides && !before.decides;
    if (now.over && !before.over) play("over");
    else if (isDue) play(now.asked ? "offer" : "turn");
    else if (now.asked && !before.asked) play("offer");
    else if (hasEvents && !isMine) play("event");
    if (isDue) notify(now.asked ? words.asked_notice : words.turn_notice, document.getElementById("h-turn").textContent);
  }

  for (const input of ["pointerdown", "keydown"]) addEventListener(input, wake, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) notice?.close(); });
  document.addEventListener("setting", ({ detail: name }) => {
    settings.note("");
    if (name === "sound") { wake(); play("turn"); }
    if (name === "notices" && settings.values.notices) ask();
  });
  return { moment, tell };
})();
