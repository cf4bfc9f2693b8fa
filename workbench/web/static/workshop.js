// Workshop: the server checks the edited rules; the owner of the table can apply them.
const start = JSON.parse(document.getElementById("start").textContent);
const [{ $, asked, draw, filled, lookCloser }, { Rules, differing }] = await Promise.all([import(start.modules.studio), import(start.modules.rules)]);

const { words, urls, ending } = start;
const CHECK_MILLISECONDS = 350, TRIAL_MILLISECONDS = 1200;
const files = new Map();
const state = { file: start.file, diagnostics: [], plans: true, verdict: null, asked: 0, timer: null, rules: start.rules, digest: start.digest };
const rules = new Rules($("editor"), start.grammar, words.rules, typed, complete);
const alter = (address, gaps) => `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(gaps)}`;
const post = (address, document) => asked(address, { method: "POST", body: JSON.stringify({ ...document, rules: state.rules }), headers: { "content-type": "application/json" } });

// ------------------------------------------------------------------ files

function text(name) {
  return name === state.file ? rules.text : files.get(name).state.doc.toString();
}

function changed() {
  const texts = {};
  for (const [name, file] of files) if (text(name) !== file.base) texts[name] = text(name);
  return texts;
}

async function open(name) {
  if (!files.has(name)) {
    const told = await asked(alter(urls.file, { name }));
    if (!told.ok) return say(told.refused?.words);
    files.set(name, { base: told.text, state: rules.state(told.text) });
  }
  if (files.has(state.file)) files.get(state.file).state = rules.view.state;
  state.file = name;
  rules.show(files.get(name).state);
  $("file").value = name;
  $("h-ed").textContent = `${name}${ending}`;
  tell();
}

// ------------------------------------------------------------------ diagnostics

function typed() {
  if (!files.has(state.file)) return;
  state.verdict = null;
  count();
  buttons();
  $("checking").textContent = words.checking;
  clearTimeout(state.timer);
  state.timer = setTimeout(check, CHECK_MILLISECONDS);
}

// The completions at the cursor; none if the server cannot tell them.
async function complete(at) {
  const told = await post(urls.complete, { texts: changed(), file: state.file, at });
  return told.items ?? [];
}

function count() {
  const { count: differ } = differing(files.get(state.file).base, rules.text);
  $("changed").hidden = !differ;
  $("changed").textContent = filled(differ === 1 ? words.line_changed : words.lines_changed, { count: differ });
}

async function check() {
  const texts = changed(), number = ++state.asked;
  if (!Object.keys(texts).length) return found({ diagnostics: [], plans: true, verdict: null }, number);
  found(await post(urls.check, { texts }), number);
  if (number !== state.asked || !state.plans || !start.owner) return;
  clearTimeout(state.timer);
  state.timer = setTimeout(attempt, TRIAL_MILLISECONDS);
}

// Show whether the game is still valid under the edited rules.
async function attempt() {
  const number = ++state.asked;
  $("tried").textContent = words.trying;
  const told = await post(urls.check, { texts: changed(), try: true });
  $("tried").textContent = "";
  found(told, number);
}

function found(told, number) {
  if (number !== state.asked || told.superseded) return;
  if (told.ok === false) return say(told.refused?.words);
  state.diagnostics = told.diagnostics;
  state.more = told.more ?? 0;
  state.plans = told.plans;
  state.verdict = told.verdict;
  $("checking").textContent = words.as_you_type;
  tell();
}

const fileOf = (told) => told.file.slice(0, told.file.length - ending.length);

function tell() {
  const { lines } = differing(files.get(state.file).base, rules.text);
  rules.tell(state.diagnostics.filter((told) => fileOf(told) === state.file), lines);
  count();
  const errors = state.diagnostics.filter((told) => told.severity === "error").length;
  const warnings = state.diagnostics.length - errors;
  const parts = [];
  if (errors) parts.push(filled(errors === 1 ? words.error : words.errors, { count: errors }));
  if (warnings) parts.push(filled(warnings === 1 ? words.warning : words.warnings, { count: warnings }));
  if (state.more) parts.push(filled(words.more, { count: state.more }));
  const heading = parts.join(", ") || words.no_mistakes;
  if ($("h-found").textContent !== heading) $("h-found").textContent = heading;
  $("found").classList.toggle("calm", !errors);
  $("diagnostics").replaceChildren(...state.diagnostics.map(row));
  buttons();
}

function row(told) {
  const item = document.createElement("li"), go = document.createElement("button");
  go.type = "button";
  go.className = "link";
  const where = filled(words.place, { line: told.line, column: told.column });
  go.textContent = fileOf(told) === state.file ? where : `${told.file}, ${where}`;
  go.addEventListener("click", async () => {
    if (start.files.includes(fileOf(told)) && fileOf(told) !== state.file) await open(fileOf(told));
    rules.go(told);
  });
  item.append(go, ` · ${told.message}`);
  return item;
}

// ------------------------------------------------------------------ buttons

function buttons() {
  const any = Object.keys(changed()).length > 0, { verdict } = state;
  const may = start.owner && any && state.plans && verdict?.holds !== false;
  $("apply").setAttribute("aria-disabled", String(!may));
  $("apply-panel").classList.toggle("calm", verdict?.holds !== false);
  const heading = verdict?.heading ?? (any ? words.changes : words.no_changes);
  if ($("h-apply").textContent !== heading) $("h-apply").textContent = heading;
  const lines = (verdict?.lines ?? []).map((line) => Object.assign(document.createElement("p"), { textContent: line }));
  $("verdict").replaceChildren(...lines);
  const onward = start.opens && verdict && !verdict.holds && verdict.steps > 0;
  $("go-on").hidden = !onward;
  if (onward) $("go-on").textContent = filled(words.go_on, { event: verdict.steps });
  const why = !start.owner ? words.only_owner : !any ? words.nothing_to_apply : !state.plans ? words.not_without_errors : verdict?.holds === false ? words.does_not_hold : words.all_are_told;
  $("apply-why").textContent = why;
}

function say(sentence) {
  $("checking").textContent = sentence ?? "";
  $("apply-why").textContent = sentence ?? "";
}

$("apply").addEventListener("click", async () => {
  if ($("apply").getAttribute("aria-disabled") === "true") return;
  const texts = changed(), number = ++state.asked;
  $("tried").textContent = words.trying;
  $("apply").setAttribute("aria-disabled", "true");
  const told = await post(urls.apply, { texts });
  $("tried").textContent = "";
  if (told.ok === false) { buttons(); return say(told.refused?.words); }
  if (!told.applied) return found(told, number);
  state.rules = told.rules;
  for (const name of Object.keys(texts)) files.get(name).base = texts[name];
  state.verdict = null;
  state.diagnostics = told.diagnostics;
  tell();
  $("checking").textContent = words.as_you_type;
  $("h-apply").textContent = words.applied;
  look();
});

$("go-on").addEventListener("click", async () => {
  const told = await post(urls.apply, { texts: changed(), to: "new" });
  if (told.address) location.assign(told.address);
  else say(told.refused?.words);
});

$("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([rules.text], { type: "text/plain;charset=utf-8" }));
  link.download = `${state.file}${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

$("save")?.addEventListener("click", async () => {
  const told = await post(urls.save, { texts: changed() });
  const files = told.saved?.join(", ");
  say(!told.ok ? told.refused?.words : files ? filled(words.saved, { files }) : words.all_saved);
});

$("file").addEventListener("change", () => open($("file").value));
addEventListener("beforeunload", (event) => { if (Object.keys(changed()).length) event.preventDefault(); });

// ------------------------------------------------------------------ changes of the table

async function look() {
  const told = await asked(alter(urls.now, { board: state.digest }));
  if (!told.ok) return;
  draw(told.board);
  state.digest = told.digest;
  if (told.rules !== state.rules) say(words.rules_changed);
}

const news = new EventSource(alter(urls.news, { after: start.version }));
news.onmessage = look;
news.onerror = () => { $("connected").textContent = words.disconnected; $("alive").hidden = true; };
news.onopen = () => { $("connected").textContent = words.connected; $("alive").hidden = false; };

lookCloser();
files.set(start.file, { base: start.text, state: rules.state(start.text) });
rules.show(files.get(start.file).state);
tell();
