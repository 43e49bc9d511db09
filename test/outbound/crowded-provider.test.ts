// Tests receivers that report overload, in simulated time: the rate settles below what they allow, and other destinations do not
// slow down.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sized } from '../support/run-size.js';
import { simulatedProvider } from '../support/simulated-provider.js';
import { startTrafficRig } from '../support/traffic-rig.js';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a provider that replies 421 above a number of connections', () => {
  it.each(sized({ small: [3], full: [1, 2, 3, 5, 8] }))(
    'gets at most its %i connections within five minutes',
    async (most) => {
      const provider = simulatedProvider('mx.there.test', { maxSessions: most, messageMs: 1_000 });
      const rig = await startTrafficRig({
        providers: { 'there.test': provider },
        queues: [{ domain: 'there.test' }],
        shaping: { defaults: { connection_rate: null } },
      });
      await rig.start();
      await vi.advanceTimersByTimeAsync(5 * MINUTE);
      const refusedBefore = provider.refused;
      const acceptedBefore = provider.accepted;
      provider.takePeak();
      await vi.advanceTimersByTimeAsync(10 * MINUTE);
      // Ten minutes hold at most a few careful looks whether more is allowed by now.
      expect(provider.refused - refusedBefore).toBeLessThanOrEqual(6);
      expect(provider.takePeak()).toBeLessThanOrEqual(most);
      const possible = (most * 10 * MINUTE) / 1_000;
      expect(provider.accepted - acceptedBefore).toBeGreaterThan(0.75 * possible);
      expect(rig.limits.list().map(({ kind, rule }) => [kind, rule])).toEqual([['connections', 'adaptive']]);
      void rig.stop();
    },
  );

  it("does not slow another tenant's mail to another provider", async () => {
    const rateOfNeighbour = async (withCrowd: boolean): Promise<number> => {
      const crowded = simulatedProvider('mx.there.test', { maxSessions: 2, messageMs: 1_000 });
      const calm = simulatedProvider('mx.calm.test', {
        maxSessions: 1_000,
        messageMs: sized({ small: 1_000, full: 100 }),
      });
      const rig = await startTrafficRig({
        providers: { 'there.test': crowded, 'calm.test': calm },
        queues: [
          { domain: 'calm.test', subTenantId: 'tnt_b' },
          ...(withCrowd ? [{ domain: 'there.test', subTenantId: 'tnt_a' }] : []),
        ],
        shaping: { defaults: { connection_rate: null } },
      });
      await rig.start();
      await vi.advanceTimersByTimeAsync(MINUTE);
      const before = calm.accepted;
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      void rig.stop();
      return calm.accepted - before;
    };
    const alone = await rateOfNeighbour(false);
    const beside = await rateOfNeighbour(true);
    expect(beside).toBeGreaterThan(0.98 * alone);
  });
});

describe('a throttled tenant', () => {
  it('sends its hourly number of messages in any trailing hour, in order, without loss', async () => {
    const provider = simulatedProvider('mx.there.test', { maxSessions: 10, messageMs: 50 });
    const rig = await startTrafficRig({
      providers: { 'there.test': provider },
      queues: [
        { domain: 'there.test', subTenantId: 'tnt_a', depth: 130 },
        { domain: 'there.test', depth: 500 },
      ],
      throttles: new Map([['tnt_a', 60]]),
      shaping: { defaults: { connection_rate: null } },
    });
    await rig.start();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(rig.acceptedIn(1)).toHaveLength(500);
    await vi.advanceTimersByTimeAsync(3 * 60 * MINUTE);
    const times = rig.acceptedIn(0);
    expect(times).toHaveLength(130);
    for (const [index, at] of times.entries()) {
      const former = times[index - 60];
      if (former !== undefined) expect(at - former).toBeGreaterThan(59 * MINUTE);
    }
    void rig.stop();
  });
});
