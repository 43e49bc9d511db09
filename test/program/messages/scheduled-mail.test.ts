// Tests scheduled mail: it survives a restart, keeps its time, and can be canceled or moved until then.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { ENDING } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

let sink: SmtpSink;
let rig: MailRig;
/** When each address got its mail, epoch ms. */
const arrivals = new Map<string, number[]>();
const arrivalsOf = (name: string) => arrivals.get(`${name}@receiver.example`) ?? [];

beforeAll(async () => {
  sink = await startSmtpSink({
    keep: false,
    onMessage: ({ rcptTo: [to = ''] }) => arrivals.set(to, [...(arrivals.get(to) ?? []), Date.now()]),
  });
  rig = await startMailRig({ process: ENDING.process, mxPort: sink.port });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

it('a scheduled message is sent on time despite a restart', async () => {
  const sendAt = inMs(4_000);
  const id = await rig.send('anna', { send_at: sendAt });
  expect(await rig.message(id)).toMatchObject({ status: 'queued', scheduled_at: sendAt });
  await rig.appliance.end(ENDING.signal);
  await rig.appliance.startHere();
  expect(arrivalsOf('anna')).toEqual([]);
  await rig.reached(id, 'delivered');
  expect(arrivalsOf('anna')).toHaveLength(1);
  expect(arrivalsOf('anna')[0]).toBeGreaterThanOrEqual(Date.parse(sendAt));
});

it('a canceled message is never sent, and only waiting messages can be canceled', async () => {
  const { api } = rig.appliance;
  const id = await rig.send('dora', { send_at: inMs(1_000) });
  const canceled = await api('POST', `/v1/messages/${id}/cancel`);
  expect(canceled.status).toBe(200);
  expect(canceled.json).toMatchObject({ id, status: 'canceled' });
  expect(events(await rig.trail(id))).toEqual(['queued', 'canceled']);
  const again = await api('POST', `/v1/messages/${id}/cancel`);
  expect(again.json).toMatchObject({ error: { code: 'message_not_cancelable' } });

  const other = await rig.send('bert', { send_at: inMs(1_500) });
  await rig.reached(other, 'delivered');
  expect(arrivalsOf('bert')).toHaveLength(1);
  expect(arrivalsOf('dora')).toEqual([]);
  const late = await api('POST', `/v1/messages/${other}/cancel`);
  expect(late.status).toBe(409);
});

it('a message that is rescheduled to an earlier time is sent then', async () => {
  const id = await rig.send('emil', { send_at: inMs(3_600_000) });
  const moved = await rig.appliance.api('PATCH', `/v1/messages/${id}`, { body: { send_at: inMs(500) } });
  expect(moved.status).toBe(200);
  await rig.reached(id, 'delivered');
  expect(events(await rig.trail(id))).toContain('rescheduled');
});
