// Replay: the slider requests an event; the page shows the answer to the last request.
const start = JSON.parse(document.getElementById("start").textContent);
const { $, asked, draw, lookCloser } = await import(start.modules.studio);

const state = { step: start.step, digest: start.digest, wanted: null, asking: false, playing: null };
const { words, steps } = start;
const STEP_MILLISECONDS = 900;
const clamp = (step) => Math.min(Math.max(step, 0), steps);
const address = (base, step) => `${base}${base.includes("?") ? "&" : "?"}at=${step}`;

function wish(step) {
  state.wanted = clamp(step);
  $("slide").value = state.wanted;
  if (!state.asking) ask();
}

async function ask() {
  state.asking = true;
  while (state.wanted !== null) {
    const step = state.wanted;
    state.wanted = null;
    if (step === state.step) continue;
    const told = await asked(`${address(start.moment, step)}&board=${state.digest}`);
    if (told.ok === false) {
      stop();
      $("line").textContent = told.refused?.words ?? "";
      break;
    }
    show(told);
  }
  state.asking = false;
}

// Only neighbouring steps are animated: a jump changes the board at once.
function show(told) {
  const isNext = Math.abs(told.step - state.step) === 1, before = motion.look(isNext ? told.board : null);
  state.step = told.step;
  state.digest = told.digest;
  draw(told.board);
  motion.show(before);
  $("h-time").textContent = told.heading;
  $("line").textContent = told.line;
  $("slide").setAttribute("aria-valuetext", `${told.heading}, ${told.line}`);
  if (state.wanted === null) $("slide").value = told.step;
  const lines = told.standing.map((line) => Object.assign(document.createElement("li"), { textContent: line }));
  $("standing-lines").replaceChildren(...lines);
  for (const each of document.querySelectorAll("#events li[aria-current]")) each.removeAttribute("aria-current");
  const row = document.querySelector(`#events a[data-step="${told.row}"]`)?.closest("li");
  row?.setAttribute("aria-current", "step");
  if (row) reveal(row);
  addresses();
  if (told.step && !row && (told.step <= start.window[0] || told.step > start.window[1])) location.replace(address(start.page, told.step));
}

// Scroll only the list, not the page.
function reveal(row) {
  const list = row.closest(".events");
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 40 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 2;
}

function addresses() {
  const here = address(start.page, state.step);
  history.replaceState(null, "", here);
  $("back").href = address(start.page, clamp(state.step - 1));
  $("on").href = address(start.page, clamp(state.step + 1));
  const link = new URL(here, location.href);
  link.searchParams.delete("seen");
  link.searchParams.delete("seat");
  $("here").href = link.href;
  for (const eye of document.querySelectorAll("[data-eyes]")) {
    const there = new URL(eye.href);
    there.searchParams.set("at", state.step);
    eye.href = there.href;
  }
  if ($("go-at")) $("go-at").value = state.step;
}

function stop() {
  clearInterval(state.playing);
  state.playing = null;
  $("play").setAttribute("aria-pressed", "false");
  $("play").textContent = words.play;
  $("line").setAttribute("role", "status");
}

function play() {
  if (state.step >= steps) wish(0);
  $("play").setAttribute("aria-pressed", "true");
  $("play").textContent = words.pause;
  $("line").removeAttribute("role");
  state.playing = setInterval(() => {
    if (state.step >= steps) stop();
    else if (!state.asking) wish(state.step + 1);
  }, STEP_MILLISECONDS);
}

const by = { first: () => 0, back: () => state.step - 1, on: () => state.step + 1, last: () => steps };
for (const [id, where] of Object.entries(by)) $(id).addEventListener("click", (event) => {
  event.preventDefault();
  stop();
  wish(where());
});
$("play").addEventListener("click", () => (state.playing ? stop() : play()));
$("slide").addEventListener("input", () => { stop(); wish(Number($("slide").value)); });
$("events").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  wish(Number(link.dataset.step));
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  const where = { ArrowLeft: by.back, ArrowRight: by.on, Home: by.first, End: by.last }[event.key];
  if (!where) return;
  event.preventDefault();
  stop();
  wish(where());
});
$("here").addEventListener("click", async (event) => {
  if (!navigator.clipboard) return;
  event.preventDefault();
  const link = event.currentTarget;
  await navigator.clipboard.writeText(link.href);
  link.textContent = words.copied;
  setTimeout(() => { link.textContent = words.copy_link; }, 2000);
});

lookCloser();
const now = document.querySelector("#events li[aria-current]");
if (now) reveal(now);
addresses();

document.documentElement.dataset.ready = "";  // keys and clicks work from now on
