/** The board beside the text: drawn by `rulebook board`, and again when it is saved. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { page } from "./page";
import * as words from "./words";

interface Drawn {
  readonly svg: string | undefined;
  readonly fault: string;
}

const SECONDS = 60;

/** Draws into a folder of its own, which is gone afterwards. */
async function drawn(command: readonly string[], file: string): Promise<Drawn> {
  const folder = await mkdtemp(join(tmpdir(), "rulebook-"));
  try {
    const out = join(folder, "board.svg");
    const { program, words: given } = words.board(command, file, out);
    const fault = await new Promise<string>((resolve) => {
      const options = { cwd: dirname(file), timeout: SECONDS * 1000 };
      execFile(program, given, options, (error, _out, said) =>
        resolve(error === null ? "" : said.trim() || error.message),
      );
    });
    return { svg: fault === "" ? await readFile(out, "utf8") : undefined, fault };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The pages that are open, by the file that each draws. */
export class Boards implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly last = new Map<string, string>();
  private readonly asked = new Map<string, number>();

  constructor(private readonly command: () => readonly string[]) {}

  async show(file: string): Promise<void> {
    const open = this.panels.get(file);
    if (open !== undefined) {
      open.reveal(undefined, true);
    } else {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const panel = vscode.window.createWebviewPanel("rulebook.board", basename(file), place, {
        enableScripts: false,
      });
      this.panels.set(file, panel);
      panel.onDidDispose(() => {
        this.panels.delete(file);
        this.last.delete(file);
      });
    }
    await this.draw(file);
  }

  /** What was saved may lie below any of the files that are drawn. */
  async saved(): Promise<void> {
    await Promise.all([...this.panels.keys()].map((file) => this.draw(file)));
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  /** The last that was asked for is shown, however long those before it take. */
  private async draw(file: string): Promise<void> {
    const number = (this.asked.get(file) ?? 0) + 1;
    this.asked.set(file, number);
    const { svg, fault } = await drawn(this.command(), file);
    const panel = this.panels.get(file);
    if (panel === undefined || this.asked.get(file) !== number) return;
    if (svg !== undefined) this.last.set(file, svg);
    panel.webview.html = page(basename(file), this.last.get(file), fault);
  }
}
