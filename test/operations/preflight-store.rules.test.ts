// Tests the preflight findings about the database file and about waiting mail.
import { describe, expect, it } from 'vitest';
import {
  judgeBackup,
  judgeDatabase,
  judgeIntegrity,
  judgeSpool,
  judgeConnections,
  judgeDatabaseClock,
  judgeRoles,
  judgeSuspensions,
} from '../../src/operations/preflight/preflight-store.rules.js';

const NONE = { tried: null, good: null };

const MIB = 1024 ** 2;
const FILE = { bytes: 5_000 * MIB, freeBytes: 10 * MIB, logBytes: 8 * MIB, canShrink: true };

describe('the database', () => {
  it.each([
    ['a small one', FILE, 'pass', '5,000 MiB, 10 MiB unused; log 8 MiB'],
    ['one that gives its room back', { ...FILE, freeBytes: 4_000 * MIB }, 'pass', undefined],
    ['one that cannot', { ...FILE, freeBytes: 4_000 * MIB, canShrink: false }, 'warn', undefined],
    ['one that cannot, with little', { ...FILE, freeBytes: 900 * MIB, canShrink: false }, 'pass', undefined],
    ['one whose log is held', { ...FILE, logBytes: 2_000 * MIB }, 'warn', undefined],
    ["a server's", null, 'pass', 'managed by the database server'],
  ])('%s', (_, file, status, observed) => {
    const result = judgeDatabase({ file, waitingMails: 0, parkedMails: 0, backups: NONE });
    expect(result.status).toBe(status);
    if (observed !== undefined) expect(result.observed).toBe(observed);
    expect(result.remedy === null).toBe(status === 'pass');
  });
});

it.each([
  [0, 'pass'],
  [10_000, 'pass'],
  [10_001, 'warn'],
])('%i waiting mails: %s', (waitingMails, status) => {
  expect(judgeSpool({ file: null, waitingMails, parkedMails: 0, backups: NONE }).status).toBe(status);
});

it('parked inbound mail fails the check, whose remedy names the command', () => {
  const result = judgeSpool({ file: null, waitingMails: 0, parkedMails: 2, backups: NONE });
  expect(result.status).toBe('fail');
  expect(result.remedy).toContain('mailkeel admin inbound --state failed');
});

describe('backups', () => {
  const NOW = Date.parse('2026-03-10T00:00:00Z');
  const DAY = 86_400_000;
  const row = (days: number, error: string | null = null) => ({
    ...{ name: 'mailkeel-1', place: '/backups', ended_at: NOW - days * DAY, error },
  });
  it.each([
    ['none, without a schedule', NONE, null, 'warn', 'MAILKEEL_BACKUP_SCHEDULE'],
    ['none yet', NONE, '0 3 * * *', 'warn', 'The next scheduled backup'],
    ['a fresh one', { tried: row(1), good: row(1) }, '0 3 * * *', 'pass', null],
    ['an old one', { tried: row(40), good: row(40) }, null, 'warn', 'MAILKEEL_BACKUP_SCHEDULE'],
    [
      'a failure after a good one',
      { tried: row(0, 'no room'), good: row(1) },
      '0 3 * * *',
      'warn',
      'Fix the cause',
    ],
  ] as const)('%s', (_, backups, schedule, status, remedy) => {
    const file = FILE;
    const result = judgeBackup({ file, waitingMails: 0, parkedMails: 0, backups }, { schedule, now: NOW });
    expect(result.status).toBe(status);
    if (remedy === null) expect(result.remedy).toBeNull();
    else expect(result.remedy).toContain(remedy);
  });
});

it.each([
  [{ damage: null, checkedAt: null }, 'pass', 'within an hour of startup'],
  [{ damage: null, checkedAt: 1_780_000_000_000 }, 'pass', 'none found in the check of'],
  [{ damage: 'database disk image is malformed', checkedAt: 1_780_000_000_000 }, 'fail', 'malformed'],
] as const)('a database with %j has the result %s', (facts, status, observed) => {
  expect(judgeIntegrity(facts)).toMatchObject({ status, observed: expect.stringContaining(observed) });
});

it('warns of a source that has been suspended for a day until that ends', () => {
  const row = { kind: 'mta' as const, name: 'a', reason: 'on a list', created_at: 0, expires_at: null };
  const day = 86_400_000;
  expect(judgeSuspensions([row], day - 1)).toMatchObject([{ subject: 'a', status: 'pass', remedy: null }]);
  const [warned] = judgeSuspensions([row], day);
  expect(warned).toMatchObject({ status: 'warn', observed: expect.stringContaining('on a list') });
  expect(warned?.remedy).toContain('mailkeel sources resume a');
  expect(judgeSuspensions([{ ...row, expires_at: day }], day)).toEqual([]);
});

it('fails for each role without a living node, but not for a single server', () => {
  expect(judgeRoles(null)).toEqual([]);
  expect(judgeRoles([])).toMatchObject([{ name: 'node_roles', subject: null, status: 'pass' }]);
  expect(judgeRoles(['mta', 'dns'])).toMatchObject([
    { subject: 'mta', status: 'fail', remedy: expect.stringContaining('MAILKEEL_ROLES') as string },
    { subject: 'dns', status: 'fail' },
  ]);
});

it('a clock that is one second off the database is a warning, and ten seconds are a failure', () => {
  const facts = (clockOffsetMs: number | null) => ({
    clockOffsetMs,
    missedConnections: { count: 0, lastAt: null },
  });
  expect([judgeDatabaseClock(null), judgeDatabaseClock(facts(null))]).toEqual([[], []]);
  const statuses = [999, -1_000, 9_999, -10_000].map((ms) => judgeDatabaseClock(facts(ms))[0]?.status);
  expect(statuses).toEqual(['pass', 'warn', 'warn', 'fail']);
});

it('a connection that was not available in time is a warning for an hour', () => {
  const now = Date.UTC(2026, 0, 1);
  const facts = (lastAt: number | null) => ({
    clockOffsetMs: 0,
    missedConnections: { count: lastAt === null ? 0 : 1_200, lastAt },
  });
  expect(judgeConnections(null, now)).toEqual([]);
  expect(judgeConnections(facts(null), now)).toMatchObject([{ status: 'pass' }]);
  expect(judgeConnections(facts(now - 3_600_001), now)).toMatchObject([{ status: 'pass' }]);
  const [warned] = judgeConnections(facts(now - 1_000), now);
  expect([warned?.status, warned?.observed]).toEqual([
    'warn',
    expect.stringContaining('unavailable 1,200 times'),
  ]);
});
