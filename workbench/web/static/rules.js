// Editor for rules: CodeMirror with the keywords of the language (from the server's
// grammar), changed lines, and diagnostics below the code.
const start = JSON.parse(document.getElementById("start").textContent);
const cm = await import(start.modules.codemirror);

const WORD = /^[\p{L}][\p{L}\p{N}_]*/u;

// Highlighting of keywords at the start of a line, texts, citations and comments.
function language({ begin }) {
  const words = new Set(begin);
  return cm.StreamLanguage.define({
    name: "rules",
    startState: () => ({ first: true }),
    token(stream, state) {
      if (stream.sol()) state.first = true;
      if (stream.eatSpace()) return null;
      if (stream.peek() === "#") { stream.skipToEnd(); return "comment"; }
      if (stream.match(/^"[^"]*("|$)/)) { state.first = false; return "string"; }
      if (stream.match(/^\[[^[\]]*"[^[\]]*(\]|$)/)) { state.first = false; return "meta"; }
      const word = stream.match(WORD);
      const leads = state.first;
      state.first = false;
      if (!word) { stream.next(); return null; }
      return leads && words.has(word[0]) ? "keyword" : null;
    },
    languageData: { commentTokens: { line: "#" } },
  });
}

const colours = cm.HighlightStyle.define([
  { tag: cm.tags.keyword, class: "r-kw" }, { tag: cm.tags.string, class: "r-st" },
  { tag: cm.tags.meta, class: "r-ci" }, { tag: cm.tags.comment, class: "r-co" },
]);

// ------------------------------------------------------------------ diagnostics under lines

const setNotes = cm.StateEffect.define();
const setChanged = cm.StateEffect.define();

class Note extends cm.WidgetType {
  constructor(told, fix) { super(); this.told = told; this.fix = fix; }
  eq(other) { return other.told.code === this.told.code && other.told.message === this.told.message && other.told.help === this.told.help; }
  toDOM(view) {
    const note = document.createElement("div"), text = document.createElement("p"), code = document.createElement("b");
    note.className = `r-note ${this.told.severity}`;
    code.textContent = `${this.told.code} `;
    text.append(code, this.told.message);
    if (this.told.help) text.append(" · ", ...this.helped(view));
    note.append(text);
    return note;
  }
  // The help of a diagnostic; a proposed name becomes a button that inserts it.
  helped(view) {
    const parts = this.told.help.split(/(`[^`]+`)/);
    const proposes = /^did you mean `[^`]+`\?$/.test(this.told.help);
    return parts.map((part) => {
      if (!part.startsWith("`")) return part;
      const name = part.slice(1, -1), element = document.createElement(proposes ? "button" : "code");
      element.textContent = name;
      if (proposes) {
        element.type = "button";
        element.className = "link";
        element.addEventListener("click", () => this.fix(view, this.told, name));
      }
      return element;
    });
  }
  ignoreEvent() { return true; }
}

const notes = cm.StateField.define({
  create: () => cm.Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setNotes)) shown = effect.value;
    return shown;
  },
  provide: (field) => cm.EditorView.decorations.from(field),
});

class Mark extends cm.GutterMarker { constructor(name) { super(); this.elementClass = name; } }
const CHANGED = new Mark("r-changed");

const changed = cm.StateField.define({
  create: () => [],
  update(lines, transaction) {
    for (const effect of transaction.effects) if (effect.is(setChanged)) return effect.value;
    return lines;
  },
  provide: (field) => cm.gutterLineClass.compute([field], (state) => {
    const marks = new cm.RangeSetBuilder();
    for (const line of state.field(field)) if (line <= state.doc.lines) marks.add(state.doc.line(line).from, state.doc.line(line).from, CHANGED);
    return marks.finish();
  }),
});

// Return the lines that differ from another text, and the number of all differences.
export function differing(base, text) {
  const [old, now] = [base.split("\n"), text.split("\n")];
  let first = 0, last = 0;
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first++;
  while (last < Math.min(old.length, now.length) - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
  const there = new Map();
  for (const line of old.slice(first, old.length - last)) there.set(line, (there.get(line) ?? 0) + 1);
  const lines = [];
  now.slice(first, now.length - last).forEach((line, n) => {
    const left = there.get(line) ?? 0;
    if (left) there.set(line, left - 1);
    else lines.push(first + n + 1);
  });
  const gone = [...there.values()].reduce((sum, n) => sum + n, 0);
  return { lines, count: Math.max(lines.length, gone) };
}

// ------------------------------------------------------------------ places

// The server counts lines and columns in code points from 1; the editor in code units.
export function place(doc, line, column) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(line, 1));
  let at = 0, left = column - 1;
  for (const letter of text) {
    if (left-- <= 0) break;
    at += letter.length;
  }
  return from + at;
}

function range(doc, told) {
  const from = place(doc, told.line, told.column);
  const to = place(doc, told.end_line, told.end_column);
  return { from, to: Math.max(from, to) };
}

// ------------------------------------------------------------------ completion

// Completions by the server at the end of a text. The word at the cursor filters them.
function completing(ask) {
  return async (context) => {
    const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
    if (!word && !context.explicit) return null;
    const before = context.state.sliceDoc(0, context.pos);
    const items = await ask([...before].length);
    if (!items.length || context.aborted) return null;
    return { from: word ? word.from : context.pos, options: items.map(option), validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

function option({ name, sort, owner, keyword, preferred }) {
  const detail = owner ? `${sort} (${owner})` : sort;
  return { label: name, detail, type: keyword ? "keyword" : "variable", boost: preferred ? 2 : keyword ? -1 : 0 };
}

// ------------------------------------------------------------------ the editor

export class Rules {
  constructor(parent, grammar, label, onChange, complete) {
    const language_ = language(grammar);
    this.extensions = [
      cm.lineNumbers(), cm.highlightSpecialChars(), cm.history(), cm.drawSelection(), cm.bracketMatching(),
      cm.highlightActiveLineGutter(), cm.highlightSelectionMatches(), cm.search({ top: true }), cm.indentUnit.of("  "),
      language_, cm.syntaxHighlighting(colours), notes, changed,
      cm.autocompletion({ override: [completing(complete)], icons: false }),
      cm.keymap.of([...cm.completionKeymap, ...cm.defaultKeymap, ...cm.historyKeymap, ...cm.searchKeymap, ...cm.lintKeymap]),
      cm.EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
      cm.EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
    ];
    // In a separate shadow root, the editor uses constructed style sheets, not inline styles.
    const root = parent.attachShadow({ mode: "open" }), whole = document.createElement("div"), sheet = document.createElement("link");
    Object.assign(sheet, { rel: "stylesheet", href: start.modules.style });
    whole.className = "whole";
    root.append(sheet, whole);
    this.view = new cm.EditorView({ parent: whole, root, state: this.state("") });
  }
  state(text) { return cm.EditorState.create({ doc: text, extensions: this.extensions }); }
  show(state) { this.view.setState(state); }
  get text() { return this.view.state.doc.toString(); }

  // Diagnostics of this file below the code, and its changed lines.
  tell(diagnostics, lines) {
    const doc = this.view.state.doc;
    const marks = [], below = [];
    for (const told of diagnostics) {
      const { from, to } = range(doc, told);
      marks.push({ from, to, severity: told.severity, message: `${told.code} ${told.message}${told.help ? ` · ${told.help}` : ""}` });
      const at = doc.lineAt(from).to;
      below.push(cm.Decoration.widget({ widget: new Note(told, fix), block: true, side: 1 }).range(at));
      below.push(cm.Decoration.line({ class: `r-wrong ${told.severity}` }).range(doc.lineAt(from).from));
    }
    const effects = [setNotes.of(cm.Decoration.set(below, true)), setChanged.of(lines)];
    this.view.dispatch(cm.setDiagnostics(this.view.state, marks), { effects });
  }
  go(told) {
    const { from, to } = range(this.view.state.doc, told);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: cm.EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }
}

function fix(view, told, name) {
  view.dispatch({ changes: { ...range(view.state.doc, told), insert: name } });
  view.focus();
}
