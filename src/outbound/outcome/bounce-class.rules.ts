// Why a peer refused: provider rules, then the enhanced code (RFC 3463, RFC 7505, IANA), then texts, then
// the basic code.
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import { BOUNCE_CATEGORIES, type BounceCategory } from '../../contract/names.js';
import { compileSafePattern, patternProblem } from '../../lib/patterns/index.js';
import { UNKNOWN_PROVIDER, type Providers } from '../route/provider.rules.js';
import { type DataReader, readOperatorData } from '../../lib/config/index.js';

// The reason of a bounce in one sentence, for trail entries; the peer's own words stand beside it.
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

// Cause of a bounce: the recipient, the sender, or the delivery between them.
export const BOUNCE_CAUSES = ['recipient', 'sender', 'delivery'] as const;
export type BounceCause = (typeof BOUNCE_CAUSES)[number];

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

// English contractions of "not", written out, so that one bounce rule matches "could not be found" and "couldn't be found".
/** The apostrophe as typed, as typeset, as HTML spells it, or as a wrong character set leaves it. */
const CONTRACTION =
  /\b(are|ca|could|did|does|do|had|has|have|is|must|need|should|was|were|wo|would)n(?:['’‘ʼ`´?\uFFFD]|&#0?39;|&apos;|&rsquo;)t\b/gi;
const IRREGULAR: Readonly<Record<string, string>> = { ca: 'cannot', wo: 'will not' };

/** "isn't" as "is not", "can't" as "cannot"; everything else stays. Linear in the text. */
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

/** Before MAIL a refusal is about the session or our address: another host or a later time may do better. */
export const SESSION_PHASES: readonly ReplyPhase[] = [
  'connect',
  'greeting',
  'ehlo',
  'starttls',
  'tls',
  'auth',
  'rset',
];

/** A peer's reply. Those of phase `dsn` come from a delivery report whose token was ours. */
export interface PeerReply {
  phase: ReplyPhase;
  /** Basic code; null when no reply came. */
  code: number | null;
  /** RFC 3463 code such as `5.1.1`; null lets it be looked for in the text. */
  enhanced: string | null;
  text: string;
  /** Name from `providerOf`, when the peer is known. */
  provider?: string | null;
}

const DISPOSITIONS = ['retry', 'fail'] as const;
type Disposition = (typeof DISPOSITIONS)[number];

/** Classification by a rule or a table row; a null disposition leaves that to the category and the basic code. */
interface Meaning {
  category: BounceCategory;
  disposition: Disposition | null;
}

export interface BounceRule extends Meaning {
  /** Its place in the data: `first[3]`. */
  place: string;
  /** Null: for every peer. A null among them: for peers of no known provider. */
  providers: readonly (string | null)[] | null;
  /** Beginning of the basic code: `4`, `55`, `550`; empty for every refusal. */
  code: string;
  phases: readonly ReplyPhase[] | null;
  pattern: RegExp;
  /** Its words prove as much as a code 5.1.1 does: one such reply is enough to suppress the address. */
  isProof: boolean;
}

export interface BounceRules {
  /** Before the enhanced code. */
  first: readonly BounceRule[];
  /** By enhanced code without its class, `1.1` or `4.*`. */
  enhanced: ReadonlyMap<string, Meaning>;
  /** When the enhanced code is missing or says little. */
  texts: readonly BounceRule[];
  /** Overrule a verdict on the address: the same reply names the sender, a policy, a reputation, a count or a time. */
  doubts: readonly BounceRule[];
}

export interface BounceClass {
  category: BounceCategory;
  /** Disposition that a rule sets against the basic code; null: the basic code decides. */
  disposition: Disposition | null;
  /** False when only a bare basic code speaks: too little to give up on an address. */
  isClear: boolean;
  /** Rule that decided: `first[3]`, `enhanced 1.1`, `texts[4]`, `basic 550` or `no reply`. */
  by: string;
  /** The reply proves that the address takes no mail: a rule that is proof, or an enhanced code 5.1.x or 5.2.1. */
  isProof: boolean;
}

const ABOUT_THE_RECIPIENT: readonly BounceCategory[] = [
  'invalid_recipient',
  'inactive_mailbox',
  'bad_domain',
];

/** `hard` when the address can take no mail; everything else that ends a delivery is `soft`. */
export function bounceType(category: BounceCategory): 'hard' | 'soft' {
  return ABOUT_THE_RECIPIENT.includes(category) ? 'hard' : 'soft';
}

/** True for an RFC 3463 code that names the recipient's address or a disabled mailbox. */
export function isProofOfAddress(enhanced: string | null): boolean {
  return enhanced !== null && /^5\.(?:1\.\d{1,3}|2\.1)$/.test(enhanced);
}

/** The RFC 3463 code that a reply text begins with, or that it names as `(#5.1.1)`; null without one. */
export function enhancedCodeIn(cleanText: string): string | null {
  const code = /^(?:\d{3}[ -])?#?([245]\.\d{1,3}\.\d{1,3})\b/.exec(cleanText)?.[1];
  return code ?? /\(#([245]\.\d{1,3}\.\d{1,3})\)/.exec(cleanText)?.[1] ?? null;
}

const ADDRESS = /[^\s<>()[\]@:;,"']{1,64}@[^\s<>()[\]@:;,"']{1,255}/g;
/** The form of our return paths (`returnPathLocal`). */
const RETURN_PATH = /^b-[0-9a-z]{30,62}@/i;

/** Addresses say nothing about why they were refused, and a recipient chooses what they read like. */
export function withoutAddresses(cleanText: string): string {
  return cleanText.replace(ADDRESS, '@');
}

/** A reply whose only address is our return path is about the sender. */
function withSender(cleanText: string): string {
  const addresses = cleanText.match(ADDRESS);
  return addresses?.every((address) => RETURN_PATH.test(address)) === true
    ? cleanText.replace(ADDRESS, 'sender')
    : cleanText;
}

/** Drops links and names of hosts, whose words name policies and senders, and the sender to whom a report is returned. */
function withoutAsides(text: string): string {
  return text
    .replace(/\bhttps?:\/\/\S{1,300}/gi, '')
    .replace(/\b(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2,20}\b/gi, '')
    .replace(/\b(?:to|notify) (?:the )?sender\b/gi, '');
}

/** Category of a reply that is not a success. A doubt wins over a verdict on the address, unless a rule for one provider gave that. */
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
  // Whatever its words and codes, an answer to STARTTLS refuses TLS, unless the peer closes or takes no mail at all.
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

/** The first rule that is about such a reply. */
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
  // At MAIL only the sender has been named.
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
      // Without a reason, an unknown server that defers a recipient is most often greylisting.
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
      // Before MAIL the host refuses us; it has not been told of any recipient (RFC 7504 section 4).
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
      // After the data a bare 550 is about the message, at MAIL about us. At RCPT it may be about any of the three.
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

/** Matches nothing. */
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
 * The content of config/bounce-rules.json, ready for use. Throws DataProblems with every mistake in it; without
 * `providers` their names are not checked.
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
    // Files for earlier releases have no doubts.
    const doubts = listOf('doubts', fields['doubts'] ?? []);
    return { enhanced, first: listOf('first'), texts: listOf('texts'), doubts };
  });
}
