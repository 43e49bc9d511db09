// Tests that mail answered with 250 survives a kill directly afterwards, and that unanswered mail may be submitted again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lines } from '../../support/raw-mail.js';
import { signIn } from '../../support/relay-client.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

let relay: SinkRig;
let isAway = true;
beforeAll(async () => {
  relay = await startMailRigWithSink({
    sink: { onConnect: () => (isAway ? '421 4.3.2 Not now' : null) },
  });
});
afterAll(() => relay.close());

it('is delivered once after the restart', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => relay.relayClient()));
  const kept: string[] = [];
  const isDead = (): boolean => relay.appliance.process().killed;
  const submitting = clients.map(async (client, number) => {
    await signIn(client, relay.key);
    for (let i = 0; !isDead(); i++) {
      const to = `${number}-${i}@receiver.example`;
      const said = await client.say('MAIL FROM:<robot@shop.example>', `RCPT TO:<${to}>`, 'DATA');
      if (!said.startsWith('354')) break;
      client.write(`${lines('From: orders@shop.example', `To: ${to}`, '', 'x'.repeat(900))}.\r\n`);
      if (!(await client.reply()).startsWith('250')) break;
      kept.push(to);
      if (kept.length === 30) relay.appliance.process().kill('SIGKILL');
    }
    client.hangUp();
  });
  await Promise.all(submitting);
  await relay.appliance.end('SIGKILL');
  expect(kept.length).toBeGreaterThanOrEqual(30);
  isAway = false;
  await relay.appliance.startHere();
  const got = (): string[] => relay.sink.messages.map(({ rcptTo }) => rcptTo[0] ?? '');
  await waitFor(
    'all that was answered',
    () => kept.filter((to) => !got().includes(to)),
    (missing) => missing.length === 0,
    20_000,
  );
  const { json } = await relay.appliance.api('GET', '/v1/messages?limit=100');
  await waitFor(
    'nothing left in the queue',
    () => relay.sink.count(),
    (count) => count >= (json.data as unknown[]).length,
  );
  expect(new Set(got()).size).toBe(got().length);
}, 60_000);
