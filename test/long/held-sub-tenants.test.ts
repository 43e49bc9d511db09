// Tests sub-tenants that are paused or throttled while others send, in simulated time.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sized } from '../support/run-size.js';
import { simulatedProvider } from '../support/simulated-provider.js';
import { startTrafficRig } from '../support/traffic-rig.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});

afterEach(() => {
  vi.useRealTimers();
});

const UNSHAPED = { defaults: { connection_rate: null } };
/** Number of each kind, with a provider that accepts a limited number of messages of all of them. */
const SIZE = sized({ small: { tenants: 2, messageMs: 2_500 }, full: { tenants: 10, messageMs: 500 } });
const GOOD = Array.from({ length: SIZE.tenants }, (_, i) => `tnt_good${i}`);

describe('a stopped sub-tenant', () => {
  it('sends only mail in progress, without affecting others, and resumes when the last cause has ended', async () => {
    const provider = simulatedProvider('mx.there.test', {
      maxSessions: 2,
      messageMs: sized({ small: 5_000, full: 500 }),
    });
    const rig = await startTrafficRig({
      providers: { 'there.test': provider },
      queues: [
        { domain: 'there.test', subTenantId: 'tnt_a' },
        { domain: 'there.test', subTenantId: 'tnt_b' },
      ],
      shaping: UNSHAPED,
    });
    const { tenants } = rig;
    await rig.start();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(rig.acceptedIn(0).length).toBeGreaterThan(sized({ small: 15, full: 100 }));

    tenants.stop(1, 'tnt_a', 'paused', true);
    tenants.stop(1, 'tnt_a', 'suspended', true);
    await vi.advanceTimersByTimeAsync(MINUTE);
    const [atStop, othersAtStop] = [rig.acceptedIn(0).length, rig.acceptedIn(1).length];
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(rig.acceptedIn(0)).toHaveLength(atStop);
    expect(rig.acceptedIn(1).length).toBeGreaterThan(othersAtStop + sized({ small: 1_000, full: 10_000 }));

    const queue = {
      queueId: 1,
      environmentId: 1,
      mode: 'live',
      side: null,
      subTenantKey: 'tnt_a',
      rank: 1,
    } as const;
    const why = () => rig.shaper.reasonFor({ ...queue, domain: 'there.test' })?.code;
    expect(why()).toBe('tenant_paused');
    tenants.stop(1, 'tnt_a', 'paused', false);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(why()).toBe('tenant_dns_suspended');
    expect(rig.acceptedIn(0)).toHaveLength(atStop);
    tenants.stop(1, 'tnt_a', 'suspended', false);
    // As soon as those before it in the queue of the busy provider have been sent.
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(rig.acceptedIn(0).length).toBeGreaterThan(atStop);
    void rig.stop();
  });

  it('that is deleted is released, so that its mail can fail', async () => {
    const provider = simulatedProvider('mx.there.test', { maxSessions: 10, messageMs: 50 });
    const rig = await startTrafficRig({
      providers: { 'there.test': provider },
      queues: [{ domain: 'there.test', subTenantId: 'tnt_a', depth: 50 }],
      throttles: new Map([['tnt_a', 1]]),
    });
    rig.tenants.stop(1, 'tnt_a', 'paused', true);
    await rig.start();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(rig.acceptedIn(0)).toHaveLength(0);
    rig.tenants.forget('tnt_a');
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(rig.acceptedIn(0)).toHaveLength(50);
    void rig.stop();
  });
});

describe('sub-tenants throttled for their reputation', () => {
  async function run(bad: number, isThrottled: boolean) {
    const provider = simulatedProvider('mx.there.test', { maxSessions: 4, messageMs: SIZE.messageMs });
    const rig = await startTrafficRig({
      providers: { 'there.test': provider },
      queues: [
        ...GOOD.map((subTenantId) => ({ domain: 'there.test', subTenantId })),
        ...Array.from({ length: bad }, (_, i) => ({ domain: 'there.test', subTenantId: `tnt_bad${i}` })),
      ],
      shaping: UNSHAPED,
    });
    for (let i = 0; isThrottled && i < bad; i++) {
      rig.tenants.limit(1, `tnt_bad${i}`, 'reputation', 60);
    }
    await rig.start();
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    const since = Date.now();
    await vi.advanceTimersByTimeAsync(HOUR);
    const sentBy = (ofQueue: number): number => rig.acceptedIn(ofQueue).filter((at) => at > since).length;
    const good = GOOD.reduce((sum, _tenant, ofQueue) => sum + sentBy(ofQueue), 0);
    const ofBad = Array.from({ length: bad }, (_, i) => rig.acceptedIn(GOOD.length + i));
    void rig.stop();
    return { good, ofBad, since };
  }

  it('send 60 in any hour, evenly, without affecting others', async () => {
    const alone = await run(0, false);
    const beside = await run(SIZE.tenants, true);
    for (const times of beside.ofBad) {
      for (const [index, at] of times.entries()) {
        const former = times[index - 60];
        if (former !== undefined) expect(at - former).toBeGreaterThan(HOUR - MINUTE);
      }
      const within = times.filter((at) => at > beside.since).length;
      // Each is slightly late because the provider is busy, and missed sends are not caught up in a burst.
      expect(within).toBeGreaterThan(52);
      expect(within).toBeLessThanOrEqual(60);
    }
    expect(beside.good).toBeGreaterThan(0.97 * alone.good);
    const unthrottled = await run(SIZE.tenants, false);
    expect(unthrottled.good).toBeLessThan(0.6 * alone.good);
  }, 60_000);
});
