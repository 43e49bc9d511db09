// Tests two nodes on one PostgreSQL database: a draft that both send at the same time is one message, and a simultaneous change
// and send happen one after the other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Appliance } from '../support/appliance.js';
import { MAILBOX, question } from '../support/incoming-mail.js';
import { type NodeRig, startNodeRig } from '../support/mail-rig.js';
import { postMail } from '../support/post-mail.js';
import { ensurePostgres, type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: drafts of several nodes: ${skipReason}`);

const DRAFTS = 20;

describe.skipIf(skipReason !== null)('drafts of two nodes', () => {
  let server: PostgresServer;
  let rig: NodeRig;
  let nodes: [Appliance, Appliance];
  let threadId: string;
  beforeAll(async () => {
    server = await startPostgres();
    rig = await startNodeRig({ server, mxPort: 9 });
    const second = await rig.newNode();
    await second.start();
    nodes = [rig.first, second];
    const port = rig.first.mailPort('Inbound');
    await postMail({ port, from: 'bob@receiver.example', to: MAILBOX, raw: question('Shipping') });
    threadId = await waitFor('the thread', async () => {
      const { json } = await rig.first.api('GET', '/v1/threads');
      return (json as { data: { id: string }[] }).data[0]?.id ?? '';
    });
  });
  afterAll(async () => {
    await rig.close();
    await server.close();
  });

  async function create(text: string): Promise<string> {
    const body = { text, from: 'orders@shop.example' };
    const { json } = await rig.first.api('POST', `/v1/threads/${threadId}/drafts`, { body });
    return (json as { id: string }).id;
  }
  const send = async (node: Appliance, id: string) => {
    const { status, json } = await node.api('POST', `/v1/drafts/${id}/send`, { body: {} });
    return { status, id: (json as { id: string }).id };
  };
  const sent = async (): Promise<number> => {
    const { json } = await rig.first.api('GET', `/v1/messages?thread_id=${threadId}&limit=100`);
    const { data } = json as { data: { direction: string }[] };
    return data.filter(({ direction }) => direction === 'outbound').length;
  };

  it('are sent once by simultaneous requests to both', async () => {
    const ids = await Promise.all(Array.from({ length: DRAFTS }, (_, n) => create(`Reply ${n}`)));
    const answers = await Promise.all(
      ids.map((id) => Promise.all([...nodes, ...nodes].map((node) => send(node, id)))),
    );
    for (const of of answers) {
      expect(of.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      expect(new Set(of.map(({ id }) => id)).size).toBe(1);
    }
    expect(await sent()).toBe(DRAFTS);
  }, 120_000);

  it('are sent as they are stored when another node changes them at the same time', async () => {
    const [first, second] = nodes;
    const before = await sent();
    for (let n = 0; n < 10; n++) {
      const id = await create('first');
      const [answer, changed] = await Promise.all([
        send(first, id),
        second.api('PATCH', `/v1/drafts/${id}`, { body: { text: 'second', version: 1 } }),
      ]);
      expect(answer.status).toBe(202);
      const { json } = await first.api('GET', `/v1/messages/${answer.id}/content`);
      expect(json).toMatchObject({ text: changed.status === 200 ? 'second' : 'first' });
    }
    expect(await sent()).toBe(before + 10);
  }, 120_000);
});
