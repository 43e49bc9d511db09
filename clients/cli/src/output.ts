// Output of commands: tables and plain lines on a terminal, one JSON document otherwise. Texts of the server can contain other
// people's input, so control characters never reach the terminal.
import { styleText } from 'node:util';
import width from 'fast-string-width';
import type { World } from './world.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Printer {
  /** JSON is wanted: with --json, or into a pipe. */
  isJson: boolean;
  /** `value` as JSON, or the text. */
  show(value: unknown, text: () => string): void;
  /** One line of a tail: a JSON line, or the text. */
  line(value: unknown, text: () => string): void;
  /** For people only, on standard error, so that it does not mix with the output. */
  note(text: string): void;
  paint(style: Style, text: string): string;
  columns: number;
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

export function createPrinter(world: World, options: { json?: boolean; color?: boolean }): Printer {
  const { stdout, stderr, env } = world;
  const isJson = options.json === true || stdout.isTTY !== true;
  const hasColor =
    options.color !== false && stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return {
    isJson,
    columns: stdout.columns ?? 100,
    show: (value, text) =>
      void stdout.write(isJson ? `${jsonText(value, 2)}\n` : `${harmless(text().trimEnd())}\n`),
    line: (value, text) => void stdout.write(isJson ? `${jsonText(value, 0)}\n` : `${harmless(text())}\n`),
    note: (text) => void stderr.write(`${harmless(text)}\n`),
    paint: (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text),
  };
}

const COLOR_OR_CONTROL =
  /\u001b\[[0-9;]*m|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes everything from the output that must not reach a terminal. Keeps text, line breaks and the program's own colors. */
function harmless(text: string): string {
  return text.replace(COLOR_OR_CONTROL, (found) => (found.endsWith('m') ? found : ''));
}

/** JSON may be shown in a terminal too, so control sequences are escaped, which changes no value. */
export function jsonText(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes control characters and characters that change the text direction. Replaces line breaks and tabs with spaces. */
export function cleanText(text: string): string {
  return text
    .replace(/[\t\r\n]+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The same for a text of several lines. */
export function cleanLines(text: string): string {
  return text.split(/\r?\n/).map(cleanText).join('\n');
}

/** Columns as wide as their widest cell; cells of a table that is too wide are cut. */
export function table(
  printer: Printer,
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const cells = rows.map((row) => head.map((_name, i) => cellText(row[i])));
  const widths = head.map((name, i) => Math.max(width(name), ...cells.map((row) => width(row[i] ?? ''))));
  shrink(widths, printer.columns - 2 * (head.length - 1));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cut(cell, widths[i] ?? 0), i === row.length - 1 ? 0 : (widths[i] ?? 0)))
      .join('  ');
  const isStatus = head.indexOf('status');
  const painted = cells.map((row) => {
    const text = line(row).trimEnd();
    const status = isStatus === -1 ? undefined : row[isStatus];
    const style = status === undefined ? null : styleOf(status);
    return style === null || status === undefined ? text : text.replace(status, printer.paint(style, status));
  });
  return [printer.paint('bold', line(head)), ...painted].join('\n');
}

/** Shrinks the widest columns until all fit. Identifiers, which come first, are not shortened. */
function shrink(widths: number[], room: number): void {
  let surplus = widths.reduce((sum, one) => sum + one, 0) - room;
  while (surplus > 0) {
    const widest = Math.max(...widths.slice(1));
    if (!(widest > 12)) return;
    const at = widths.indexOf(widest, 1);
    widths[at] = widest - 1;
    surplus -= 1;
  }
}

function pad(text: string, size: number): string {
  return text + ' '.repeat(Math.max(0, size - width(text)));
}

function cut(text: string, size: number): string {
  if (width(text) <= size) return text;
  let short = '';
  for (const character of text) {
    if (width(short + character) > size - 1) break;
    short += character;
  }
  return `${short}…`;
}

const GOOD = [
  'delivered',
  'verified',
  'ok',
  'pass',
  'completed',
  'succeeded',
  'enabled',
  'opened',
  'clicked',
  'working',
];
const BAD = [
  'bounced',
  'failed',
  'fail',
  'complained',
  'missing',
  'mismatch',
  'suspended',
  'disabled',
  'expired',
];
const UNSURE = [
  'warn',
  'pending',
  'queued',
  'throttled',
  'paused',
  'warned',
  'unknown',
  'suppressed',
  'leaving',
];

export function styleOf(status: string): Style | null {
  if (GOOD.includes(status)) return 'green';
  if (BAD.includes(status)) return 'red';
  const isUnsure = UNSURE.includes(status) || /^(pending|deferred|in doubt)/.test(status);
  return isUnsure ? 'yellow' : null;
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return cleanText(value.join(', ')) || '-';
  if (typeof value === 'object') {
    const { email } = value as { email?: unknown };
    return cleanText(typeof email === 'string' ? email : JSON.stringify(value));
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string
  return cleanText(typeof value === 'string' ? shortTime(value) : String(value));
}

/** Milliseconds and the letters of ISO 8601 are in the way of a reader. */
function shortTime(text: string): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text);
  return found === null ? text : `${found[1]} ${found[2]}`;
}

/** Names and values, one a line; objects within objects are indented. */
export function fields(printer: Printer, value: Row, indent = ''): string {
  const entries = Object.entries(value).filter(
    ([name]) => name !== 'object' || typeof value['object'] !== 'string',
  );
  const size = Math.max(0, ...entries.map(([name]) => name.length));
  return entries
    .map(([name, one]) => {
      const label = `${indent}${printer.paint('dim', name.padEnd(size))}`;
      if (isRows(one)) return `${label}\n${rowsText(printer, one, `${indent}  `)}`;
      if (isRow(one) && Object.keys(one).length > 0)
        return `${label}\n${fields(printer, one, `${indent}  `)}`;
      if (typeof one === 'string' && one.includes('\n')) return `${label}\n${cleanLines(one)}`;
      const text = name === 'status' ? statusText(value) : cellText(one);
      const style = name === 'status' ? styleOf(text) : null;
      return `${label}  ${style === null ? text : printer.paint(style, text)}`;
    })
    .join('\n');
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

function rowsText(printer: Printer, rows: readonly Row[], indent: string): string {
  return listText({ ...printer, columns: printer.columns - indent.length }, rows)
    .split('\n')
    .map((line) => indent + line)
    .join('\n');
}

/** The most useful columns, in order. Columns that a kind of object lacks are left out. */
const PREFERRED = [
  'id',
  'occurred_at',
  'at',
  'event',
  'email',
  'to',
  'name',
  'slug',
  'domain',
  'url',
  'host',
  'type',
  'subject',
  'status',
  'state',
  'mode',
  'permission',
  'role',
  'reason',
  'method',
  'path',
  'code',
  'kind',
  'total',
  'count',
  'purpose',
  'value',
  'actor',
  'action',
  'key_prefix',
  'default',
  'contacts',
  'processed',
  'failed',
  'created_at',
];
const MOST_COLUMNS = 6;

/** Returns the status of a row and, for a message that waits, the time of its next attempt. */
function statusText(row: Row): string {
  const status = cellText(row['status']);
  const last = row['last_attempt'];
  if (!isRow(last) || !['queued', 'sending', 'sent'].includes(status)) return status;
  const { outcome, number, next_attempt_at: nextAt } = last;
  if (outcome === 'delivered') return status;
  if (typeof nextAt !== 'string') return outcome === 'ambiguous' ? 'in doubt' : 'deferred';
  return `deferred, attempt ${Number(number) + 1} at ${cellText(nextAt)}`;
}

/** A table of objects of one kind. */
export function listText(printer: Printer, rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return 'No results.';
  const names = Object.keys(first);
  const preferred = PREFERRED.filter((name) => names.includes(name));
  const others = names.filter(
    (name) => name !== 'object' && !preferred.includes(name) && !isRow(first[name]),
  );
  const columns = [...preferred, ...(preferred.length < 3 ? others : [])].slice(0, MOST_COLUMNS);
  return table(
    printer,
    columns,
    rows.map((row) => columns.map((name) => (name === 'status' ? statusText(row) : row[name]))),
  );
}
