// What is said of the database file and of mail that waits.
import { describe, expect, it } from 'vitest';
import {
  judgeDatabase,
  judgeSpool,
  judgeSuspensions,
} from '../../src/operations/preflight/preflight-store.rules.js';

const MIB = 1024 ** 2;
const FILE = { bytes: 5_000 * MIB, freeBytes: 10 * MIB, logBytes: 8 * MIB, canShrink: true };

describe('the database', () => {
  it.each([
    ['a small one', FILE, 'pass', '5,000 MiB, of it 10 MiB free; log 8 MiB'],
    ['one that gives its room back', { ...FILE, freeBytes: 4_000 * MIB }, 'pass', undefined],
    ['one that cannot', { ...FILE, freeBytes: 4_000 * MIB, canShrink: false }, 'warn', undefined],
    ['one that cannot, with little', { ...FILE, freeBytes: 900 * MIB, canShrink: false }, 'pass', undefined],
    ['one whose log is held', { ...FILE, logBytes: 2_000 * MIB }, 'warn', undefined],
    ["a server's", null, 'pass', 'kept by a database server'],
  ])('%s', (_, file, status, observed) => {
    const result = judgeDatabase({ file, waitingMails: 0, parkedMails: 0 });
    expect(result.status).toBe(status);
    if (observed !== undefined) expect(result.observed).toBe(observed);
    expect(result.remedy === null).toBe(status === 'pass');
  });
});

it.each([
  [0, 'pass'],
  [10_000, 'pass'],
  [10_001, 'warn'],
])('%i mails that wait: %s', (waitingMails, status) => {
  expect(judgeSpool({ file: null, waitingMails, parkedMails: 0 }).status).toBe(status);
});

it('parked inbound mail fails the check, and the remedy names the command', () => {
  const result = judgeSpool({ file: null, waitingMails: 0, parkedMails: 2 });
  expect(result.status).toBe('fail');
  expect(result.remedy).toContain('posthorn admin inbound --state failed');
});

it('a source that was suspended a day ago or more is warned of, until its end', () => {
  const row = { kind: 'mta' as const, name: 'a', reason: 'on a list', created_at: 0, expires_at: null };
  const day = 86_400_000;
  expect(judgeSuspensions([row], day - 1)).toMatchObject([{ subject: 'a', status: 'pass', remedy: null }]);
  const [warned] = judgeSuspensions([row], day);
  expect(warned).toMatchObject({ status: 'warn', observed: expect.stringContaining('on a list') });
  expect(warned?.remedy).toContain('posthorn sources resume a');
  expect(judgeSuspensions([{ ...row, expires_at: day }], day)).toEqual([]);
});
