/** Rule files in VS Code: the language server, and commands for the file that is open. */

import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions, TransportKind } from "vscode-languageclient/node";
import { Boards } from "./board";
import * as words from "./words";

const LANGUAGE = "rules";
const CURE = 'Install it with: pip install "rulebook-lang[editor]", or set its location in the setting "rulebook.command".';

let client: LanguageClient | undefined;

const command = (): readonly string[] =>
  words.command(vscode.workspace.getConfiguration("rulebook").get("command"));

/** The file of the text that is open, saved, so that the command reads what one sees. */
async function file(given?: unknown): Promise<string | undefined> {
  const uri =
    typeof given === "string"
      ? vscode.Uri.file(given)
      : given instanceof vscode.Uri
        ? given
        : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || uri.scheme !== "file") {
    void vscode.window.showWarningMessage("Rulebook: save the rules as a file first.");
    return undefined;
  }
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (open?.isDirty === true && !(await open.save())) return undefined;
  return uri.fsPath;
}

/** Runs the command in a terminal of its own; no shell takes its words apart. */
async function run(name: string, asked: words.Asked, folder: string): Promise<void> {
  const process = new vscode.ProcessExecution(asked.program, [...asked.words], { cwd: folder });
  const kind = { type: "process", name };
  const task = new vscode.Task(kind, vscode.TaskScope.Workspace, name, "Rulebook", process);
  task.presentationOptions = { focus: true, panel: vscode.TaskPanelKind.Dedicated, clear: true };
  await vscode.tasks.executeTask(task);
}

/** The title of a scenario of the file, one of those that have a lens. */
async function scenario(uri: vscode.Uri): Promise<string | undefined> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 1000);
  const titles = lenses.flatMap((lens) => lens.command?.arguments?.slice(1, 2) ?? []).map(String);
  return vscode.window.showQuickPick(titles, { placeHolder: "Run scenario" });
}

async function start(): Promise<void> {
  const { program, words: given } = words.server(command());
  const executable = { command: program, args: [...given], transport: TransportKind.stdio };
  const options: ServerOptions = { run: executable, debug: executable };
  client = new LanguageClient("rulebook", "Rulebook", options, {
    documentSelector: [{ language: LANGUAGE, scheme: "file" }, { language: LANGUAGE, scheme: "untitled" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.rules") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(`Rulebook: the language server did not start (${String(error)}). ${CURE}`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const boards = new Boards(command);
  const known: Record<string, (...given: unknown[]) => Promise<void>> = {
    "rulebook.play": async (given) => {
      const path = await file(given);
      if (path !== undefined) await run("Play", words.play(command(), path), dirname(path));
    },
    "rulebook.board": async (given) => {
      const path = await file(given);
      if (path !== undefined) await boards.show(path);
    },
    "rulebook.test": async (given) => {
      const path = await file(given);
      if (path !== undefined) await run("Test", words.test(command(), path), dirname(path));
    },
    "rulebook.scenario": async (given) => {
      const path = await file(given);
      const title = path === undefined ? undefined : await scenario(vscode.Uri.file(path));
      if (path !== undefined && title !== undefined) {
        await run("Test", words.test(command(), path, title), dirname(path));
      }
    },
    "rulebook.restart": async () => {
      await stop();
      await start();
    },
  };
  for (const [name, action] of Object.entries(known)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  }
  context.subscriptions.push(
    boards,
    vscode.workspace.onDidSaveTextDocument(async (saved) => {
      if (saved.languageId === LANGUAGE) await boards.saved();
    }),
    vscode.workspace.onDidChangeConfiguration(async (changed) => {
      if (changed.affectsConfiguration("rulebook.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

export const deactivate = stop;
