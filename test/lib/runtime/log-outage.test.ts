// Tests the log while the store is unavailable.
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Refusal } from '../../../src/contract/refusal.js';
import { createLog } from '../../../src/lib/runtime/log.js';

function logging() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)) as Record<string, unknown>);
      done();
    },
  });
  return { log: createLog('info', stream), lines };
}

const outage = (): Refusal =>
  new Refusal('unavailable', 'The database cannot be read at the moment.', {
    details: { reason: 'Connection terminated unexpectedly' },
  });

it('one line without a stack reports that the store is unavailable, for any error', () => {
  const { log, lines } = logging();
  log.error({ err: outage(), loop: 'webhooks' }, 'loop failed');
  log.error({ err: outage() }, 'claiming messages failed');
  log.child({ request_id: 'one' }).warn({ err: outage() }, 'a change is read later');
  expect(lines).toMatchObject([
    {
      level: 'error',
      msg: 'store unavailable',
      reason: 'Connection terminated unexpectedly',
      during: 'loop failed',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('    at ');
});

it('errors keep their stack, and database damage is logged each time', () => {
  const { log, lines } = logging();
  log.error({ err: new Error('broken') }, 'loop failed');
  log.error({ err: new Refusal('database_damaged') }, 'loop failed');
  log.error({ err: new Refusal('database_damaged') }, 'claiming messages failed');
  expect(lines.map(({ msg }) => msg)).toEqual(['loop failed', 'loop failed', 'claiming messages failed']);
  expect(JSON.stringify(lines[0])).toContain('    at ');
});
