// Tests a client that missed its response and repeats the request, even after the server was killed: there is one message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ mxPort: sink.port });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

it('the same key returns the same message before and after a kill, and nothing is sent twice', async () => {
  const { appliance } = rig;
  const body = rig.draft('anna', { idempotency_key: 'order-1' });
  const first = await appliance.api('POST', '/v1/messages', { body });
  expect(first.status).toBe(202);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const { id } = first.json as { id: string };
  await rig.reached(id, 'delivered');

  await appliance.end('SIGKILL');
  await appliance.startHere();
  const again = await appliance.api('POST', '/v1/messages', { body });
  expect(again.status).toBe(202);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.json).toMatchObject({ id, status: 'queued' });

  const other = await appliance.api('POST', '/v1/messages', { body: { ...body, subject: 'Another' } });
  expect(other.status).toBe(409);
  expect(other.json).toMatchObject({ error: { code: 'idempotency_key_reused' } });

  const last = await rig.send('bert');
  await rig.reached(last, 'delivered');
  expect(sink.messages.map(({ rcptTo }) => rcptTo[0])).toEqual([
    'anna@receiver.example',
    'bert@receiver.example',
  ]);
});

it('200 simultaneous equal requests create one message', async () => {
  const body = rig.draft('carl');
  const headers = { 'idempotency-key': 'order-2' };
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => rig.appliance.api('POST', '/v1/messages', { body, headers })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  const ids = new Set(answers.map(({ json }) => (json as { id: string }).id));
  expect(ids.size).toBe(1);
  const [id = ''] = ids;
  await rig.reached(id, 'delivered');
  expect(sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith('carl'))).toHaveLength(1);
});
