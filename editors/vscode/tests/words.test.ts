import assert from "node:assert/strict";
import { test } from "node:test";
import { escaped, page } from "../src/page";
import * as words from "../src/words";

const PYTHON = ["python", "-m", "workbench"];

test("the words of the settings come first", () => {
  assert.deepEqual(words.server(PYTHON), { program: "python", words: ["-m", "workbench", "lsp"] });
});

test("the command of the settings is a string or a list", () => {
  assert.deepEqual(words.command("rulebook"), ["rulebook"]);
  assert.deepEqual(words.command("python -m  workbench"), PYTHON);
  assert.deepEqual(words.command('"/my tools/rulebook" -v'), ["/my tools/rulebook", "-v"]);
  assert.deepEqual(words.command(PYTHON), PYTHON);
  assert.deepEqual(words.command(undefined), ["rulebook"]);
  assert.throws(() => words.server(words.command("")), /rulebook.command/);
});

test("a file with blanks and signs stays one word", () => {
  const file = "/home/a b/it's; rm -rf $HOME.rules";
  assert.deepEqual(words.play(["rulebook"], file).words, ["play", file]);
  assert.deepEqual(words.board(["rulebook"], file, "/tmp/x.svg").words, ["board", file, "--out", "/tmp/x.svg"]);
});

test("a file is never taken for an option", () => {
  assert.deepEqual(words.test(["rulebook"], "-x.rules").words, ["test", "./-x.rules"]);
});

test("one scenario is run by its name", () => {
  assert.deepEqual(words.test(["rulebook"], "a.rules", "the robber").words, ["test", "a.rules", "-k", "the robber"]);
});

test("a command that is empty is refused", () => {
  assert.throws(() => words.server([]), /rulebook.command/);
  assert.throws(() => words.server([""]), /rulebook.command/);
});

test("what is said stands on the page as text", () => {
  const shown = page('a"<b>', undefined, "<script>alert(1)</script> & more");
  assert.ok(!shown.includes("<script"));
  assert.ok(shown.includes(escaped("<script>alert(1)</script> & more")));
  assert.ok(!shown.includes("<img"));
});

test("the last picture stays beside what is wrong now", () => {
  const shown = page("x.rules", "<svg onload='x'/>", "RB011");
  assert.ok(shown.includes("data:image/svg+xml;base64,"));
  assert.ok(!shown.includes("onload"));
  assert.ok(shown.includes("RB011"));
  assert.ok(shown.includes("default-src 'none'"));
});
