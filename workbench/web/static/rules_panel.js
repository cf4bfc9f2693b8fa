// Panel with the printed rules beside the board. It marks the clause that matters now:
// that of the action that is chosen, offered or refused, or else of the present phase.
"use strict";

const rulesPanel = (() => {
  const PREFIX = "rules-", MAX_LINKS = 8, KEY = "F1";
  const element = (id) => document.getElementById(id);
  const panel = element("rules"), text = element("rules-text"), opener = element("rules-open");
  let load = null, loaded = null, wanted = [], links = [], marked = null, returnTo = null, hadChat = false;

  // ---------------------------------------------------------------- clauses

  const targetOf = (clause) => element(PREFIX + clause);

  // Return what is marked for a target: its section if it is a heading, or a line or row.
  const part = (target) => /^H\d$/.test(target?.tagName) ? target.parentElement : target;

  // Return the target of the first clause that the rules describe. A requirement that
  // has no line is described by its action.
  function first(clauses) {
    for (const clause of clauses) {
      const target = targetOf(clause) ?? targetOf(clause.split(".").slice(0, 2).join("."));
      if (target) return target;
    }
    return null;
  }

  function isInSight(target) {
    const box = target.getBoundingClientRect(), around = text.getBoundingClientRect();
    return box.top < around.bottom && box.bottom > around.top;
  }

  // Scroll only the text, not the page. A line appears with the heading of its section,
  // if both fit.
  function scrollTo(target) {
    const top = (each) => each.getBoundingClientRect().top, section = target.closest("section") ?? target;
    const fits = target.getBoundingClientRect().bottom - top(section) < text.clientHeight;
    text.scrollTop += top(fits ? section : target) - top(text) - 6;
  }

  // Mark the clause of the present moment. A reader who reads elsewhere stays there.
  function mark({ scroll = false } = {}) {
    if (panel.hidden || !load || load !== loaded) return;
    const target = part(first(wanted));
    if (target !== marked) {
      const follows = !marked || !marked.isConnected || isInSight(marked);
      marked?.removeAttribute("aria-current");
      marked = target;
      marked?.setAttribute("aria-current", "true");
      scroll ||= follows;
      if (!marked) text.scrollTop = 0;
    }
    if (scroll && marked) scrollTo(marked);
    showLinks();
  }

  // Link the clauses of the present moment above the text.
  function showLinks() {
    const seen = new Set(), items = [];
    for (const { clause, title } of links) {
      const target = first([clause]);
      if (!target || seen.has(target) || items.length === MAX_LINKS) continue;
      seen.add(target);
      const link = document.createElement("a");
      link.href = `#${target.id}`;
      link.textContent = title;
      if (part(target) === marked || part(target).contains(marked)) link.setAttribute("aria-current", "true");
      items.push(link);
    }
    const focused = [...element("rules-links").children].indexOf(document.activeElement);
    element("rules-links").replaceChildren(...items);
    items[focused]?.focus();
    element("rules-now").hidden = !items.length;
  }

  // ---------------------------------------------------------------- opening and closing

  async function fetchRules(digest) {
    if (load === digest) return;
    load = digest;
    text.setAttribute("aria-busy", "true");
    const answer = await fetched(urls.rules);
    if (load !== digest) return;
    text.removeAttribute("aria-busy");
    if (!answer?.ok) {
      load = null;
      text.replaceChildren(paragraph(words.no_rules, "quiet"));
      return;
    }
    text.innerHTML = answer.rules;
    loaded = digest;
    marked = null;
  }

  // The chat makes room for the rules.
  function setChat(isOpen) {
    const chat = element("chat-panel");
    if (chat && (!isOpen || hadChat)) {
      hadChat = chat.open;
      chat.open = isOpen;
    }
  }

  async function open({ clause = null } = {}) {
    if (panel.hidden) {
      returnTo = document.activeElement;
      setChat(false);
    }
    panel.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    if (!panel.contains(document.activeElement)) element("h-rules").focus({ preventScroll: true });
    await fetchRules(state.choices.rules);
    if (panel.hidden) return;
    if (clause) point(clause);
    mark({ scroll: true });
    if (marked && document.activeElement === element("h-rules")) look(marked);
  }

  function close() {
    const hadFocus = panel.contains(document.activeElement);
    panel.hidden = true;
    setChat(true);
    opener.setAttribute("aria-expanded", "false");
    if (!hadFocus) return;
    const back = returnTo?.isConnected && returnTo !== document.body ? returnTo : opener;
    back.focus({ preventScroll: true });
  }

  // Focus a clause, so that a screen reader reads it and the arrow keys scroll on from it.
  function look(target) {
    target.setAttribute("tabindex", -1);
    target.focus({ preventScroll: true });
  }

  // Mark a clause until the present moment changes.
  function point(clause) {
    wanted = [clause, ...wanted];
    mark({ scroll: true });
  }

  // Take the clauses of the present moment: the best one first, and those to link.
  function follow(clauses, linked) {
    wanted = clauses;
    links = linked;
    if (panel.hidden) return;
    if (load && load !== state.choices.rules) fetchRules(state.choices.rules).then(() => mark({ scroll: true }));
    else mark();
  }

  opener.addEventListener("click", () => (panel.hidden ? open() : close()));
  element("rules-close").addEventListener("click", close);
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']"), target = link && element(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    link.closest("details")?.removeAttribute("open");
    scrollTo(part(target));
    look(part(target));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === KEY) {
      event.preventDefault();
      if (panel.hidden) open();
      else close();
    }
    const isElsewhere = !panel.contains(event.target) && (state.pick.act || state.pick.things.length);
    if (event.key !== "Escape" || panel.hidden || isElsewhere) return;
    event.stopImmediatePropagation();
    close();
  });
  return { open, close, point, follow };
})();
