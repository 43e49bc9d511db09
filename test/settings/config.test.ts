import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConfig, effectiveConfig } from '../../src/settings/describe.js';
import {
  formatBytes,
  formatDuration,
  parseBytes,
  parseDuration,
  parseDurations,
  parseRate,
  parseSchedule,
} from '../../src/lib/config/index.js';
import { ConfigProblems, loadConfig, type Environment } from '../../src/settings/load.js';
import { SETTINGS } from '../../src/settings/settings.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-config-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function problemsOf(env: Environment): readonly string[] {
  try {
    loadConfig({ env });
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
  return [];
}

describe('notations', () => {
  it.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1.5h', 5_400_000],
    ['3d', 259_200_000],
    ['0s', 0],
    ['5', undefined],
    ['5 minutes', undefined],
    ['-5s', undefined],
    ['', undefined],
  ])('duration %s', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it('of schedules allow an ellipsis at the end, but those of plain lists do not', () => {
    expect(parseSchedule('1m,5m, 4h…')).toEqual([60_000, 300_000, 14_400_000]);
    expect(parseSchedule('1s...')).toEqual([1000]);
    expect(parseSchedule('1m…,5m')).toBeUndefined();
    expect(parseDurations('10s,1m')).toEqual([10_000, 60_000]);
    expect(parseDurations('10s,1m…')).toBeUndefined();
    expect(parseDurations('')).toBeUndefined();
  });

  it.each([
    ['512', 512],
    ['16KiB', 16_384],
    ['30 MiB', 31_457_280],
    ['1MB', undefined],
  ])('size %s', (text, expected) => {
    expect(parseBytes(text)).toBe(expected);
  });

  it.each([
    ['6000/min', 6000],
    ['100/s', 6000],
    ['600/h', 10],
    ['0', 0],
    ['many', undefined],
  ])('rate %s', (text, expected) => {
    expect(parseRate(text)).toBe(expected);
  });

  it('can be parsed after formatting', () => {
    fc.assert(
      fc.property(fc.nat(), (value) => {
        expect(parseDuration(formatDuration(value))).toBe(value);
        expect(parseBytes(formatBytes(value))).toBe(value);
      }),
    );
  });
});

describe('loadConfig', () => {
  it('requires nothing', () => {
    const { config, origins } = loadConfig({ env: { PATH: '/bin' } });
    expect(config).toMatchObject({
      dataDir: './data',
      httpPort: 8080,
      publicUrl: 'http://localhost:8080',
      allowPrivateMx: false,
      smarthost: null,
      dnsServers: [],
      queueLifetimeMs: 172_800_000,
      messageBodyLimitBytes: 31_457_280,
      rateLimitLivePerMinute: 6000,
    });
    expect(config.retryScheduleMs).toHaveLength(7);
    expect(config.hostname).toMatch(/^[a-z0-9.-]+$/);
    expect(config.bounceDomain).toBe(config.hostname);
    expect(config.mtaWorkers).toBeGreaterThanOrEqual(1);
    expect(origins).toMatchObject({ httpPort: 'default', hostname: 'derived', publicUrl: 'derived' });
  });

  it('prefers the environment to the file, and the file to the default', () => {
    const path = fileWith(
      'good.json',
      '{"mx_port": 2525, "http_port": "81", "dns_servers": ["127.0.0.1:53", "::1"]}',
    );
    const { config, origins } = loadConfig({ env: { MAILKEEL_CONFIG: path, MAILKEEL_HTTP_PORT: '82' } });
    expect(config).toMatchObject({
      mxPort: 2525,
      httpPort: 82,
      publicUrl: 'http://localhost:82',
      queuePollMs: 30_000,
    });
    expect(config.dnsServers).toEqual(['127.0.0.1:53', '::1']);
    expect(origins).toMatchObject({
      mxPort: `${path}: mx_port`,
      httpPort: 'MAILKEEL_HTTP_PORT',
      queueLifetimeMs: 'default',
    });
  });

  it('parses values of every kind', () => {
    const { config } = loadConfig({
      env: {
        MAILKEEL_HOSTNAME: 'Mail.Example.com',
        MAILKEEL_ALLOW_PRIVATE_MX: 'yes',
        MAILKEEL_LOG_LEVEL: 'debug',
        MAILKEEL_RETRY_SCHEDULE: '1s,2s…',
        MAILKEEL_PUBLIC_URL: 'https://mail.example.com/',
        MAILKEEL_DNS_SERVERS: '192.0.2.1, [2001:db8::1]:5353',
        MAILKEEL_EXTRA_CA_FILE: '',
      },
    });
    expect(config).toMatchObject({
      hostname: 'mail.example.com',
      bounceDomain: 'mail.example.com',
      allowPrivateMx: true,
      logLevel: 'debug',
      retryScheduleMs: [1000, 2000],
      publicUrl: 'https://mail.example.com',
      dnsServers: ['192.0.2.1', '[2001:db8::1]:5353'],
      extraCaFile: null,
    });
  });

  it('accepts the socket folder of a database server', () => {
    const url = 'postgres:///mail?host=/run/postgresql';
    expect(problemsOf({ MAILKEEL_DATABASE_URL: url })).toEqual([]);
    expect(problemsOf({ MAILKEEL_DATABASE_URL: 'postgres:///mail' })).toHaveLength(1);
    expect(problemsOf({ MAILKEEL_PUBLIC_URL: 'https:///?host=mail.example' })).toHaveLength(1);
  });

  it('reports every problem at once', () => {
    const path = fileWith('bad.json', '{"mx_prot": 1, "http_port": null}');
    const problems = problemsOf({
      MAILKEEL_CONFIG: path,
      MAILKEEL_HTTP_PROT: '1',
      MAILKEEL_ZZZZZZZZ: '1',
      MAILKEEL_QUEUE_LIFETIME: '48',
      MAILKEEL_MX_PORT: '70000',
      MAILKEEL_ALLOW_PRIVATE_MX: 'maybe',
      MAILKEEL_LOG_LEVEL: 'loud',
      MAILKEEL_PUBLIC_URL: 'ftp://x',
      MAILKEEL_DNS_SERVERS: 'dns.example',
      MAILKEEL_HTTP_PORT_FILE: 'x',
    });
    expect(problems).toEqual([
      `${path}: mx_prot is not a known setting. Did you mean mx_port?`,
      `${path}: http_port must be a string, number, boolean, or a list of these`,
      'MAILKEEL_HTTP_PROT is not a known setting. Did you mean MAILKEEL_HTTP_PORT?',
      'MAILKEEL_ZZZZZZZZ is not a known setting',
      'MAILKEEL_HTTP_PORT_FILE is not a known setting',
      'MAILKEEL_PUBLIC_URL must be a URL that starts with http:// or https://, not "ftp://x"',
      expect.stringContaining('MAILKEEL_LOG_LEVEL must be one of fatal, error'),
      'MAILKEEL_QUEUE_LIFETIME must be a duration longer than 0, for example 250ms, 90s, 5m, 2h or 3d, not "48"',
      'MAILKEEL_MX_PORT must be a whole number from 1 to 65535, not "70000"',
      'MAILKEEL_ALLOW_PRIVATE_MX must be true or false, not "maybe"',
      'MAILKEEL_DNS_SERVERS must be a list of ip or ip:port, separated by commas, not "dns.example"',
    ]);
  });

  it('refuses unreadable ranges together with all other problems', () => {
    const written = {
      MAILKEEL_FEEDBACK_SOURCES: 'banana',
      MAILKEEL_INBOUND_UNLIMITED_CLIENTS: '10.0.0.0/33',
    };
    expect([...problemsOf({ ...written, MAILKEEL_TRUSTED_PROXIES: '::ffff:10.0.0.0/104' })].sort()).toEqual([
      expect.stringMatching(
        /^MAILKEEL_FEEDBACK_SOURCES must be IP addresses or CIDR ranges, .* not "banana"$/,
      ),
      expect.stringMatching(/^MAILKEEL_INBOUND_UNLIMITED_CLIENTS must be .* not "10\.0\.0\.0\/33"$/),
      expect.stringMatching(/^MAILKEEL_TRUSTED_PROXIES must be .* not "::ffff:10\.0\.0\.0\/104"$/),
    ]);
    const { config } = loadConfig({ env: { MAILKEEL_FEEDBACK_SOURCES: '192.0.2.0/24, 2001:db8::1' } });
    expect(config.feedbackSources).toEqual(['192.0.2.0/24', '2001:db8::1']);
  });

  it.each(['{', '[]', 'null'])('refuses the file content %s', (content) => {
    expect(problemsOf({ MAILKEEL_CONFIG: fileWith('broken.json', content) })).toHaveLength(1);
    expect(problemsOf({ MAILKEEL_CONFIG: join(folder, 'absent.json') })).toHaveLength(1);
  });

  it('refuses a zero time that would cause a busy loop', () => {
    expect(problemsOf({ MAILKEEL_QUEUE_LIFETIME: '0s', MAILKEEL_RETRY_SCHEDULE: '0s,1m' })).toHaveLength(2);
    expect(loadConfig({ env: { MAILKEEL_AMBIGUOUS_HOLD: '0s' } }).config.ambiguousHoldMs).toBe(0);
  });

  it('reads a secret from a file, and only from one place', () => {
    const url = 'smtps://user:hunter2@relay.example:465';
    const path = fileWith('smarthost', `${url}\n`);
    const loaded = loadConfig({ env: { MAILKEEL_SMARTHOST_FILE: path } });
    expect(loaded.config.smarthost).toBe(url);
    expect(loaded.origins.smarthost).toBe('MAILKEEL_SMARTHOST_FILE');
    expect(problemsOf({ MAILKEEL_SMARTHOST_FILE: path, MAILKEEL_SMARTHOST: url })).toHaveLength(1);
    expect(problemsOf({ MAILKEEL_SMARTHOST_FILE: join(folder, 'absent') })).toHaveLength(1);
  });

  describe('for a JSON setting', () => {
    it('reads text from the environment and an object from the file', () => {
      const shaping = { defaults: { connections: 3 } };
      const path = fileWith('json.json', JSON.stringify({ shaping, outbound: { sources: [] } }));
      const { config, origins } = loadConfig({
        env: { MAILKEEL_CONFIG: path, MAILKEEL_OUTBOUND: '{"default": ["pool:default"]}' },
      });
      expect(config.shaping).toEqual(shaping);
      expect(config.outbound).toEqual({ default: ['pool:default'] });
      expect(origins).toMatchObject({ shaping: `${path}: shaping`, outbound: 'MAILKEEL_OUTBOUND' });
      expect(loadConfig({ env: {} }).config).toMatchObject({ shaping: null, outbound: null });
      const secretFile = fileWith('outbound', '{"overflow": "pool:a"}');
      expect(loadConfig({ env: { MAILKEEL_OUTBOUND_FILE: secretFile } }).config.outbound).toEqual({
        overflow: 'pool:a',
      });
    });

    it.each(['[]', '1', '"x"', 'null', '{', '{"url": "smtp://u:hunter2@x"'])('refuses %s', (text) => {
      expect(problemsOf({ MAILKEEL_OUTBOUND: text, MAILKEEL_SHAPING: text })).toEqual([
        'MAILKEEL_OUTBOUND must be a JSON object',
        'MAILKEEL_SHAPING must be a JSON object',
      ]);
    });

    it('refuses a list in the file, and does not quote a broken file', () => {
      const path = fileWith('list.json', '{"shaping": [1]}');
      expect(problemsOf({ MAILKEEL_CONFIG: path })).toEqual([`${path}: shaping must be a JSON object`]);
      const broken = fileWith('leak.json', '{"smarthost": "smtp://u:hunter2@relay.example", hunter2}');
      expect(problemsOf({ MAILKEEL_CONFIG: broken }).join()).not.toContain('hunter2');
      expect(problemsOf({ MAILKEEL_CONFIG: broken }).join()).toContain('at position 48');
    });

    it('masks a secret and shows other values', () => {
      const rows = effectiveConfig(
        loadConfig({ env: { MAILKEEL_OUTBOUND: '{"a": "hunter2"}', MAILKEEL_SHAPING: '{"sites": {}}' } }),
      );
      const shown = new Map(rows.map(({ name, value }) => [name, value]));
      expect(shown.get('MAILKEEL_OUTBOUND')).toBe('(set, hidden)');
      expect(shown.get('MAILKEEL_SHAPING')).toBe('{"sites":{}}');
    });
  });

  it('never shows a secret, neither in a problem nor in the effective values', () => {
    expect(problemsOf({ MAILKEEL_SMARTHOST: 'http://hunter2' }).join()).not.toContain('hunter2');
    const rows = effectiveConfig(
      loadConfig({ env: { MAILKEEL_SMARTHOST: 'smtp://u:hunter2@relay.example' } }),
    );
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    expect(rows).toContainEqual({
      name: 'MAILKEEL_SMARTHOST',
      value: '(set, hidden)',
      origin: 'MAILKEEL_SMARTHOST',
    });
    expect(rows).toContainEqual({ name: 'MAILKEEL_QUEUE_LIFETIME', value: '2d', origin: 'default' });
    expect(rows).toContainEqual({ name: 'MAILKEEL_MESSAGE_SIZE_LIMIT', value: '35MiB', origin: 'default' });
  });

  it('shows values that can be used as input', () => {
    const rows = effectiveConfig(loadConfig({ env: { MAILKEEL_DNS_SERVERS: '192.0.2.1:53' } }));
    const env = Object.fromEntries(rows.map((row) => [row.name, row.value]));
    expect(effectiveConfig(loadConfig({ env })).map((row) => row.value)).toEqual(
      rows.map((row) => row.value),
    );
  });
});

it('refuses a passphrase that backups and replicas would refuse, without quoting it', () => {
  expect(problemsOf({ MAILKEEL_BACKUP_PASSPHRASE: 'too short' })).toEqual([
    'MAILKEEL_BACKUP_PASSPHRASE must be a text of at least 12 characters',
  ]);
});

describe('MAILKEEL_TUNING', () => {
  const tuned = (text: string) => loadConfig({ env: { MAILKEEL_TUNING: text } });

  it('changes constants, which nothing else can change', () => {
    const { config } = tuned('{"queuePollMs": 50, "breakerPausesMs": [1, 2]}');
    expect(config).toMatchObject({ queuePollMs: 50, breakerPausesMs: [1, 2], holdMs: 60_000 });
    expect(problemsOf({ MAILKEEL_QUEUE_POLL_MS: '50' })).toHaveLength(1);
  });

  it.each([
    ['[]', 'MAILKEEL_TUNING must be a JSON object'],
    ['{', 'MAILKEEL_TUNING must be a JSON object'],
    ['{"queuePolMs": 1}', 'MAILKEEL_TUNING: queuePolMs is not a known name. Did you mean queuePollMs?'],
    ['{"toString": 1}', 'MAILKEEL_TUNING: toString is not a known name'],
    ['{"queuePollMs": "50ms"}', 'MAILKEEL_TUNING: queuePollMs must be a whole number greater than 0'],
    ['{"queuePollMs": -1}', 'MAILKEEL_TUNING: queuePollMs must be a whole number greater than 0'],
    ['{"breakerPausesMs": [0]}', 'MAILKEEL_TUNING: breakerPausesMs must be a list of numbers greater than 0'],
    ['{"breakerPausesMs": []}', 'MAILKEEL_TUNING: breakerPausesMs must be a list of numbers greater than 0'],
    ['{"daneProbe": 1}', 'MAILKEEL_TUNING: daneProbe must be a string'],
  ])('refuses %s', (text, problem) => {
    expect(problemsOf({ MAILKEEL_TUNING: text })).toEqual([problem]);
  });

  it('is part of the effective values', () => {
    const row = { name: 'MAILKEEL_TUNING', value: '{"holdMs":1}', origin: 'MAILKEEL_TUNING' };
    expect(effectiveConfig(tuned('{"holdMs":1}'))).toContainEqual(row);
    expect(effectiveConfig(loadConfig({ env: {} })).map(({ name }) => name)).not.toContain('MAILKEEL_TUNING');
  });
});

describe('docs/config.md', () => {
  it('matches the schema (vitest -u updates it)', async () => {
    await expect(describeConfig()).toMatchFileSnapshot('../../docs/config.md');
  });

  it('has a line for every setting, with a unique name', () => {
    const names = Object.values(SETTINGS).map((setting) => setting.env);
    expect(new Set(names).size).toBe(names.length);
    const page = describeConfig();
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('MAILKEEL_ROLES', () => {
  it('selects some or all roles', () => {
    expect(loadConfig({ env: { MAILKEEL_ROLES: 'api, mta' } }).config.roles).toEqual(['api', 'mta']);
    expect(loadConfig({ env: {} }).config.roles).toHaveLength(7);
    expect(() => loadConfig({ env: { MAILKEEL_ROLES: 'api,sweeper' } })).toThrow(
      /MAILKEEL_ROLES must be a list of api,/,
    );
  });
});

describe('unsupported settings', () => {
  it('that are constants now are accepted with a notice', () => {
    const { withoutEffect, config } = loadConfig({ env: { MAILKEEL_QUEUE_POLL_INTERVAL: '10s' } });
    expect(withoutEffect).toEqual(['MAILKEEL_QUEUE_POLL_INTERVAL']);
    expect(config.queuePollMs).toBe(30_000);
  });

  it.each([
    ['queuePollMs', 0],
    ['mtaInFlight', 0],
    ['queueClaimBatch', 0.5],
    ['queueLeaseMs', -1],
  ])('constants refuse values that would stop the server: %s %d', (name, value) => {
    const env = { MAILKEEL_TUNING: JSON.stringify({ [name]: value }) };
    expect(() => loadConfig({ env })).toThrow(/must be a whole number greater than 0/);
  });
});
