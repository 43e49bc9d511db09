// Judges a sender's mail by the bulk sender rules: facts that were gathered become pass, warn, fail or unknown, with a sentence and
// what to do. Nothing here looks anything up.
import { share } from '../../analytics/event-measures.rules.js';
import type { DnsRecordStatus } from '../../domains/dns-records.rules.js';
import type { CheckStatus } from '../../operations/preflight/health-check.schema.js';
import {
  BULK_RULES,
  MAIL_PROVIDERS,
  type BulkRule,
  type BulkRuleCheck,
  type BulkVolume,
  type MailProvider,
} from './bulk-rules.schema.js';
import type { MailForm } from './mail-form.rules.js';
import {
  BULK_THRESHOLDS,
  COMPLAINT_FAIL,
  COMPLAINT_SAMPLE,
  COMPLAINT_WARN,
  DKIM_ADVISED_BITS,
  DKIM_MIN_BITS,
  REQUIREMENTS,
  UNSUBSCRIBE_LIMIT_MS,
} from './provider-rules.rules.js';
import { groupedDigits } from '../../lib/rows/grouped-digits.js';

/** Records of one sending domain, as the last check found them. */
export interface DomainFacts {
  domain: string;
  /** Epoch ms; null: never checked. */
  checkedAt: number | null;
  /** Of the keys that sign: the worst record, and the bits of the shortest RSA key (null: none). */
  dkim: { status: DnsRecordStatus; bits: number | null };
  /** SPF of the return path below the domain. `isAligned` false: the return path is the platform's. */
  spf: { status: DnsRecordStatus; isAligned: boolean };
  dmarc: { status: DnsRecordStatus; record: string | null };
}

/** A result of the appliance's own checks. */
export interface OwnCheck {
  status: CheckStatus;
  /** Epoch ms. */
  at: number;
}

export interface Shown {
  messageId: string;
  /** Epoch ms. */
  at: number;
}

export interface AttemptFacts {
  /** Attempts that delivered at the provider, and those of them without TLS. */
  delivered: number;
  withoutTls: number;
  newestWithoutTls: Shown | null;
  newestDelivered: Shown | null;
  /** The newest refusal for each rule that it names, with the number of them. */
  refusals: ReadonlyMap<BulkRule, Shown & { reply: string; count: number }>;
}

export interface SampleFacts extends Shown, MailForm {
  /** Marketing or sales: recipients must be able to unsubscribe. */
  isBulkMail: boolean;
}

export interface CountFacts {
  sent: number;
  delivered: number;
  complained: number;
  busiestDay: { date: string; sent: number } | null;
}

export interface BulkFacts {
  windowDays: number;
  domains: readonly DomainFacts[];
  /** SPF of the platform's return path, and the reverse names of its addresses; null: not checked. */
  platformSpf: OwnCheck | null;
  reverseDns: OwnCheck | null;
  /** Some mail left by a smarthost: its addresses are what receivers see. */
  usesSmarthost: boolean;
  attempts: Readonly<Record<MailProvider, AttemptFacts>>;
  /** Newest first. */
  samples: readonly SampleFacts[];
  /** Recent messages, and the newest one whose From is of a provider's own domain. */
  looked: { messages: number; newest: Shown | null; borrowedFrom: (Shown & { domain: string }) | null };
  /** Unsubscribed addresses, those that got mail later than allowed, and the longest time (ms) to the last mail after it. */
  unsubscribes: { count: number; late: number; newestLate: Shown | null; longestMs: number | null };
  counts: Readonly<Record<MailProvider, CountFacts>>;
  /** Over all providers. */
  all: { delivered: number; complained: number };
}

/** A finding before it is known of whom the provider asks it. `missed` becomes `fail` or `warn` by that. */
interface Finding {
  status: 'pass' | 'missed' | 'warn' | 'fail' | 'unknown';
  detail: string;
  remedy?: string | null;
  messages?: number;
  shown?: Shown | null;
  at?: number | null;
}

const NO_MAIL = 'No mail of the last 30 days shows it.';
const SEND_AND_LOOK = 'Send mail, then look again.';

export function volumesOf({ counts }: Pick<BulkFacts, 'counts'>): BulkVolume[] {
  return MAIL_PROVIDERS.map((provider) => {
    const { sent, busiestDay } = counts[provider];
    const threshold = BULK_THRESHOLDS[provider];
    const isBulk = threshold === null || (busiestDay !== null && busiestDay.sent >= threshold);
    return { provider, sent, busiest_day: busiestDay, threshold, is_bulk_sender: isBulk };
  });
}

/** One check for each rule and provider, rule by rule. */
export function judgeBulkRules(facts: BulkFacts): BulkRuleCheck[] {
  const isBulk = new Map(volumesOf(facts).map((one) => [one.provider, one.is_bulk_sender]));
  return BULK_RULES.flatMap((rule) =>
    MAIL_PROVIDERS.map((provider) => {
      const finding = afterRefusals(JUDGES[rule](facts, provider), facts.attempts[provider], rule);
      return checkOf(rule, provider, finding, {
        isBulkSender: isBulk.get(provider) === true,
        reply: facts.attempts[provider].refusals.get(rule)?.reply ?? null,
      });
    }),
  );
}

/** The worst of the checks that have evidence; `unknown` where none has. */
export function overallStatus(checks: readonly Pick<BulkRuleCheck, 'status'>[]): CheckStatus {
  const order = ['fail', 'warn', 'pass'] as const;
  return order.find((status) => checks.some((check) => check.status === status)) ?? 'unknown';
}

/** A provider that refused mail for the rule knows better than any look-up, until it takes mail again. */
function afterRefusals(finding: Finding, attempts: AttemptFacts, rule: BulkRule): Finding {
  const refusal = attempts.refusals.get(rule);
  if (refusal === undefined) return finding;
  const { newestDelivered } = attempts;
  const took = newestDelivered !== null && newestDelivered.at > refusal.at;
  const refused = `The provider refused ${messages(refusal.count)} for this rule.`;
  const shown = { messages: refusal.count, shown: refusal, at: refusal.at };
  if (took) {
    const detail = `${refused} It has accepted mail since. ${finding.detail}`;
    return { ...finding, ...shown, detail, status: finding.status === 'pass' ? 'warn' : finding.status };
  }
  const remedy = finding.remedy ?? 'Read the reply. It says what the provider misses.';
  return { ...shown, status: 'fail', detail: `${refused} ${finding.detail}`, remedy };
}

function checkOf(
  rule: BulkRule,
  provider: MailProvider,
  finding: Finding,
  { isBulkSender, reply }: { isBulkSender: boolean; reply: string | null },
): BulkRuleCheck {
  const required = REQUIREMENTS[rule][provider];
  const isAsked = required === 'all_senders' || (required === 'bulk_senders' && isBulkSender);
  const isLater = finding.status === 'missed' && required === 'bulk_senders' && !isBulkSender;
  const later = ` The provider asks for it from ${groupedDigits(BULK_THRESHOLDS[provider] ?? 0)} messages a day on.`;
  const at = finding.at ?? finding.shown?.at ?? null;
  return {
    object: 'bulk_rule_check',
    rule,
    provider,
    required_of: required,
    status: finding.status === 'missed' ? (isAsked ? 'fail' : 'warn') : finding.status,
    detail: finding.detail + (isLater ? later : ''),
    remedy: finding.remedy ?? null,
    evidence: {
      messages: finding.messages ?? 0,
      message_id: finding.shown?.messageId ?? null,
      observed_at: at === null ? null : new Date(at).toISOString(),
      reply,
    },
  };
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${groupedDigits(count)} messages`;
}

const oldestCheck = (domains: readonly DomainFacts[]): number | null =>
  domains.reduce<number | null>(
    (oldest, { checkedAt }) => (checkedAt === null ? oldest : Math.min(oldest ?? checkedAt, checkedAt)),
    null,
  );

const namesOf = (domains: readonly DomainFacts[]): string => domains.map(({ domain }) => domain).join(', ');

const noDomain: Finding = {
  status: 'unknown',
  detail: 'There is no verified sending domain.',
  remedy: 'Set up a sending domain and publish its DNS records.',
};

const notAnswered = (record: string, domains: readonly DomainFacts[]): Finding => ({
  status: 'unknown',
  detail: `Nobody has answered for the ${record} record of ${namesOf(domains)} yet.`,
  remedy: 'Verify the domain again.',
  at: oldestCheck(domains),
});

type Judge = (facts: BulkFacts, provider: MailProvider) => Finding;

const JUDGES: Readonly<Record<BulkRule, Judge>> = {
  spf: judgeSpf,
  dkim: judgeDkim,
  dmarc: judgeDmarc,
  alignment: judgeAlignment,
  reverse_dns: judgeReverseDns,
  tls: judgeTls,
  message_format: judgeFormat,
  one_click_unsubscribe: judgeOneClick,
  unsubscribe_link: judgeLink,
  unsubscribe_in_time: judgeUnsubscribes,
  complaint_rate: judgeComplaints,
  from_domain: judgeFrom,
  opt_in: () => ({
    status: 'unknown',
    detail: 'Only you know whether each recipient has asked for this mail.',
    remedy:
      'Write to people who have asked for it, and keep the record of it. A sign-up form with confirmation does both.',
  }),
};

const isBad = (status: DnsRecordStatus): boolean => status === 'missing' || status === 'mismatch';
const isUnknown = (status: DnsRecordStatus): boolean => status === 'pending' || status === 'host_unnamed';

function judgeSpf({ domains, platformSpf }: BulkFacts): Finding {
  if (domains.length === 0) return noDomain;
  const at = oldestCheck(domains);
  const own = domains.filter(({ spf }) => spf.isAligned);
  const bad = own.filter(({ spf }) => isBad(spf.status));
  if (bad.length > 0) {
    const detail = `The SPF record of the return path of ${namesOf(bad)} does not cover the addresses that mail leaves from.`;
    return { status: 'missed', detail, remedy: 'Publish the return-path TXT record shown under DNS.', at };
  }
  const open = own.filter(({ spf }) => isUnknown(spf.status));
  if (open.length > 0) return notAnswered('SPF', open);
  const foreign = domains.filter(({ spf }) => !spf.isAligned);
  if (foreign.length === 0) {
    return {
      status: 'pass',
      detail: `SPF passes under a return path below ${namesOf(own)}, so it aligns.`,
      at,
    };
  }
  const remedy = 'Publish the return-path MX and TXT records shown under DNS. Then SPF aligns with From.';
  const named = namesOf(foreign);
  if (platformSpf === null || platformSpf.status === 'unknown') {
    const detail = `Mail of ${named} has the return path of the service, whose SPF record was not checked yet.`;
    return { status: 'unknown', detail, remedy, at: platformSpf?.at ?? null };
  }
  if (platformSpf.status === 'fail') {
    const detail = `Mail of ${named} has the return path of the service, whose SPF record does not pass.`;
    return { status: 'missed', detail, remedy, at: platformSpf.at };
  }
  const detail = `SPF passes for the return path of the service. It does not align with ${named}: DMARC rests on DKIM alone.`;
  return { status: 'warn', detail, remedy, at: platformSpf.at };
}

function judgeDkim({ domains, samples }: BulkFacts): Finding {
  if (domains.length === 0) return noDomain;
  const at = oldestCheck(domains);
  const bad = domains.filter(({ dkim }) => isBad(dkim.status));
  if (bad.length > 0) {
    const detail = `The DKIM record of ${namesOf(bad)} is missing or holds another key, so signatures fail.`;
    return { status: 'missed', detail, remedy: 'Publish the DKIM records shown under DNS.', at };
  }
  const open = domains.filter(({ dkim }) => isUnknown(dkim.status));
  if (open.length > 0) return notAnswered('DKIM', open);
  const below = (bits: number): DomainFacts[] =>
    domains.filter(({ dkim }) => dkim.bits !== null && dkim.bits < bits);
  const remedy = 'Rotate the DKIM key. New keys have 2,048 bits.';
  const [refused, short] = [below(DKIM_MIN_BITS), below(DKIM_ADVISED_BITS)];
  if (refused.length > 0) {
    const detail = `The DKIM key of ${namesOf(refused)} has fewer than ${DKIM_MIN_BITS} bits.`;
    return { status: 'missed', detail, remedy, at };
  }
  if (short.length > 0) {
    const detail = `The DKIM key of ${namesOf(short)} has fewer than ${DKIM_ADVISED_BITS} bits.`;
    return { status: 'warn', detail, remedy, at };
  }
  const signed = samples.filter(({ isDkimAligned }) => isDkimAligned !== null);
  const seen = signed.length === 0 ? '' : ` ${messages(signed.length)} looked at: signed.`;
  const detail = `The keys that sign stand in DNS of ${namesOf(domains)}.${seen}`;
  return { status: 'pass', detail, messages: signed.length, shown: signed[0] ?? null, at };
}

function judgeDmarc({ domains }: BulkFacts): Finding {
  if (domains.length === 0) return noDomain;
  const at = oldestCheck(domains);
  const bad = domains.filter(({ dmarc }) => isBad(dmarc.status));
  if (bad.length > 0) {
    const detail = `${namesOf(bad)} has no valid DMARC record.`;
    return {
      status: 'missed',
      detail,
      remedy: 'Publish the DMARC record shown under DNS. p=none is enough.',
      at,
    };
  }
  const open = domains.filter(({ dmarc }) => isUnknown(dmarc.status));
  if (open.length > 0) return notAnswered('DMARC', open);
  const silent = domains.filter(({ dmarc }) => !/;\s*rua\s*=\s*mailto:/i.test(dmarc.record ?? ''));
  const detail = `${namesOf(domains)} has a valid DMARC record.`;
  if (silent.length === 0) return { status: 'pass', detail, at };
  const remedy = `Advised: add rua=mailto:… to the record of ${namesOf(silent)}, to get the providers' reports.`;
  return { status: 'pass', detail, remedy, at };
}

function judgeAlignment({ samples }: BulkFacts): Finding {
  const signed = samples.filter(({ isDkimAligned }) => isDkimAligned !== null);
  if (signed.length === 0) {
    const detail = 'No signed message of the last 30 days can be shown again.';
    return { status: 'unknown', detail, remedy: SEND_AND_LOOK };
  }
  const bad = signed.filter(({ isDkimAligned }) => isDkimAligned === false);
  if (bad.length > 0) {
    const detail = `${messages(bad.length)} of ${signed.length} looked at have no DKIM signature of the domain in From.`;
    const remedy = 'Send from a domain that is set up here, with its DKIM records published.';
    return { status: 'missed', detail, remedy, messages: signed.length, shown: bad[0] ?? null };
  }
  const detail = `${messages(signed.length)} looked at: each has a DKIM signature of the domain in From.`;
  return { status: 'pass', detail, messages: signed.length, shown: signed[0] ?? null };
}

function judgeReverseDns({ reverseDns, usesSmarthost }: BulkFacts): Finding {
  if (usesSmarthost) {
    const detail = 'Mail leaves by a smarthost. Its operator sets the reverse names.';
    return { status: 'unknown', detail, remedy: 'Ask the operator of the smarthost.' };
  }
  const operator = 'The operator of this service sets it with the hoster of the addresses.';
  if (reverseDns === null || reverseDns.status === 'unknown') {
    const detail = 'The reverse names of the sending addresses were not checked yet.';
    return { status: 'unknown', detail, remedy: operator, at: reverseDns?.at ?? null };
  }
  if (reverseDns.status === 'pass') {
    const detail = 'Each sending address has a reverse name, and the name leads back to it.';
    return { status: 'pass', detail, at: reverseDns.at };
  }
  const detail = 'A sending address has no reverse name, or one that does not lead back to it.';
  const status = reverseDns.status === 'warn' ? 'warn' : 'missed';
  return { status, detail, remedy: operator, at: reverseDns.at };
}

function judgeTls({ attempts }: BulkFacts, provider: MailProvider): Finding {
  const { delivered, withoutTls, newestWithoutTls, newestDelivered } = attempts[provider];
  if (delivered === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  if (withoutTls === 0) {
    return {
      status: 'pass',
      detail: `TLS in all of ${messages(delivered)}.`,
      messages: delivered,
      shown: newestDelivered,
    };
  }
  const detail = `${messages(withoutTls)} of ${groupedDigits(delivered)} went without TLS.`;
  const remedy = 'Read the attempts of the message: they say why there was no TLS.';
  return { status: 'missed', detail, remedy, messages: delivered, shown: newestWithoutTls };
}

function judgeFormat({ samples }: BulkFacts): Finding {
  if (samples.length === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  const bad = samples.find(({ formProblems }) => formProblems.length > 0);
  if (bad === undefined) {
    const detail = `${messages(samples.length)} looked at: one From, a Date and a Message-ID, no field twice.`;
    return { status: 'pass', detail, messages: samples.length, shown: samples[0] ?? null };
  }
  const remedy = 'Repair the program that hands the message over.';
  return {
    status: 'missed',
    detail: bad.formProblems.join(' '),
    remedy,
    messages: samples.length,
    shown: bad,
  };
}

const NO_BULK_MAIL = 'No marketing or sales mail of the last 30 days shows it.';

function judgeOneClick({ samples }: BulkFacts): Finding {
  const bulk = samples.filter(({ isBulkMail }) => isBulkMail);
  if (bulk.length === 0) return { status: 'unknown', detail: NO_BULK_MAIL };
  const bad = bulk.find(({ oneClickProblems }) => oneClickProblems.length > 0);
  if (bad === undefined) {
    const detail = `${messages(bulk.length)} looked at: both header fields are there, and DKIM signs them.`;
    return { status: 'pass', detail, messages: bulk.length, shown: bulk[0] ?? null };
  }
  const remedy = 'The service adds both fields. An https address takes MAILKEEL_PUBLIC_URL with https.';
  return {
    status: 'missed',
    detail: bad.oneClickProblems.join(' '),
    remedy,
    messages: bulk.length,
    shown: bad,
  };
}

function judgeLink({ samples }: BulkFacts): Finding {
  const bulk = samples.filter(({ isBulkMail }) => isBulkMail);
  if (bulk.length === 0) return { status: 'unknown', detail: NO_BULK_MAIL };
  const bad = bulk.find(({ hasUnsubscribeLink }) => !hasUnsubscribeLink);
  if (bad === undefined) {
    const detail = `${messages(bulk.length)} looked at: each has a link to unsubscribe.`;
    return { status: 'pass', detail, messages: bulk.length, shown: bulk[0] ?? null };
  }
  const detail = 'A marketing or sales message has no link to unsubscribe that could be found in its body.';
  const remedy = 'Put {{unsubscribe_url}} into the template.';
  return { status: 'missed', detail, remedy, messages: bulk.length, shown: bad };
}

function judgeUnsubscribes({ unsubscribes }: BulkFacts): Finding {
  const { count, late, newestLate, longestMs } = unsubscribes;
  if (count === 0) return { status: 'unknown', detail: 'Nobody has unsubscribed in the last 30 days.' };
  if (late > 0) {
    const hours = UNSUBSCRIBE_LIMIT_MS / 3_600_000;
    const detail = `${late} of ${count} addresses got marketing or sales mail later than ${hours} hours after they had unsubscribed.`;
    const remedy = 'Look at the message. Do not lift suppressions of people who have unsubscribed.';
    return { status: 'missed', detail, remedy, messages: count, shown: newestLate };
  }
  const last =
    longestMs === null
      ? 'none got such mail afterwards'
      : `the last mail came at most ${Math.ceil(longestMs / 60_000)} minutes afterwards`;
  return { status: 'pass', detail: `${count} addresses unsubscribed: ${last}.`, messages: count };
}

function judgeComplaints({ counts, all }: BulkFacts, provider: MailProvider): Finding {
  // Google reports no single complaints, so what others report is the least that can be assumed of its users.
  const isGoogle = provider === 'google';
  const { delivered, complained } = isGoogle ? all : counts[provider];
  const whose = isGoogle ? 'at the providers that report complaints' : 'that the provider has reported';
  const rate = share(complained, delivered) ?? 0;
  const shown =
    complained === 0
      ? `No complaint has come about ${messages(delivered)} delivered.`
      : `${complained} complaints ${whose}, of ${messages(delivered)} delivered: ${(rate * 100).toFixed(2)} %.`;
  const remedy =
    'Find the campaign that people complain about, and write only to people who have asked for it.';
  const measured = { messages: delivered };
  if (delivered >= COMPLAINT_SAMPLE && rate >= COMPLAINT_FAIL) {
    return { ...measured, status: 'missed', detail: `${shown} The limit is 0.30 %.`, remedy };
  }
  if (delivered >= COMPLAINT_SAMPLE && rate >= COMPLAINT_WARN) {
    return { ...measured, status: 'warn', detail: `${shown} It should stay below 0.10 %.`, remedy };
  }
  if (isGoogle) {
    const detail = `Google reports no single complaints. ${shown} The true rate may be higher.`;
    return {
      ...measured,
      status: 'unknown',
      detail,
      remedy: 'Look at the spam rate in Google Postmaster Tools.',
    };
  }
  if (delivered < COMPLAINT_SAMPLE) {
    return {
      ...measured,
      status: 'unknown',
      detail: `${shown} Fewer than ${COMPLAINT_SAMPLE} say too little.`,
    };
  }
  const loop =
    'Complaints come only if the address or domain is registered with the provider for its feedback loop.';
  return { ...measured, status: 'pass', detail: `${shown} ${loop}` };
}

function judgeFrom({ looked }: BulkFacts): Finding {
  const { messages: count, newest, borrowedFrom } = looked;
  if (count === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  if (borrowedFrom === null) {
    const detail = `No address of a mail provider in From of ${messages(count)}.`;
    return { status: 'pass', detail, messages: count, shown: newest };
  }
  const detail = `From is an address at ${borrowedFrom.domain}, which belongs to a mail provider. It cannot pass DMARC.`;
  const remedy = 'Send from a domain of your own. Put that address into Reply-To.';
  return { status: 'missed', detail, remedy, messages: count, shown: borrowedFrom };
}
