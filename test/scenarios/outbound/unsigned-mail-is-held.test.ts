// Tests that mail which cannot be signed waits in the queue, and is sent when its key is available.
import { afterEach, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  await sink.close();
});

it('a message without a key is held, and is sent signed when the key exists', async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  const { query } = rig.appliance;
  await query(`UPDATE dkim_keys SET state = 'pending' WHERE domain = 'shop.example'`);
  const id = await rig.send('anna');
  const held = () => query('SELECT hold_reason FROM queue WHERE hold_reason IS NOT NULL');
  const [row] = await waitFor('the message to be held', held, (found) => found.length > 0);
  expect(row?.['hold_reason']).toContain('shop.example');
  expect(await rig.message(id)).toMatchObject({ status: 'queued', provider: null, error: null });
  expect(events(await rig.trail(id))).toEqual(['queued']);
  expect(sink.count()).toBe(0);

  // The key becomes active when DNS shows its record.
  await rig.appliance.api('POST', `/v1/sub-tenants/${rig.tenantId}/verify`);
  await rig.reached(id, 'delivered');
  expect(sink.messages[0]?.raw.toString()).toMatch(/^DKIM-Signature: [^]*d=shop\.example/m);
});
