// The running program with lists and campaigns of a sub-tenant, whose mail goes to a sink over SMTP.
import { sendImport, transferWhen } from './imported-contacts.js';
import { startMailRig, type MailRigOptions } from './mail-rig.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from './smtp-sink.js';
import { waitFor } from './wait.js';

const RECEIVER = 'receiver.example';

export type CampaignProgram = Awaited<ReturnType<typeof startCampaignProgram>>;

export interface CampaignProgramOptions extends Omit<MailRigOptions, 'mxPort'> {
  sink?: Partial<SmtpSinkOptions>;
}

export interface CampaignAnswer {
  id: string;
  status: string;
  problem: { code: string; message: string } | null;
  stats: Record<string, number>;
}

/** One connection, one mail after the other, so that mail arrives steadily at a slow sink. */
export const ONE_BY_ONE = { MAILKEEL_DESTINATION_CONNECTIONS: '1', MAILKEEL_MTA_WORKERS: '1' };

export const namesOf = (count: number, prefix = 'r'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** The sink's behaviour can be changed while it runs: `behaviour.thinksMs = 200`. */
export async function startCampaignProgram({ sink: own, ...options }: CampaignProgramOptions = {}) {
  const behaviour: SmtpSinkOptions = { keep: true, ...own };
  let sink: SmtpSink = await startSmtpSink(behaviour);
  const { port } = sink;
  const mailsBefore: SmtpSink['messages'] = [];
  const rig = await startMailRig({ ...options, mxPort: port });
  const { appliance, tenantId } = rig;

  /** Returns the API's response; throws an Error on a refusal. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function ask(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await appliance.api(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  await ask('PATCH', '/v1/organization', { postal_address: 'Ring 1, 50667 Köln' });
  const template = await ask('POST', '/v1/templates', {
    name: 'News',
    subject: 'News for {{name}}',
    html: '<html><body><p>Hi {{name}}, <a href="https://shop.example/a">read</a></p></body></html>',
  });

  const campaign = (id: string): Promise<CampaignAnswer> => ask('GET', `/v1/campaigns/${id}`);

  const mails = (): SmtpSink['messages'] => [...mailsBefore, ...sink.messages];

  const program = {
    ...rig,
    ask,
    behaviour,
    templateId: template.id as string,
    campaign,
    /** All mail that has ever arrived. */
    mails,

    addressOf: (name: string): string => `${name}@${RECEIVER}`,

    /** Creates a list of the sub-tenant with these people; returns its id. */
    async addList(names: readonly string[], listName = 'Readers'): Promise<string> {
      const { id } = await ask('POST', '/v1/lists', { name: listName, sub_tenant_id: tenantId });
      const csv = ['email,name', ...names.map((name) => `${name}@${RECEIVER},${name}`), ''].join('\n');
      const query = `?list_id=${String(id)}&sub_tenant_id=${tenantId}`;
      const imported = await sendImport(appliance, csv, query);
      const done = await transferWhen(
        appliance,
        `/v1/imports/${imported}`,
        (one) => one['finished_at'] !== null,
      );
      if (done['failed'] !== 0) throw new Error(`refused: ${JSON.stringify(done)}`);
      return id as string;
    },

    async addCampaign(listId: string, more: Record<string, unknown> = {}): Promise<string> {
      const { id } = await ask('POST', '/v1/campaigns', {
        name: 'News',
        list_id: listId,
        template_id: template.id,
        sub_tenant_id: tenantId,
        from: { email: 'news@shop.example', name: 'The Shop' },
        ...more,
      });
      return id as string;
    },

    act: (id: string, action: 'send' | 'pause' | 'resume' | 'cancel', body: unknown = {}) =>
      ask('POST', `/v1/campaigns/${id}/${action}`, action === 'send' ? body : undefined),

    /** Waits until the campaign has this status. */
    reachedBy: (id: string, status: string, deadlineMs?: number): Promise<CampaignAnswer> =>
      waitFor(
        `${id} to be ${status}`,
        () => campaign(id),
        (found) => found.status === status,
        deadlineMs,
      ),

    /** Waits until the sink has received this many mails. */
    arrived: (count: number, deadlineMs?: number): Promise<number> =>
      waitFor(
        `${count} mails at the sink`,
        () => Promise.resolve(mails().length),
        (n) => n >= count,
        deadlineMs,
      ),

    /** How often the sink got a mail for each address, from the mail after the first `since` on. */
    copies(since = 0): Map<string, number> {
      const counts = new Map<string, number>();
      for (const { rcptTo } of mails().slice(since)) {
        const [to = ''] = rcptTo;
        counts.set(to, (counts.get(to) ?? 0) + 1);
      }
      return counts;
    },

    /** The campaign's messages of a status, all pages. */
    async messagesOf(id: string, status?: string): Promise<{ id: string; to: string }[]> {
      const found: { id: string; to: string }[] = [];
      let cursor: string | null = null;
      do {
        const query: string = `campaign_id=${id}&limit=100${status ? `&status=${status}` : ''}`;
        const page = await ask('GET', `/v1/messages?${query}${cursor ? `&cursor=${cursor}` : ''}`);
        found.push(...(page.data as { id: string; to: string }[]));
        cursor = page.next_cursor as string | null;
      } while (cursor !== null);
      return found;
    },

    /** Its statistics once all events are counted. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    counted: (id: string): Promise<any> =>
      waitFor(
        `the events of ${id} to be counted`,
        () => ask('GET', `/v1/campaigns/${id}/analytics`),
        (found) => (found as { up_to_date: boolean }).up_to_date,
        60_000,
      ),

    /** Takes the recipients' host down, and brings it back on the same port. */
    async sinkDown(): Promise<void> {
      mailsBefore.push(...sink.messages);
      await sink.close();
    },
    async sinkUp(): Promise<void> {
      sink = await startSmtpSink({ ...behaviour, port });
    },

    async close(): Promise<void> {
      await rig.close();
      await sink.close();
    },
  };
  return program;
}

/** Counts, by event, the campaign's messages that have it in their trail. */
export async function countTrail(
  { appliance }: CampaignProgram,
  campaignId: string,
): Promise<Record<string, number>> {
  const rows = await appliance.query(
    `SELECT e.event, COUNT(DISTINCT e.message_id) AS n FROM events e JOIN messages m ON m.id = e.message_id
     WHERE m.campaign_id = ? GROUP BY e.event`,
    campaignId,
  );
  return Object.fromEntries(rows.map(({ event, n }) => [String(event), Number(n)]));
}

/** The measures that count messages, as the trail has them. */
export function measuresOf(trail: Readonly<Record<string, number>>): Record<string, number> {
  const measures = [
    'queued',
    'sent',
    'delivered',
    'bounced',
    'failed',
    'suppressed',
    'canceled',
    'unsubscribed',
  ];
  return Object.fromEntries(measures.map((name) => [name, trail[name] ?? 0]));
}
