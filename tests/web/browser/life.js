// Functions of the tests in test_life.py, which run in the page of a table.
"use strict";

window.lookOn = () => {
  window.states = [];
  const show = motion.show;
  motion.show = (before) => {
    show(before);
    states.push({ running: motion.running.size, copies: copies(), pieces: document.querySelectorAll("#marks [data-piece]").length });
  };
};
window.copies = () => document.querySelectorAll("#motion > *, #ghosts > *").length;
window.animations = () => document.getAnimations().filter((each) => !(each instanceof CSSAnimation || each instanceof CSSTransition)).length;

// Update the page as an answer of the server would: a piece is at one of two spaces.
// `isMore` adds a card to the hand and changes the dice.
window.change = (space, { isMore = false } = {}) => {
  const changed = Object.fromEntries(["Berlin", "Harz"].map((name, n) => [`at-${name}`, name === space
    ? `<g><title>here</title><g data-piece="thing" data-count="1"><title>thing</title><circle cx="${200 + 100 * n}" cy="200" r="9"/></g></g>` : "<g/>"]));
  const hand = $("hand").innerHTML.replace(/<b class="num">(\d+)/, (_, count) => `<b class="num">${Number(count) + 1}`);
  const turn = $("turn").innerHTML.replace('<svg class="die"', '<svg class="die" role="img"');
  update({ version: state.version + 1, had: have(), board: { changed }, parts: isMore ? { hand, turn } : {} });
};

// Update the page: a number of spaces have another drawing, without pieces.
window.redraw = (number) => {
  const ids = [...document.querySelectorAll("#marks > g:not(:has([data-piece]))")].slice(0, number).map(({ id }) => id);
  const changed = Object.fromEntries(ids.map((id) => [id, `<g><circle r="${number}"/></g>`]));
  update({ version: state.version + 1, had: have(), board: { changed } });
};

window.hide = (isHidden) => Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });

window.recordNotices = (answer) => {
  window.notices = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return Notification.permission = answer; }
    constructor(title, { body, lang }) { notices.push([title, body, lang]); }
    close() {}
  };
};

window.recordSounds = () => {
  window.heard = [];
  const node = { connect: (next) => next, setValueAtTime() {}, exponentialRampToValueAtTime() {}, stop() {} };
  window.AudioContext = class {
    state = "running";
    currentTime = 0;
    destination = node;
    createGain() { return { ...node, gain: node }; }
    createOscillator() {
      const frequency = {};
      return { ...node, frequency, start: () => heard.push(frequency.value) };
    }
  };
};

// Return how many notes are played when the page comes to a state of its turn.
window.notes = (before, turn, { decides = false, isMine = false } = {}) => {
  heard.length = 0;
  const panel = document.querySelector("#turn [data-state]");
  for (const name of ["state", "asked"]) delete panel.dataset[name];
  Object.assign(panel.dataset, turn);
  state.choices = { ...state.choices, decides };
  alerts.tell({ over: false, decides: false, asked: false, ...before }, { isMine, hasEvents: true });
  return heard.length;
};
