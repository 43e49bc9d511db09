// Gathers the evidence of a sender for the bulk sender rules: DNS records, newest messages, attempts and counters.
import { createPublicKey } from 'node:crypto';
import {
  domainRecords,
  ownerOfSender,
  ownerOfTenant,
  readResults,
  withResults,
} from '../../domains/domain-records.js';
import type { DomainOwner, DomainSettings, RecordWithResult } from '../../domains/domain-records.js';
import { defaultNames } from '../../domains/effective-names.rules.js';
import type { DkimKey } from '../../domains/domains.tables.js';
import type { DnsRecordPurpose, DnsRecordStatus } from '../../domains/dns-records.rules.js';
import { addressDomain, splitHeaderBlock } from '../../lib/mime/index.js';
import type { Message } from '../../messages/messages.store.js';
import { worstStatus, type CheckStatus } from '../../contract/check-status.js';
import { findProvider, type Providers } from '../../outbound/route/provider.rules.js';
import type { Scope } from '../../database/scope.js';
import type { ReputationContext } from '../context.js';
import type { ReputationStores } from '../stores.js';
import type {
  LookedAttempt,
  LookedMessage,
  ProviderSums,
  SenderOfMail,
  Unsubscribed,
} from './bulk-rules.store.js';
import { MAIL_PROVIDERS, type BulkRule, type MailProvider } from './bulk-rules.schema.js';
import type {
  AttemptFacts,
  BulkFacts,
  CountFacts,
  DomainFacts,
  OwnCheck,
  SampleFacts,
  Shown,
} from './judge.rules.js';
import { readMailForm } from './mail-form.rules.js';
import {
  PROVIDER_NAMES,
  PROVIDERS_OWN_DOMAINS,
  ruleOfReply,
  UNSUBSCRIBE_LIMIT_MS,
} from './provider-rules.rules.js';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 30;
/** Days that are searched for one over the bulk threshold. */
const VOLUME_DAYS = 90;
/** Messages of each kind that are composed again, out of this many candidates. */
const SAMPLES = 3;
const CANDIDATES = 20;
const MAX_DOMAINS = 20;
const MAX_REPLY = 300;

/** The context of the bulk sender rules. src/app fills it last, because it needs outbound mail and operations. */
export interface BulkRuleContext extends Pick<ReputationContext, 'clock'> {
  store: Pick<ReputationStores, 'tenants' | 'domains' | 'bulkRules'>;
  /** Returns the bytes of a message as sent. */
  rawMessage: (message: Pick<Message, 'id' | 'public_id' | 'status'>) => Promise<Buffer>;
  /** Returns the last host checks, or `null` before the first have ended. */
  checks: () => { checkedAt: number; results: readonly { name: string; status: CheckStatus }[] } | null;
  providers: Providers;
  settings: DomainSettings;
}

/** The scope names the sender, which is a sub-tenant or the workspace itself. A sub-tenant must exist in it. */
export async function gatherEvidence(context: BulkRuleContext, scope: Scope): Promise<BulkFacts> {
  const { store, clock } = context;
  const sender: SenderOfMail = { environmentId: scope.environmentId, subTenantId: scope.subTenantId };
  const since = clock() - WINDOW_DAYS * DAY_MS;
  const recent = (await store.bulkRules.recent(sender)).filter((message) => isSent(message, since));
  const refused = (await store.bulkRules.refused(sender)).filter(({ createdAt }) => createdAt >= since);
  const byId = new Map([...recent, ...refused].map((message) => [message.id, message]));
  const attempts = await store.bulkRules.attemptsAmong([...byId.keys()].sort((a, b) => b - a));
  return {
    windowDays: WINDOW_DAYS,
    domains: await readDomains(context, scope),
    ...ownChecks(context),
    usesSmarthost: attempts.some(({ detail }) => detail.via === 'smarthost'),
    attempts: attemptsByProvider(context, attempts, byId),
    samples: await readSamples(context, recent),
    looked: lookedAt(recent),
    unsubscribes: unsubscribesOf(await store.bulkRules.unsubscribes(sender, since)),
    ...(await readCounts(context, sender)),
  };
}

function isSent({ status, createdAt }: LookedMessage, since: number): boolean {
  return createdAt >= since && status !== 'received' && status !== 'suppressed' && status !== 'canceled';
}

const shownOf = ({ publicId, createdAt }: LookedMessage): Shown => ({ messageId: publicId, at: createdAt });

function lookedAt(recent: readonly LookedMessage[]): BulkFacts['looked'] {
  const borrowed = recent.find(({ fromEmail }) => PROVIDERS_OWN_DOMAINS.has(addressDomain(fromEmail)));
  return {
    messages: recent.length,
    newest: recent[0] === undefined ? null : shownOf(recent[0]),
    borrowedFrom:
      borrowed === undefined ? null : { ...shownOf(borrowed), domain: addressDomain(borrowed.fromEmail) },
  };
}

async function readDomains({ store, settings }: BulkRuleContext, scope: Scope): Promise<DomainFacts[]> {
  const tenant = scope.subTenantId === null ? null : await store.tenants.subTenant(scope, scope.subTenantId);
  const senders = (await store.domains.verifiedSenders(scope)).filter(({ kind }) => kind === 'domain');
  const named = [
    ...(tenant === null ? [] : [{ owner: ownerOfTenant(tenant), row: tenant }]),
    ...senders.map((row) => ({ owner: ownerOfSender(row), row })),
  ].slice(0, MAX_DOMAINS);
  const keys = await store.domains.dkimKeys(named.map(({ owner }) => owner.id));
  return named.map(({ owner, row }) => {
    const own = keys.filter((key) => key.owner_id === owner.id);
    const records = withResults(domainRecords(owner, own, settings), readResults(row.dns_results));
    return domainFacts(owner, row, own, records);
  });
}

function domainFacts(
  owner: DomainOwner,
  row: { return_path_ok: 0 | 1; last_checked_at: number | null },
  keys: readonly DkimKey[],
  records: readonly RecordWithResult[],
): DomainFacts {
  const { domain, names = defaultNames(domain) } = owner;
  const find = (purpose: DnsRecordPurpose): RecordWithResult | undefined =>
    records.find((record) => record.purpose === purpose && record.type === 'TXT');
  const signing = records.filter(({ purpose, required }) => purpose === 'dkim' && required);
  const dmarc = find('dmarc');
  const spf = find(names.returnPath === domain ? 'spf' : 'return_path');
  return {
    domain,
    checkedAt: row.last_checked_at,
    dkim: { status: worstRecord(signing), bits: shortestKey(keys) },
    spf: { status: spf?.status ?? 'pending', isAligned: row.return_path_ok === 1 },
    dmarc: { status: dmarc?.status ?? 'pending', record: dmarc?.found[0] ?? null },
  };
}

function worstRecord(records: readonly RecordWithResult[]): DnsRecordStatus {
  const order = ['missing', 'mismatch', 'pending', 'host_unnamed', 'ok'] as const;
  return order.find((status) => records.some((record) => record.status === status)) ?? 'missing';
}

/** Bits of the shortest RSA key that signs; null without one. */
function shortestKey(keys: readonly DkimKey[]): number | null {
  const bits = keys
    .filter(({ state, algorithm }) => state === 'active' && algorithm === 'rsa-sha256')
    .flatMap(({ record_value: value }) => rsaBits(value) ?? []);
  return bits.length === 0 ? null : Math.min(...bits);
}

function rsaBits(record: string): number | undefined {
  const der = /(?:^|;)\s*p=([^;]+)/.exec(record)?.[1];
  if (der === undefined) return undefined;
  const key = createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' });
  return key.asymmetricKeyDetails?.modulusLength;
}

function ownChecks({ checks }: BulkRuleContext): Pick<BulkFacts, 'platformSpf' | 'reverseDns'> {
  const report = checks();
  const worst = (...names: string[]): OwnCheck | null => {
    const results = report?.results.filter(({ name }) => names.includes(name)) ?? [];
    return report === null || results.length === 0
      ? null
      : { status: worstStatus(results), at: report.checkedAt };
  };
  return { platformSpf: worst('spf'), reverseDns: worst('ptr', 'forward_confirmed') };
}

interface Collected extends Omit<AttemptFacts, 'refusals'> {
  refusals: Map<BulkRule, Shown & { reply: string; count: number }>;
}

/** Attempts by the server's own sources. The simulator reaches no provider, and a smarthost's reply is not the provider's. */
function attemptsByProvider(
  { providers }: BulkRuleContext,
  attempts: readonly LookedAttempt[],
  byId: ReadonlyMap<number, LookedMessage>,
): BulkFacts['attempts'] {
  const collected = { google: nothingYet(), yahoo: nothingYet(), microsoft: nothingYet() };
  for (const { messageId, at, detail } of attempts) {
    const publicId = byId.get(messageId)?.publicId;
    if (detail.via !== 'mta' || detail.host === null || publicId === undefined) continue;
    const name = findProvider([detail.host], providers);
    const provider = MAIL_PROVIDERS.find((one) => PROVIDER_NAMES[one] === name);
    if (provider !== undefined) collect(collected[provider], provider, { messageId: publicId, at }, detail);
  }
  return collected;
}

function nothingYet(): Collected {
  return {
    delivered: 0,
    withoutTls: 0,
    newestWithoutTls: null,
    newestDelivered: null,
    refusals: new Map(),
  };
}

function collect(
  facts: Collected,
  provider: MailProvider,
  shown: Shown,
  { outcome, tls, code, enhanced_code, reply }: LookedAttempt['detail'],
): void {
  if (outcome === 'delivered') {
    facts.delivered += 1;
    facts.newestDelivered = newer(facts.newestDelivered, shown);
    if (tls === null) {
      facts.withoutTls += 1;
      facts.newestWithoutTls = newer(facts.newestWithoutTls, shown);
    }
    return;
  }
  const rule = code === null ? null : ruleOfReply(provider, enhanced_code, reply);
  if (rule === null) return;
  const before = facts.refusals.get(rule);
  const newest =
    before !== undefined && before.at >= shown.at ? before : { ...shown, reply: reply.slice(0, MAX_REPLY) };
  facts.refusals.set(rule, { ...newest, count: (before?.count ?? 0) + 1 });
}

function newer(before: Shown | null, shown: Shown): Shown {
  return before !== null && before.at >= shown.at ? before : shown;
}

/** The newest small messages of each kind, as they left. */
async function readSamples(
  { store, rawMessage }: BulkRuleContext,
  recent: readonly LookedMessage[],
): Promise<SampleFacts[]> {
  const signed = recent.filter(({ isSigned }) => isSigned);
  const isBulk = ({ type }: LookedMessage): boolean => type !== 'transactional';
  const kinds = [signed.filter(isBulk), signed.filter((message) => !isBulk(message))];
  const candidates = kinds.flatMap((kind) => kind.slice(0, CANDIDATES));
  const small = await store.bulkRules.smallAmong(candidates.map(({ id }) => id));
  const chosen = kinds.flatMap((kind) => kind.filter(({ id }) => small.has(id)).slice(0, SAMPLES));
  const samples: SampleFacts[] = [];
  // Loaded on first use, because the parser takes 9 MB of memory.
  const { parseMail } = await import('../../lib/mail-parser/index.js');
  for (const message of chosen) {
    const octets = await rawMessage({ id: message.id, public_id: message.publicId, status: message.status });
    const { html, text } = await parseMail(octets);
    const form = readMailForm(splitHeaderBlock(octets)?.fields ?? null, `${html ?? ''}\n${text ?? ''}`);
    samples.push({ ...shownOf(message), ...form, isBulkMail: isBulk(message) });
  }
  return samples.sort((a, b) => b.at - a.at);
}

function unsubscribesOf(people: readonly Unsubscribed[]): BulkFacts['unsubscribes'] {
  const after = people.flatMap(({ at, last }) =>
    last === null || last.at <= at ? [] : [{ last, ms: last.at - at }],
  );
  const late = after.filter(({ ms }) => ms > UNSUBSCRIBE_LIMIT_MS);
  const newestLate = late.reduce<Shown | null>(
    (newest, { last }) => newer(newest, { messageId: last.publicId, at: last.at }),
    null,
  );
  const longestMs = after.reduce<number | null>((longest, { ms }) => Math.max(longest ?? 0, ms), null);
  return { count: people.length, late: late.length, newestLate, longestMs };
}

async function readCounts(
  { store, clock }: BulkRuleContext,
  sender: SenderOfMail,
): Promise<Pick<BulkFacts, 'counts' | 'all'>> {
  const today = Math.floor(clock() / DAY_MS);
  const sums = await store.bulkRules.sums(sender, { from: today - WINDOW_DAYS + 1, to: today });
  const days = await store.bulkRules.sentByDay(sender, {
    providers: Object.values(PROVIDER_NAMES),
    from: today - VOLUME_DAYS + 1,
    to: today,
  });
  const none: ProviderSums = { sent: 0, delivered: 0, complained: 0 };
  const countsFor = (provider: MailProvider): CountFacts => {
    const name = PROVIDER_NAMES[provider];
    const own = days.filter((day) => day.provider === name).sort((a, b) => b.n - a.n || b.day - a.day);
    const busiest = own[0];
    return {
      ...(sums.get(name) ?? none),
      busiestDay:
        busiest === undefined
          ? null
          : { date: new Date(busiest.day * DAY_MS).toISOString().slice(0, 10), sent: busiest.n },
    };
  };
  // Providers without a feedback loop send no complaints, so the rate only covers those that do.
  const reports = [...sums.values()].filter(({ complained }) => complained > 0);
  const reporting = reports.length === 0 ? [...sums.values()] : reports;
  const total = (of: 'delivered' | 'complained'): number => reporting.reduce((sum, one) => sum + one[of], 0);
  return {
    counts: { google: countsFor('google'), yahoo: countsFor('yahoo'), microsoft: countsFor('microsoft') },
    all: { delivered: total('delivered'), complained: total('complained') },
  };
}
