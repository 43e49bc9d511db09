// Compiles the formats of delivery reports without a standard part from config/dsn-rules.json.
import { compileSafePattern, patternProblem } from '../patterns/index.js';
import { type DataReader, readOperatorData } from '../config/index.js';

const MAX_FORMATS = 300;
const MAX_PATTERNS = 40;
const FIELD_NAME = /^[a-z][a-z0-9-]{0,60}$/;
const ACTIONS = ['failed', 'delayed', 'none'] as const;

/** Location of an address: in a header field, on a line after the match, or in the list below a line. */
export type RecipientPlace =
  | { in: 'field'; name: string }
  | { in: 'line'; pattern: RegExp }
  | { in: 'list'; pattern: RegExp };

/** A pattern for a header field's value or for any line of the text. */
export type FormatSign = { in: 'field'; name: string; pattern: RegExp } | { in: 'text'; pattern: RegExp };

export interface BounceFormat {
  name: string;
  /** All must match. */
  when: readonly FormatSign[];
  /** The action that a report of this format means; `none` if it only resembles a report. */
  action: (typeof ACTIONS)[number];
  /** The format is so general that only a code in the report counts. */
  isGuess: boolean;
  /** Lines that make the report a delay warning. */
  delays: readonly RegExp[];
  /** The first one that yields an address is used. */
  recipients: readonly RecipientPlace[];
  /**
   * The reply follows the match, on its line or below. Without patterns, it is looked for after the address.
   */
  replies: readonly RegExp[];
  /** The remote host's name is in the pattern's group, or follows the match. */
  hosts: readonly RegExp[];
  /** The copy of the message begins below this line. */
  originals: readonly RegExp[];
}

export interface DsnRules {
  /** The first match is used. */
  formats: readonly BounceFormat[];
  /** For every format, after its own. */
  hosts: readonly RegExp[];
  originals: readonly RegExp[];
  /** Lines that end the text of a reply. */
  stops: readonly RegExp[];
}

const FORMAT_KEYS = [
  'name',
  'when',
  'action',
  'guess',
  'delays',
  'recipients',
  'replies',
  'hosts',
  'originals',
];

/** Matches nothing. */
const NEVER = /(?!)/;

/** Compiles the content of config/dsn-rules.json. Throws DataProblems with every mistake in it. */
export function compileDsnRules(json: unknown): DsnRules {
  return readOperatorData('dsn rules', (reader) => {
    const file = reader.fields(json, 'the file', ['formats', 'hosts', 'originals', 'stops']);
    const names = new Set<string>();
    const formats = reader.list(file['formats'], 'formats', MAX_FORMATS).map((value, i) => {
      const format = readFormat(reader, value, `formats[${i}]`);
      if (names.has(format.name)) reader.problem(`formats[${i}].name`, 'is used twice');
      names.add(format.name);
      return format;
    });
    const shared = (key: string): RegExp[] => readPatterns(reader, file[key], key);
    return { formats, hosts: shared('hosts'), originals: shared('originals'), stops: shared('stops') };
  });
}

function readFormat(reader: DataReader, value: unknown, place: string): BounceFormat {
  const fields = reader.fields(value, place, FORMAT_KEYS);
  const { name, action, guess = false } = fields;
  const when = reader
    .list(fields['when'], `${place}.when`, MAX_PATTERNS)
    .map((sign, i) => readSign(reader, sign, `${place}.when[${i}]`));
  if (when.length === 0) reader.problem(`${place}.when`, 'must have at least one sign');
  if (typeof guess !== 'boolean') reader.problem(`${place}.guess`, 'must be true or false');
  const patterns = (key: string): RegExp[] => readPatterns(reader, fields[key], `${place}.${key}`);
  return {
    name: reader.name(name, `${place}.name`) ?? place,
    when,
    action: action === undefined ? 'failed' : (reader.oneOf(action, `${place}.action`, ACTIONS) ?? 'failed'),
    isGuess: guess === true,
    delays: patterns('delays'),
    recipients: readPlaces(reader, fields['recipients'], `${place}.recipients`),
    replies: patterns('replies'),
    hosts: patterns('hosts'),
    originals: patterns('originals'),
  };
}

function readSign(reader: DataReader, value: unknown, place: string): FormatSign {
  const { field, pattern, text } = reader.fields(value, place, ['field', 'pattern', 'text']);
  if (text !== undefined) {
    if (field !== undefined || pattern !== undefined) {
      reader.problem(place, 'must have either a field or a text, not both');
    }
    return { in: 'text', pattern: readPattern(reader, text, `${place}.text`) };
  }
  return {
    in: 'field',
    name: readFieldName(reader, field, `${place}.field`),
    pattern: readPattern(reader, pattern, `${place}.pattern`),
  };
}

function readPlaces(reader: DataReader, value: unknown, place: string): RecipientPlace[] {
  if (value === undefined) return [];
  return reader.list(value, place, MAX_PATTERNS).map((item, i): RecipientPlace => {
    const at = `${place}[${i}]`;
    const { field, line, list } = reader.fields(item, at, ['field', 'line', 'list']);
    const given = [field, line, list].filter((one) => one !== undefined);
    if (given.length !== 1) reader.problem(at, 'must have exactly one of field, line and list');
    if (field !== undefined) return { in: 'field', name: readFieldName(reader, field, `${at}.field`) };
    if (line !== undefined) return { in: 'line', pattern: readPattern(reader, line, `${at}.line`) };
    return { in: 'list', pattern: readPattern(reader, list ?? '', `${at}.list`) };
  });
}

function readFieldName(reader: DataReader, value: unknown, place: string): string {
  if (typeof value === 'string' && FIELD_NAME.test(value)) return value;
  reader.problem(place, 'must be a lowercase header field name');
  return '';
}

function readPatterns(reader: DataReader, value: unknown, place: string): RegExp[] {
  if (value === undefined) return [];
  return reader
    .list(value, place, MAX_PATTERNS)
    .map((source, i) => readPattern(reader, source, `${place}[${i}]`));
}

function readPattern(reader: DataReader, value: unknown, place: string): RegExp {
  const source = typeof value === 'string' ? value : '';
  const problem = patternProblem(source) ?? countsProblem(source);
  if (problem === null) return compileSafePattern(source);
  reader.problem(place, problem);
  return NEVER;
}

/**
 * Allows one repetition per alternative. A report has up to a thousand lines, and two repetitions would cost
 * too much on each.
 */
function countsProblem(source: string): string | null {
  const isDouble = source
    .replace(/\\./g, 'x')
    .split('|')
    .some((branch) => branch.split('{').length > 2);
  return isDouble ? 'must have at most one repetition in an alternative' : null;
}
