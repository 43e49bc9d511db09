// Tests domains whose servers do not respond, in simulated time: they do not close a source unless it is certain that the source
// is cut off.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connected, Connector } from '../../src/outbound/deliver/connector.js';
import { simulatedProvider } from '../support/simulated-provider.js';
import { silence, startTrafficRig, type TrafficRigOptions } from '../support/traffic-rig.js';
import { sized } from '../support/run-size.js';

const MINUTE = 60_000;
/** Silent domains. A source pauses after ten minutes without any response. */
const MANY = sized({ small: 8, full: 20 });
const A = { name: 'a', address4: '198.51.100.1', ehlo: 'a.sender.test' };
const B = { name: 'b', address4: '198.51.100.2', ehlo: 'b.sender.test' };
const TWO_SOURCES = { sources: [A, B], pools: { default: ['a', 'b'] } };
const WITH_RELAY = {
  sources: [A],
  smarthosts: [{ name: 'relay', url: 'smtp://relay.test:587' }],
  default: ['pool:default', 'smarthost:relay'],
};

const refusal = (): Promise<Connected> =>
  silence().then((silent) =>
    silent.kind === 'unreachable' ? { ...silent, error: 'ECONNREFUSED', isSilent: false } : silent,
  );

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

interface World extends Partial<TrafficRigOptions> {
  dead: number;
  connectDead?: () => Promise<Connected>;
}

/** A message a minute to a domain that lives, and mail to domains that do not. */
async function start({ dead, connectDead = silence, ...options }: World) {
  const live = simulatedProvider('mx.live.test', { maxSessions: 100, messageMs: 100 });
  const relay = simulatedProvider('mx.relay.test', { maxSessions: 100, messageMs: 100 });
  const deadNames = Array.from({ length: dead }, (_, i) => `dead${i}.test`);
  const toDead: { connector: Connector } = { connector: { connect: connectDead } };
  const rig = await startTrafficRig({
    providers: {
      'live.test': live,
      'relay.test': relay,
      ...Object.fromEntries(deadNames.map((name) => [name, toDead])),
    },
    queues: [{ domain: 'live.test' }, ...deadNames.map((domain) => ({ domain, depth: 3 }))],
    shaping: { sites: { 'mx.live.test': { message_rate: '60/h' } } },
    retryMs: MINUTE,
    ...options,
  });
  await rig.start();
  return { rig, live, relay, closed: () => rig.limits.list().filter(({ site }) => site === '*') };
}

describe.each(sized({ small: [MANY], full: [3, 20] }))('%i silent domains among one that answers', (dead) => {
  it.each([
    ['two sources', TWO_SOURCES],
    ['a source and a smarthost', WITH_RELAY],
  ])('do not delay other mail with %s', async (_what, outbound) => {
    const { rig, relay, closed } = await start({ dead, outbound });
    const minutes = sized({ small: 12, full: 20 });
    for (let minute = 0; minute < minutes; minute += 1) {
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(closed()).toEqual([]);
    }
    const paths = outbound === TWO_SOURCES ? 2 : 1;
    expect(rig.acceptedIn(0).length).toBeGreaterThanOrEqual((minutes - 1) * paths);
    expect(relay.accepted).toBe(0);
    void rig.stop();
  });
});

it('any number of refused connections count as answers', async () => {
  const { rig, relay, closed } = await start({
    dead: MANY,
    outbound: WITH_RELAY,
    connectDead: refusal,
    queues: Array.from({ length: MANY }, (_, i) => ({ domain: `dead${i}.test` })),
  });
  await vi.advanceTimersByTimeAsync(sized({ small: 12, full: 60 }) * MINUTE);
  expect(closed()).toEqual([]);
  expect(relay.accepted).toBe(0);
  void rig.stop();
});

/** The live domain is silent as well, until it wakes. */
function sleeper() {
  const provider = simulatedProvider('mx.live.test', { maxSessions: 100, messageMs: 100 });
  const state = { isAwake: false };
  const connector: Connector = {
    connect: (hosts) => (state.isAwake ? provider.connector.connect(hosts) : silence()),
  };
  return { state, connector, provider };
}

it('suspects never close all sources of a pool', async () => {
  const { state, connector, provider } = sleeper();
  const dead = { connector: { connect: silence } };
  const names = Array.from({ length: MANY }, (_, i) => `dead${i}.test`);
  const rig = await startTrafficRig({
    providers: { 'live.test': { connector }, ...Object.fromEntries(names.map((name) => [name, dead])) },
    queues: [{ domain: 'live.test', depth: 50 }, ...names.map((domain) => ({ domain, depth: 3 }))],
    outbound: TWO_SOURCES,
    retryMs: MINUTE,
  });
  await rig.start();
  await vi.advanceTimersByTimeAsync(sized({ small: 14, full: 20 }) * MINUTE);
  const guessed = rig.limits.list().filter(({ site }) => site === '*');
  expect(guessed.map(({ path }) => path).sort()).toEqual(['a > *', 'b > *']);
  expect(guessed.every(({ reason }) => reason.includes('may be blocked'))).toBe(true);
  state.isAwake = true;
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(provider.accepted).toBe(50);
  void rig.stop();
});

it('a suspicion moves no direct mail to a smarthost, and ends when known hosts respond', async () => {
  for (const answers of [[], ['answered'] as const, ['silent'] as const]) {
    const { connector } = sleeper();
    const { rig, relay, closed } = await start({
      dead: 0,
      outbound: WITH_RELAY,
      queues: ['one.test', 'two.test', 'three.test', 'four.test'].map((domain) => ({ domain })),
      tryHosts: () => answers,
      providers: {
        ...Object.fromEntries(
          ['one.test', 'two.test', 'three.test', 'four.test'].map((domain) => [domain, { connector }]),
        ),
        'relay.test': simulatedProvider('mx.relay.test', { maxSessions: 9, messageMs: 100 }),
      },
    });
    await vi.advanceTimersByTimeAsync(sized({ small: 20, full: 60 }) * MINUTE);
    expect(relay.accepted).toBe(0);
    expect(rig.acceptedIn(0)).toEqual([]);
    expect(closed()).toHaveLength(answers[0] === 'answered' ? 0 : 1);
    void rig.stop();
  }
});

it('a source that even known hosts do not answer is suspended, and its mail takes the other source', async () => {
  const cutOff = new Set(['a']);
  const { rig, closed } = await start({
    dead: 3,
    outbound: TWO_SOURCES,
    cutOff,
    tryHosts: (source) => (cutOff.has(source) ? ['silent', 'silent', 'silent'] : ['answered']),
    queues: [
      { domain: 'live.test' },
      ...Array.from({ length: 3 }, (_, i) => ({ domain: `dead${i}.test`, depth: 3 })),
    ],
  });
  await vi.advanceTimersByTimeAsync(15 * MINUTE);
  expect(closed().map(({ path, reason }) => [path, reason.includes('is blocked')])).toEqual([
    ['a > *', true],
  ]);
  const before = rig.acceptedIn(0).length;
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(rig.acceptedIn(0).length - before).toBeGreaterThanOrEqual(9);
  // Its network is open again, which is detected after the pause without risking a message.
  cutOff.clear();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(closed()).toEqual([]);
  void rig.stop();
});

it('mail takes the smarthost when port 25 is certainly blocked, and returns later', async () => {
  const cutOff = new Set(['a']);
  const relay = simulatedProvider('mx.relay.test', { maxSessions: 9, messageMs: 100 });
  const names = ['live.test', 'two.test', 'three.test'];
  const live = simulatedProvider('mx.live.test', { maxSessions: 99, messageMs: 100 });
  const rig = await startTrafficRig({
    providers: { ...Object.fromEntries(names.map((name) => [name, live])), 'relay.test': relay },
    queues: names.map((domain) => ({ domain })),
    shaping: { defaults: { message_rate: '60/h' }, smarthosts: { message_rate: '60/h' } },
    outbound: WITH_RELAY,
    cutOff,
    tryHosts: () => (cutOff.size > 0 ? ['silent', 'silent'] : ['answered']),
    retryMs: 10_000,
  });
  await rig.start();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(relay.accepted).toBeGreaterThan(2);
  expect(live.accepted).toBe(0);
  cutOff.clear();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  const [before, direct] = [relay.accepted, live.accepted];
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(relay.accepted).toBe(before);
  expect(live.accepted).toBeGreaterThan(direct);
  void rig.stop();
});
