// The sources of account imports, the kinds of objects that each of them has, and the counts by kind.

export const IMPORT_KINDS = [
  'sub_tenants',
  'suppressions',
  'lists',
  'contacts',
  'templates',
  'domains',
  'webhooks',
  'saved_blocks',
  'sequences',
  'campaigns',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Sources with an API. */
export const API_SOURCES = ['brevo', 'listmonk', 'mailgun', 'postmark', 'resend', 'sendgrid', 'ses'] as const;
export type ApiSourceName = (typeof API_SOURCES)[number];
/** Sources that are files. */
export const FILE_SOURCES = ['listmonk', 'mailchimp', 'mailkeel', 'postal'] as const;
export type FileSourceName = (typeof FILE_SOURCES)[number];
/** Files of which the request can name the audience or the server. */
export const NAMED_FILES = ['mailchimp', 'postal'] as const satisfies readonly FileSourceName[];
export type ImportSource = ApiSourceName | FileSourceName;
/** Sources with an API and a file once. */
export const IMPORT_SOURCES: readonly ImportSource[] = [...new Set([...API_SOURCES, ...FILE_SOURCES])];

export const VENDOR_NAMES: Readonly<Record<ImportSource, string>> = {
  brevo: 'Brevo',
  listmonk: 'listmonk',
  mailchimp: 'Mailchimp',
  mailgun: 'Mailgun',
  postal: 'Postal',
  postmark: 'Postmark',
  resend: 'Resend',
  sendgrid: 'SendGrid',
  ses: 'Amazon SES',
  mailkeel: 'Mailkeel',
};

const VENDOR_KINDS = ['suppressions', 'lists', 'contacts', 'templates', 'domains', 'webhooks'] as const;

/**
 * Kinds that a source has, in the order in which they are imported: contacts join lists, and campaigns name lists and templates. listmonk sends
 * from any domain and has no webhooks, and Postmark has no contacts.
 */
export const KINDS_OF_SOURCE: Readonly<Record<ImportSource, readonly ImportKind[]>> = {
  brevo: VENDOR_KINDS,
  listmonk: ['suppressions', 'lists', 'contacts', 'templates'],
  mailchimp: ['suppressions', 'lists', 'contacts', 'templates'],
  mailgun: VENDOR_KINDS,
  postal: ['suppressions', 'domains', 'webhooks'],
  postmark: ['suppressions', 'templates', 'domains', 'webhooks'],
  resend: [...VENDOR_KINDS, 'campaigns'],
  sendgrid: VENDOR_KINDS,
  ses: ['suppressions', 'lists', 'contacts', 'templates', 'domains'],
  mailkeel: [
    ...([
      'sub_tenants',
      'suppressions',
      'templates',
      'saved_blocks',
      'lists',
      'contacts',
      'domains',
    ] as const),
    ...(['webhooks', 'sequences', 'campaigns'] as const),
  ],
};

export interface KindCounts {
  found: number;
  created: number;
  updated: number;
  unchanged: number;
  left_out: number;
}

export type Counts = Partial<Record<ImportKind, KindCounts>>;

const NONE: KindCounts = { found: 0, created: 0, updated: 0, unchanged: 0, left_out: 0 };

export function countsOf(counts: Counts, kind: ImportKind): KindCounts {
  return counts[kind] ?? NONE;
}

/** Adds counts of a step. */
export function addCounts(counts: Counts, kind: ImportKind, added: KindCounts): Counts {
  const before = countsOf(counts, kind);
  const sum = {
    found: before.found + added.found,
    created: before.created + added.created,
    updated: before.updated + added.updated,
    unchanged: before.unchanged + added.unchanged,
    left_out: before.left_out + added.left_out,
  };
  return { ...counts, [kind]: sum };
}
