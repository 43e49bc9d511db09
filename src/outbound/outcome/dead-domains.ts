// Sweep that looks domains without DNS records up again before it suppresses their addresses, because outages of registrars pass.
import { lookUpRoute } from '../route/mx-look-up.js';
import type { Route, RoutePolicy } from '../route/mx.rules.js';
import type { AddressRecheck } from './address-rechecks.store.js';
import type { OutboundStores } from '../stores.js';
import type { OutboundContext } from '../context.js';
import { addSuppression } from '../../suppressions/suppression-plan.store.js';
import type { Change } from '../../database/change.js';
import { addressRechecks } from '../outbound.tables.js';
import { remove, update } from '../../database/rows.js';
import { appendEvent } from '../../events/append.store.js';

const BATCH = 500;
/** Limit of one run. The next run continues. */
const MAX_BATCHES = 20;
const PARALLEL = 8;
const POSTPONE_MS = 3_600_000;
/** Time (ms) after which a domain that cannot be looked up is dropped. The next bounce schedules another check. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;

type RecheckContext = Pick<OutboundContext, 'resolver' | 'wakeUps' | 'clock'> & {
  store: Pick<OutboundStores, 'addressRechecks' | 'suppressions' | 'commit'>;
};

type DomainCondition = 'dead' | 'alive' | 'unclear';

/** A domain is only dead if DNS shows that it accepts no mail. A domain with unusable hosts is misconfigured. */
export function domainCondition(route: Pick<Route, 'kind'> & { category?: string }): DomainCondition {
  if (route.kind === 'temporary') return 'unclear';
  return route.kind === 'permanent' && route.category === 'bad_domain' ? 'dead' : 'alive';
}

/**
 * Looks up each due domain with the route policy of delivery, then suppresses, drops or postpones its addresses. When `signal`
 * aborts, the domains of the current batch stay due.
 */
export async function recheckDomains(
  context: RecheckContext,
  policy: RoutePolicy,
  signal?: AbortSignal,
): Promise<void> {
  const known = new Map<string, DomainCondition>();
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const rows = await context.store.addressRechecks.due(context.clock(), BATCH);
    if (rows.length === 0) return;
    await lookUp(context, policy, { domains: [...new Set(rows.map(({ domain }) => domain))], known, signal });
    if (signal?.aborted === true) return;
    await settle(context, rows, known);
    if (rows.length < BATCH) return;
  }
}

async function lookUp(
  { resolver }: Pick<RecheckContext, 'resolver'>,
  policy: RoutePolicy,
  {
    domains,
    known,
    signal,
  }: { domains: readonly string[]; known: Map<string, DomainCondition>; signal: AbortSignal | undefined },
): Promise<void> {
  const waiting = domains.filter((domain) => !known.has(domain));
  const worker = async (): Promise<void> => {
    for (let domain = waiting.shift(); domain !== undefined; domain = waiting.shift()) {
      if (signal?.aborted === true) return;
      known.set(domain, domainCondition(await lookUpRoute(resolver, domain, policy, { fresh: true })));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

async function settle(
  { store, wakeUps, clock }: RecheckContext,
  rows: readonly AddressRecheck[],
  known: ReadonlyMap<string, DomainCondition>,
): Promise<void> {
  const now = clock();
  const dead = rows.filter((row) => known.get(row.domain) === 'dead');
  const suppressed = await readSuppressed(store, dead);
  const plan = rows.flatMap((row): Change[] => {
    const verdict = known.get(row.domain) ?? 'unclear';
    if (verdict === 'unclear' && now - row.createdAt <= GIVE_UP_MS) return [postpone(row, now + POSTPONE_MS)];
    if (verdict !== 'dead' || suppressed.has(recheckKey(row))) return [forget(row)];
    // Several messages to one address suppress it only once.
    suppressed.add(recheckKey(row));
    return [...addSuppression(row, 'bounce', now), forget(row)];
  });
  await store.commit(plan);
  if (plan.some((change) => appendEvent.is(change))) wakeUps.events();
}

/** Reads the keys of the addresses that are already suppressed. */
async function readSuppressed(
  { suppressions }: Pick<OutboundStores, 'suppressions'>,
  rows: readonly AddressRecheck[],
): Promise<Set<string>> {
  const found = await suppressions.suppressionsAmong(
    rows.map(({ environmentId, toKey: emailKey }) => ({ environmentId, emailKey })),
  );
  return new Set(found.map((row) => JSON.stringify([row.environment_id, row.sub_tenant_key, row.email_key])));
}

function recheckKey({ environmentId, subTenantId, toKey }: AddressRecheck): string {
  return JSON.stringify([environmentId, subTenantId ?? '', toKey]);
}

function forget({ messageId }: AddressRecheck): Change {
  return remove(addressRechecks, { where: { message_id: messageId } });
}

function postpone({ messageId }: AddressRecheck, dueAt: number): Change {
  return update(addressRechecks, { set: { due_at: dueAt }, where: { message_id: messageId } });
}
