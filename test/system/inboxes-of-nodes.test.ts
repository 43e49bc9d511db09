// Tests two nodes on one PostgreSQL database: one inbox for simultaneous requests to both, and mail that one receives while a
// client waits at the other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Appliance } from '../support/appliance.js';
import { type NodeRig, startNodeRig } from '../support/mail-rig.js';
import { postMail } from '../support/post-mail.js';
import { ensurePostgres, type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: inboxes of several nodes: ${skipReason}`);

describe.skipIf(skipReason !== null)('inboxes of two nodes', () => {
  let server: PostgresServer;
  let rig: NodeRig;
  let nodes: [Appliance, Appliance];
  beforeAll(async () => {
    server = await startPostgres();
    rig = await startNodeRig({ server, mxPort: 9 });
    const second = await rig.newNode();
    await second.start();
    nodes = [rig.first, second];
  });
  afterAll(async () => {
    await rig.close();
    await server.close();
  });

  it('are made once, and get the mail of both', async () => {
    const body = { domain: 'reply.shop.example', client_id: 'agent' };
    const answers = await Promise.all(
      [...nodes, ...nodes, ...nodes].map((node) => node.api('POST', '/v1/inboxes', { body })),
    );
    const made = answers.map(({ json }) => json as { id: string; address: string });
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const [{ id, address } = { id: '', address: '' }] = made;

    const subjectsOf = async (node: Appliance, query: string) => {
      const { json } = await node.api('GET', `/v1/inboxes/${id}/messages${query}`);
      return (json as { data: { id: string; subject: string }[] }).data;
    };
    const post = (node: Appliance, subject: string) =>
      postMail({
        ...{ port: node.mailPort('Inbound'), from: 'bob@receiver.example', to: address },
        raw: `From: bob@receiver.example\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
      });
    const [first, second] = nodes;
    await post(first, 'one');
    let [last] = await waitFor(
      'the first mail',
      () => subjectsOf(second, ''),
      ({ length }) => length > 0,
    );
    for (const [subject, from, to] of [['two', first, second] as const, ['three', second, first] as const]) {
      const waiting = subjectsOf(to, `?after=${last?.id}&wait=60`);
      await post(from, subject);
      [last] = await waiting;
      expect(last).toMatchObject({ subject });
    }
    const threadsOf = async (node: Appliance, query: string) => {
      const { json } = await node.api('GET', `/v1/threads?inbox_id=${id}${query}`);
      return (json as { data: { id: string; subject: string }[] }).data;
    };
    const [newest] = await threadsOf(first, '&unread=true');
    expect(newest).toMatchObject({ subject: 'three' });
    await second.api('PATCH', `/v1/threads/${newest?.id}`, { body: { unread: false, labels: ['to_do'] } });
    expect(await threadsOf(first, '&label=to_do')).toMatchObject([{ id: newest?.id, unread: false }]);
    expect(await threadsOf(first, '&unread=true')).toMatchObject([{ subject: 'two' }, { subject: 'one' }]);
  }, 120_000);

  it('forward the mail of both once', async () => {
    const [first, second] = nodes;
    const { json } = await first.api('POST', '/v1/inboxes', {
      body: { address: 'sales@reply.shop.example', client_id: 'sales' },
    });
    const { id, address } = json as { id: string; address: string };
    // The owner has agreed.
    await first.query(
      `INSERT INTO inbox_forwards (id, inbox_id, environment_id, sub_tenant_id, address, address_key, confirmation_hash,
          confirmation_expires_at, confirmed_at, created_at, updated_at)
        SELECT ?, id, environment_id, sub_tenant_id, ?, ?, ?, 0, 1, 1, 1 FROM inboxes WHERE id = ?`,
      ...['fwd_1', 'ann@receiver.example', 'ann@receiver.example', Buffer.from('1'), id],
    );
    const count = 10;
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        postMail({
          ...{
            port: nodes[at % 2 === 0 ? 0 : 1].mailPort('Inbound'),
            from: 'bob@receiver.example',
            to: address,
          },
          raw: `From: bob@receiver.example\r\nSubject: mail ${at}\r\nMessage-ID: <${at}@receiver.example>\r\n\r\nHello\r\n`,
        }),
      ),
    );
    const rows = await waitFor(
      'all mail to be received',
      () => second.query("SELECT id FROM messages WHERE to_key = ? AND status = 'received'", address),
      ({ length }) => length === count,
    );
    expect(rows).toHaveLength(count);
    const forwarded = await second.query(
      'SELECT subject FROM messages WHERE forward IS NOT NULL ORDER BY subject',
    );
    expect(forwarded.map(({ subject }) => subject)).toEqual(
      Array.from({ length: count }, (_, at) => `mail ${at}`),
    );
  }, 120_000);
});
