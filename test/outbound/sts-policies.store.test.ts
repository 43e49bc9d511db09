// Tests MTA-STS policies in the store, on every engine.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createStore, type Store } from '../../src/app/store.js';
import {
  createStsPolicyStore,
  dropStsPolicy,
  keepStsPolicy,
  markStsPolicyUsed,
  type KeptStsPolicy,
  type StsPolicyStore,
} from '../../src/outbound/route/sts-policies.store.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

const policy = (domain: string, fields: Partial<KeptStsPolicy> = {}): KeptStsPolicy => ({
  domain,
  id: '1',
  mode: 'enforce',
  mx: ['mail.shop.example', '*.mail.example'],
  lines: [
    'version: STSv1',
    'mode: enforce',
    'mx: mail.shop.example',
    'mx: *.mail.example',
    'max_age: 604800',
  ],
  maxAgeS: 604_800,
  fetchedAt: NOW,
  checkedAt: NOW,
  expiresAt: NOW + 7 * DAY,
  ...fields,
});

describe.each(engineKinds())('the policies on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let policies: StsPolicyStore;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    policies = createStsPolicyStore(opened.engine);
  }, 120_000);
  afterEach(() => opened.raw('DELETE FROM mta_sts_policies'));
  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  const keep = (...kept: KeptStsPolicy[]) => store.commit(kept.map(keepStsPolicy));
  const due = async (options: { now?: number; afterDomain?: string; limit?: number } = {}) => {
    const { now = NOW, afterDomain = '', limit = 10 } = options;
    const found = await policies.dueForRefresh({
      now,
      fetchedBefore: now - DAY,
      usedSince: now - 30 * DAY,
      afterDomain,
      limit,
    });
    return found.map(({ domain }) => domain);
  };

  it('are read as they were stored', async () => {
    const kept = policy('shop.example', { mode: 'testing' });
    await keep(kept);
    expect(await policies.policy('shop.example')).toEqual(kept);
    expect(await policies.policy('example')).toBeNull();
  });

  it('replace the previous one', async () => {
    const later = policy('shop.example', { id: '2', mx: ['b.example'], fetchedAt: NOW + 1 });
    await keep(policy('shop.example'), later);
    expect(await policies.policy('shop.example')).toEqual(later);
  });

  it('are deleted unless they were fetched again', async () => {
    await keep(policy('shop.example', { fetchedAt: NOW + 1 }));
    await store.commit([dropStsPolicy(policy('shop.example'))]);
    expect(await policies.policy('shop.example')).not.toBeNull();
    await store.commit([dropStsPolicy(policy('shop.example', { fetchedAt: NOW + 1 }))]);
    expect(await policies.policy('shop.example')).toBeNull();
  });

  it('do not apply with mode none', async () => {
    await keep(policy('shop.example', { fetchedAt: NOW - 2 * DAY }));
    await opened.raw("UPDATE mta_sts_policies SET mode = 'none'");
    expect(await policies.policy('shop.example')).toBeNull();
    expect(await due()).toEqual([]);
  });

  it('are due a day after their fetch, or half of a shorter lifetime, while they are used and valid', async () => {
    const old = { fetchedAt: NOW - DAY, expiresAt: NOW + 6 * DAY };
    await keep(
      policy('day-old.example', old),
      policy('fresh.example', { fetchedAt: NOW - DAY + 1, expiresAt: NOW + 6 * DAY }),
      policy('half.example', { maxAgeS: 7_200, fetchedAt: NOW - 3_600_000, expiresAt: NOW + 3_600_000 }),
      policy('first-half.example', {
        maxAgeS: 7_200,
        fetchedAt: NOW - 3_599_999,
        expiresAt: NOW + 3_600_001,
      }),
      policy('unused.example', { ...old, checkedAt: NOW - 30 * DAY - 1 }),
      policy('expired.example', { fetchedAt: NOW - 7 * DAY, expiresAt: NOW }),
    );
    expect(await due()).toEqual(['day-old.example', 'half.example']);
    await store.commit([markStsPolicyUsed('unused.example', NOW - DAY)]);
    expect(await due()).toEqual(['day-old.example', 'half.example', 'unused.example']);
  });

  it('are read page by page', async () => {
    const old = { fetchedAt: NOW - 2 * DAY };
    await keep(policy('b.example', old), policy('a.example', old), policy('c.example', old));
    expect(await due({ limit: 2 })).toEqual(['a.example', 'b.example']);
    expect(await due({ limit: 2, afterDomain: 'b.example' })).toEqual(['c.example']);
  });

  it('are reported when they have expired', async () => {
    await keep(policy('a.example', { expiresAt: NOW - 1 }), policy('b.example', { expiresAt: NOW }));
    expect(await policies.expired(NOW, 10)).toEqual([{ domain: 'a.example', fetchedAt: NOW }]);
    expect(await policies.expired(NOW, 0)).toEqual([]);
  });
});
