// Why a peer refused: provider rules, then the enhanced code (RFC 3463, RFC 7505, IANA), then texts, then
// the basic code.
import { BOUNCE_CATEGORIES, type BounceCategory } from '../contract/names.js';
import { compileLinearPattern } from './linear-pattern.js';

const TEXT_CAP = 512;

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

interface CompiledRule {
  provider: string | null;
  /** Beginning of the basic code: `4`, `55`, `550`. */
  code: string;
  phases: readonly ReplyPhase[] | null;
  pattern: RegExp;
  category: BounceCategory;
  disposition: 'retry' | 'fail' | null;
}

export interface BounceRules {
  /** Provider name and the endings of its MX host names. */
  providers: ReadonlyMap<string, readonly string[]>;
  /** Before the enhanced code. */
  first: readonly CompiledRule[];
  /** Enhanced code without its class, `1.1` or `4.*`. */
  enhanced: ReadonlyMap<string, BounceCategory>;
  /** When the enhanced code is missing or says nothing. */
  texts: readonly CompiledRule[];
}

export interface BounceClass {
  category: BounceCategory;
  /** What a rule decides against the basic code; null: the basic code decides. */
  disposition: 'retry' | 'fail' | null;
  /** False when only a bare basic code speaks: too little to give up on an address. */
  isClear: boolean;
}

const clear = (category: BounceCategory): BounceClass => ({ category, disposition: null, isClear: true });
const vague = (category: BounceCategory): BounceClass => ({ category, disposition: null, isClear: false });

/**
 * One line of at most 512 characters: continuation codes and control characters removed. Peers write
 * anything.
 */
export function cleanReplyText(text: string): string {
  return text
    .slice(0, 8 * TEXT_CAP)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\d{3}[ -]/, ''))
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\s]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, TEXT_CAP);
}

/** The RFC 3463 code that a reply text begins with, or null. */
export function enhancedCodeIn(cleanText: string): string | null {
  return /^(?:\d{3}[ -])?#?([245]\.\d{1,3}\.\d{1,3})\b/.exec(cleanText)?.[1] ?? null;
}

/** The provider whose host names all of `mxHosts` are; null for none, or for a mix. */
export function providerOf(mxHosts: readonly string[], rules: BounceRules): string | null {
  const hosts = mxHosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  if (hosts.length === 0) return null;
  for (const [name, endings] of rules.providers) {
    const isTheirs = (host: string): boolean => endings.some((e) => host === e || host.endsWith(`.${e}`));
    if (hosts.every(isTheirs)) return name;
  }
  return null;
}

/** Category of a reply that is not a success. */
export function classOfReply(reply: PeerReply, rules: BounceRules): BounceClass {
  if (reply.code === null)
    return clear(reply.phase === 'tls' || reply.phase === 'starttls' ? 'tls' : 'network');
  const text = cleanReplyText(reply.text);
  const ruled = matchRule(rules.first, reply, text);
  if (ruled) return ruled;
  const enhanced = /^[245]\.(\d{1,3})\.(\d{1,3})$/.exec(reply.enhanced ?? enhancedCodeIn(text) ?? '');
  const [, subject = '', detail = ''] = enhanced ?? [];
  const precise = rules.enhanced.get(`${subject}.${detail}`);
  if (precise) return clear(precise);
  const told = matchRule(rules.texts, reply, text);
  if (told) return told;
  const broad = rules.enhanced.get(`${subject}.*`);
  return broad ? clear(broad) : byBasicCode(reply.phase, reply.code);
}

function matchRule(list: readonly CompiledRule[], reply: PeerReply, text: string): BounceClass | null {
  const provider = reply.provider ?? null;
  const code = String(reply.code);
  for (const rule of list) {
    if (rule.provider !== null && rule.provider !== provider) continue;
    if (!code.startsWith(rule.code) || (rule.phases && !rule.phases.includes(reply.phase))) continue;
    if (rule.pattern.test(text)) return { ...clear(rule.category), disposition: rule.disposition };
  }
  return null;
}

function byBasicCode(phase: ReplyPhase, code: number): BounceClass {
  switch (code) {
    case 421:
      return vague('network');
    case 450:
    case 451:
      return vague(phase === 'rcpt' ? 'greylist' : 'unknown');
    case 452:
      return vague('rate_limited');
    case 454:
      return vague('tls');
    case 500:
    case 501:
    case 502:
    case 503:
    case 504:
    case 555:
      return vague('protocol');
    case 521:
    case 556:
      return vague('bad_domain');
    case 523:
      return vague('too_large');
    case 530:
    case 535:
    case 538:
      return vague('policy');
    case 550:
    case 551:
    case 553:
      // After the data a bare 550 speaks about the message, at MAIL about us.
      return vague(phase === 'rcpt' || phase === 'dsn' ? 'invalid_recipient' : 'policy');
    case 552:
      return vague(phase === 'mail' || phase === 'dot' ? 'too_large' : 'quota');
    default:
      return vague(code >= 200 && code < 400 ? 'protocol' : 'unknown');
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function section(json: unknown, name: string): Record<string, unknown> {
  const value = isRecord(json) ? json[name] : undefined;
  if (!isRecord(value)) throw new Error(`bounce rules: "${name}" must be an object`);
  return value;
}

function textsOf(value: unknown, place: string): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length === 0 || texts.length < items.length)
    throw new Error(`bounce rules: ${place} must list texts`);
  return texts;
}

function categoryOf(value: unknown, place: string): BounceCategory {
  const category = BOUNCE_CATEGORIES.find((name) => name === value);
  if (!category) throw new Error(`bounce rules: ${place} has the unknown category ${JSON.stringify(value)}`);
  return category;
}

function phasesOf(value: unknown, place: string): ReplyPhase[] {
  return textsOf(value, place).map((name) => {
    const phase = REPLY_PHASES.find((known) => known === name);
    if (!phase) throw new Error(`bounce rules: ${place} names the unknown phase "${name}"`);
    return phase;
  });
}

const RULE_KEYS = ['provider', 'code', 'phases', 'pattern', 'category', 'disposition'];

function compileRule(value: unknown, place: string, providers: ReadonlyMap<string, unknown>): CompiledRule {
  if (!isRecord(value)) throw new Error(`bounce rules: ${place} must be an object`);
  const stray = Object.keys(value).find((key) => !RULE_KEYS.includes(key));
  if (stray !== undefined) throw new Error(`bounce rules: ${place} has the unknown key "${stray}"`);
  const { provider = null, code, phases, pattern, category, disposition = null } = value;
  if (provider !== null && !(typeof provider === 'string' && providers.has(provider))) {
    throw new Error(`bounce rules: ${place} names an unknown provider`);
  }
  if (typeof code !== 'string' || !/^[2-5]\d{0,2}$/.test(code)) {
    throw new Error(`bounce rules: ${place} needs the beginning of a reply code`);
  }
  if (typeof pattern !== 'string') throw new Error(`bounce rules: ${place} needs a pattern`);
  if (disposition !== null && disposition !== 'retry' && disposition !== 'fail') {
    throw new Error(`bounce rules: ${place} has an unknown disposition`);
  }
  return {
    provider,
    code,
    phases: phases === undefined ? null : phasesOf(phases, `${place}.phases`),
    pattern: compileLinearPattern(pattern),
    category: categoryOf(category, place),
    disposition,
  };
}

/**
 * The content of config/bounce-rules.json, ready for use. Throws an Error that names the place of the first
 * mistake.
 */
export function compileBounceRules(json: unknown): BounceRules {
  const providers = new Map(
    Object.entries(section(json, 'providers')).map(([name, hosts]) => [
      name,
      textsOf(hosts, `providers.${name}`),
    ]),
  );
  const enhanced = new Map(
    Object.entries(section(json, 'enhanced')).map(([code, name]) => {
      if (!/^\d{1,3}\.(?:\d{1,3}|\*)$/.test(code))
        throw new Error(`bounce rules: "${code}" is no enhanced code`);
      return [code, categoryOf(name, `enhanced.${code}`)] as const;
    }),
  );
  const listOf = (name: 'first' | 'texts'): CompiledRule[] => {
    const list = isRecord(json) ? json[name] : undefined;
    if (!Array.isArray(list)) throw new Error(`bounce rules: "${name}" must be a list`);
    return list.map((rule: unknown, i) => compileRule(rule, `${name}[${i}]`, providers));
  };
  return { providers, enhanced, first: listOf('first'), texts: listOf('texts') };
}
