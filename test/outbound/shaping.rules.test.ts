import { describe, expect, it } from 'vitest';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import {
  automationRules,
  compileShaping,
  layersFor,
  limitsFor,
  classifyNetwork,
} from '../../src/outbound/shape/shaping.rules.js';
import { DataProblems } from '../../src/lib/config/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { readShipped } from '../../src/settings/shipped.js';

const PROVIDERS = compileProviders(readShipped('providers')).names;
const shipped = readShipped('shaping');
const compile = (operator: unknown = null) => compileShaping(shipped, operator, PROVIDERS);
const path = (provider: string | null = null, siteHosts = ['mx.example.com'], source = 'a') => ({
  provider,
  siteHosts,
  source,
});

function problemsOf(operator: unknown): readonly string[] {
  try {
    compile(operator);
  } catch (error) {
    if (error instanceof DataProblems) return error.problems;
    throw error;
  }
  return [];
}

describe('the shipped limits', () => {
  it('start unknown sites with low limits', () => {
    expect(limitsFor(compile(), path())).toEqual({
      connections: 2,
      connectionsMax: 10,
      connectionRate: { count: 51, perMs: 60_000, burst: 10 },
      messageRate: null,
      messagesPerConnection: 50,
      idleMs: 20_000,
      tls: 'opportunistic',
    });
  });

  it.each([
    ['google', 2, 5, 50, 'required'],
    ['microsoft_consumer', 2, 5, 50, 'opportunistic'],
    ['microsoft_365', 2, 5, 50, 'opportunistic'],
    ['yahoo', 2, 10, 20, 'opportunistic'],
    ['apple', 2, 10, 5, 'opportunistic'],
    ['gmx', 2, 4, 20, 'required'],
    ['comcast', 2, 25, 1000, 'opportunistic'],
    ['orange', 2, 2, 50, 'required'],
    ['mimecast', 2, 10, 50, 'opportunistic'],
    ['qq', 2, 4, 8, 'opportunistic'],
    ['netease', 2, 4, 7, 'opportunistic'],
  ])('are those of %s', (provider, connections, connectionsMax, messagesPerConnection, tls) => {
    expect(limitsFor(compile(), path(provider))).toMatchObject({
      connections,
      connectionsMax,
      messagesPerConnection,
      tls,
    });
  });

  it('are the defaults of their settings', () => {
    const { config } = loadConfig({ env: {} });
    expect(compile().defaults).toMatchObject({
      connectionsMax: config.destinationConnections,
      messagesPerConnection: config.messagesPerConnection,
      idleMs: config.idleConnectionMs,
    });
  });

  it("don't limit new connections to a smarthost or the own network", () => {
    for (const network of ['smarthost', 'own'] as const) {
      expect(limitsFor(compile(), { ...path(), network }).connectionRate).toBeNull();
    }
  });
});

describe('an operator’s object', () => {
  it('overrides the shipped one block by block', () => {
    const shaping = compile({
      defaults: { connections_max: 20, idle: '0s' },
      providers: { google: { connections_max: 8 } },
    });
    expect(limitsFor(shaping, path())).toMatchObject({ connections: 2, connectionsMax: 20, idleMs: 0 });
    expect(limitsFor(shaping, path('google'))).toMatchObject({
      connectionsMax: 8,
      messagesPerConnection: 50,
      tls: 'required',
      idleMs: 0,
    });
  });

  it('is applied from general to specific: defaults, provider, site, each with its source', () => {
    const shaping = compile({
      defaults: { message_rate: '100/s', sources: { b: { messages_per_connection: 3, connections_max: 3 } } },
      providers: { google: { message_rate: null, sources: { b: { connections_max: 4 } } } },
      sites: { 'google.com': { messages_per_connection: 9 }, 'Other.example.': { tls: 'required' } },
    });
    const site = ['aspmx.l.google.com', 'ALT1.aspmx.l.google.com.'];
    expect(limitsFor(shaping, path('google', site, 'b'))).toMatchObject({
      messagesPerConnection: 9,
      connectionsMax: 4,
      messageRate: null,
    });
    expect(layersFor(shaping, path('google', site, 'b')).map(({ place }) => place)).toEqual([
      'defaults',
      'defaults.sources.b',
      'providers.google',
      'providers.google.sources.b',
      'sites.google.com',
    ]);
    expect(limitsFor(shaping, path(null, ['mx.other.example'], 'b'))).toMatchObject({
      tls: 'required',
      connectionsMax: 3,
      connections: 2,
      messageRate: { count: 100, perMs: 1000, burst: 100 },
    });
  });

  it('selects a site by the longest suffix of all its hosts', () => {
    const shaping = compile({
      sites: { 'example.com': { connections_max: 3 }, 'mx.example.com': { connections_max: 4 } },
    });
    const most = (...hosts: string[]) => limitsFor(shaping, path(null, hosts)).connectionsMax;
    expect(most('mx.example.com')).toBe(4);
    expect(most('a.mx.example.com', 'mx.example.com')).toBe(4);
    expect(most('a.mx.example.com', 'b.example.com')).toBe(3);
    expect(most('a.example.com', 'b.example.net')).toBe(10);
    expect(most('notexample.com')).toBe(10);
    expect(most()).toBe(10);
  });

  it('replaces a shipped rule by name, precedes the others, and can disable one', () => {
    const own = { name: 'own', pattern: 'go away', trigger: 'immediate', action: { suspend: '1h' } };
    const shaping = compile({
      automation: [own, { ...own, name: 'yahoo-deferred', pattern: 'later' }],
      automation_off: ['microsoft-server-busy'],
    });
    const names = shaping.automation.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['own', 'yahoo-deferred', 'yahoo-tss05']);
    expect(names.filter((name) => name === 'yahoo-deferred')).toHaveLength(1);
    expect(names).not.toContain('microsoft-server-busy');
    expect(automationRules(shaping, 'qq').map(({ name }) => name)).toEqual([
      'own',
      'yahoo-deferred',
      'address-on-block-list',
      'address-on-public-block-list',
      'too-many-connections',
    ]);
  });

  it('overrides environment settings, which only override shipped defaults', () => {
    const base = { connectionsMax: 1, messagesPerConnection: 7, idleMs: 5 };
    const withBase = (operator: unknown) => compileShaping(shipped, operator, PROVIDERS, base);
    expect(limitsFor(withBase(null), path())).toMatchObject({
      connections: 1,
      connectionsMax: 1,
      messagesPerConnection: 7,
      idleMs: 5,
    });
    expect(limitsFor(withBase({ defaults: { idle: '1s' } }), path('google'))).toMatchObject({
      connectionsMax: 5,
      messagesPerConnection: 50,
      idleMs: 1000,
    });
  });
});

describe('networkOf', () => {
  it.each([
    [['127.0.0.1', '10.0.0.1', 'fd00::1'], 'own'],
    [['127.0.0.1', '8.8.8.8'], 'public'],
    [[], 'public'],
  ])('%j is %s', (addresses, expected) => {
    expect(classifyNetwork(addresses)).toBe(expected);
  });
});

describe('errors in the data', () => {
  it.each<[unknown, string]>([
    [[], 'shaping: the whole must be an object'],
    [{ default: {} }, 'shaping: the whole has an unknown field: "default"'],
    [
      { defaults: { idle: '5' } },
      'shaping: defaults.idle must be a duration up to 366d, for example 90s, 30m or 2h',
    ],
    [
      { defaults: { connections: null } },
      'shaping: defaults.connections must be a whole number from 1 to 1000000',
    ],
    [
      { sites: { 'a.b': { connections_max: 0 } } },
      'shaping: sites.a.b.connections_max must be a whole number from 1 to 1000000',
    ],
    [
      { providers: { gogle: {} } },
      'shaping: providers.gogle is not a known provider. Known providers: google, ',
    ],
    [
      { providers: { orange: { connections: 3 } } },
      'shaping: providers.orange has 3 connections, which exceeds connections_max 2',
    ],
    [
      { providers: { google: { sources: { a: { x: 1 } } } } },
      'shaping: providers.google.sources.a has an unknown field: "x"',
    ],
    [
      { defaults: { connection_rate: '0/min' } },
      'shaping: defaults.connection_rate must be a rate, for example',
    ],
    [{ defaults: { tls: 'never' } }, 'shaping: defaults.tls must be one of opportunistic, required'],
    [
      { automation_off: ['nothing'] },
      'shaping: automation_off refers to "nothing", which is not a built-in rule',
    ],
    [{ automation: {} }, 'shaping: automation must be a list with at most 500 items'],
  ])('%j', (operator, problem) => {
    const problems = problemsOf(operator);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('are all reported together', () => {
    expect(problemsOf({ defaults: { idle: 5, tls: 1 }, sites: { x: 3 } })).toHaveLength(3);
  });

  it('of the shipped file are distinguished', () => {
    expect(() => compileShaping({ defaults: {} }, null, PROVIDERS)).toThrow(/must set every limit/);
    expect(() => compileShaping({ x: 1 }, null, PROVIDERS)).toThrow(/^shipped shaping: /);
  });
});
