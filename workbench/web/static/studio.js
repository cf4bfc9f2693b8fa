// Shared by replay and workshop: the board with its updates and zoom.
"use strict";

export const $ = (id) => document.getElementById(id);
export const start = JSON.parse($("start")?.textContent ?? "{}");
export const filled = (text, gaps) => text.replace(/\{(\w+)\}/g, (gap, key) => gaps[key] ?? gap);

const SVG = "http://www.w3.org/2000/svg";

function put(group, marks) {
  const read = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${marks}</svg>`, "image/svg+xml");
  group.replaceChildren(...document.importNode(read.documentElement, true).childNodes);
}

// Show a board: all its marks, or only those that differ from the shown ones.
export function draw(board) {
  const map = $("map");
  if (board.whole) {
    put($("marks"), board.whole.marks);
    put($("over-marks"), board.whole.over);
    if (board.box !== look.box) look.begin(board.box);
    return;
  }
  for (const [id, mark] of Object.entries(board.changed)) {
    const group = map.querySelector(`#${CSS.escape(id)}`);
    if (group) put(group, mark);
  }
}

// Visible part of the board.
export const look = {
  box: "", scale: 1, middle: null,
  begin(box) {
    this.box = box;
    this.scale = 1;
    this.show();
  },
  show() {
    const [x, y, wide, high] = this.box.split(" ").map(Number);
    const w = wide / this.scale, h = high / this.scale;
    if (this.scale === 1 || !this.middle) this.middle = [x + wide / 2, y + high / 2];
    const [left, top] = [this.middle[0] - w / 2, this.middle[1] - h / 2];
    const inside = (at, low, room) => Math.min(Math.max(at, low), low + room);
    const at = [inside(left, x, wide - w), inside(top, y, high - h)];
    this.middle = [at[0] + w / 2, at[1] + h / 2];
    $("map").setAttribute("viewBox", [...at, w, h].join(" "));
    $("zoom-out").disabled = this.scale <= 1;
    $("zoom-in").disabled = this.scale >= 6;
  },
  by(factor) {
    this.scale = Math.min(6, Math.max(1, this.scale * factor));
    this.show();
  },
  move(dx, dy) {
    const map = $("map"), wide = Number(this.box.split(" ")[2]) / this.scale;
    const unit = wide / (map.clientWidth || 1);
    this.middle = [this.middle[0] - dx * unit, this.middle[1] - dy * unit];
    this.show();
  },
};

export function lookCloser() {
  const map = $("map");
  if (!map) return;
  look.begin(map.getAttribute("viewBox"));
  $("zoom-in").addEventListener("click", () => look.by(1.4));
  $("zoom-out").addEventListener("click", () => look.by(1 / 1.4));
  let held = null;
  map.addEventListener("pointerdown", (event) => { if (look.scale > 1) { held = [event.clientX, event.clientY]; map.setPointerCapture(event.pointerId); } });
  map.addEventListener("pointermove", (event) => {
    if (!held) return;
    look.move(event.clientX - held[0], event.clientY - held[1]);
    held = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) map.addEventListener(end, () => { held = null; });
}

// Return the server's answer, or the message with which it rejected the request.
export async function asked(address, options = {}) {
  const headers = { accept: "application/json", ...options.headers };
  try {
    const answer = await fetch(address, { ...options, headers });
    const told = await answer.json();
    return answer.ok ? told : { ok: false, ...told };
  } catch {
    return { ok: false, refused: { key: "offline", words: start.words?.offline ?? "" } };
  }
}
