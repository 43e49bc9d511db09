// The rules of Google, Yahoo and Microsoft for senders, as data: to whom they apply, from which volume, and which replies name a
// rule. docs/bulk-rules.md has the providers' pages and the dates of the rules.
import type { BulkRule, MailProvider, RequiredOf } from './bulk-rules.schema.js';

/** Messages per day to one provider from which a domain is a bulk sender. `null` if the provider publishes none. */
export const BULK_THRESHOLDS: Readonly<Record<MailProvider, number | null>> = {
  google: 5_000,
  yahoo: null,
  microsoft: 5_000,
};

/** Names of config/providers.json. Business mail at Microsoft 365 is not under its consumer rules. */
export const PROVIDER_NAMES: Readonly<Record<MailProvider, string>> = {
  google: 'google',
  yahoo: 'yahoo',
  microsoft: 'microsoft_consumer',
};

const BULK_SENDERS = { google: 'bulk_senders', yahoo: 'bulk_senders', microsoft: 'bulk_senders' } as const;
const ALL_SENDERS = { google: 'all_senders', yahoo: 'all_senders', microsoft: 'all_senders' } as const;
const NOT_MICROSOFT = { ...BULK_SENDERS, microsoft: 'nobody' } as const;

export const REQUIREMENTS: Readonly<Record<BulkRule, Readonly<Record<MailProvider, RequiredOf>>>> = {
  spf: BULK_SENDERS,
  dkim: BULK_SENDERS,
  dmarc: BULK_SENDERS,
  alignment: BULK_SENDERS,
  reverse_dns: ALL_SENDERS,
  tls: { google: 'all_senders', yahoo: 'nobody', microsoft: 'nobody' },
  message_format: ALL_SENDERS,
  one_click_unsubscribe: NOT_MICROSOFT,
  unsubscribe_link: NOT_MICROSOFT,
  unsubscribe_in_time: NOT_MICROSOFT,
  complaint_rate: { google: 'all_senders', yahoo: 'all_senders', microsoft: 'nobody' },
  from_domain: ALL_SENDERS,
  opt_in: { google: 'nobody', yahoo: 'nobody', microsoft: 'nobody' },
};

/** Complaints of delivered messages: stay below the first, never reach the second. */
export const COMPLAINT_WARN = 0.001;
export const COMPLAINT_FAIL = 0.003;
/** With fewer delivered messages one complaint decides everything. */
export const COMPLAINT_SAMPLE = 500;
/** Time (ms) after an unsubscribe from which no mail may reach the recipient. */
export const UNSUBSCRIBE_LIMIT_MS = 48 * 3_600_000;
export const DKIM_MIN_BITS = 1_024;
export const DKIM_ADVISED_BITS = 2_048;

/** Domains of the providers' own users, which no one else may use in From. */
export const PROVIDERS_OWN_DOMAINS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com'],
  ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'aol.com'],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
]);

interface ReplyRule {
  provider: MailProvider;
  rule: BulkRule;
  pattern: RegExp;
}

const GOOGLE_CODES: readonly (readonly [rule: BulkRule, numbers: string])[] = [
  ['spf', '24|27'],
  ['dkim', '30'],
  ['dmarc', '31|40'],
  ['alignment', '26|32'],
  ['reverse_dns', '23|25'],
  ['tls', '29'],
  ['complaint_rate', '28'],
];

/** Tried in this order, on the code and the text of a refusal. */
const REPLY_RULES: readonly ReplyRule[] = [
  ...GOOGLE_CODES.map(([rule, numbers]): ReplyRule => ({
    provider: 'google',
    rule,
    pattern: new RegExp(`\\b[45]\\.7\\.(?:${numbers})\\b`),
  })),
  { provider: 'google', rule: 'message_format', pattern: /\b5\.7\.1\b.*RFC ?5322/is },
  { provider: 'microsoft', rule: 'alignment', pattern: /\b5\.7\.515\b/ },
  { provider: 'microsoft', rule: 'dmarc', pattern: /\b5\.7\.509\b/ },
  { provider: 'microsoft', rule: 'complaint_rate', pattern: /\((?:S3140|S3150|RP-00[123])\)/ },
  { provider: 'yahoo', rule: 'dmarc', pattern: /\b5\.7\.9\b/ },
  { provider: 'yahoo', rule: 'complaint_rate', pattern: /\[TSS?\d\d\]/ },
];

/** The rule that a provider's refusal names; null for a refusal of another kind. */
export function ruleOfReply(
  provider: MailProvider,
  enhancedCode: string | null,
  reply: string,
): BulkRule | null {
  const text = `${enhancedCode ?? ''} ${reply}`;
  const found = REPLY_RULES.find((one) => one.provider === provider && one.pattern.test(text));
  return found?.rule ?? null;
}
