/** What the command `rulebook` is asked for: words alone, so that tests need no editor. */

export interface Asked {
  readonly program: string;
  readonly words: readonly string[];
}

/** The words of the command in the settings, which is a string or a list of words.
 * A string is split at spaces, except between double quotes. */
export function command(setting: unknown): readonly string[] {
  if (typeof setting === "string") {
    const words = setting.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
    return words.map((word) => word.replaceAll('"', ""));
  }
  return Array.isArray(setting) ? setting.map(String) : ["rulebook"];
}

/** The command of the settings with the words of one sub-command. */
export function asked(command: readonly string[], ...words: readonly string[]): Asked {
  const [program, ...before] = command;
  if (program === undefined || program === "") {
    throw new Error("the setting `rulebook.command` is empty");
  }
  return { program, words: [...before, ...words] };
}

/** A file as a variant: one that begins with a hyphen is not taken for an option. */
export function variant(file: string): string {
  return file.startsWith("-") ? `./${file}` : file;
}

export const server = (command: readonly string[]): Asked => asked(command, "lsp");

export const play = (command: readonly string[], file: string): Asked =>
  asked(command, "play", variant(file));

export const board = (command: readonly string[], file: string, out: string): Asked =>
  asked(command, "board", variant(file), "--out", out);

/** All tests of a file, or those with a text in their names. */
export const test = (command: readonly string[], file: string, name?: string): Asked =>
  asked(command, "test", variant(file), ...(name === undefined ? [] : ["-k", name]));
