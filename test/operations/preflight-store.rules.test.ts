// What is said of the database file and of mail that waits.
import { describe, expect, it } from 'vitest';
import { judgeDatabase, judgeSpool } from '../../src/operations/preflight/preflight-store.rules.js';

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
