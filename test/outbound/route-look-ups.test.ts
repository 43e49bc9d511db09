import { expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { RouteLookUps } from '../../src/outbound/route/route-look-ups.js';

const START = Date.UTC(2026, 0, 2);
const MOST_AT_ONCE = 256;
const AGAIN_MS = 5_000;

function setUp() {
  const time = { now: START };
  const begun: string[] = [];
  const known: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const lookUps = new RouteLookUps(
    {
      isNeeded: () => true,
      lookUp(domain) {
        begun.push(domain);
        return new Promise<void>((resolve, reject) => ends.set(domain, { resolve, reject }));
      },
      onKnown: (domain) => known.push(domain),
    },
    { clock: () => time.now, log: createLog('silent') },
  );
  const isKnown = async (domain: string): Promise<void> => {
    await new Promise(setImmediate);
    expect(known).toContain(domain);
  };
  return { lookUps, begun, known, ends, time, isKnown };
}

it('looks up a domain once for simultaneous requests', async () => {
  const { lookUps, begun, ends, isKnown } = setUp();
  for (let i = 0; i < 5; i += 1) expect(lookUps.ask({ domain: 'one.example', rank: 0 })).toBeNull();
  expect(begun).toEqual(['one.example']);
  ends.get('one.example')?.resolve();
  await isKnown('one.example');
  // The answer may have been evicted since.
  expect(lookUps.ask({ domain: 'one.example', rank: 0 })).toBeNull();
  expect(begun).toEqual(['one.example', 'one.example']);
});

it('looks up a limited number simultaneously, and the others in order', async () => {
  const { lookUps, begun, ends, isKnown } = setUp();
  const domains = Array.from({ length: 600 }, (_, i) => `d${i}.example`);
  for (const domain of [...domains, ...domains]) lookUps.ask({ domain: domain, rank: 0 });
  expect(begun).toEqual(domains.slice(0, MOST_AT_ONCE));
  for (const domain of domains) {
    expect(begun).toContain(domain);
    expect(begun.length - domains.indexOf(domain)).toBeLessThanOrEqual(MOST_AT_ONCE);
    ends.get(domain)?.resolve();
    await isKnown(domain);
  }
  expect(begun).toEqual(domains);
});

it('retries after an internal error, and says when', async () => {
  const { lookUps, begun, ends, time, isKnown } = setUp();
  lookUps.ask({ domain: 'bad.example', rank: 0 });
  ends.get('bad.example')?.reject(new Error('broken'));
  await isKnown('bad.example');
  time.now += 1;
  expect(lookUps.ask({ domain: 'bad.example', rank: 0 })).toBe(START + AGAIN_MS);
  expect(begun).toHaveLength(1);
  // Others are not held up by it.
  expect(lookUps.ask({ domain: 'good.example', rank: 0 })).toBeNull();
  time.now = START + AGAIN_MS;
  expect(lookUps.ask({ domain: 'bad.example', rank: 0 })).toBeNull();
  expect(begun).toEqual(['bad.example', 'good.example', 'bad.example']);
});

it('does not wait for a clock that was set back', async () => {
  const { lookUps, begun, ends, time, isKnown } = setUp();
  lookUps.ask({ domain: 'bad.example', rank: 0 });
  ends.get('bad.example')?.reject(new Error('broken'));
  await isKnown('bad.example');
  time.now -= 3_600_000;
  expect(lookUps.ask({ domain: 'bad.example', rank: 0 })).toBeNull();
  expect(begun).toHaveLength(2);
});

it('looks up the domains of urgent mail first', () => {
  const { lookUps, begun, ends } = setUp();
  for (let i = 0; i < MOST_AT_ONCE + 5; i += 1) lookUps.ask({ domain: `bulk${i}.example`, rank: 5 });
  lookUps.ask({ domain: 'urgent.example', rank: 0 });
  expect(begun).toHaveLength(MOST_AT_ONCE);
  ends.get('bulk0.example')?.resolve();
  return new Promise(setImmediate).then(() => expect(begun.at(-1)).toBe('urgent.example'));
});
