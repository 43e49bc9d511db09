// Tests peers, DNS and workers that fail at random, in simulated time: once they stop failing, everything is delivered, and no
// slot stays occupied.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DeliveryOutcome, SmtpSession } from '../../src/lib/smtp/index.js';
import type { ReplyPhase } from '../../src/outbound/outcome/bounce-class.rules.js';
import type { Route } from '../../src/outbound/route/mx.rules.js';
import type { Connected, Connector } from '../../src/outbound/deliver/connector.js';
import type { Prepared } from '../../src/outbound/deliver/prepare.js';
import { sized } from '../support/run-size.js';
import { oneHost, startTrafficRig } from '../support/traffic-rig.js';

const MINUTE = 60_000;
const DEPTH = sized({ small: 25, full: 60 });
const GOOGLE = 'aspmx.l.google.com';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});

afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reproducible randomness (mulberry32). */
function chancesFrom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    oneOf: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    upTo: (ms: number): number => Math.floor(next() * ms),
  };
}

type Chances = ReturnType<typeof chancesFrom>;

interface Weather {
  /** The share of operations that fail now. */
  faults: number;
}

function failingPeer(host: string, chance: Chances, weather: Weather): { connector: Connector } {
  const isBad = (): boolean => chance.next() < weather.faults;
  const where = { host, address: '198.51.100.1', tlsPolicy: 'opportunistic', conversation: [], times: null };

  function noSession(): Connected {
    const phase = chance.oneOf<ReplyPhase>(['connect', 'greeting', 'ehlo', 'starttls', 'tls']);
    if (phase === 'connect' || chance.next() < 0.4) {
      const isSilent = phase === 'connect';
      return {
        kind: 'unreachable',
        phase,
        error: 'timeout',
        isOurs: chance.next() < 0.02,
        isSilent,
        ...where,
      };
    }
    const code = chance.oneOf([421, 421, 450, 554]);
    return { kind: 'refused', phase, reply: { code, enhanced: null, text: 'not now' }, ...where };
  }

  function outcome(): DeliveryOutcome {
    const phase = chance.oneOf(['mail', 'rcpt', 'data', 'dot'] as const);
    const words = chance.oneOf(['try later', 'too many messages, slow down', 'too many connections', '']);
    const reply = { code: chance.oneOf([421, 450, 451]), enhanced: null, text: words, lines: [words] };
    return chance.oneOf<DeliveryOutcome>([
      { kind: 'refused', phase, reply, local: false },
      { kind: 'lost', phase, beforeDot: true, error: 'reset' },
      { kind: 'ambiguous', error: 'no reply' },
    ]);
  }

  function session(): SmtpSession {
    let isOpen = true;
    let delivered = 0;
    const fake: Partial<SmtpSession> = {
      facts: { host, address: '198.51.100.1', localAddress: '192.0.2.9', tls: null } as SmtpSession['facts'],
      opening: [],
      get usable() {
        return isOpen;
      },
      get accepted() {
        return delivered;
      },
      async deliver() {
        if (!isOpen) return { kind: 'lost', phase: 'mail', beforeDot: true, error: 'closed' };
        const isFailing = isBad();
        await wait(isFailing && chance.next() < 0.05 ? 10 * MINUTE : 20 + chance.upTo(500));
        if (isFailing) {
          if (chance.next() < 0.1) throw new Error('a fault of ours');
          const found = outcome();
          if (found.kind !== 'refused' || found.reply.code === 421) isOpen = false;
          return found;
        }
        delivered += 1;
        // It closes the idle session immediately.
        if (isBad()) isOpen = false;
        const reply = { code: 250, enhanced: '2.0.0', text: 'taken', lines: ['taken'] };
        return { kind: 'accepted', phase: 'dot', reply };
      },
      conversation: () => [],
      lastTimes: () => ({}),
      async quit() {
        isOpen = false;
        if (isBad()) await wait(10_000);
      },
      destroy: () => void (isOpen = false),
    };
    return fake as SmtpSession;
  }

  return {
    connector: {
      async connect() {
        const isFailing = isBad();
        await wait(isFailing ? chance.upTo(MINUTE) : 20 + chance.upTo(200));
        if (!isFailing) return { kind: 'ready', session: session(), tlsPolicy: 'opportunistic' };
        if (chance.next() < 0.05) throw new Error('a fault on the way to a connection');
        return noSession();
      },
    },
  };
}

const DOMAINS = ['one.test', 'two.test', 'same.test', 'here.google.test', 'there.google.test'];

/** Two domains share a site, two a provider. */
function routeTo(domain: string): Route {
  if (domain === 'same.test') return oneHost('two.test');
  if (!domain.endsWith('google.test')) return oneHost(domain);
  return {
    kind: 'route',
    hosts: [{ host: GOOGLE, preference: 10, addresses: ['198.51.100.2'] }],
    mxHosts: domain.startsWith('here') ? [GOOGLE] : [GOOGLE, `alt1.${GOOGLE}`],
    notes: [],
  };
}

async function flapping(domain: string, chance: Chances, weather: Weather): Promise<Route> {
  if (chance.next() >= weather.faults) return routeTo(domain);
  await wait(chance.upTo(5_000));
  if (chance.next() < 0.1) return oneHost('one.test');
  return { kind: 'temporary', category: 'network', enhanced: '4.4.3', message: 'SERVFAIL' };
}

function prepared(chance: Chances, weather: Weather): Promise<Prepared> {
  if (chance.next() < weather.faults / 10) return Promise.reject(new Error('disk I/O error'));
  return Promise.resolve({
    kind: 'ready',
    mailFrom: 'b@sender.test',
    rcptTo: 'ann@there.test',
    bytes: Buffer.alloc(10),
    datedAt: 0,
    signedAt: 0,
    dsn: null,
    eightBit: null,
  });
}

// For more runs: SEEDS=100 npx vitest run ...
const COURSES = process.env['SEEDS'] ?? sized({ small: 1, full: 20 });
const SEEDS = Array.from({ length: Number(COURSES) }, (_, i) => i + 1);

it.each(SEEDS)('delivers everything once after all faults have ended (course %i)', async (seed) => {
  const chance = chancesFrom(seed);
  const weather: Weather = { faults: 0.1 + 0.5 * chance.next() };
  const hosts = ['one.test', 'two.test', GOOGLE];
  const queues = DOMAINS.flatMap((domain) =>
    [0, 1, 3, 6].map((rank) => ({ domain, rank, depth: DEPTH, subTenantId: rank === 1 ? 'tnt_a' : 'tnt_b' })),
  );
  const rig = await startTrafficRig({
    providers: Object.fromEntries(hosts.map((host) => [host, failingPeer(host, chance, weather)])),
    queues,
    throttles: new Map([['tnt_a', 600]]),
    shaping: { sites: { 'mx.one.test': { message_rate: '60/min burst 5' } } },
    outbound: {
      sources: [
        { name: 'old', address4: '192.0.2.1', ehlo: 'old.sender.test' },
        {
          name: 'new',
          address4: '192.0.2.2',
          ehlo: 'new.sender.test',
          warm_up: { started_on: '2026-01-01', plan: [100, 200, 400] },
        },
      ],
      pools: { default: ['old', 'new'] },
    },
    lookUpRoute: (domain) => flapping(domain, chance, weather),
    prepare: () => prepared(chance, weather),
    retryMs: 5_000,
    onFault: () => undefined,
  });
  await rig.start();
  for (let minute = 0; minute < sized({ small: 20, full: 60 }); minute++) {
    await vi.advanceTimersByTimeAsync(MINUTE);
    rig.shaper.tick();
    if (chance.next() < 0.1) rig.killWorker();
  }
  weather.faults = 0;
  const left = (): [string, number][] =>
    queues.flatMap(({ domain, rank }, queue): [string, number][] => {
      const missing = DEPTH - rig.acceptedIn(queue).length;
      return missing === 0 ? [] : [[`${domain} ${rank}`, missing]];
    });
  for (let minute = 0; minute < 180 && left().length > 0; minute++) {
    await vi.advanceTimersByTimeAsync(MINUTE);
    rig.shaper.tick();
  }
  expect(left()).toEqual([]);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(rig.carried()).toBe(0);
  const places = [...DOMAINS, ...hosts].flatMap((name) => [name, `mx.${name}`, `domain ${name}`]);
  for (const place of [...places, 'google', `${GOOGLE} alt1.${GOOGLE}`]) {
    expect([place, rig.window.count(place)]).toEqual([place, 0]);
  }
  await rig.stop();
});
