// Tests a database that another process has locked: mail is answered with 451 and not stored, and the peer's next attempt is
// accepted once.
import { join } from 'node:path';
import { Database, type Connection } from '../../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { postMail } from '../../support/post-mail.js';

/** The lock is on the SQLite file; a database server has no lock on the whole database. */
const onFile = it.skipIf(IS_ON_POSTGRES);

let rig: MailRig;
let database: Connection;

beforeAll(async () => {
  rig = await startMailRig();
  database = new Database(join(rig.appliance.dataDir, 'mail.db'));
});

afterAll(async () => {
  database.close();
  await rig.close();
});

onFile(
  'is a temporary refusal for mail from outside and for our own senders',
  async () => {
    const relayed = () =>
      postMail({
        port: rig.appliance.mailPort('Relay'),
        from: 'orders@shop.example',
        to: 'ann@receiver.example',
        raw: `X-Service-Sub-Tenant: ${rig.tenantId}\r\nFrom: orders@shop.example\r\nTo: ann@receiver.example\r\nSubject: relayed\r\n\r\nx\r\n`,
        key: rig.appliance.keys.live_key,
      });
    database.exec('BEGIN IMMEDIATE');
    const [inbound, relay] = await Promise.all([rig.ask('a question'), relayed()]);
    database.exec('ROLLBACK');
    expect(inbound).toBe(451);
    expect(relay).toMatchObject({ code: 451 });
    expect(await rig.received()).toEqual([]);

    expect(await rig.ask('a question', question('a question'))).toBe(250);
    expect((await relayed()).code).toBe(250);
    expect(await rig.subjects(1)).toEqual(['a question']);
    const { json } = await rig.appliance.api('GET', '/v1/messages?to=ann@receiver.example');
    expect((json as { data: unknown[] }).data).toHaveLength(1);
  },
  40_000,
);
