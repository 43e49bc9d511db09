// Output of commands: text for a person at a terminal, JSON for a program.
import type { Clock } from '../lib/runtime/index.js';
import type { LoadedConfig } from '../settings/load.js';

export interface Terminal {
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown };
  readStdin: () => Promise<string>;
  loadConfig: () => LoadedConfig;
  clock: Clock;
  /** Exit code of the process; 0 until a command sets another. */
  exitCode: number;
}

export interface OutputOptions {
  json?: boolean;
}

/** Prints `value` as JSON with `--json` or into a pipe, otherwise `text`. */
export function print(terminal: Terminal, options: OutputOptions, value: unknown, text: string): void {
  const asJson = options.json === true || terminal.stdout.isTTY !== true;
  terminal.stdout.write(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Pads columns to their widest cell, except the last one. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
