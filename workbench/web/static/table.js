// Page of a table: narrows the legal actions click by click, and follows the game.
// This script knows no rules: the server sends the legal actions, and checks each one.
"use strict";

const start = JSON.parse(document.getElementById("start").textContent);
const { urls, words } = start;
const state = { version: start.version, choices: start.choices, digests: start.digests, spots: start.spots, pick: { act: null, things: [] }, busy: false, offline: false, done: 0 };
const $ = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const filled = (text, gaps) => text.replace(/\{(\w+)\}/g, (gap, key) => gaps[key] ?? gap);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
function none() { return { act: sole(), things: [] }; }

// Return the name of the only action, whose options are open at once; null if they are on the board.
function sole() {
  const [action, ...more] = state.choices.actions;
  if (!action || more.length || action.options.length < 2 || action.form !== undefined) return null;
  return action.options.flat().some((thing) => $(`place-${thing}`)) ? null : action.name;
}
const isBlank = ({ act, things }) => !things.length && (!act || act === sole());

// ------------------------------------------------------------------ remaining actions

// Return the positions of the chosen things in an option, or null if one is missing.
function fits(option, things) {
  const taken = [];
  for (const thing of things) {
    const at = option.findIndex((argument, n) => argument === thing && !taken.includes(n));
    if (at < 0) return null;
    taken.push(at);
  }
  return taken;
}

// Return the actions with the chosen things. Things of an action fill its parameters in order, if possible.
function candidates(pick) {
  const left = [];
  for (const action of state.choices.actions) {
    if (pick.act && action.name !== pick.act) continue;
    const options = [];
    for (const option of action.options) {
      const taken = fits(option, pick.things);
      if (taken) options.push({ option, taken });
    }
    const ordered = options.filter(({ taken }) => taken.every((at, n) => at === n));
    const isOrdered = ordered.length > 0 && (pick.act || pick.things.length > 1);
    if (options.length) left.push({ action, options: isOrdered ? ordered : options });
  }
  return left;
}

// Return the index of the next parameter to ask for: the first with different values.
function asked({ action, options }) {
  if (options.length === 1) return -1;
  const length = action.options[0].length;
  for (let at = 0; at < length; at++) {
    const open = options.filter(({ taken }) => !taken.includes(at));
    if (new Set(open.map(({ option }) => option[at])).size > 1) return at;
  }
  return -1;
}

function values(entry) {
  const at = asked(entry);
  if (at < 0) return entry.options[0].option.slice(-1);
  return [...new Set(entry.options.map(({ option }) => option[at]))];
}

const count = (left) => left.reduce((sum, { options }) => sum + options.length, 0);
const named = (thing) => state.choices.names[thing] ?? state.spots[thing]?.[2] ?? thing;
const said = (action, option) => capital(action.say.replace(/\{(\d+)\}/g, (_, n) => named(option[n])));
const written = (action, option) => option.length ? `${action.name}(${option.join(", ")})` : action.name;
const costOf = (action, option) => action.cost ?? option.map((thing) => action.costs?.[thing]).find(Boolean);

// ------------------------------------------------------------------ choosing

function choose(pick, { focus = false } = {}) {
  state.pick = pick;
  show();
  if (focus) $("c-yes")?.focus();
}

function take(thing, { focus = false } = {}) {
  const { act, things } = state.pick;
  const ways = [{ act, things: [...things, thing] }, { act, things: [thing] }, { act: null, things: [thing] }];
  if (things.includes(thing)) { if (focus) $("c-yes")?.focus(); return; }
  for (const way of ways) if (candidates(way).length) return choose(way, { focus });
  askWhy({ about: thing, name: named(thing), action: act });
}

function back() {
  const { act, things } = state.pick;
  if (things.length) choose({ act, things: things.slice(0, -1) });
  else if (act) choose(none());
}

function chooseAction(name, { focus = false } = {}) {
  choose(state.pick.act === name && focus === false ? none() : { act: name, things: [] });
}

// ------------------------------------------------------------------ showing the choice

function button(title, onclick, { main = false, id = "", things = [] } = {}) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = main ? "button main" : "button";
  if (id) made.id = id;
  if (things.length) made.dataset.names = JSON.stringify(things);
  made.textContent = title;
  made.addEventListener("click", onclick);
  return made;
}

const MAX_BUTTONS = 9, MAX_LETTERS = 120;

function show() {
  const left = candidates(state.pick), chosen = !isBlank(state.pick);
  showBar(left, chosen);
  showOptions(left);
  showPlaces(left, chosen);
  preview(document.activeElement?.closest(ANSWERS));
  showRules(left);
}

// Show the rules of what is decided now: of the only action that is left, or the phase.
function showRules(left) {
  const { actions, clauses } = state.choices, clause = ({ name }) => `action.${name}`;
  const own = left.length === 1 ? [clause(left[0].action)] : [];
  rulesPanel.follow([...own, ...clauses], actions.map((action) => ({ clause: clause(action), title: action.title })));
}

function showBar(left, chosen) {
  const { pick } = state, buttons = [];
  let what = "", cost = "", isAnswered = false;
  if (!chosen) {
    cost = state.choices.decides ? (all(".place").length ? words.choose_place : state.choices.actions.length ? words.choose_action : "") : "";
  } else if (count(left) === 1) {
    const { action, options: [{ option }] } = left[0];
    what = said(action, option);
    const price = costOf(action, option);
    cost = price ? filled(words.for_cost, { cost: price }) : "";
    buttons.push(button(words.not_this, back, { id: "c-no" }));
    buttons.push(button(words.do_it, () => act([written(action, option)]), { main: true, id: "c-yes", things: option }));
  } else if (left.length === 1) {
    const at = asked(left[0]), open = values(left[0]), action = left[0].action;
    what = capital(action.title);
    cost = question(left[0], at);
    const onBoard = open.filter((thing) => document.getElementById(`place-${thing}`));
    const isShort = open.length <= MAX_BUTTONS && open.map(named).join("").length <= MAX_LETTERS;
    isAnswered = onBoard.length > 0 || isShort;
    if (onBoard.length) cost += ` ${filled(words.marked, { count: onBoard.length })}`;
    else if (isShort) for (const thing of open) buttons.push(button(named(thing), () => take(thing, { focus: true })));
    buttons.push(button(words.not_this, back, { id: "c-no" }));
  } else {
    what = pick.things.map(named).join(", ");
    cost = filled(words.things_to_do, { count: count(left) });
    for (const { action, options } of left.slice(0, MAX_BUTTONS)) {
      const title = options.length === 1 ? said(action, options[0].option) : capital(action.title);
      const things = options.length === 1 ? options[0].option : values({ action, options });
      buttons.push(button(title, () => choose({ act: action.name, things: pick.things }, { focus: true }), { things }));
    }
    buttons.push(button(words.not_this, back, { id: "c-no" }));
  }
  $("confirm").classList.remove("no");
  say("c-what", what);
  say("c-cost", cost);
  $("c-buttons").replaceChildren(...buttons);
  $("actions").toggleAttribute("data-answered", isAnswered || (chosen && count(left) === 1));
  if (document.activeElement.getClientRects().length === 0) buttons[0]?.focus();
}

/** The question for an argument, with the titles of those that are chosen already. */
function question({ action, options }, at) {
  const [{ option: first }] = options;
  return action.asks[at].replace(/\{(\d+)\}/g, (gap, number) => {
    const thing = first[number];
    return options.every(({ option }) => option[number] === thing) ? named(thing) : "…";
  });
}

function say(id, text) {
  const element = $(id);
  if (element.textContent !== text) element.textContent = text;
}

// Return the columns of a card that no part of the page shows.
function detail(text) {
  const columns = document.createElement("span");
  columns.className = "detail";
  columns.textContent = text;
  return columns;
}

const OPENER_MARGIN = 8;
function showOptions(left) {
  for (const list of all("[data-options]")) {
    const name = list.dataset.options, isOpen = state.pick.act === name;
    const opener = list.parentElement.querySelector("[data-act]");
    opener.setAttribute("aria-expanded", isOpen);
    list.parentElement.toggleAttribute("data-sole", isOpen && name === sole());
    const isNew = isOpen && list.hidden;
    list.hidden = !isOpen;
    if (!isOpen) { list.replaceChildren(); continue; }
    const entry = left.find(({ action }) => action.name === name);
    const things = entry ? values(entry) : [];
    const last = state.pick.things.at(-1);
    const whole = entry && entry.options.length === 1 ? siblings(entry.action) : things;
    list.replaceChildren(...whole.map((thing) => {
      const item = document.createElement("li"), option = document.createElement("button");
      option.type = "button";
      option.className = "option";
      option.dataset.option = thing;
      option.textContent = named(thing);
      option.setAttribute("aria-pressed", thing === last);
      if (state.choices.details[thing]) option.append(detail(state.choices.details[thing]));
      item.append(option);
      return item;
    }));
    if (isNew) $("actions").scrollTop = opener.offsetTop - OPENER_MARGIN;
  }
}

// Return alternatives to the last chosen thing, so that the list does not jump.
function siblings(action) {
  const before = { act: action.name, things: state.pick.things.slice(0, -1) };
  const entry = candidates(before)[0];
  return entry ? values(entry) : [];
}

function showPlaces(left, chosen) {
  const marked = new Set(left.flatMap(values)), things = state.pick.things;
  if (things.length && count(left) === 1) {
    for (const entry of candidates({ act: state.pick.act, things: things.slice(0, -1) })) for (const thing of values(entry)) marked.add(thing);
  }
  if (!chosen) for (const { action: { options } } of left) {
    const [first] = options, isOpen = first.map((thing, n) => options.length === 1 || options.some((option) => option[n] !== thing));
    for (const option of options) {
      const places = option.filter((thing, n) => isOpen[n] && $(`place-${thing}`));
      for (const thing of options.length > 1 ? places.slice(0, 1) : places) marked.add(thing);
    }
  }
  let focusable = null;
  for (const place of all(".place")) {
    const on = things.includes(place.dataset.place), isMarked = on || marked.has(place.dataset.place);
    place.classList.toggle("off", !isMarked);
    place.setAttribute("aria-pressed", on);
    place.setAttribute("aria-hidden", !isMarked);
    place.setAttribute("tabindex", -1);
    place.setAttribute("aria-label", placeLabel(place, left));
    if (isMarked && (on || !focusable)) focusable = place;
  }
  if (focusable && !$("places").contains(document.activeElement)) focusable.setAttribute("tabindex", 0);
  else if (focusable) document.activeElement.setAttribute("tabindex", 0);
}

function placeLabel(place, left) {
  const { place: name, title, where } = place.dataset;
  const acts = left.filter(({ options }) => options.some(({ option }) => option.includes(name)));
  const first = acts.length === 1 ? `${capital(acts[0].action.title)}: ` : "";
  return where ? `${first}${title}, ${where}` : `${first}${title}`;
}

// ------------------------------------------------------------------ previews of answers

const ANSWERS = "[data-at-once], [data-option], [data-act], [data-names], .place";

// Return the things that an answer names.
function thingsOf({ dataset }) {
  const { arguments: given, option, act: name, names, place } = dataset;
  if (given ?? names) return JSON.parse(given ?? names);
  if (option ?? place) return [option ?? place];
  return candidates({ act: name, things: [] }).flatMap(values);
}

// Mark the places of the answer under the pointer or with the focus, or none.
function preview(answer) {
  const places = new Set(answer ? thingsOf(answer) : []);
  for (const place of all(".place")) place.classList.toggle("preview", places.has(place.dataset.place));
  lookAhead(actionOf(answer));
}

// Return the text of the action that an answer, or the present choice, completes.
function actionOf(answer) {
  const { atOnce: name, arguments: given, form } = answer?.dataset ?? {};
  if (name && form === undefined) return written({ name }, JSON.parse(given));
  const { pick } = state, left = pick.act || pick.things.length ? candidates(pick) : [];
  return count(left) === 1 ? written(left[0].action, left[0].options[0].option) : null;
}

// Show what the reader has after an action, as soon as the action is looked at for a while.
const LOOK_MILLISECONDS = 200;
let previewed = null, looking = 0;
function lookAhead(text) {
  if (text === previewed) return;
  previewed = text;
  clearTimeout(looking);
  say("c-after", "");
  if (!text || state.offline) return;
  looking = setTimeout(async () => {
    const answer = await post(urls.preview, [["action", text]]);
    if (answer?.ok && previewed === text) say("c-after", answer.after);
  }, LOOK_MILLISECONDS);
}

for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(enter, ({ target }) => { const answer = target.closest?.(ANSWERS); if (answer) preview(answer); });
  document.addEventListener(leave, () => preview(document.activeElement?.closest(ANSWERS)));
}

// ------------------------------------------------------------------ requests to the server

function have() {
  return Object.entries(state.digests).map(([part, digest]) => `${part}:${digest}`).join(",");
}

// Return the server's answer; report a lost connection and return null without one.
async function fetched(url, options = {}) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" }, redirect: "error", ...options });
    return { status: answer.status, ...(await answer.json()) };
  } catch (error) {
    lost();
    return null;
  }
}

async function post(url, fields) {
  const had = have(), body = new URLSearchParams([["at", state.version], ["have", had], ...fields]);
  const answer = await fetched(url, { method: "POST", body });
  return answer && { ...answer, had };
}

async function send(url, fields, { mine = false } = {}) {
  if (state.busy || state.offline) return;
  state.busy = true;
  document.body.dataset.busy = "";
  const answer = await post(url, fields);
  state.busy = false;
  delete document.body.dataset.busy;
  if (!answer) return;
  if (answer.ok && mine) { state.pick = none(); state.done += 1; $("why").classList.add("calm"); }
  update(answer, { isMine: mine });
  if (answer.refused) refuse(answer.refused, { status: answer.status });
  else if (mine) $("h-turn")?.focus({ preventScroll: true });
  return answer;
}

const act = (texts) => send(urls.do, texts.map((text) => ["action", text]), { mine: true });

async function askWhy({ action = null, about = null, name = "" }) {
  if (state.offline) return;
  const fields = [];
  if (action) fields.push(["action", action]);
  if (about) fields.push(["about", about]);
  const answer = await post(urls.why, fields);
  const refused = answer?.why ?? answer?.refused;
  if (refused) refuse(refused, { name, bar: Boolean(about) });
}

// ------------------------------------------------------------------ rejected requests

function paragraph(text, name = "") {
  const made = document.createElement("p");
  made.className = name;
  made.textContent = text;
  return made;
}

function refuse(refused, { status = 200, name = "", bar = true } = {}) {
  if (status === 409 && !refused.reason) return alarm(words.stale, refused.key === "stale" ? words.stale_why : refused.words, words.good, calm);
  const title = refused.title || name || "", parts = [];
  const reason = refused.reason || refused.words || filled(words.not_now_place, { place: name });
  $("why").classList.remove("calm");
  say("h-why", refused.reason ? filled(words.not_now_action, { action: title }) : title || words.refused);
  parts.push(paragraph(capital(reason)));
  if (refused.help) parts.push(paragraph(filled(words.what_helps, { help: refused.help }), "help"));
  if (refused.stopped) parts.push(paragraph(refused.stopped, "help"));
  if (refused.section) parts.push(cited(refused));
  if (refused.rule) parts.push(toRule(refused, "show-rule"));
  $("why-text").replaceChildren(...parts);
  if (refused.rule) rulesPanel.point(refused.rule);
  if (bar) {
    $("confirm").classList.add("no");
    say("c-what", `${title}`);
    say("c-cost", capital(reason));
    const links = [button(words.not_this, () => choose(none()))];
    if (refused.rule) links.unshift(toRule(refused));
    $("c-buttons").replaceChildren(...links);
  } else $("why").scrollIntoView({ block: "nearest" });
}

function toRule({ rule }, name = "") {
  const made = button(words.show_rule, () => rulesPanel.open({ clause: rule }));
  if (name) made.classList.add(name);
  return made;
}

function cited({ section, source, says, file, line, clause }) {
  const box = document.createElement("span"), cite = document.createElement("cite");
  box.className = "cite";
  cite.textContent = filled(words.cited, { section });
  box.append(cite, `, ${source}`);
  if (says) box.append(document.createElement("br"), says);
  if (file) {
    const place = document.createElement("span");
    place.className = "quiet";
    place.textContent = `${filled(words.line, { file, line })} · ${clause}`;
    box.append(document.createElement("br"), place);
  }
  return box;
}

// ------------------------------------------------------------------ following the game

// Return a selector for the focused element, to focus it again after an update.
function focusKey() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  const keys = ["act", "option", "why", "thing", "place", "call", "atOnce", "step"];
  const key = keys.find((each) => each in element.dataset);
  if (!key) return null;
  const dashed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `[data-${dashed}="${CSS.escape(element.dataset[key])}"]`;
}

// Apply an answer: the differences from what the page had when it asked. If the page has
// changed since, ask again.
function update(answer, { isMine = false } = {}) {
  if (!answer || answer.version === undefined || answer.version < state.version) return;
  if (answer.had !== have()) return follow(answer.version, { again: true });
  const key = focusKey(), before = motion.look(answer.board), moment = alerts.moment();
  const typed = gathered(), log = $("log"), isRead = isAtNewest(log);
  for (const [id, html] of Object.entries(answer.parts ?? {})) {
    const element = $(id);
    if (!element) continue;
    if (id === "log") { showLog(element, html); continue; }
    if (id === "chat") { showChat(element, html); continue; }
    const { scrollTop } = element;
    element.innerHTML = html;
    element.scrollTop = scrollTop;
  }
  if (answer.board) showBoard(answer.board);
  state.version = answer.version;
  lookAhead(null);
  if (answer.choices) state.choices = answer.choices;
  if (answer.digests) state.digests = answer.digests;
  setTime(answer.now);
  if (isBlank(state.pick) || !candidates(state.pick).length) state.pick = none();
  if (answer.parts?.offers !== undefined) regather(typed);
  hideUnknownCalls();
  show();
  summarize();
  if (isRead) toNewest(log);
  if (key && document.activeElement === document.body) document.querySelector(key)?.focus({ preventScroll: true });
  document.title = document.title.replace(/^● /, "");
  if (state.choices.decides) document.title = `● ${document.title}`;
  motion.show(before);
  alerts.tell(moment, { isMine, hasEvents: answer.parts?.log !== undefined });
}

// ------------------------------------------------------------------ chat

const CHAT_KEY = "chat", HIDDEN = "hidden", VISIBLE = "visible", FOLDED = "(max-width: 1180px)";
let unread = 0;

// Add only the new messages, so that screen readers read only these.
function showChat(chat, html) {
  const told = document.createElement("template");
  told.innerHTML = html;
  const list = chat.querySelector("ol"), lines = all("li", told.content);
  const known = new Map([...list.children].map((line) => [line.dataset.number, line]));
  const added = lines.filter((line) => !known.has(line.dataset.number));
  for (const line of lines) {
    const old = known.get(line.dataset.number);
    if (old && old.innerHTML !== line.innerHTML) old.innerHTML = line.innerHTML;
  }
  const kept = new Set(lines.map((line) => line.dataset.number));
  for (const [number, line] of known) if (!kept.has(number)) line.remove();
  list.append(...added);
  chat.querySelector("p")?.remove();
  chat.scrollTop = chat.scrollHeight;
  if (!$("chat-panel").open) unread += added.length;
  showUnread();
}

function showUnread() {
  say("unread", unread ? filled(words.new_messages, { count: unread }) : "");
}

// The browser remembers whether the reader hides the chat. Small screens hide it at first.
function openChat() {
  const panel = $("chat-panel");
  if (!panel) return;
  const choice = settings.remembered(CHAT_KEY);
  panel.open = choice ? choice === VISIBLE : !matchMedia(FOLDED).matches;
  $("chat").scrollTop = $("chat").scrollHeight;
  panel.addEventListener("toggle", () => {
    if (panel.open) unread = 0;
    showUnread();
    $("chat").scrollTop = $("chat").scrollHeight;
  });
  panel.querySelector("summary").addEventListener("click", () => settings.remember(CHAT_KEY, panel.open ? HIDDEN : VISIBLE));
}

async function write() {
  const text = $("message").value;
  const answer = await send(urls.say, [["text", text]]);
  if (answer?.ok && $("message").value === text) $("message").value = "";
}

// ------------------------------------------------------------------ turn clocks

// Milliseconds by which the server's clock is ahead of the browser's.
let clockOffset = 0;

function setTime(now) {
  if (now) clockOffset = now * 1000 - Date.now();
  showClocks();
}

function duration(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

function showClocks() {
  for (const clock of all("[data-clock-end]")) {
    const left = Math.ceil(Number(clock.dataset.clockEnd) - (Date.now() + clockOffset) / 1000);
    clock.textContent = filled(left > 0 ? words.time_left : words.time_over, { time: duration(Math.abs(left)) });
    clock.classList.toggle("late", left <= 0);
  }
}

// The newest line of the log, from its start if it is longer than the panel.
const NEAR = 8;
const newestTop = (log) => (log.querySelector("li:last-child")?.offsetTop ?? 0) - NEAR;
const toNewest = (log) => { log.scrollTop = newestTop(log); };
const isAtNewest = (log) => log.scrollTop + log.clientHeight > log.scrollHeight - NEAR || log.scrollTop >= newestTop(log);

// Keep the newest line in sight when the log gets another size, unless the reader has scrolled away.
function keepNewest(log) {
  let isRead = true;
  log.addEventListener("scroll", () => { isRead = isAtNewest(log); });
  new ResizeObserver(() => { if (isRead) toNewest(log); }).observe(log);
}

// Add only the new lines to the log, so that screen readers read only these. Existing
// lines stay, and no line is inserted before them.
function showLog(log, html) {
  const told = document.createElement("template");
  told.innerHTML = html;
  const list = log.querySelector("ol"), old = [...list.children], lines = [...told.content.querySelectorAll("li")];
  const placed = (line, after) => old.findIndex((each, n) => n >= after && each.outerHTML === line.outerHTML);
  let at = 0;
  for (const line of lines) {
    const same = placed(line, at);
    if (same < 0) { list.insertBefore(line, old[at] ?? null); continue; }
    for (const gone of old.slice(at, same)) gone.remove();
    at = same + 1;
  }
  for (const gone of old.slice(at)) gone.remove();
  log.querySelector("p")?.remove();
  say("h-log", told.content.getElementById("h-log").textContent);
}

function showBoard({ box, whole, changed, spots }) {
  if (whole) {
    $("marks").innerHTML = whole.marks;
    $("over-marks").innerHTML = whole.over;
    state.spots = spots;
    view.set(box);
  }
  for (const [id, mark] of Object.entries(changed ?? {})) { const group = $(id); if (group) group.innerHTML = mark; }
}

// Update the page; return whether the server answered.
// A reload would cancel a navigation that the reader has started.
let isLeaving = false;
addEventListener("beforeunload", () => { isLeaving = true; });
addEventListener("pageshow", () => { isLeaving = false; });

async function refresh() {
  const had = have(), answer = await fetched(`${urls.now}${urls.now.includes("?") ? "&" : "?"}have=${encodeURIComponent(had)}`);
  if (answer?.status === 429) lost();
  else if (answer && answer.status !== 200 && !isLeaving) location.reload();
  else if (answer) update({ ...answer, had });
  return answer?.status === 200;
}

// Update the page until it has the newest version announced by the server.
let refreshing = false, newest = 0, isOld = false;
async function follow(version, { again = false } = {}) {
  newest = Math.max(newest, version);
  isOld ||= again;
  if (refreshing) return;
  refreshing = true;
  while (state.version < newest || isOld) {
    isOld = false;
    if (!await refresh()) break;
  }
  refreshing = false;
}

let news = null, waiting = 0, retry = 0, seen = new Date();

function listen() {
  news?.close();
  const pace = settings.values.haste ? "&pace=fast" : "";
  news = new EventSource(`${urls.news}${urls.news.includes("?") ? "&" : "?"}after=${state.version}${pace}`);
  news.onopen = () => { clearTimeout(retry); if (state.offline) connected(); };
  news.onmessage = (event) => { seen = new Date(); follow(Number(event.data)); };
  news.onerror = () => unheard();
}

// Poll the server when the event stream fails but requests still work.
const POLL_MILLISECONDS = 4000;
async function unheard() {
  news.close();
  if (!await connected()) return;
  clearTimeout(retry);
  retry = setTimeout(listen, POLL_MILLISECONDS);
}

// Return whether the server answers; if so, the page is online again.
async function connected() {
  if (!await refresh()) return false;
  waiting = 0;
  if (state.offline) calm();
  state.offline = false;
  delete document.body.dataset.offline;
  say("connected", words.connected);
  return true;
}

function lost() {
  news?.close();
  if (!state.offline) seen = new Date();
  state.offline = true;
  document.body.dataset.offline = "";
  waiting = Math.min(waiting ? waiting * 2 : 1, 30);
  say("connected", words.disconnected);
  const time = seen.toLocaleTimeString(document.documentElement.lang);
  clearTimeout(retry);
  retry = setTimeout(listen, waiting * 1000);
  if (waiting > 1) alarm(words.no_connection, filled(words.no_connection_why, { time, seconds: waiting }), words.try_now, () => { clearTimeout(retry); listen(); });
}

function alarm(title, text, label, onclick) {
  const panel = $("alarm"), heading = document.createElement("h2"), row = document.createElement("div");
  heading.textContent = title;
  row.className = "row wrap";
  const made = button(label, onclick);
  made.classList.add("push");
  row.append(made);
  panel.classList.add("alarm");
  panel.replaceChildren(heading, paragraph(text), row);
  panel.hidden = false;
}

function calm() {
  $("alarm").hidden = true;
  $("alarm").replaceChildren();
}

// ------------------------------------------------------------------ the end

// Show the summary of a game that is over; it is requested once.
async function summarize() {
  const isOver = Boolean(document.querySelector("[data-state=over]")), parts = $("summary-parts");
  $("summary").hidden = !isOver;
  if (!isOver) parts.replaceChildren();
  if (!isOver || parts.childElementCount || parts.dataset.asked) return;
  parts.dataset.asked = "";
  const answer = await fetched(urls.summary);
  delete parts.dataset.asked;
  if (answer?.summary) parts.innerHTML = answer.summary;
}

// ------------------------------------------------------------------ gathers

const amounts = (row) => all(".stepper", row).map((stepper) => ({ stepper, card: stepper.dataset.card, count: Number(stepper.querySelector("output").textContent) }));

function gathered() {
  const typed = {};
  for (const form of all("form.gather")) for (const row of all("[data-row]", form)) for (const { card, count } of amounts(row)) if (count) (typed[row.dataset.row] ??= {})[card] = count;
  return { typed, open: all("form.gather").find((form) => !form.hidden)?.dataset.form };
}

// Restore the entries of a form after an update, if they are still allowed.
function regather({ typed, open }) {
  for (const form of all("form.gather")) {
    if (open !== undefined) form.hidden = form.dataset.form !== open;
    for (const row of all("[data-row]", form)) for (const { stepper, card } of amounts(row)) {
      const count = Math.min(typed[row.dataset.row]?.[card] ?? 0, pickOf(form, row.dataset.row, card)?.most ?? 0);
      set(stepper, count);
    }
    limit(form);
  }
}

const formOf = (form) => state.choices.forms[Number(form.dataset.form)];
const rowOf = (form, name) => formOf(form)?.rows.find((row) => row.name === name);
const pickOf = (form, name, card) => rowOf(form, name)?.picks.find((pick) => pick.card === card);

function set(stepper, count) {
  const output = stepper.querySelector("output");
  output.textContent = count;
  output.className = count ? "" : "zero";
}

function limit(form) {
  const told = formOf(form);
  if (!told) return;
  const barred = new Set();
  let ready = true, any = false;
  const sentences = [];
  all("[data-row]", form).forEach((row, number) => {
    const limits = told.rows[number], here = amounts(row);
    if (number) for (const { stepper, card, count } of here) if (barred.has(card) && count) set(stepper, 0);
    const now = amounts(row), sum = now.reduce((total, { count }) => total + count, 0);
    for (const { stepper, card, count } of now) {
      const most = limits.picks.find((pick) => pick.card === card)?.most ?? 0;
      const [more, less] = all("button", stepper);
      more.disabled = count >= most || sum >= limits.most || (number > 0 && barred.has(card));
      less.disabled = count === 0;
      if (count && number === 0) for (const other of told.excludes[card] ?? []) barred.add(other);
    }
    if (sum < limits.fewest || sum > limits.most) ready = false;
    if (sum) any = true;
    const picked = now.filter(({ count }) => count).map(({ card, count }) => `${count} ${pickOf(form, row.dataset.row, card).title}`);
    const list = [number ? "" : told.chosen, ...picked].filter(Boolean).join(", ");
    const due = limits.fewest > sum ? ` · ${filled(limits.fewest === limits.most ? words.of_count : words.at_least, { count: sum, fewest: limits.fewest })}` : "";
    sentences.push(told.rows.length > 1 ? `${limits.title}: ${list || words.nothing}` : (list ? filled(words.so_far, { cards: list }) : words.nothing) + due);
  });
  form.querySelector(".say").textContent = sentences.join(" · ");
  form.querySelector("[type=submit]").disabled = !ready || (!any && Boolean(told.lead));
}

function openForm(number) {
  for (const form of all("form.gather")) form.hidden = form.dataset.form !== String(number);
  const form = document.querySelector(`form.gather[data-form="${number}"]`);
  form?.scrollIntoView({ block: "nearest" });
  form?.querySelector(".stepper button:not(:disabled)")?.focus();
}

function submit(form) {
  const told = formOf(form), texts = told.lead ? [told.lead] : [];
  for (const row of all("[data-row]", form)) {
    const chosen = amounts(row).filter(({ count }) => count).map(({ card, count }) => `${count} ${card}`);
    texts.push(`${row.dataset.row}(${chosen.join(", ")})`);
  }
  for (const row of all("[data-row]", form)) for (const { stepper } of amounts(row)) set(stepper, 0);
  act(texts);
}

function rename(form) {
  const details = form.closest("details");
  send(urls.name, [["name", $("name").value]]);
  details.open = false;
  details.querySelector("summary").focus();
}

// ------------------------------------------------------------------ the board

const view = {
  svg: $("map"), base: null, scale: 1, x: 0, y: 0,
  set(box) { this.base = box.split(" ").map(Number); this.draw(); },
  draw() {
    if (!this.base) return;
    const [left, top, wide, high] = this.base, w = wide / this.scale, h = high / this.scale;
    this.x = Math.min(Math.max(this.x, 0), wide - w);
    this.y = Math.min(Math.max(this.y, 0), high - h);
    this.svg.setAttribute("viewBox", `${left + this.x} ${top + this.y} ${w} ${h}`);
    $("zoom-out").disabled = this.scale <= 1;
    this.svg.classList.toggle("moved", this.scale > 1);
  },
  zoom(by) {
    const [, , wide, high] = this.base, old = this.scale;
    this.scale = Math.min(Math.max(old * by, 1), 5);
    this.x += (wide / old - wide / this.scale) / 2;
    this.y += (high / old - high / this.scale) / 2;
    this.draw();
  },
};

function pointed(event) {
  const matrix = view.svg.getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  let nearest = null, least = 34 * 34;
  for (const [name, [sx, sy]] of Object.entries(state.spots)) {
    const away = (sx - x) ** 2 + (sy - y) ** 2;
    if (away < least) { least = away; nearest = name; }
  }
  return nearest;
}

// Return the nearest place in a direction, within 90 degrees.
function beside(place, dx, dy) {
  const at = (each) => { const box = each.querySelector(".hit"); return [Number(box.getAttribute("cx")), Number(box.getAttribute("cy"))]; };
  const [x, y] = at(place);
  let best = null, least = Infinity;
  for (const other of all(".place:not(.off)")) {
    if (other === place) continue;
    const [ox, oy] = at(other), along = (ox - x) * dx + (oy - y) * dy, across = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along <= 0 || across > along * 1.2) continue;
    if (along + across < least) { least = along + across; best = other; }
  }
  return best ?? wrap(place, dx + dy);
}

function wrap(place, step) {
  const places = all(".place:not(.off)"), at = places.indexOf(place);
  return places[(at + step + places.length) % places.length];
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function keyOnPlace(event, place) {
  if (event.key in ARROWS) {
    const next = beside(place, ...ARROWS[event.key]);
    place.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  } else if (event.key === "Enter" || event.key === " ") take(place.dataset.place, { focus: true });
  else return;
  event.preventDefault();
}

let drag = null;
view.svg.addEventListener("pointerdown", (event) => { if (view.scale > 1) drag = { x: event.clientX, y: event.clientY, moved: false }; });
addEventListener("pointermove", (event) => {
  if (!drag) return;
  const matrix = view.svg.getScreenCTM(), dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < 6) return;
  drag = { x: event.clientX, y: event.clientY, moved: true };
  view.x -= dx / matrix.a;
  view.y -= dy / matrix.d;
  view.draw();
});
addEventListener("pointerup", () => { setTimeout(() => { drag = null; }); });

// ------------------------------------------------------------------ clicks and keys

const CALLS = new Set(["replay", "onward", "again", "undo", "agree", "decline", "person", "bot", "keep"]);

function hideUnknownCalls() {
  for (const each of all("[data-call]")) each.hidden = !CALLS.has(each.dataset.call) || !urls[each.dataset.call];
}

function call(element) {
  const { call: name, seat, bot } = element.dataset;
  if (element.getAttribute("aria-disabled") === "true") return;
  if (name === "replay" || name === "onward") location.href = urls[name];
  else if (name === "again") again();
  else send(urls[name], seat ? [["seat", seat], ["bot", bot ?? ""]] : [], { mine: name !== "bot" });
}

// A rematch is another page: submit a form to go there.
function again() {
  const form = document.createElement("form");
  form.method = "post";
  form.action = urls.again;
  document.body.append(form);
  form.submit();
}

const CLICKS = {
  place: (element) => take(element.dataset.place),
  option: (element) => { const same = element.getAttribute("aria-pressed") === "true"; if (!same) pickOption(element.dataset.option); $("c-yes")?.focus(); },
  thing: (element) => take(element.dataset.thing),
  act: (element) => { const { act: name, form } = element.dataset; if (form !== undefined) openForm(form); else { chooseAction(name); if (!element.hasAttribute("aria-expanded")) $("c-yes")?.focus(); } },
  atOnce: (element) => { const { atOnce: name, form, arguments: given } = element.dataset; if (form !== undefined) openForm(form); else { const option = JSON.parse(given); act([option.length ? `${name}(${option.join(", ")})` : name]); } },
  why: (element) => askWhy({ action: element.dataset.why }),
  call,
  step: (element) => step(element),
};

function pickOption(thing) {
  const { act: name, things } = state.pick;
  const further = { act: name, things: [...things, thing] };
  choose(candidates(further).length ? further : { act: name, things: [...things.slice(0, -1), thing] });
}

function step(element) {
  const stepper = element.closest(".stepper");
  set(stepper, Number(stepper.querySelector("output").textContent) + Number(element.dataset.step));
  limit(element.closest("form"));
  if (element.disabled) all("button:not(:disabled)", stepper)[0]?.focus();
}

document.addEventListener("click", (event) => {
  if (drag?.moved) return;
  for (const [key, does] of Object.entries(CLICKS)) {
    const dashed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const element = event.target.closest(`[data-${dashed}]`);
    if (element) return does(element);
  }
  if (event.target.closest("#map")) { const thing = pointed(event); if (thing) take(thing); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return back();
  const place = event.target.closest?.(".place");
  if (place) keyOnPlace(event, place);
});
document.addEventListener("submit", (event) => {
  const form = event.target, does = form.id === "naming" ? rename : form.id === "saying" ? write : form.matches("form.gather") ? submit : null;
  if (!does) return;
  event.preventDefault();
  does(form);
});
$("zoom-in").addEventListener("click", () => view.zoom(1.4));
$("zoom-out").addEventListener("click", () => view.zoom(1 / 1.4));
for (const tab of all(".tabs a")) tab.addEventListener("click", () => { for (const other of all(".tabs a")) other.removeAttribute("aria-current"); tab.setAttribute("aria-current", "true"); });

state.pick = none();
view.set(view.svg.getAttribute("viewBox"));
hideUnknownCalls();
summarize();
for (const form of all("form.gather")) limit(form);
show();
setTime(start.now);
openChat();
toNewest($("log"));
keepNewest($("log"));
setInterval(showClocks, 1000);
if (start.refused) refuse(start.refused);
if (state.choices.decides) document.title = `● ${document.title}`;
document.addEventListener("setting", ({ detail: name }) => { if (name === "haste" && !state.offline) listen(); });
listen();
