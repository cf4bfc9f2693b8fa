// Motion of a table or replay: short animations of the difference between two states.
// The page has its new state at once; only copies above it and transforms move. All
// differences come from the two pages themselves, so motion reveals nothing.
"use strict";

const motion = (() => {
  const MOVE_MILLISECONDS = 250, OUTCOME_MILLISECONDS = 400;
  const MAX_MOVES = 60; // a page that was asleep changes at once
  const MAX_FADES = 8; // so does a board that is drawn in another size
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  const running = new Map();
  const find = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isOn = () => settings.values.motion && !reduced.matches && !document.hidden;

  // ---------------------------------------------------------------- animations

  function animate(element, frames, { duration = MOVE_MILLISECONDS, ghost = null } = {}) {
    const animation = element.animate(frames, { duration, easing: "ease-out" });
    running.set(animation, ghost);
    animation.onfinish = () => end(animation);
  }

  function end(animation) {
    running.get(animation)?.remove();
    running.delete(animation);
    animation.cancel();
  }

  function finish() { for (const animation of [...running.keys()]) end(animation); }

  // Return a copy of an element that is only a picture: without names, titles and ids.
  function copied(element) {
    const copy = element.cloneNode(true);
    for (const each of [copy, ...find("*", copy)]) {
      for (const { name } of [...each.attributes]) if (/^(id|title|tabindex|aria-|data-)/.test(name)) each.removeAttribute(name);
    }
    for (const title of find("title", copy)) title.remove();
    return copy;
  }

  // ---------------------------------------------------------------- the board

  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const picture = (group) => group.innerHTML.replace(/<title>[^<]*<\/title>/g, "");

  // Return the drawing and the pieces of each space, by the id of its group.
  function spaces(ids) {
    return new Map(ids.flatMap((id) => {
      const group = document.getElementById(id);
      return group ? [[id, { group, drawn: picture(group), pieces: find("[data-piece]", group).map(piece) }]] : [];
    }));
  }

  function piece(element) {
    return { element, key: element.dataset.piece, count: Number(element.dataset.count), at: middle(element.getBBox()) };
  }

  const counted = (space, key) => space.pieces.reduce((sum, each) => sum + (each.key === key ? each.count : 0), 0);

  // Return, by kind and owner of pieces, the spaces that lost some and that gained some.
  function changes(before, after) {
    const kinds = new Map();
    for (const [id, old] of before) {
      const space = after.get(id);
      if (!space) continue;
      for (const key of new Set([...old.pieces, ...space.pieces].map((each) => each.key))) {
        const more = counted(space, key) - counted(old, key);
        if (!more) continue;
        if (!kinds.has(key)) kinds.set(key, { lost: [], gained: [] });
        kinds.get(key)[more > 0 ? "gained" : "lost"].push(id);
      }
    }
    return kinds;
  }

  function showPieces(before, after) {
    const last = (space, key) => space.pieces.findLast((each) => each.key === key), moved = new Set();
    for (const [key, { lost, gained }] of changes(before, after)) {
      for (const id of [...lost, ...gained]) moved.add(id);
      const isMove = lost.length === 1 && gained.length === 1;
      for (const id of gained) {
        const now = last(after.get(id), key);
        if (isMove) move(last(before.get(lost[0]), key), now, { joins: counted(before.get(id), key) > 0 });
        else animate(now.element, [{ opacity: 0, transform: "scale(.4)" }, {}]);
      }
      if (!isMove) for (const id of lost) leave(last(before.get(id), key));
    }
    const redrawn = [...after].filter(([id, { drawn }]) => !moved.has(id) && before.get(id).drawn !== drawn);
    if (redrawn.length <= MAX_FADES) for (const [, { group }] of redrawn) animate(group, [{ opacity: 0.3 }, {}]);
  }

  function move(old, now, { joins }) {
    const ghost = copied(now.element), [x, y] = old.at.map((each, n) => each - now.at[n]);
    document.getElementById("motion").append(ghost);
    animate(ghost, [{ transform: `translate(${x}px, ${y}px)` }, {}], { ghost });
    if (!joins) animate(now.element, [{ opacity: 0 }, { opacity: 0 }]);
  }

  function leave(old) {
    const ghost = copied(old.element);
    document.getElementById("motion").append(ghost);
    animate(ghost, [{}, { opacity: 0, transform: "scale(.4)" }], { ghost });
  }

  // ---------------------------------------------------------------- cards and values

  // Return the cards of the hand and on the table, by field and card.
  function cards() {
    return new Map(find("#hand [data-held], #tableaus [data-held]").flatMap((held) => find("[data-thing]", held).map((element) => [
      `${held.closest("[id]").id} ${held.dataset.held} ${element.dataset.thing}`,
      { element, count: Number(element.querySelector(".name b")?.textContent ?? 1), box: element.getBoundingClientRect() },
    ])));
  }

  function showCards(before, after) {
    for (const [key, { element, count, box }] of after) {
      const old = before.get(key);
      if (!old) { animate(element, [{ opacity: 0, transform: "translateY(-24px)" }, {}]); continue; }
      const [x, y] = [old.box.left - box.left, old.box.top - box.top];
      if (Math.abs(x) + Math.abs(y) > 1) animate(element, [{ transform: `translate(${x}px, ${y}px)` }, {}]);
      if (count > old.count) fly(element, box, [{ opacity: 0, transform: "translateY(-36px)" }, {}]);
      if (count < old.count) fly(old.element, box, [{}, { opacity: 0, transform: "translateY(-36px)" }]);
    }
    for (const [key, { element, box }] of before) if (!after.has(key)) fly(element, box, [{}, { opacity: 0, transform: "translateY(-36px)" }]);
  }

  function fly(element, { left, top, width, height }, frames) {
    const ghost = copied(element);
    for (const [name, value] of Object.entries({ left, top, width, height })) ghost.style[name] = `${value}px`;
    document.getElementById("ghosts").append(ghost);
    animate(ghost, frames, { ghost });
  }

  // Return the texts of each player's points and holdings.
  function holdings() {
    return new Map(find("#players [data-player]").map((row) => [row.dataset.player, find(".points, .holding", row)]));
  }

  function showHoldings(before, after) {
    for (const [player, texts] of after) {
      const old = new Set(before.get(player)?.map((each) => each.textContent));
      for (const each of texts) if (old.size && !old.has(each.textContent)) animate(each, [{ opacity: 0.2 }, {}]);
    }
  }

  // ---------------------------------------------------------------- chance outcomes

  const outcome = { duration: OUTCOME_MILLISECONDS };
  const outcomes = () => ({ dice: document.querySelector(".dice")?.innerHTML, lines: new Set(find("#log li")) });

  function showOutcomes(before, { dice, lines }) {
    if (dice && dice !== before.dice) for (const die of find(".dice .die")) animate(die, [{ opacity: 0.3, transform: "rotate(-200deg) scale(.6)" }, {}], outcome);
    for (const line of lines) if (!before.lines.has(line) && line.querySelector(".outcome")) animate(line, [{ opacity: 0, transform: "translateX(-12px)" }, {}], outcome);
  }

  // ---------------------------------------------------------------- states of a page

  // Return what an answer of the server may change on the page; null without motion.
  function look(board) {
    finish();
    if (!isOn()) return null;
    const ids = board?.whole ? find("#marks > g").map(({ id }) => id) : Object.keys(board?.changed ?? {});
    return { ids, isWhole: Boolean(board?.whole), spaces: spaces(ids), cards: cards(), holdings: holdings(), outcomes: outcomes() };
  }

  // Animate the difference between an earlier state of the page and its present state.
  function show(before) {
    if (!before) return;
    if (before.isWhole) {
      const added = find("#marks > g").filter(({ id }) => !before.spaces.has(id));
      if (added.length < MAX_MOVES) for (const group of added) animate(group, [{ opacity: 0 }, {}]);
    } else if (before.ids.length < MAX_MOVES) showPieces(before.spaces, spaces(before.ids));
    showCards(before.cards, cards());
    showHoldings(before.holdings, holdings());
    showOutcomes(before.outcomes, outcomes());
  }

  for (const input of ["pointerdown", "keydown", "wheel"]) addEventListener(input, finish, { capture: true, passive: true });
  reduced.addEventListener("change", finish);
  document.addEventListener("setting", finish);
  return { look, show, finish, running };
})();
