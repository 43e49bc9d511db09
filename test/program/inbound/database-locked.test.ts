// Tests requests while another process locks the database: they wait or are refused as a whole, and nothing is stored in part.
import { join } from 'node:path';
import { Database, type Connection } from '../../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { setTimeout as pause } from 'node:timers/promises';

/** The lock is on the SQLite file; a database server has no lock on the whole database. */
const onFile = it.skipIf(IS_ON_POSTGRES);

let sink: SmtpSink;
let rig: MailRig;
let database: Connection;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ mxPort: sink.port });
  database = new Database(join(rig.appliance.dataDir, 'mail.db'));
});

afterAll(async () => {
  database.close();
  await rig.close();
  await sink.close();
});

onFile('a lock that ends in time makes the answer late, and the message is delivered', async () => {
  database.exec('BEGIN IMMEDIATE');
  const sending = rig.send('anna');
  await pause(1_000);
  database.exec('ROLLBACK');
  await rig.reached(await sending, 'delivered');
  expect(sink.count()).toBe(1);
});

onFile(
  'a lock that lasts is answered with 503, keeps nothing of the request, and the next one works',
  async () => {
    database.exec('BEGIN IMMEDIATE');
    const body = rig.draft('bert', { idempotency_key: 'locked-out' });
    const answer = await rig.appliance.api('POST', '/v1/messages', { body });
    database.exec('ROLLBACK');
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({ error: { type: 'unavailable', code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    const list = await rig.appliance.api('GET', '/v1/messages?to=bert@receiver.example');
    expect((list.json as { data: unknown[] }).data).toEqual([]);

    const again = await rig.appliance.api('POST', '/v1/messages', { body });
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    await rig.reached((again.json as { id: string }).id, 'delivered');
    expect(sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith('bert'))).toHaveLength(1);
  },
  40_000,
);
