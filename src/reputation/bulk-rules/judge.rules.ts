// Evaluates a sender's mail by the bulk sender rules: turns collected facts into pass, warn, fail or unknown, with a sentence and a
// remedy. It looks nothing up.
import { share } from '../../contract/rates.js';
import type { DnsRecordStatus } from '../../domains/dns-records.rules.js';
import type { CheckStatus } from '../../contract/check-status.js';
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
import { groupedDigits } from '../../lib/rows/index.js';

/** Records of one sending domain, as the last check found them. */
export interface DomainFacts {
  domain: string;
  /** Epoch ms; null if the domain was never checked. */
  checkedAt: number | null;
  /** Of the signing keys: the worst record, and the bits of the shortest RSA key (null without one). */
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
  /** SPF of the platform's return path, and the reverse names of its addresses. `null` if not checked. */
  platformSpf: OwnCheck | null;
  reverseDns: OwnCheck | null;
  /** Some mail left by a smarthost: its addresses are what receivers see. */
  usesSmarthost: boolean;
  attempts: Readonly<Record<MailProvider, AttemptFacts>>;
  /** Newest first. */
  samples: readonly SampleFacts[];
  /** Recent messages, and the newest one whose From is on a provider's own domain. */
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

const NO_MAIL = 'No mail from the last 30 days is available to check this rule.';
const SEND_AND_LOOK = 'Send mail, then check again.';

export function bulkVolumes({ counts }: Pick<BulkFacts, 'counts'>): BulkVolume[] {
  return MAIL_PROVIDERS.map((provider) => {
    const { sent, busiestDay } = counts[provider];
    const threshold = BULK_THRESHOLDS[provider];
    const isBulk = threshold === null || (busiestDay !== null && busiestDay.sent >= threshold);
    return { provider, sent, busiest_day: busiestDay, threshold, is_bulk_sender: isBulk };
  });
}

/** One check for each rule and provider, rule by rule. */
export function judgeBulkRules(facts: BulkFacts): BulkRuleCheck[] {
  const isBulk = new Map(bulkVolumes(facts).map((one) => [one.provider, one.is_bulk_sender]));
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

/** Returns the worst status of the checks with evidence; `unknown` if none has any. */
export function overallStatus(checks: readonly Pick<BulkRuleCheck, 'status'>[]): CheckStatus {
  const order = ['fail', 'warn', 'pass'] as const;
  return order.find((status) => checks.some((check) => check.status === status)) ?? 'unknown';
}

/** A provider's refusal because of the rule overrides all lookups until the provider accepts mail again. */
function afterRefusals(finding: Finding, attempts: AttemptFacts, rule: BulkRule): Finding {
  const refusal = attempts.refusals.get(rule);
  if (refusal === undefined) return finding;
  const { newestDelivered } = attempts;
  const took = newestDelivered !== null && newestDelivered.at > refusal.at;
  const refused = `The provider rejected ${messages(refusal.count)} under this rule.`;
  const shown = { messages: refusal.count, shown: refusal, at: refusal.at };
  if (took) {
    const detail = `${refused} It has accepted mail since then. ${finding.detail}`;
    return { ...finding, ...shown, detail, status: finding.status === 'pass' ? 'warn' : finding.status };
  }
  const remedy = finding.remedy ?? "Read the reply for the provider's requirement.";
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
  const later = ` The provider requires this for ${groupedDigits(BULK_THRESHOLDS[provider] ?? 0)} or more messages per day.`;
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
  detail: 'No sending domain is verified.',
  remedy: 'Set up a sending domain and publish its DNS records.',
};

const notAnswered = (record: string, domains: readonly DomainFacts[]): Finding => ({
  status: 'unknown',
  detail: `No name server has responded for the ${record} record of ${namesOf(domains)} yet.`,
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
    detail: 'Mailkeel cannot check whether your recipients asked for this mail.',
    remedy:
      'Send only to people who opted in, and record their consent. A sign-up form with confirmation does both.',
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
    const detail = `The SPF record of the return path of ${namesOf(bad)} does not include the sending IPs.`;
    return { status: 'missed', detail, remedy: 'Publish the return-path TXT record shown under DNS.', at };
  }
  const open = own.filter(({ spf }) => isUnknown(spf.status));
  if (open.length > 0) return notAnswered('SPF', open);
  const foreign = domains.filter(({ spf }) => !spf.isAligned);
  if (foreign.length === 0) {
    return {
      status: 'pass',
      detail: `SPF passes with a return path on ${namesOf(own)}, so it aligns.`,
      at,
    };
  }
  const remedy = 'Publish the return-path MX and TXT records shown under DNS so that SPF aligns with From.';
  const named = namesOf(foreign);
  if (platformSpf === null || platformSpf.status === 'unknown') {
    const detail = `Mail from ${named} uses the return path of the service, whose SPF record has not been checked yet.`;
    return { status: 'unknown', detail, remedy, at: platformSpf?.at ?? null };
  }
  if (platformSpf.status === 'fail') {
    const detail = `Mail from ${named} uses the return path of the service, whose SPF record fails.`;
    return { status: 'missed', detail, remedy, at: platformSpf.at };
  }
  const detail = `SPF passes with the return path of the service but does not align with ${named}, so DMARC relies on DKIM alone.`;
  return { status: 'warn', detail, remedy, at: platformSpf.at };
}

function judgeDkim({ domains, samples }: BulkFacts): Finding {
  if (domains.length === 0) return noDomain;
  const at = oldestCheck(domains);
  const bad = domains.filter(({ dkim }) => isBad(dkim.status));
  if (bad.length > 0) {
    const detail = `The DKIM record of ${namesOf(bad)} is missing or contains another key, so signatures fail.`;
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
  const seen = signed.length === 0 ? '' : ` ${messages(signed.length)} checked: all signed.`;
  const detail = `The signing keys of ${namesOf(domains)} are published in DNS.${seen}`;
  return { status: 'pass', detail, messages: signed.length, shown: signed[0] ?? null, at };
}

function judgeDmarc({ domains }: BulkFacts): Finding {
  if (domains.length === 0) return noDomain;
  const at = oldestCheck(domains);
  const bad = domains.filter(({ dmarc }) => isBad(dmarc.status));
  if (bad.length > 0) {
    const detail = `${namesOf(bad)} does not have a valid DMARC record.`;
    return {
      status: 'missed',
      detail,
      remedy: 'Publish the DMARC record shown under DNS. p=none is sufficient.',
      at,
    };
  }
  const open = domains.filter(({ dmarc }) => isUnknown(dmarc.status));
  if (open.length > 0) return notAnswered('DMARC', open);
  const silent = domains.filter(({ dmarc }) => !/;\s*rua\s*=\s*mailto:/i.test(dmarc.record ?? ''));
  const detail = `${namesOf(domains)} has a valid DMARC record.`;
  if (silent.length === 0) return { status: 'pass', detail, at };
  const remedy = `Recommended: add rua=mailto:… to the record of ${namesOf(silent)} to receive reports from mailbox providers.`;
  return { status: 'pass', detail, remedy, at };
}

function judgeAlignment({ samples }: BulkFacts): Finding {
  const signed = samples.filter(({ isDkimAligned }) => isDkimAligned !== null);
  if (signed.length === 0) {
    const detail = 'No signed message from the last 30 days is available to check.';
    return { status: 'unknown', detail, remedy: SEND_AND_LOOK };
  }
  const bad = signed.filter(({ isDkimAligned }) => isDkimAligned === false);
  if (bad.length > 0) {
    const detail = `${messages(bad.length)} of ${signed.length} checked messages have no DKIM signature for the From domain.`;
    const remedy = 'Send from a domain that is set up in Mailkeel and has its DKIM records published.';
    return { status: 'missed', detail, remedy, messages: signed.length, shown: bad[0] ?? null };
  }
  const detail = `${messages(signed.length)} checked: all have a DKIM signature for the From domain.`;
  return { status: 'pass', detail, messages: signed.length, shown: signed[0] ?? null };
}

function judgeReverseDns({ reverseDns, usesSmarthost }: BulkFacts): Finding {
  if (usesSmarthost) {
    const detail = 'Mail is sent through a smarthost, and its operator sets the reverse DNS names.';
    return { status: 'unknown', detail, remedy: 'Contact the operator of the smarthost.' };
  }
  const operator = 'The operator of this service sets reverse DNS at the hosting provider.';
  if (reverseDns === null || reverseDns.status === 'unknown') {
    const detail = 'Reverse DNS of the sending IPs has not been checked yet.';
    return { status: 'unknown', detail, remedy: operator, at: reverseDns?.at ?? null };
  }
  if (reverseDns.status === 'pass') {
    const detail = 'Every sending IP has a reverse DNS name that resolves back to it.';
    return { status: 'pass', detail, at: reverseDns.at };
  }
  const detail = 'A sending IP has no reverse DNS name, or a name that does not resolve back to it.';
  const status = reverseDns.status === 'warn' ? 'warn' : 'missed';
  return { status, detail, remedy: operator, at: reverseDns.at };
}

function judgeTls({ attempts }: BulkFacts, provider: MailProvider): Finding {
  const { delivered, withoutTls, newestWithoutTls, newestDelivered } = attempts[provider];
  if (delivered === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  if (withoutTls === 0) {
    return {
      status: 'pass',
      detail: `${messages(delivered)} delivered, all over TLS.`,
      messages: delivered,
      shown: newestDelivered,
    };
  }
  const detail = `${messages(withoutTls)} of ${groupedDigits(delivered)} were sent without TLS.`;
  const remedy = 'See the delivery attempts of the message for the reason.';
  return { status: 'missed', detail, remedy, messages: delivered, shown: newestWithoutTls };
}

function judgeFormat({ samples }: BulkFacts): Finding {
  if (samples.length === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  const bad = samples.find(({ formProblems }) => formProblems.length > 0);
  if (bad === undefined) {
    const detail = `${messages(samples.length)} checked: all have one From, a Date and a Message-ID, and no duplicate fields.`;
    return { status: 'pass', detail, messages: samples.length, shown: samples[0] ?? null };
  }
  const remedy = 'Fix the application that submits the message.';
  return {
    status: 'missed',
    detail: bad.formProblems.join(' '),
    remedy,
    messages: samples.length,
    shown: bad,
  };
}

const NO_BULK_MAIL = 'No marketing or sales mail from the last 30 days is available to check this rule.';

function judgeOneClick({ samples }: BulkFacts): Finding {
  const bulk = samples.filter(({ isBulkMail }) => isBulkMail);
  if (bulk.length === 0) return { status: 'unknown', detail: NO_BULK_MAIL };
  const bad = bulk.find(({ oneClickProblems }) => oneClickProblems.length > 0);
  if (bad === undefined) {
    const detail = `${messages(bulk.length)} checked: both header fields are present and DKIM-signed.`;
    return { status: 'pass', detail, messages: bulk.length, shown: bulk[0] ?? null };
  }
  const remedy = 'Mailkeel adds both fields. The https address requires an https MAILKEEL_PUBLIC_URL.';
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
    const detail = `${messages(bulk.length)} checked: all contain an unsubscribe link.`;
    return { status: 'pass', detail, messages: bulk.length, shown: bulk[0] ?? null };
  }
  const detail = 'No unsubscribe link was found in the body of a marketing or sales message.';
  const remedy = 'Add {{unsubscribe_url}} to the template.';
  return { status: 'missed', detail, remedy, messages: bulk.length, shown: bad };
}

function judgeUnsubscribes({ unsubscribes }: BulkFacts): Finding {
  const { count, late, newestLate, longestMs } = unsubscribes;
  if (count === 0) return { status: 'unknown', detail: 'No one unsubscribed in the last 30 days.' };
  if (late > 0) {
    const hours = UNSUBSCRIBE_LIMIT_MS / 3_600_000;
    const detail = `${late} of ${count} addresses received marketing or sales mail more than ${hours} hours after unsubscribing.`;
    const remedy = 'Review the message. Do not remove suppressions of people who unsubscribed.';
    return { status: 'missed', detail, remedy, messages: count, shown: newestLate };
  }
  const last =
    longestMs === null
      ? 'none received marketing or sales mail afterwards'
      : `the last mail was sent within ${Math.ceil(longestMs / 60_000)} minutes`;
  return { status: 'pass', detail: `${count} addresses unsubscribed: ${last}.`, messages: count };
}

function judgeComplaints({ counts, all }: BulkFacts, provider: MailProvider): Finding {
  // Google reports no single complaints, so what others report is the least that can be assumed of its users.
  const isGoogle = provider === 'google';
  const { delivered, complained } = isGoogle ? all : counts[provider];
  const whose = isGoogle ? 'at providers that report complaints' : 'reported by the provider';
  const rate = share(complained, delivered) ?? 0;
  const shown =
    complained === 0
      ? `No complaints about ${messages(delivered)} delivered.`
      : `${complained} complaints ${whose}, out of ${messages(delivered)} delivered (${(rate * 100).toFixed(2)} %).`;
  const remedy = 'Identify the campaign that causes complaints, and send only to people who opted in.';
  const measured = { messages: delivered };
  if (delivered >= COMPLAINT_SAMPLE && rate >= COMPLAINT_FAIL) {
    return { ...measured, status: 'missed', detail: `${shown} The limit is 0.30 %.`, remedy };
  }
  if (delivered >= COMPLAINT_SAMPLE && rate >= COMPLAINT_WARN) {
    return { ...measured, status: 'warn', detail: `${shown} Keep the rate below 0.10 %.`, remedy };
  }
  if (isGoogle) {
    const detail = `Google does not report individual complaints. ${shown} The actual rate may be higher.`;
    return {
      ...measured,
      status: 'unknown',
      detail,
      remedy: 'Check the spam rate in Google Postmaster Tools.',
    };
  }
  if (delivered < COMPLAINT_SAMPLE) {
    return {
      ...measured,
      status: 'unknown',
      detail: `${shown} Fewer than ${COMPLAINT_SAMPLE} are not enough for a reliable rate.`,
    };
  }
  const loop = 'The provider sends complaints only if the IP or domain is registered for its feedback loop.';
  return { ...measured, status: 'pass', detail: `${shown} ${loop}` };
}

function judgeFrom({ looked }: BulkFacts): Finding {
  const { messages: count, newest, borrowedFrom } = looked;
  if (count === 0) return { status: 'unknown', detail: NO_MAIL, remedy: SEND_AND_LOOK };
  if (borrowedFrom === null) {
    const detail = `No mailbox provider address in the From of ${messages(count)}.`;
    return { status: 'pass', detail, messages: count, shown: newest };
  }
  const detail = `The From address is at ${borrowedFrom.domain}, a mailbox provider's domain, and cannot pass DMARC.`;
  const remedy = 'Send from your own domain, and use that address as Reply-To.';
  return { status: 'missed', detail, remedy, messages: count, shown: borrowedFrom };
}
