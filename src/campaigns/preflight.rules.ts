// Judges a campaign before it is sent. campaigns/prepare/preflight gathers the facts. `fail` prevents sending, and `warn` does
// not.
import type { PREFLIGHT_STATUSES } from './campaign.schema.js';
import {
  footerShownInHtml,
  footerShownInText,
  type ComplianceFooter,
} from '../templates/rendering/compliance-footer.rules.js';
import { readAttributes, scanHtml } from '../lib/html/index.js';
import { foreignPlaceholders } from './foreign-placeholders.rules.js';

type PreflightStatus = (typeof PREFLIGHT_STATUSES)[number];

export interface PreflightCheck {
  code: string;
  status: PreflightStatus;
  message: string;
  details: Record<string, unknown> | null;
}

/** A code and message of the error catalogue. */
export interface PreflightProblem {
  code: string;
  message: string;
}

/** A copy of the sample. */
interface SampleCopy {
  email: string;
  subject: string;
  html: string | null;
  text: string | null;
}

export interface PreflightFacts {
  /** `null` if the sender may be used. */
  sender: PreflightProblem | null;
  hasPostalAddress: boolean;
  /** `none` if the draft has no list yet. */
  list: 'there' | 'deleted' | 'none';
  /** `null` if all templates exist and have the right type. */
  template: PreflightProblem | null;
  audience: {
    total: number;
    /** Number of contacts who would get a copy. */
    eligible: number;
    /** Number of contacts who would not get a copy, by reason. */
    skipped: Readonly<Record<string, number>>;
  };
  /** Variables that are empty for some recipients. */
  missing: readonly { name: string; recipients: number; emails: readonly string[] }[];
  copies: readonly SampleCopy[];
  /** Copies of the sample that could not be rendered. */
  failedCopies: readonly ({ email: string } & PreflightProblem)[];
  /** Distinct links of the sample that were checked. */
  answers: readonly { url: string; kind: 'works' | 'dead' | 'unknown'; reason: string | null }[];
  /** The unsubscribe link of every copy of the sample. */
  unsubscribeUrl: string;
  /** The footer's text, or ''. */
  postalAddress: string;
  /** True for templates without text. */
  derivesText: boolean;
  clipLimitBytes: number;
  /** `null` if no limit applies. */
  quota: { left: number; period: 'day' | 'month' } | null;
}

/** Number of cases in the details of a check. */
const NAMED = 20;
/** Most mail clients truncate longer subjects. */
const LONG_SUBJECT = 150;

type Finding = [status: PreflightStatus, message: string, details?: Record<string, unknown>];
type Check = (facts: PreflightFacts) => Finding;

const LIST_CHECKS: Readonly<Record<PreflightFacts['list'], Finding>> = {
  there: ['pass', 'The list exists.'],
  deleted: ['fail', 'The list was deleted.'],
  none: ['fail', 'The campaign does not have a list. Choose one.', { code: 'campaign_incomplete' }],
};

const CHECKS: Readonly<Record<string, Check>> = {
  sender: ({ sender }) =>
    sender === null ? ['pass', 'The sender is verified.'] : ['fail', sender.message, { code: sender.code }],
  postal_address: ({ hasPostalAddress }) =>
    hasPostalAddress
      ? ['pass', 'The organization has a postal address.']
      : ['fail', 'The organization does not have a postal address, which the footer of every copy requires.'],
  list: ({ list }) => LIST_CHECKS[list],
  template: ({ template }) =>
    template === null
      ? ['pass', 'All templates exist and match this message type.']
      : ['fail', template.message, { code: template.code }],
  audience: audienceCheck,
  suppression: suppressionCheck,
  copies: ({ copies, failedCopies }) =>
    failedCopies.length === 0
      ? copies.length === 0
        ? ['unknown', 'The campaign has no recipients.']
        : ['pass', `Copies were rendered for ${copies.length} recipients.`]
      : [
          copies.length === 0 ? 'fail' : 'warn',
          `Rendering failed for ${failedCopies.length} of ${copies.length + failedCopies.length} recipients. These recipients are skipped.`,
          { recipients: failedCopies.slice(0, NAMED) },
        ],
  variables: variablesCheck,
  placeholders: placeholdersCheck,
  subject: subjectCheck,
  links: linksCheck,
  dead_links: deadLinksCheck,
  text_part: textCheck,
  html_size: sizeCheck,
  images: imagesCheck,
  footer: footerCheck,
  unsubscribe_link: unsubscribeCheck,
  quota: quotaCheck,
};

/** Runs every check, in a fixed order. */
export function judgeCampaign(facts: PreflightFacts): PreflightCheck[] {
  return Object.entries(CHECKS).map(([code, check]) => {
    const [status, message, details] = check(facts);
    return { code, status, message, details: details ?? null };
  });
}

export function isReady(checks: readonly PreflightCheck[]): boolean {
  return checks.every(({ status }) => status !== 'fail');
}

function audienceCheck({ audience: { total, eligible } }: PreflightFacts): Finding {
  const details = { total, writable: eligible };
  if (total === 0) return ['fail', 'No contacts are on the list or have the tag.', details];
  if (eligible === 0) return ['fail', `None of the ${total} contacts can receive mail.`, details];
  return ['pass', `Out of ${total} contacts, ${eligible} will receive a copy.`, details];
}

function suppressionCheck({ audience: { skipped } }: PreflightFacts): Finding {
  const count = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  if (count === 0) return ['pass', 'No contacts are skipped.', { skipped: 0, by_reason: {} }];
  const message = `Skipped because they are suppressed, unsubscribed, bounced or removed from the list: ${count}.`;
  return ['pass', message, { skipped: count, by_reason: { ...skipped } }];
}

function variablesCheck({ missing }: PreflightFacts): Finding {
  if (missing.length === 0) return ['pass', 'All template variables have a value for every recipient.'];
  const [first] = missing;
  const message = `${missing.length === 1 ? 'A variable is' : `${missing.length} variables are`} empty for some recipients, including ${first?.name ?? ''} (recipients affected: ${first?.recipients ?? 0}).`;
  return [
    'warn',
    message,
    { missing: missing.map((one) => ({ ...one, emails: one.emails.slice(0, NAMED) })) },
  ];
}

function placeholdersCheck({ copies }: PreflightFacts): Finding {
  const found = copies.map((copy) => ({ copy, placeholders: foreignPlaceholders(copy) }));
  const texts = [...new Set(found.flatMap(({ placeholders }) => placeholders))];
  if (texts.length === 0) return ['pass', 'The copies contain no unfilled placeholders.'];
  const affected = found.filter(({ placeholders }) => placeholders.length > 0).map(({ copy }) => copy);
  return [
    'warn',
    `The copies contain unfilled placeholders: ${counted(texts.length, 'placeholder')}. Write placeholders as {{name}}.`,
    { placeholders: texts.slice(0, NAMED), emails: emailsOf(affected) },
  ];
}

function subjectCheck({ copies }: PreflightFacts): Finding {
  const empty = copies.filter(({ subject }) => subject.trim() === '');
  if (empty.length > 0) return ['fail', 'The subject is empty.', { emails: emailsOf(empty) }];
  const open = copies.filter(({ subject }) => hasPlaceholder(subject));
  if (open.length > 0)
    return ['warn', 'The subject contains an unfilled placeholder.', { emails: emailsOf(open) }];
  const long = copies.filter(({ subject }) => subject.length > LONG_SUBJECT);
  if (long.length === 0) return ['pass', 'The subject is set.'];
  const message = `The subject exceeds ${LONG_SUBJECT} characters and may be cut off in the inbox.`;
  return ['warn', message, { emails: emailsOf(long) }];
}

/** A broken link of the sample, as in its HTML. */
interface BrokenLink {
  url: string;
  problem: 'empty' | 'placeholder' | 'relative' | 'not_http' | 'invalid';
}

const FATAL: ReadonlySet<BrokenLink['problem']> = new Set(['relative', 'placeholder', 'invalid']);

function linksCheck({ copies }: PreflightFacts): Finding {
  const odd = new Map<string, BrokenLink>();
  let links = 0;
  for (const { html } of copies) {
    for (const url of html === null ? [] : findLinkTargets(html)) {
      links += 1;
      const problem = linkProblem(url);
      if (problem !== null) odd.set(url, { url: url.slice(0, 300), problem });
    }
  }
  if (odd.size === 0) return ['pass', links === 0 ? 'There are no links.' : 'All links are absolute URLs.'];
  const found = [...odd.values()];
  const status = found.some(({ problem }) => FATAL.has(problem)) ? 'fail' : 'warn';
  return [
    status,
    `Links that do not work in email: ${counted(found.length, 'link')}.`,
    { links: found.slice(0, NAMED) },
  ];
}

function deadLinksCheck({ answers }: PreflightFacts): Finding {
  const dead = answers.filter(({ kind }) => kind === 'dead');
  const unknown = answers.filter(({ kind }) => kind === 'unknown');
  const details = {
    asked: answers.length,
    dead: dead.slice(0, NAMED).map(({ url, reason }) => ({ url, reason })),
    unknown: unknown.slice(0, NAMED).map(({ url, reason }) => ({ url, reason })),
  };
  if (dead.length > 0) return ['fail', `Broken links: ${counted(dead.length, 'link')}.`, details];
  if (unknown.length > 0) {
    return ['unknown', `Could not check ${counted(unknown.length, 'link')} from this server.`, details];
  }
  return ['pass', answers.length === 0 ? 'No links were checked.' : 'All checked links work.', details];
}

function textCheck({ copies, derivesText }: PreflightFacts): Finding {
  const without = copies.filter(({ text }) => text === null || text.trim() === '');
  if (without.length > 0) return ['warn', 'There is no plain-text part.', { emails: emailsOf(without) }];
  return [
    'pass',
    derivesText ? 'The plain-text part is generated from the html.' : 'There is a plain-text part.',
    { derived: derivesText },
  ];
}

function sizeCheck({ copies, clipLimitBytes }: PreflightFacts): Finding {
  const sizes = copies.map(({ email, html }) => ({
    email,
    bytes: html === null ? 0 : Buffer.byteLength(html),
  }));
  const largest = sizes.reduce((best, one) => (one.bytes > best.bytes ? one : best), { email: '', bytes: 0 });
  const details = { largest_bytes: largest.bytes, limit_bytes: clipLimitBytes, email: largest.email || null };
  if (largest.bytes <= clipLimitBytes)
    return ['pass', 'The html is below the size at which Gmail clips messages.', details];
  return [
    'warn',
    `The html has ${largest.bytes} bytes. Gmail clips messages after ${clipLimitBytes}.`,
    details,
  ];
}

function imagesCheck({ copies }: PreflightFacts): Finding {
  const bare = new Set<string>();
  for (const { html } of copies)
    for (const source of html === null ? [] : imagesWithoutAlt(html)) bare.add(source);
  if (bare.size === 0) return ['pass', 'Every image has alt text.'];
  const images = [...bare].slice(0, NAMED).map((source) => source.slice(0, 300));
  return [
    'warn',
    `Images without alt text: ${counted(bare.size, 'image')}. Many email clients block images by default.`,
    { images },
  ];
}

function footerCheck({ copies, postalAddress, unsubscribeUrl }: PreflightFacts): Finding {
  const footer = { postalAddress, unsubscribeUrl };
  const without = copies.filter((copy) => !isInEveryBody(copy, footer, 'address'));
  if (copies.length === 0) return ['unknown', 'No copy is available to check.'];
  if (without.length === 0) return ['pass', 'Every copy shows the postal address.'];
  const message = 'Some copies do not show the postal address, or their own styles hide it.';
  return ['fail', message, { emails: emailsOf(without) }];
}

/** Returns whether every body of the copy contains the link or the address. */
function isInEveryBody(
  { html, text }: SampleCopy,
  footer: ComplianceFooter,
  part: 'link' | 'address',
): boolean {
  if (html === null && text === null) return false;
  const isInHtml = html === null || footerShownInHtml(html, footer)[part];
  return isInHtml && (text === null || footerShownInText(text, footer)[part]);
}

function unsubscribeCheck({ copies, postalAddress, unsubscribeUrl }: PreflightFacts): Finding {
  if (copies.length === 0) return ['unknown', 'No copy is available to check.'];
  const footer = { postalAddress, unsubscribeUrl };
  const without = copies.filter((copy) => !isInEveryBody(copy, footer, 'link'));
  if (without.length === 0) return ['pass', 'Every copy shows the unsubscribe link.'];
  const message = 'Some copies do not show the unsubscribe link, or their own styles hide it.';
  return ['fail', message, { emails: emailsOf(without) }];
}

function quotaCheck({ quota, audience: { eligible } }: PreflightFacts): Finding {
  if (quota === null) return ['pass', 'The plan has no sending limit.'];
  const details = { left: quota.left, period: quota.period, needed: eligible };
  if (eligible <= quota.left) return ['pass', `The plan has ${quota.left} sends remaining.`, details];
  const message = `The plan has ${quota.left} sends remaining this ${quota.period}, but the campaign needs ${eligible}. The other recipients get their copies when the quota resets.`;
  return ['warn', message, details];
}

function counted(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

function emailsOf(copies: readonly SampleCopy[]): string[] {
  return copies.slice(0, NAMED).map(({ email }) => email);
}

/** Finds the targets of all links in HTML, in order. */
export function findLinkTargets(html: string): string[] {
  return scanHtml(html).flatMap((token) => {
    const isLink =
      (token.kind === 'open' && token.name === 'a') || (token.kind === 'void' && token.name === 'area');
    const href = isLink ? readAttributes(html, token).get('href') : undefined;
    return href === undefined ? [] : [href.trim()];
  });
}

const KNOWN_SCHEMES = ['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'cid:'];

/** Returns why a link cannot work in a mail, or null. */
export function linkProblem(href: string): BrokenLink['problem'] | null {
  if (href === '' || href === '#') return 'empty';
  if (hasPlaceholder(href)) return 'placeholder';
  if (href.startsWith('#')) return null;
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(href)?.[0].toLowerCase();
  if (scheme === undefined) return 'relative';
  if (!KNOWN_SCHEMES.includes(scheme)) return 'not_http';
  return scheme.startsWith('http') && !URL.canParse(href) ? 'invalid' : null;
}

/** Finds an unfilled placeholder, left by double escaping or written for another program. */
function hasPlaceholder(text: string): boolean {
  return /\{\{|\}\}|%7B%7B|%7D%7D|\*\|/i.test(text);
}

/** Returns images without alternative text. An empty alt attribute is deliberate, so it counts. */
function imagesWithoutAlt(html: string): string[] {
  return scanHtml(html).flatMap((token) => {
    if (token.name !== 'img' || token.kind !== 'void') return [];
    const attributes = readAttributes(html, token);
    return attributes.has('alt') ? [] : [attributes.get('src') ?? ''];
  });
}

/**
 * Returns the dotted names that are empty in the variables: absent, null, or an empty text or list. A name inside a list is
 * looked up in its first item.
 */
export function emptyNames(names: readonly string[], variables: Readonly<Record<string, unknown>>): string[] {
  return names.filter((name) => {
    let value: unknown = variables;
    for (const part of name.split('.')) {
      if (Array.isArray(value)) value = value[0];
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return true;
      value = (value as Record<string, unknown>)[part];
    }
    return (
      value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    );
  });
}
