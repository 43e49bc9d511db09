// Kills the program ten times while a sequence sends. Every enrollment has exactly one message of each step.
import { expect, it } from 'vitest';
import { createAppliance } from '../support/appliance.js';
import { waitFor } from '../support/wait.js';

const CONTACTS = 2000;
const STEPS = 2;
const KILLS = 10;
const CLIENTS = 10;

it('creates each mail once', async () => {
  const appliance = await createAppliance({ env: { MAILKEEL_RATE_LIMIT_TEST: '0' } });
  const key = appliance.keys.test_key;
  const post = async (path: string, body: object) => {
    const answer = await appliance.api('POST', path, { key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const { query } = appliance;
  const count = async (of: string): Promise<number> =>
    Number((await query(`SELECT COUNT(*) AS n FROM ${of}`))[0]?.['n']);
  const made = () => count('enrollment_messages');
  try {
    await appliance.start();
    await appliance.api('PATCH', '/v1/organization', { key, body: { postal_address: '1 Main Street' } });
    await post('/v1/templates', { name: 'Hello', subject: 'Hi {{first_name}}', html: '<p>Hi</p>' });
    const send = { type: 'send', template: 'hello' };
    // Enrollments wait until everyone is enrolled.
    const steps = [{ type: 'wait', hours: 1 }, send, { type: 'wait', hours: 0 }, send];
    const trigger = { type: 'contact_created' };
    await post('/v1/sequences', { name: 'S', trigger, steps, exit_on: [] });
    const numbers = Array.from({ length: CONTACTS }, (_, i) => i);
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let i = numbers.pop(); i !== undefined; i = numbers.pop()) {
          await post('/v1/contacts', { email: `delivered+${i}@example.com` });
        }
      }),
    );
    await waitFor(
      'everybody to wait',
      () => count(`enrollments WHERE step = 'step_1'`),
      (n) => n === CONTACTS,
      30_000,
    );
    await appliance.end('SIGTERM');
    await query('UPDATE enrollments SET due_at = step_since + 1');
    for (let kill = 1; kill <= KILLS; kill++) {
      await appliance.start();
      const until = Math.floor((CONTACTS * STEPS * kill) / (KILLS + 1));
      await waitFor('some mail', made, (n) => n >= until, 120_000);
      await appliance.end('SIGKILL');
    }
    const atLastKill = await made();
    await appliance.start();
    await waitFor(
      'everybody to be through',
      () => count(`enrollments WHERE status = 'completed'`),
      (n) => n === CONTACTS,
      120_000,
    );
    const messages = await count('messages WHERE sequence_id IS NOT NULL');
    const wrong = await query(`SELECT to_key, variant FROM messages WHERE sequence_id IS NOT NULL
      GROUP BY to_key, variant HAVING COUNT(*) <> 1`);
    console.info(
      `${KILLS} kills, the last at ${atLastKill} of ${messages} messages: ${wrong.length} doubles`,
    );
    expect(wrong).toEqual([]);
    expect(messages).toBe(CONTACTS * STEPS);
    expect(await made()).toBe(CONTACTS * STEPS);
  } finally {
    await appliance.close();
  }
}, 1_200_000);
