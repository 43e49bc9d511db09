// Mailchimp, read from an export: the archive of an account or an audience, or one CSV file of an audience.
import { isEmailName } from '../../lib/rows/index.js';
import { translateMailchimpTemplate } from '../dialects/mailchimp-templates.rules.js';
import { type ContactItem, leftOut, type Membership, type RecordedConsent } from '../items.rules.js';
import { type CsvPerson, readPeople } from '../uploads/csv-rows.js';
import { ITEM_PAGES, type ItemLine, itemLines } from '../uploads/item-lines.js';
import { firstOctets } from '../uploads/unpacked.js';
import { type Upload, unusableFile } from '../uploads/upload.js';
import { type ArchiveEntry, openArchive } from '../uploads/zip-archive.js';
import { filled } from '../values.rules.js';
import type { FileSource } from './source.js';

const ZIP_MAGIC = Buffer.from('PK\x03\x04');
/** Size of the largest template, with room for markup that is removed. */
const MAX_TEMPLATE_BYTES = 1024 * 1024;
/** Name of an audience that neither the file nor the request names. */
const DEFAULT_NAME = 'Mailchimp';
/** Largest number of audiences of one account. */
const MAX_AUDIENCES = 1_000;

/** Columns that Mailchimp adds to those of the audience. */
const SYSTEM = new Set([
  ...['MEMBER_RATING', 'OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_TIME', 'CONFIRM_IP', 'LATITUDE', 'LONGITUDE'],
  ...['GMTOFF', 'DSTOFF', 'TIMEZONE', 'CC', 'REGION', 'LAST_CHANGED', 'LEID', 'EUID', 'EMAIL_TYPE'],
  ...['UNSUB_TIME', 'UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON', 'UNSUB_REASON_OTHER'],
  ...['CLEAN_TIME', 'CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID', 'NOTES'],
]);
const NOT_AN_EXPORT =
  'is not a Mailchimp export. Upload the ZIP file of an account or audience export, or a CSV file from it with the columns that Mailchimp adds, such as MEMBER_RATING';

type Status = 'subscribed' | 'unsubscribed' | 'cleaned' | 'nonsubscribed';
/** Words of file names. Account exports call contacts that are not subscribed transactional. */
const STATUS_OF_WORD: ReadonlyMap<string, Status> = new Map([
  ['subscribed', 'subscribed'],
  ['unsubscribed', 'unsubscribed'],
  ['cleaned', 'cleaned'],
  ['nonsubscribed', 'nonsubscribed'],
  ['transactional', 'nonsubscribed'],
]);
/** Words of file names that name neither the audience nor the status. */
const COMMON_WORD = /^(?:email|sms|audiences?|lists?|members?|segment|contacts|export|[0-9a-f]{8,})$/i;
/** The folder of an account export that has the audiences. */
const LISTS = /(?:^|\/)(?:lists|audiences)\//i;

export const MAILCHIMP: FileSource = { receive, pages: ITEM_PAGES };

async function* receive(upload: Upload): AsyncGenerator<Uint8Array> {
  const { head, all } = await firstOctets(upload.pieces, ZIP_MAGIC.length);
  const isArchive = ZIP_MAGIC.equals(head.subarray(0, ZIP_MAGIC.length));
  yield* itemLines(
    isArchive ? archiveItems({ ...upload, pieces: all }) : fileItems({ ...upload, pieces: all }),
  );
}

async function* archiveItems(upload: Upload): AsyncGenerator<ItemLine> {
  const entries = await openArchive(await upload.spool(upload.pieces), isWanted);
  const files = entries
    .filter(({ path }) => isAudience(path))
    .map((entry) => ({ entry, ...readFileName(entry.path) }));
  if (upload.name !== null && new Set(files.map(({ audience }) => audience)).size > 1) {
    throw unusableFile('has several audiences, which keep their names. Import it without name');
  }
  const audiences = new Set<string>();
  for (const { entry, status, audience, isSms } of files) {
    const { path } = entry;
    if (isSms) {
      const problem = 'The file contains SMS marketing contacts, which are not imported.';
      yield { kind: 'contacts', leftOut: leftOut({ externalId: path, name: path }, problem) };
      continue;
    }
    const listId = upload.name ?? audience;
    yield* audienceOnce(audiences, listId);
    yield* peopleOf(entry.read(), { charset: upload.charset, status, listId, path });
  }
  const templates = entries.filter(({ path }) => isTemplate(path));
  if (files.length === 0 && templates.length === 0) throw unusableFile(NOT_AN_EXPORT);
  for (const entry of templates) yield await templateOf(entry);
}

async function* fileItems(upload: Upload): AsyncGenerator<ItemLine> {
  const name = upload.name ?? DEFAULT_NAME;
  yield* audienceOnce(new Set(), name);
  yield* peopleOf(upload.pieces, { charset: upload.charset, status: null, listId: name, path: null });
}

function isTemplate(path: string): boolean {
  return /(?:^|\/)templates\/(?:.*\/)?[^/]+\.html?$/i.test(path);
}

function isAudience(path: string): boolean {
  if (!/\.csv$/i.test(path)) return false;
  return LISTS.test(path) || readFileName(path).status !== null;
}

function isWanted(path: string): boolean {
  return !path.startsWith('__MACOSX/') && (isTemplate(path) || isAudience(path));
}

/** Reads the status, null if the columns decide, and the name of the audience, which the file or its folder has. */
function readFileName(path: string): { status: Status | null; audience: string; isSms: boolean } {
  const parts = path.replace(/\.csv$/i, '').split('/');
  const file = wordsOf(parts.at(-1) ?? '');
  const status = file.flatMap((word) => STATUS_OF_WORD.get(word.toLowerCase()) ?? []).at(0) ?? null;
  const own = file.filter(isOwnWord);
  const words = own.length > 0 ? own : wordsOf(parts.at(-2) ?? '').filter(isOwnWord);
  return {
    status,
    audience: words.join(' ') || DEFAULT_NAME,
    isSms: /(?:^|_)sms_/i.test(parts.at(-1) ?? ''),
  };
}

function wordsOf(name: string): string[] {
  const joined = name.replace(/non[-_\s]+subscribed/i, 'nonsubscribed');
  return joined.split(/[-_\s.()]+/).filter((word) => word !== '');
}

function isOwnWord(word: string): boolean {
  return !COMMON_WORD.test(word) && !STATUS_OF_WORD.has(word.toLowerCase());
}

function* audienceOnce(known: Set<string>, name: string): Generator<ItemLine> {
  if (known.has(name)) return;
  if (known.size >= MAX_AUDIENCES) throw unusableFile(`has more than ${MAX_AUDIENCES} audiences`);
  known.add(name);
  yield { kind: 'lists', item: { externalId: name, name, description: null, doubleOptIn: false } };
}

interface AudienceFile {
  charset: string | null;
  /** Null if the columns decide. */
  status: Status | null;
  listId: string;
  /** Path in an archive, whose names show that it is an export. `null` for a separate file, whose columns must show it. */
  path: string | null;
}

async function* peopleOf(
  pieces: AsyncIterable<Uint8Array>,
  { charset, status, listId, path }: AudienceFile,
): AsyncGenerator<ItemLine> {
  let isChecked = false;
  for await (const { names, people } of readPeople(pieces, charset)) {
    if (!isChecked && names.length > 0) {
      isChecked = true;
      const hasAddresses = names.some(isEmailName);
      if (path !== null && !hasAddresses) {
        const problem = 'The file has no column with email addresses.';
        yield { kind: 'contacts', leftOut: leftOut({ externalId: path, name: path }, problem) };
        return;
      }
      const isExport = path !== null || names.some((name) => SYSTEM.has(name));
      if (!hasAddresses || !isExport) throw unusableFile(NOT_AN_EXPORT);
    }
    for (const person of people) yield* linesOf(person, status ?? statusOf(names), listId);
  }
}

function statusOf(names: readonly string[]): Status {
  if (names.includes('CLEAN_TIME')) return 'cleaned';
  return names.includes('UNSUB_TIME') ? 'unsubscribed' : 'subscribed';
}

/** People who left or whose mail bounced are suppressed. Cleaned addresses do not become contacts. */
function* linesOf(person: CsvPerson, status: Status, listId: string): Generator<ItemLine> {
  const { email: name, others, problem } = person;
  const externalId = others.get('LEID') ?? name;
  if (problem !== null) {
    const item = { externalId: `line ${person.line}`, name: `line ${person.line}` };
    yield { kind: 'contacts', leftOut: leftOut(item, problem) };
    return;
  }
  if (status === 'cleaned') {
    yield { kind: 'suppressions', item: { externalId, name, reason: 'bounce' } };
    return;
  }
  if (status === 'unsubscribed') {
    yield { kind: 'suppressions', item: { externalId, name, reason: 'unsubscribe' } };
  }
  yield { kind: 'contacts', item: contactOf(person, { externalId, status, listId }) };
}

function contactOf(
  { email, fullName, phone, tags, others }: CsvPerson,
  { externalId, status, listId }: { externalId: string; status: Status; listId: string },
): ContactItem {
  const fields = [...others].filter(([name]) => !SYSTEM.has(name));
  const notes = filled(others.get('NOTES'));
  const leftAt = filled(others.get('UNSUB_TIME'));
  return {
    ...{ externalId, name: email, fullName, tags },
    ...(phone === '' ? {} : { phone }),
    metadata: {
      ...Object.fromEntries(fields),
      ...(notes === null ? {} : { notes }),
      ...(leftAt === null ? {} : { unsubscribed_at: leftAt }),
    },
    status: status === 'unsubscribed' ? 'unsubscribed' : 'active',
    memberships: membershipsOf(others, status, listId),
  };
}

/** People who are not subscribed have never asked for mail of the audience. */
function membershipsOf(others: CsvPerson['others'], status: Status, listId: string): Membership[] {
  if (status === 'nonsubscribed') return [];
  if (status === 'unsubscribed') return [{ listId, state: 'unsubscribed' }];
  return [{ listId, state: 'subscribed', consent: consentOf(others) }];
}

/** Mailchimp writes times in UTC, without a zone. */
function consentOf(others: CsvPerson['others']): RecordedConsent | undefined {
  const asked = others.get('OPTIN_TIME');
  const time = asked ?? others.get('CONFIRM_TIME') ?? '';
  const givenAt = Date.parse(`${time.replace(' ', 'T')}Z`);
  if (Number.isNaN(givenAt)) return undefined;
  return {
    event: 'joined',
    // Without the time of a request, the account's owner added the person.
    actor: asked === undefined ? 'provider' : 'recipient',
    ...{ actorId: null, source: 'Mailchimp', userAgent: null, givenAt },
    ip: filled(others.get('OPTIN_IP') ?? others.get('CONFIRM_IP')),
  };
}

async function templateOf(entry: ArchiveEntry): Promise<ItemLine> {
  const name = (entry.path.split('/').pop() ?? entry.path).replace(/\.html?$/i, '');
  const item = { externalId: entry.path, name };
  if (entry.bytes > MAX_TEMPLATE_BYTES) {
    return { kind: 'templates', leftOut: leftOut(item, 'The template is larger than 1 MiB.') };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.read()) pieces.push(piece);
  const { text: html, problems } = translateMailchimpTemplate(Buffer.concat(pieces).toString('utf8'));
  if (problems.length > 0) return { kind: 'templates', leftOut: { ...item, problems } };
  return { kind: 'templates', item: { ...item, slug: null, subject: null, html: filled(html), text: null } };
}
