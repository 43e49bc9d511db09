// Groups and adds up the sums of reports, and explains them in sentences.
import { DMARC_CLASSES, type DmarcClass } from './dmarc-class.rules.js';

export const DMARC_GROUPS = ['source', 'reporter', 'day', 'domain'] as const;
export type DmarcGroup = (typeof DMARC_GROUPS)[number];
export const TLS_GROUPS = ['result', 'reporter', 'day', 'domain', 'mx_host'] as const;
export type TlsGroup = (typeof TLS_GROUPS)[number];

/** Maximum number of groups in one response. */
export const MOST_GROUPS = 100;
const NAMED_SOURCES = 3;

/** Number of messages with the same key, class, reason and disposition. */
export interface DmarcCount {
  /** '' if nothing is grouped, and for the rows that the limits combined. */
  key: string;
  class: DmarcClass;
  reason: string;
  disposition: string;
  messages: number;
}

interface DmarcTotals {
  messages: number;
  classes: Record<DmarcClass, number>;
  dispositions: { none: number; quarantine: number; reject: number };
  /** Reasons of messages that are not `ours_aligned`. */
  reasons: string[];
}

export function dmarcTotals(counts: readonly DmarcCount[]): DmarcTotals {
  const totals: DmarcTotals = {
    messages: 0,
    classes: { ours_aligned: 0, ours_not_aligned: 0, forwarded: 0, foreign: 0 },
    dispositions: { none: 0, quarantine: 0, reject: 0 },
    reasons: [],
  };
  const reasons = new Set<string>();
  for (const { class: found, reason, disposition, messages } of counts) {
    totals.messages += messages;
    totals.classes[found] += messages;
    if (disposition === 'quarantine' || disposition === 'reject')
      totals.dispositions[disposition] += messages;
    else totals.dispositions.none += messages;
    if (reason !== '') reasons.add(reason);
  }
  return { ...totals, reasons: [...reasons].sort() };
}

export interface DmarcGroupTotals extends DmarcTotals {
  key: string;
}

/** Sorts the largest groups first, and days chronologically. */
export function dmarcGroups(counts: readonly DmarcCount[], group: DmarcGroup): DmarcGroupTotals[] {
  const byKey = new Map<string, DmarcCount[]>();
  for (const count of counts) {
    const known = byKey.get(count.key);
    if (known) known.push(count);
    else byKey.set(count.key, [count]);
  }
  const groups = [...byKey].map(([key, of]) => ({ key, ...dmarcTotals(of) }));
  return groups.sort((a, b) =>
    group === 'day' ? Number(a.key) - Number(b.key) : b.messages - a.messages || (a.key < b.key ? -1 : 1),
  );
}

interface Span {
  domain: string | null;
  /** `2026-03-01`, both inclusive. */
  firstDay: string;
  lastDay: string;
}

/** `sources`: the counts by source. */
export function dmarcSentences(sources: readonly DmarcCount[], span: Span): string[] {
  const { messages, classes } = dmarcTotals(sources);
  const name = span.domain ?? 'your domains';
  const when = timeOf(span);
  if (messages === 0) return [`No reports were received about mail from ${name} ${when}.`];
  const mails = `${numberOf(messages)} messages from ${name} ${when}`;
  if (classes.ours_aligned === messages) {
    return [`All ${mails} were sent by this server and passed DMARC.`];
  }
  const of = `of ${mails}`;
  const from = (found: DmarcClass): string => largestSources(sources, found);
  const sentences: Record<DmarcClass, string> = {
    ours_aligned: `${numberOf(classes.ours_aligned)} ${of} were sent by this server and passed DMARC.`,
    ours_not_aligned: `${numberOf(classes.ours_not_aligned)} ${of} were sent by this server and failed DMARC: ${from('ours_not_aligned')}. Check the DKIM records of the domain.`,
    forwarded: `${numberOf(classes.forwarded)} ${of} were forwarded by third parties: ${from('forwarded')}.`,
    foreign: `${numberOf(classes.foreign)} ${of} were not sent by this server: ${from('foreign')}. Either another of your services sends mail without the domain's DKIM signature, or someone is spoofing the domain.`,
  };
  return DMARC_CLASSES.filter((found) => classes[found] > 0).map((found) => sentences[found]);
}

/** `203.0.113.7 (30), 203.0.113.9 (7) and 2 more`. */
function largestSources(sources: readonly DmarcCount[], found: DmarcClass): string {
  const groups = dmarcGroups(
    sources.filter((count) => count.class === found),
    'source',
  );
  const named = groups.filter(({ key }) => key !== '').slice(0, NAMED_SOURCES);
  const text = named.map(({ key, messages }) => `${key} (${numberOf(messages)})`).join(', ');
  if (named.length === 0) return 'sources beyond the limit';
  return named.length < groups.length ? `${text} and more` : text;
}

export function tlsSentences(counts: { sessions: number; failures: number }, span: Span): string[] {
  const name = span.domain ?? 'your domains';
  const when = timeOf(span);
  const { sessions, failures } = counts;
  if (sessions === 0)
    return [`No reports were received about TLS sessions with the mail servers of ${name} ${when}.`];
  if (failures === 0) {
    return [`All ${numberOf(sessions)} TLS sessions with the mail servers of ${name} ${when} succeeded.`];
  }
  return [
    `${numberOf(failures)} of ${numberOf(sessions)} TLS sessions with the mail servers of ${name} ${when} failed. Use group_by=result to see the reasons.`,
  ];
}

function timeOf({ firstDay, lastDay }: Span): string {
  return firstDay === lastDay ? `on ${firstDay}` : `between ${firstDay} and ${lastDay}`;
}

/** 41,200 */
function numberOf(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Providers whose reports come from other domains than their mail hosts have names in; names of config/providers.json. */
const PROVIDERS_OF_REPORTERS: Readonly<Record<string, readonly string[]>> = {
  'google.com': ['google'],
  'microsoft.com': ['microsoft_365', 'microsoft_consumer'],
  'protection.outlook.com': ['microsoft_365', 'microsoft_consumer'],
  'yahoo.com': ['yahoo'],
  'dmarc.yahoo.com': ['yahoo'],
  'yahooinc.com': ['yahoo'],
  'corp.mail.ru': ['mail_ru'],
};

/** Returns `null` if only the domain's MX hosts can decide. */
export function providersOfReporter(reporter: string): readonly string[] | null {
  return PROVIDERS_OF_REPORTERS[reporter] ?? null;
}
