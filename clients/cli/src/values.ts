// Values of the command line, converted to those of the API: options by the kind of their field, and --data.
import { readFile } from 'node:fs/promises';
import { usageError } from './exit-code.js';
import type { Field } from './operation.js';
import type { World } from './world.js';

export const kebab = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replace(/(?<=[a-z0-9])[A-Z]/g, '-$&')
    .toLowerCase();

export const camel = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** Converts an option to the type of its field. `-` reads standard input, `@file` reads a file, and `@@` is an at sign. */
export async function valueOf(world: World, field: Field, given: unknown): Promise<unknown> {
  if (field.kind === 'boolean') return given;
  if (field.kind === 'list') {
    // Options that may be repeated arrive as a list.
    return (given as string[]).flatMap((one) => one.split(',')).map((one) => one.trim());
  }
  const flag = `--${kebab(field.name)}`;
  const text = await textOf(world, String(given), flag);
  if (field.kind === 'number') {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number))
      throw usageError(`${flag} must be a number, not "${text}".`);
    return number;
  }
  if (field.kind === 'json') return parseJson(text, flag);
  if (field.kind === 'any' && /^\s*[[{]/.test(text)) return parseJson(text, flag);
  return text;
}

/**
 * Returns the text of an option, of the file that it names with @, or of standard input. On a terminal, a hidden prompt asks for
 * it.
 */
export async function textOf(world: World, given: string, flag: string): Promise<string> {
  if (given === '-') {
    if (world.isInteractive) return world.prompts.secret(flag);
    return (await world.readStdin()).toString('utf8').replace(/\r?\n$/, '');
  }
  if (given.startsWith('@@')) return given.slice(1);
  return given.startsWith('@') ? (await readBytes(world, given.slice(1), flag)).toString('utf8') : given;
}

/** `-` is standard input. */
export async function readBytes(world: World, path: string, flag: string): Promise<Buffer> {
  if (path === '-') return world.readStdin();
  try {
    return await readFile(path);
  } catch (error) {
    throw usageError(
      `${flag}: can't read ${path} (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}

const ROWS_FORMATS = ['csv', 'ndjson', 'json'] as const;

/** Returns the format of a file of rows: `--format`, or by the file's extension. */
export function rowsFormatOf(path: string, given: string | undefined): (typeof ROWS_FORMATS)[number] {
  const ending = /\.(ndjson|jsonl|json)$/i.exec(path)?.[1]?.toLowerCase() ?? 'csv';
  const found = ROWS_FORMATS.find((one) => one === (given ?? (ending === 'jsonl' ? 'ndjson' : ending)));
  if (found === undefined) throw usageError('--format must be csv, ndjson or json.');
  return found;
}

export function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(
      `${flag} is not valid JSON: ${reason}.`,
      'Pass an object like \'{"name":"Ann"}\', or a file with @file.json.',
    );
  }
}

/** `--data`: an object, inline, from @file.json or from standard input with `-`. */
export async function dataOf(world: World, given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const text =
    given === '-' ? (await world.readStdin()).toString('utf8') : await textOf(world, given, '--data');
  const data = parseJson(text, '--data');
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw usageError('--data must be a JSON object, for example \'{"name":"Ann"}\'.');
  }
  return data as Record<string, unknown>;
}
