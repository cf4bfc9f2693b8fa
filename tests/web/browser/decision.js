// Look at the decision on a page of a table: faults of its layout, and its texts.
(() => {
  const FEW = 4, FIRST = 3, NEARLY = 0.95;
  const is = (element) => element !== null && element.getClientRects().length > 0;
  const every = (selector) => all(selector).filter(is);
  const words = (element) => (element.getAttribute("aria-label") ?? element.innerText).replace(/\s+/g, " ").trim();
  const floor = () => { const [bar] = every(".tabs"); return bar ? bar.getBoundingClientRect().top : innerHeight; };

  // Return the part of a box that the screen shows without scrolling.
  function seenBox(element) {
    const box = element.getBoundingClientRect();
    let { left, top, right, bottom } = box;
    const cut = (other) => {
      left = Math.max(left, other.left); top = Math.max(top, other.top);
      right = Math.min(right, other.right); bottom = Math.min(bottom, other.bottom);
    };
    cut({ left: 0, top: 0, right: innerWidth, bottom: floor() });
    for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      if (!(outer instanceof SVGElement) && (overflowX !== "visible" || overflowY !== "visible")) cut(outer.getBoundingClientRect());
    }
    return { box, wide: Math.max(right - left, 0), high: Math.max(bottom - top, 0), top, left };
  }

  function share(element) {
    const { box, wide, high } = seenBox(element);
    return box.width * box.height ? (wide * high) / (box.width * box.height) : 1;
  }

  // Return whether an element is in sight, and nothing lies over it.
  function inSight(element) {
    if (share(element) < NEARLY) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  }

  function scroller(element) {
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(outer).overflowY) && outer.scrollHeight > outer.clientHeight + 1) return outer;
    }
    return null;
  }

  // A long list may scroll if its first entries are in sight, and it can be seen to go on.
  function hidden(elements) {
    const groups = Map.groupBy(elements, scroller), faults = [];
    for (const [outer, group] of groups) {
      const needed = outer && group.length > FEW ? group.slice(0, FIRST) : group;
      for (const element of needed) if (!inSight(element)) faults.push(words(element).slice(0, 60));
      if (needed.length < group.length && !getComputedStyle(outer).backgroundAttachment.includes("local")) faults.push(`${outer.className} does not show that it scrolls`);
    }
    return faults;
  }

  const placed = () => every(".place:not(.off) .hit");

  function centred(circle) {
    const { left, top, width, height } = circle.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
    const frame = seenBox($("picture"));
    return x >= frame.left && x <= frame.left + frame.wide && y >= frame.top && y <= frame.top + frame.high;
  }

  function answers() {
    const chosen = !isBlank(state.pick), places = placed();
    const steps = every("form.gather:not([hidden]) [data-step='1']"), ends = every("form.gather:not([hidden]) [type=submit]");
    const open = places.length ? [] : every(".option");
    const plain = every("#turn [data-at-once], #turn [data-call=agree], #turn [data-call=decline], #actions .act[data-act]");
    return { places, lists: chosen ? [open, every("#c-buttons button")] : [plain, steps, ends, open] };
  }

  function ofAnswers() {
    const { places, lists } = answers(), told = [];
    for (const each of lists) for (const text of hidden(each)) told.push(`answer hidden: ${text}`);
    const out = places.filter((circle) => !centred(circle)).length;
    if (out) told.push(`${out} of ${places.length} places hidden`);
    if (!places.length && lists.every((each) => !each.length)) told.push("no answers");
    return told;
  }

  // Several groups of cards scroll: the first is in sight. A row of cards with many facts scrolls sideways: two are in sight, and part of the next.
  function needed(group) {
    const cards = all(".card", group), row = group.querySelector(".cards");
    if (row.scrollWidth > row.clientWidth + 1) return cards.slice(0, 2);
    return cards.length > FEW ? cards.slice(0, FIRST) : cards;
  }

  function ofHand() {
    const cards = every("#hand .card"), [first] = every("#hand .held"), told = [];
    if (first && !inSight(first.querySelector("h2"))) told.push(`hand hidden: ${words(first)}`);
    for (const card of first ? needed(first) : []) if (!inSight(card)) told.push(`card hidden: ${words(card)}`);
    cards.forEach((card, n) => {
      const here = card.getBoundingClientRect(), next = cards[n + 1]?.getBoundingClientRect();
      if (next && next.top < here.bottom - 1 && next.top > here.top - 1 && next.left < here.right - 1) told.push(`card covered: ${words(card)}`);
    });
    return told;
  }

  const LINES = 38;
  function ofLog() {
    const line = every("#log li").at(-1);
    if (!line) return is($("log")) && share($("log")) > 0.9 ? [] : ["log hidden"];
    const { box, high, top } = seenBox(line);
    return high >= Math.min(box.height, LINES) - 1 && top <= box.top + 1 ? [] : [`newest line hidden: ${words(line)}`];
  }

  const asked = () => [$("h-turn"), ...(!isBlank(state.pick) ? [$("c-what"), $("c-cost")] : [])].filter((each) => each?.textContent);
  const ofQuestion = () => asked().filter((each) => !inSight(each)).map((each) => `question hidden: ${words(each)}`);

  // Return the faults and texts of each step of each choice that is offered.
  function walk(view, at) {
    const told = [];
    for (const action of state.choices.actions) {
      if (action.form !== undefined || (action.options.length < 2 && !document.querySelector(`[data-act="${action.name}"]`))) continue;
      if (!document.querySelector(`[data-act="${action.name}"]`)) continue;
      chooseAction(action.name, { focus: true });
      for (let step = 0; step < 5; step++) {
        told.push({ at: `${at} ${action.name} ${step}`, ...view() });
        const [left] = candidates(state.pick);
        if (!left || left.options.length < 2) break;
        const [thing] = values(left), { act, things } = state.pick;
        choose({ act, things: [...things, thing] });
      }
      choose(none());
    }
    return told;
  }

  function lines() {
    return all("#log li").map((line) => ({
      text: line.innerText.replace(/\s+/g, " ").trim(),
      effects: line.querySelector(".small, b")?.innerText ?? "",
    }));
  }

  window.sight = {
    layout() {
      const view = () => ({ faults: [...ofQuestion(), ...ofAnswers(), ...ofHand(), ...ofLog()] });
      const told = [{ at: "", ...view() }, ...walk(view, "")];
      if (document.documentElement.scrollWidth > innerWidth) told.push({ at: "", faults: ["page too wide"] });
      return told.flatMap(({ at, faults }) => faults.map((fault) => `${at}: ${fault}`));
    },
    texts() {
      const view = () => ({ headings: [...asked(), ...every("main h2, main h3")].map(words), buttons: [...every("main button"), ...every(".place")].map(words) });
      const told = [view(), ...walk(view, "")];
      return { headings: told.flatMap((each) => each.headings), buttons: told.flatMap((each) => each.buttons), lines: lines() };
    },
    lines,
    newest: ofLog,
  };
})()
