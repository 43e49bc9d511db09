// Decides what each column of a contact file becomes: as the request maps it, or guessed from its name in the exports of other programs.
import { invalidFields } from '../contract/refusal.js';
import { addressProblem } from '../lib/mime/index.js';
import { isEmailName, plainWord } from '../lib/rows/index.js';
import { looksLikeStatus, readOptOut } from './opt-out-fields.rules.js';

export const KNOWN_FIELDS = [
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'tags',
  'status',
  'metadata',
  'sub_tenant_id',
] as const;
export type KnownField = (typeof KNOWN_FIELDS)[number];

/** A field of the contact, a key of its metadata, or null if the column is left out. */
export type Column =
  /** `orKey` for a column that is not named `metadata`: a cell that is not a JSON object becomes this key of the metadata. */
  | { field: KnownField; orKey?: string }
  /** Without `isMapped`, a name that says that contacts opted out sets the status. */
  | { key: string; isMapped?: true }
  | null;

/** The targets of columns, by their names: a field of `KNOWN_FIELDS`, `metadata.<key>` or `ignore`. */
export type ColumnMapping = Readonly<Record<string, string>>;

/** Several columns may become one of these. */
const SHARED: ReadonlySet<KnownField> = new Set(['tags', 'status', 'metadata']);
/** Columns of an export that an import ignores. */
const EXPORTED_ONLY: ReadonlySet<string> = new Set(['id', 'object', 'consents', 'createdat', 'updatedat']);
const MAX_COLUMNS = 200;
const MAX_SHOWN_COLUMNS = 20;
export const MAX_KEY_CHARACTERS = 100;
const KEY_START = 'metadata.';

const words = (field: KnownField, list: string) => list.split(' ').map((word) => [word, field] as const);

/** By plain word without accents: English, German, French, Spanish, Italian, Portuguese, Dutch, and the words of Brevo, Google and Outlook. */
const FIELD_OF_WORD: ReadonlyMap<string, KnownField> = new Map([
  ...words('name', 'name fullname contactname displayname anzeigename vollername naam'),
  ...words('first_name', 'firstname givenname forename fname vorname prenom nombre nome voornaam'),
  ...words(
    'last_name',
    'lastname familyname surname lname nachname familienname nom apellido apellidos cognome sobrenome achternaam',
  ),
  ...words(
    'phone',
    'phone phonenumber phone1value primaryphone telephone mobile mobilephone mobilenumber cellphone sms telefon telefonnummer ' +
      'mobiltelefon mobil mobilnummer handy handynummer telefono telefone telefoon portable',
  ),
  ...words(
    'tags',
    'tags labels categories groupmembership schlagworte schlagworter kategorien etiquetas etiquettes',
  ),
  ...words('status', 'status'),
  ...words('metadata', 'metadata attributes attribs customfields data'),
  ...words('sub_tenant_id', 'subtenantid'),
]);

/** Decides what each column becomes. Refused with `validation_error` for a mapping that names no target, or one target twice. */
export function mapColumns(names: readonly string[], mapping: ColumnMapping): Column[] {
  const mapped = names.map((name) => mappedColumn(name, mapping));
  const taken = new Set<string>();
  for (const [i, column] of mapped.entries()) {
    if (!column || ('field' in column && SHARED.has(column.field))) continue;
    const target = columnTarget(column);
    if (taken.has(target)) throw mappingProblem(names[i] ?? '', `${target} is the target of two columns`);
    taken.add(target);
  }
  const guesses = names.map((name) => guessOf(name, names));
  const best = new Map<KnownField, number>();
  for (const [i, field] of guesses.entries()) {
    if (field === null || taken.has(field) || mapped[i] !== undefined) continue;
    const known = best.get(field);
    // The field's own name takes precedence over other spellings.
    if (known === undefined || (isOwnName(names[i], field) && !isOwnName(names[known], field)))
      best.set(field, i);
  }
  return names.map((name, i) => {
    const column = mapped[i];
    if (column !== undefined) return column;
    const field = guesses[i] ?? null;
    if (field !== null && (best.get(field) === i || SHARED.has(field))) {
      return field === 'metadata' && !isOwnName(name, field) ? { field, orKey: name } : { field };
    }
    return name === '' || EXPORTED_ONLY.has(plainWord(name)) ? null : { key: name };
  });
}

function mappedColumn(name: string, mapping: ColumnMapping): Column | undefined {
  const target = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  if (target === undefined) return undefined;
  if (target === 'ignore') return null;
  const field = KNOWN_FIELDS.find((known) => known === target);
  if (field !== undefined) return { field };
  return { key: target.slice(KEY_START.length), isMapped: true };
}

/** Refuses a mapping with `validation_error` unless every target is one. */
export function assertMapping(mapping: ColumnMapping): void {
  for (const [name, target] of Object.entries(mapping)) {
    const isField = target === 'ignore' || KNOWN_FIELDS.some((known) => known === target);
    const key = target.startsWith(KEY_START) ? target.slice(KEY_START.length) : '';
    if (isField || (key !== '' && key.length <= MAX_KEY_CHARACTERS)) continue;
    throw mappingProblem(name, `must be one of ${KNOWN_FIELDS.join(', ')}, metadata.<key> or ignore`);
  }
}

function mappingProblem(name: string, message: string): Error {
  return invalidFields([{ path: `columns.${name.slice(0, MAX_KEY_CHARACTERS)}`, message }]);
}

function guessOf(name: string, names: readonly string[]): KnownField | null {
  if (isEmailName(name)) return 'email';
  const word = unaccented(name);
  // A German file with a `Vorname` has the last name in `Name`.
  if (word === 'name' && names.some(isVorname) && !names.some(isLastName)) return 'last_name';
  return FIELD_OF_WORD.get(word) ?? null;
}

const isVorname = (name: string): boolean => unaccented(name) === 'vorname';
const isLastName = (name: string): boolean => FIELD_OF_WORD.get(unaccented(name)) === 'last_name';
const unaccented = (name: string): string => plainWord(name.normalize('NFD').replace(/\p{M}/gu, ''));

function isOwnName(name: string | undefined, field: KnownField): boolean {
  return plainWord(name ?? '') === plainWord(field);
}

/** Returns the target of a column, as a mapping names it. */
export function columnTarget(column: Column): string {
  if (column === null) return 'ignore';
  if ('field' in column) return column.field;
  const isStatus = column.isMapped !== true && readOptOut(column.key, '') !== null;
  return isStatus ? 'status' : `${KEY_START}${column.key}`;
}

/** Returns a sentence for a column that looks like a status, if nothing defines its meaning; otherwise null. */
export function statusWarning(column: Column): string | null {
  const isGuessed = column !== null && 'key' in column && column.isMapped !== true;
  return isGuessed && looksLikeStatus(column.key) ? statusLike(column.key) : null;
}

function statusLike(name: string): string {
  const shown = name.slice(0, MAX_KEY_CHARACTERS);
  return `Column ${shown} looks like a subscription status. Map it to status, ${KEY_START}${shown} or ignore.`;
}

export interface ContactHeader {
  names: string[];
  columns: Column[];
  /** False if the first row is an address itself. */
  hasHeader: boolean;
}

/** Columns by the first row. Refused with `validation_error` when they cannot be recognised. */
export function readHeader(cells: readonly string[], mapping: ColumnMapping): ContactHeader {
  const names = cells.map((cell) => cell.trim());
  if (names.length > MAX_COLUMNS) throw problem(`The header row has more than ${MAX_COLUMNS} columns.`);
  if (names.length === 1 && addressProblem(names[0] ?? '') === null) {
    return { names: ['email'], columns: [{ field: 'email' }], hasHeader: false };
  }
  const lost = Object.keys(mapping).find((name) => !names.includes(name));
  if (lost !== undefined)
    throw mappingProblem(lost, `is not a column of the file. Columns: ${shownNames(names)}`);
  const plain = names.map((name) => name.toLowerCase());
  const twice = names.find((name, i) => name !== '' && plain.indexOf(name.toLowerCase()) < i);
  if (twice !== undefined) throw problem(`The column ${twice.slice(0, MAX_KEY_CHARACTERS)} occurs twice.`);
  const long = names.find((name) => name.length > MAX_KEY_CHARACTERS);
  if (long !== undefined) {
    throw problem(`A column name is longer than ${MAX_KEY_CHARACTERS} characters.`);
  }
  return { names, columns: mapColumns(names, mapping), hasHeader: true };
}

/** Refuses with `validation_error` a file of which no column has the addresses. */
export function assertAddresses({ names, columns }: Pick<ContactHeader, 'names' | 'columns'>): void {
  if (columns.some((column) => column !== null && 'field' in column && column.field === 'email')) return;
  throw problem(
    `The first row must contain the column names, including email. It contains: ${shownNames(names)}. Map the column with the addresses to email.`,
  );
}

function shownNames(names: readonly string[]): string {
  return names
    .filter((name) => name !== '')
    .slice(0, MAX_SHOWN_COLUMNS)
    .join(', ');
}

function problem(message: string): Error {
  return invalidFields([{ path: 'body', message }]);
}
