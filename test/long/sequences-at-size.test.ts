// Measures 100,000 enrollments of one sequence: speed, memory, the effect on others, and that each enrollment gets every mail
// once. Prints figures; SEQUENCE_ENROLLMENTS makes it smaller.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noSends } from '../../src/accounts/quota.rules.js';
import { newId } from '../../src/lib/runtime/index.js';
import { HOUR } from '../support/dkim-keys.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import type { Change } from '../../src/database/change.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';

const ENROLLMENTS = Number(process.env['SEQUENCE_ENROLLMENTS'] ?? 100_000);
const TOGETHER = 500;
const MEMORY_LIMIT_MB = 300;
const SEND = { type: 'send', template: 'hello' };

let rig: AudienceRig;
beforeAll(async () => {
  rig = await startAudienceRig({ mode: 'test' });
});
afterAll(async () => {
  await rig.close();
});

it('are enrolled in bounded memory without delaying others', async () => {
  const trigger = { type: 'contact_tagged', tag: 'many' };
  const steps = [SEND, { type: 'wait', hours: 24 }, { type: 'exit' }];
  const crowded = await rig.addSequence({ trigger, steps });
  const small = await rig.addSequence({ steps: [SEND] });
  await timed('enrol', async () => {
    for (let i = 0; i < ENROLLMENTS; i += TOGETHER) {
      const size = Math.min(TOGETHER, ENROLLMENTS - i);
      await rig.store.commit(Array.from({ length: size }, (_, j) => contact(i + j)));
    }
  });
  await rig.enroll(small, 'c0@example.com');
  const before = process.memoryUsage().rss;
  await rig.sequences.step();
  expect(await rig.messages(small)).toHaveLength(1);
  let peak = before;
  await timed('send', async () => {
    while (await rig.sequences.step()) peak = Math.max(peak, process.memoryUsage().rss);
  });
  console.info(`memory grew by ${megabytes(peak - before)} MB at most`);
  expect(megabytes(peak - before)).toBeLessThan(MEMORY_LIMIT_MB);
  rig.clock.advance(24 * HOUR);
  await timed('exit', async () => {
    while (await rig.sequences.step());
  });
  const sequence = await rig.store.sequences.sequence(rig.scope, crowded);
  const counts = await timed('count', () => rig.store.sequences.countEnrollments(sequence?.number ?? 0));
  expect(counts).toEqual([{ status: 'exited', exitReason: 'exit', step: null, n: ENROLLMENTS }]);
  const days = { today: 0, monthStart: 0 };
  expect(await rig.store.usage.ofEnvironment(rig.scope.environmentId, days)).toEqual({
    day: noSends(),
    month: noSends(),
  });
});

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  console.info(`${name}: ${Math.round(ms)} ms, ${Math.round((ENROLLMENTS / ms) * 1000)} a second`);
  return result;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

function contact(i: number): Change {
  const now = rig.clock.now();
  const { environmentId } = rig.scope;
  const email = `c${i}@example.com`;
  return putContact({
    ifKnown: { code: 'conflict' },
    row: {
      id: newId('cnt', now),
      environment_id: environmentId,
      sub_tenant_id: null,
      email,
      email_key: email,
      name: `Ann${i} Smith`,
      phone: null,
      tags: '["many"]',
      metadata: '{}',
      status: 'active',
      created_at: now,
      updated_at: now,
    },
  });
}
