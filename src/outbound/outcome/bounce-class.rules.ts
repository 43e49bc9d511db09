// Classifies the replies of peers by provider rules, then the enhanced code (RFC 3463, RFC 7505, IANA), then the text, and
// then the basic code.
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import { BOUNCE_CATEGORIES, type BounceCategory } from '../../contract/names.js';
import { compileSafePattern, patternProblem } from '../../lib/patterns/index.js';
import { UNKNOWN_PROVIDER, type Providers } from '../route/provider.rules.js';
import { type DataReader, readOperatorData } from '../../lib/config/index.js';

/** Sentences that explain a bounce in trail entries, in addition to the peer's reply. */
const REASONS: Readonly<Record<BounceCategory, string>> = {
  invalid_recipient: 'The address does not exist.',
  inactive_mailbox: 'The mailbox is disabled.',
  bad_domain: 'The domain does not exist or does not accept mail.',
  quota: 'The mailbox is full.',
  greylist: "The recipient's mail server kept deferring the message until it expired.",
  rate_limited: "The recipient's mail server is limiting the rate of mail.",
  spam_block: "The recipient's mail server blocks mail from the sending IP.",
  spam_content: "The recipient's mail server classified the message as spam.",
  auth_failed:
    "The message failed the authentication (SPF, DKIM or DMARC) that the recipient's mail server requires.",
  policy: 'A policy of the recipient or their mail server rejected the message.',
  tls: 'A connection with the required encryption could not be established.',
  too_large: "The message exceeds the size limit of the recipient's mail server.",
  network: "The recipient's mail server could not be reached.",
  protocol: "The recipient's mail server rejected the message because of a protocol error.",
  expired: 'The message expired before it could be delivered.',
  ambiguous: "The connection was lost before the recipient's mail server confirmed the message.",
  unknown: "The recipient's mail server gave no recognizable reason.",
};

export function bounceReason(category: BounceCategory): string {
  return REASONS[category];
}

/** Parties that can cause a bounce. */
export const BOUNCE_CAUSES = ['recipient', 'sender', 'delivery'] as const;
type BounceCause = (typeof BOUNCE_CAUSES)[number];

const CAUSES: Readonly<Record<BounceCategory, BounceCause>> = {
  invalid_recipient: 'recipient',
  inactive_mailbox: 'recipient',
  bad_domain: 'recipient',
  quota: 'recipient',
  greylist: 'delivery',
  rate_limited: 'sender',
  spam_block: 'sender',
  spam_content: 'sender',
  auth_failed: 'sender',
  policy: 'sender',
  tls: 'delivery',
  too_large: 'sender',
  network: 'delivery',
  protocol: 'sender',
  expired: 'delivery',
  ambiguous: 'delivery',
  unknown: 'delivery',
};

export function bounceCause(category: BounceCategory): BounceCause {
  return CAUSES[category];
}

/** Matches contractions of "not" with a typed, typographic, HTML-encoded or wrongly decoded apostrophe. */
const CONTRACTION =
  /\b(are|ca|could|did|does|do|had|has|have|is|must|need|should|was|were|wo|would)n(?:['’‘ʼ`´?\uFFFD]|&#0?39;|&apos;|&rsquo;)t\b/gi;
const IRREGULAR: Readonly<Record<string, string>> = { ca: 'cannot', wo: 'will not' };

/** Expands contractions ("isn't" to "is not", "can't" to "cannot"), so that one bounce rule matches both forms. Takes linear time. */
export function expandContractions(text: string): string {
  return text.replace(CONTRACTION, (_, verb: string) => IRREGULAR[verb.toLowerCase()] ?? `${verb} not`);
}

const MAX_RULES = 1000;
const MAX_PROVIDERS = 100;

export const REPLY_PHASES = [
  'connect',
  'greeting',
  'ehlo',
  'starttls',
  'tls',
  'auth',
  'rset',
  'mail',
  'rcpt',
  'data',
  'dot',
  'dsn',
] as const;
export type ReplyPhase = (typeof REPLY_PHASES)[number];

/** Phases before MAIL. A refusal there concerns the session or the source address, so another host or a retry may succeed. */
export const SESSION_PHASES: readonly ReplyPhase[] = [
  'connect',
  'greeting',
  'ehlo',
  'starttls',
  'tls',
  'auth',
  'rset',
];

/** A peer's reply. Replies of the phase `dsn` come from delivery reports with a valid token. */
export interface PeerReply {
  phase: ReplyPhase;
  /** Basic code; `null` without a reply. */
  code: number | null;
  /** RFC 3463 code such as `5.1.1`; if `null`, the text is searched for one. */
  enhanced: string | null;
  text: string;
  /** Name of the peer's provider, if known. */
  provider?: string | null;
}

const DISPOSITIONS = ['retry', 'fail'] as const;
type Disposition = (typeof DISPOSITIONS)[number];

/** Classification by a rule or a table row. Without a disposition, the category and the basic code decide. */
interface Meaning {
  category: BounceCategory;
  disposition: Disposition | null;
}

interface BounceRule extends Meaning {
  /** Position in the data file, such as `first[3]`. */
  place: string;
  /** Providers to which the rule applies; `null` for every peer. A `null` element stands for peers without a known provider. */
  providers: readonly (string | null)[] | null;
  /** Prefix of the basic code, such as `4`, `55` or `550`; empty for every refusal. */
  code: string;
  phases: readonly ReplyPhase[] | null;
  pattern: RegExp;
  /** Whether one matching reply is enough to suppress the address, as with the code 5.1.1. */
  isProof: boolean;
}

export interface BounceRules {
  /** Rules that precede the enhanced code. */
  first: readonly BounceRule[];
  /** Meanings by enhanced code without its class, such as `1.1` or `4.*`. */
  enhanced: ReadonlyMap<string, Meaning>;
  /** Rules for replies whose enhanced code is missing or unspecific. */
  texts: readonly BounceRule[];
  /** Rules that override a hard bounce if the reply mentions the sender, a policy, a reputation, a count or a time. */
  doubts: readonly BounceRule[];
}

export interface BounceClass {
  category: BounceCategory;
  /** Disposition that overrides the basic code; `null` if the basic code decides. */
  disposition: Disposition | null;
  /** False if only the basic code is known, which is not enough to suppress an address. */
  isClear: boolean;
  /** Rule that decided, such as `first[3]`, `enhanced 1.1`, `texts[4]`, `basic 550` or `no reply`. */
  by: string;
  /** Whether the reply proves that the address accepts no mail, by such a rule or by an enhanced code 5.1.x or 5.2.1. */
  isProof: boolean;
}

const ABOUT_THE_RECIPIENT: readonly BounceCategory[] = [
  'invalid_recipient',
  'inactive_mailbox',
  'bad_domain',
];

/** Returns `hard` if the address cannot receive mail, and `soft` for other bounces. */
export function bounceType(category: BounceCategory): 'hard' | 'soft' {
  return ABOUT_THE_RECIPIENT.includes(category) ? 'hard' : 'soft';
}

/** Whether an RFC 3463 code reports an invalid address or a disabled mailbox. */
export function isProofOfAddress(enhanced: string | null): boolean {
  return enhanced !== null && /^5\.(?:1\.\d{1,3}|2\.1)$/.test(enhanced);
}

/** Finds the RFC 3463 code at the beginning of a reply text, or in the form `(#5.1.1)`. */
export function enhancedCodeIn(cleanText: string): string | null {
  const code = /^(?:\d{3}[ -])?#?([245]\.\d{1,3}\.\d{1,3})\b/.exec(cleanText)?.[1];
  return code ?? /\(#([245]\.\d{1,3}\.\d{1,3})\)/.exec(cleanText)?.[1] ?? null;
}

const ADDRESS = /[^\s<>()[\]@:;,"']{1,64}@[^\s<>()[\]@:;,"']{1,255}/g;
/** Matches Mailkeel's return paths (`returnPathLocal`). */
const RETURN_PATH = /^b-[0-9a-z]{30,62}@/i;

/** Removes addresses from a reply, because their words must not match bounce rules. */
export function withoutAddresses(cleanText: string): string {
  return cleanText.replace(ADDRESS, '@');
}

/** Replaces the return path with `sender` if the reply contains no other address, because it then concerns the sender. */
function withSender(cleanText: string): string {
  const addresses = cleanText.match(ADDRESS);
  return addresses?.every((address) => RETURN_PATH.test(address)) === true
    ? cleanText.replace(ADDRESS, 'sender')
    : cleanText;
}

/** Removes links, host names and phrases such as "notify the sender", because their words must not raise doubts. */
function withoutAsides(text: string): string {
  return text
    .replace(/\bhttps?:\/\/\S{1,300}/gi, '')
    .replace(/\b(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2,20}\b/gi, '')
    .replace(/\b(?:to|notify) (?:the )?sender\b/gi, '');
}

/** Classifies a reply that is not a success. A doubt overrides a hard bounce, unless a provider's rule decided that. */
export function classOfReply(reply: PeerReply, rules: BounceRules): BounceClass {
  if (reply.code === null) {
    const category = reply.phase === 'tls' || reply.phase === 'starttls' ? 'tls' : 'network';
    return { category, disposition: null, isClear: true, by: 'no reply', isProof: false };
  }
  const clean = cleanReplyText(reply.text);
  const text = withoutAddresses(withSender(clean));
  const enhanced = reply.enhanced ?? enhancedCodeIn(clean) ?? '';
  const ruled = findRule(rules.first, reply, text);
  const found = ruled ? classBy(ruled) : classByCode({ ...reply, code: reply.code, enhanced }, text, rules);
  if (bounceType(found.category) === 'soft' || ruled?.providers) return withProof(found, enhanced);
  const doubt = findRule(rules.doubts, reply, withoutAsides(text));
  return doubt ? classBy(doubt) : withProof(found, enhanced);
}

function withProof(found: BounceClass, enhanced: string): BounceClass {
  return { ...found, isProof: found.isProof || isProofOfAddress(enhanced) };
}

function classByCode(
  reply: PeerReply & { code: number; enhanced: string },
  text: string,
  rules: BounceRules,
): BounceClass {
  // A reply to STARTTLS refuses TLS, unless the peer closes the session or accepts no mail.
  if (reply.phase === 'starttls' && ![421, 521, 556].includes(reply.code)) {
    return { category: 'tls', disposition: null, isClear: true, by: 'STARTTLS refused', isProof: false };
  }
  const [, subject = '', detail = ''] = /^[245]\.(\d{1,3})\.(\d{1,3})$/.exec(reply.enhanced) ?? [];
  const precise = rowOf(rules, `${subject}.${detail}`, reply.phase);
  if (precise) return precise;
  const worded = findRule(rules.texts, reply, text);
  if (worded) return classBy(worded);
  return (
    rowOf(rules, `${subject}.*`, reply.phase) ?? {
      category: byBasicCode(reply, reply.code),
      disposition: null,
      isClear: false,
      by: `basic ${reply.code}`,
      isProof: false,
    }
  );
}

function classBy({ category, disposition, place, isProof }: BounceRule): BounceClass {
  return { category, disposition, isClear: true, by: place, isProof };
}

/** Finds the first matching rule. */
function findRule(list: readonly BounceRule[], reply: PeerReply, text: string): BounceRule | null {
  if (reply.code === null || reply.code < 400) return null;
  const code = String(reply.code);
  const expanded = expandContractions(text);
  for (const rule of list) {
    const { providers, code: start, phases, pattern } = rule;
    if (providers && !providers.includes(reply.provider ?? null)) continue;
    if (!code.startsWith(start) || (phases && !phases.includes(reply.phase))) continue;
    if (pattern.test(text) || (expanded !== text && pattern.test(expanded))) return rule;
  }
  return null;
}

function rowOf(rules: BounceRules, key: string, phase: ReplyPhase): BounceClass | null {
  const row = rules.enhanced.get(key);
  if (!row) return null;
  // A reply to MAIL cannot concern the recipient.
  const category = phase === 'mail' && ABOUT_THE_RECIPIENT.includes(row.category) ? 'policy' : row.category;
  return {
    category,
    disposition: row.disposition,
    isClear: true,
    by: `enhanced ${key}`,
    isProof: false,
  };
}

function byBasicCode({ phase, provider }: PeerReply, code: number): BounceCategory {
  switch (code) {
    case 421:
      return 'network';
    case 450:
    case 451:
      // An unknown server that defers a recipient without a reason most often uses greylisting.
      return phase === 'rcpt' && (provider ?? null) === null ? 'greylist' : 'unknown';
    case 452:
      return 'rate_limited';
    case 454:
      return 'tls';
    case 500:
    case 501:
    case 502:
    case 503:
    case 504:
    case 555:
      return 'protocol';
    case 521:
    case 556:
      // Before MAIL the host refuses the connection, and knows no recipient yet (RFC 7504 section 4).
      return SESSION_PHASES.includes(phase) ? 'network' : 'bad_domain';
    case 523:
      return 'too_large';
    case 530:
    case 535:
    case 538:
      return 'policy';
    case 550:
    case 551:
    case 553:
      // A bare 550 concerns the message after DATA, and the sender at MAIL. At RCPT the reason is unclear.
      return phase === 'rcpt' || phase === 'dsn' ? 'unknown' : 'policy';
    case 552:
      return phase === 'mail' || phase === 'dot' ? 'too_large' : 'quota';
    default:
      return code >= 200 && code < 400 ? 'protocol' : 'unknown';
  }
}

const RULE_KEYS = ['provider', 'code', 'phases', 'pattern', 'category', 'disposition', 'proof'];

function readPhases(reader: DataReader, value: unknown, place: string): ReplyPhase[] | null {
  if (value === undefined) return null;
  const phases = reader.list(value, place, REPLY_PHASES.length);
  if (phases.length === 0) reader.problem(place, 'must have at least one phase');
  return phases.flatMap((name) => reader.oneOf(name, place, REPLY_PHASES) ?? []);
}

function readProviders(
  reader: DataReader,
  value: unknown,
  place: string,
  known: ReadonlySet<string> | null,
): (string | null)[] | null {
  if (value === undefined) return null;
  const names: readonly unknown[] =
    typeof value === 'string' ? [value] : reader.list(value, place, MAX_PROVIDERS);
  if (names.length === 0) reader.problem(place, 'must have a provider');
  return names.flatMap((name) => {
    if (name === UNKNOWN_PROVIDER) return [null];
    if (typeof name === 'string' && known?.has(name) !== false) return [name];
    reader.problem(place, 'refers to an unknown provider');
    return [];
  });
}

function readMeaning(reader: DataReader, category: unknown, disposition: unknown, place: string): Meaning {
  return {
    category: reader.oneOf(category, `${place}.category`, BOUNCE_CATEGORIES) ?? 'unknown',
    disposition:
      disposition === undefined
        ? null
        : (reader.oneOf(disposition, `${place}.disposition`, DISPOSITIONS) ?? null),
  };
}

const NEVER = /(?!)/;

function readRule(
  reader: DataReader,
  value: unknown,
  place: string,
  known: ReadonlySet<string> | null,
): BounceRule {
  const {
    provider,
    code = '',
    phases,
    pattern,
    category,
    disposition,
    proof = false,
  } = reader.fields(value, place, RULE_KEYS);
  if (typeof code !== 'string' || !/^(?:[45]\d{0,2})?$/.test(code)) {
    reader.problem(`${place}.code`, 'must be the start of a reply code');
  }
  if (typeof proof !== 'boolean') reader.problem(`${place}.proof`, 'must be true or false');
  const source = typeof pattern === 'string' ? pattern : '';
  const wrong = patternProblem(source);
  if (wrong !== null) reader.problem(`${place}.pattern`, wrong);
  return {
    place,
    providers: readProviders(reader, provider, `${place}.provider`, known),
    code: String(code),
    phases: readPhases(reader, phases, `${place}.phases`),
    pattern: wrong === null ? compileSafePattern(source) : NEVER,
    ...readMeaning(reader, category, disposition, place),
    isProof: proof === true,
  };
}

/**
 * Compiles the content of config/bounce-rules.json. Throws `DataProblems` with all errors. Without `providers`, provider
 * names are not checked.
 */
export function compileBounceRules(json: unknown, providers: Providers | null): BounceRules {
  return readOperatorData('bounce rules', (reader) => {
    const fields = reader.fields(json, 'the file', ['first', 'enhanced', 'texts', 'doubts']);
    const enhanced = new Map<string, Meaning>();
    for (const [code, row] of Object.entries(reader.fields(fields['enhanced'], 'enhanced'))) {
      const place = `enhanced.${code.slice(0, 20)}`;
      if (!/^\d{1,3}\.(?:\d{1,3}|\*)$/.test(code))
        reader.problem(
          place,
          'must be an enhanced status code without its class, for example "1.1" or "7.*"',
        );
      const { category, disposition } =
        typeof row === 'string'
          ? { category: row, disposition: undefined }
          : reader.fields(row, place, ['category', 'disposition']);
      enhanced.set(code, readMeaning(reader, category, disposition, place));
    }
    const listOf = (name: 'first' | 'texts' | 'doubts', list: unknown = fields[name]): BounceRule[] =>
      reader
        .list(list, name, MAX_RULES)
        .map((rule, i) => readRule(reader, rule, `${name}[${i}]`, providers?.names ?? null));
    // Files of earlier releases have no doubts.
    const doubts = listOf('doubts', fields['doubts'] ?? []);
    return { enhanced, first: listOf('first'), texts: listOf('texts'), doubts };
  });
}
