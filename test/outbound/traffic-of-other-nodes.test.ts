// Tests that a node applies what the operator paused, suspended or routed through another node, as the rows say.
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import { OperatorEgress } from '../../src/outbound/route/operator-egress.js';
import type { QueueKey } from '../../src/outbound/schedule/queue.store.js';
import { DestinationPauses } from '../../src/outbound/shape/queue-limits.js';
import type { DestinationPause, OperatorRoute, SuspendedSource } from '../../src/outbound/outbound.tables.js';

const NOW = Date.UTC(2026, 2, 10, 12);
const EGRESS = compileEgress(
  { smarthosts: [{ name: 'relay', url: 'smtp://relay.example' }] },
  { sourceAddresses: '192.0.2.1', smarthost: null, ehloName: 'mta.example.test' },
);

describe('pauses', () => {
  const pause = (domain: string, subTenantKey = '', environmentId = 1): DestinationPause => ({
    ...{ environment_id: environmentId, sub_tenant_key: subTenantKey, domain },
    ...{ reason: `no ${domain}`, created_at: NOW },
  });
  const reasonFor = (pauses: DestinationPauses, domain: string, subTenantKey = '') => {
    const queue: QueueKey = {
      ...{ queueId: 1, environmentId: 1, subTenantKey, domain, mode: 'live', side: null, rank: 1 },
    };
    const found = pauses.check(queue);
    return found.kind === 'closed' ? found.reason.detail : null;
  };

  it('are exactly those of the rows', () => {
    const pauses = new DestinationPauses([pause('a.example'), pause('b.example')]);
    pauses.replace([
      { ...pause('b.example'), reason: 'another reason' },
      pause('c.example', 'tnt_1'),
      pause('d.example', '', 2),
    ]);
    expect(reasonFor(pauses, 'a.example')).toBeNull();
    expect(reasonFor(pauses, 'b.example')).toBe('another reason');
    expect([reasonFor(pauses, 'c.example'), reasonFor(pauses, 'c.example', 'tnt_1')]).toEqual([
      null,
      'no c.example',
    ]);
    expect(reasonFor(pauses, 'd.example')).toBeNull();
    pauses.replace([]);
    expect(reasonFor(pauses, 'b.example')).toBeNull();
  });
});

describe('suspended sources and routes', () => {
  const suspension = (name: string, kind: SuspendedSource['kind'] = 'mta'): SuspendedSource => ({
    ...{ kind, name, reason: 'a test', created_at: NOW, expires_at: null },
  });
  const route = (id: string, domain: string, via = 'smarthost:relay'): OperatorRoute => ({
    ...{ id, rule: JSON.stringify({ domain: [domain], via: [via] }), reason: 'a test' },
    ...{ created_at: NOW, expires_at: null },
  });
  const operatorWith = (suspended: SuspendedSource[], routes: OperatorRoute[]) =>
    new OperatorEgress(
      { egress: EGRESS, providers: { names: new Set<string>() }, log: createLog('silent') },
      suspended,
      routes,
    );
  const isRouted = (operator: OperatorEgress, domain: string): boolean => {
    const question = {
      ...{ domain, tenant: null, tenantExternalId: null, provider: null },
      ...{ type: 'transactional' as const, tags: [] },
    };
    return operator.routeFor(question, NOW) !== null;
  };

  it('are exactly those of the rows, the newest route first', () => {
    const operator = operatorWith([suspension('default')], [route('rte_1', 'a.example')]);
    const isNew = operator.replace(
      [suspension('second'), suspension('relay', 'smarthost')],
      [route('rte_2', 'b.example'), route('rte_3', 'c.example')],
    );
    expect(isNew).toBe(true);
    expect(operator.suspensionOf('mta', 'default', NOW)).toBeNull();
    expect(operator.suspensionOf('mta', 'second', NOW)).not.toBeNull();
    expect(operator.suspensionOf('smarthost', 'relay', NOW)).not.toBeNull();
    expect(operator.suspensionOf('mta', 'relay', NOW)).toBeNull();
    expect(operator.routes(NOW).map(({ row }) => row.id)).toEqual(['rte_3', 'rte_2']);
    expect(['a.example', 'b.example', 'c.example'].map((domain) => isRouted(operator, domain))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('change nothing if they are known, in any order', () => {
    const suspended = [suspension('default'), suspension('second')];
    const routes = [route('rte_1', 'a.example'), route('rte_2', 'b.example')];
    const operator = operatorWith(suspended, routes);
    const copies = <T extends object>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row }));
    expect(operator.replace(copies(suspended), copies(routes))).toBe(false);
    expect(operator.replace(copies(suspended).reverse(), copies(routes).reverse())).toBe(false);
    operator.suspend(suspension('third'));
    expect(operator.replace(suspended, routes)).toBe(true);
    expect(operator.suspensionOf('mta', 'third', NOW)).toBeNull();
    const until = [{ ...suspension('default'), expires_at: NOW + 1 }, suspension('second')];
    expect(operator.replace(until, routes)).toBe(true);
    expect(operator.suspensionOf('mta', 'default', NOW + 1)).toBeNull();
    expect(operator.replace(until, routes.slice(1))).toBe(true);
    expect(operator.replace([], [])).toBe(true);
    expect(operator.replace([], [])).toBe(false);
  });

  it('with unknown names are shown and skipped', () => {
    const operator = operatorWith([], []);
    expect(operator.replace([], [route('rte_1', 'a.example', 'smarthost:elsewhere')])).toBe(true);
    expect(operator.routes(NOW)).toMatchObject([{ row: { id: 'rte_1' }, problem: expect.any(String) }]);
    expect(isRouted(operator, 'a.example')).toBe(false);
  });
});
