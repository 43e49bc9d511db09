// Sends mail to a sub-tenant's domain and about its messages, from strangers and mail servers, and reads the result.
import type { Appliance } from './appliance.js';
import { postMail } from './post-mail.js';
import { openRawClient, type RawClient } from './raw-client.js';
import { waitFor } from './wait.js';

export const MAILBOX = 'help@reply.shop.example';

/** A stranger's question with that subject, from that stranger. */
export function question(subject: string, more: readonly string[] = []): string {
  return [
    'From: Bob <bob@receiver.example>',
    `To: ${MAILBOX}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@receiver.example>`,
    ...more,
    '',
    'Do you ship?',
    '',
  ].join('\r\n');
}

export interface ReceivedMessage {
  id: string;
  subject: string;
  [field: string]: unknown;
}

/** The result of an inbound mail, as in the spool. */
export interface CameBack {
  id: number;
  kind: string;
  state: string;
  outcome: string | null;
  detail: Record<string, unknown>;
}

export function mailInto(appliance: Appliance, tenantId: string) {
  const { query } = appliance;
  const port = (): number => appliance.mailPort('Inbound');

  /** Submits one mail; returns its reply, such as `250`. */
  async function ask(subject: string, raw = question(subject)): Promise<number> {
    const { code } = await postMail({ port: port(), from: 'bob@receiver.example', to: MAILBOX, raw });
    return code;
  }

  /** A client after the greeting and EHLO. */
  async function client(
    from?: string,
    what: Parameters<Appliance['mailPort']>[0] = 'Inbound',
  ): Promise<RawClient> {
    const opened = await openRawClient({
      port: appliance.mailPort(what),
      ...(from === undefined ? {} : { from }),
      tls: what === 'Relay, TLS',
    });
    await opened.reply();
    await opened.say('EHLO client.example');
    return opened;
  }

  /** All received messages, newest first. */
  async function received(): Promise<ReceivedMessage[]> {
    const all: ReceivedMessage[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const at = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await appliance.api('GET', `/v1/messages?status=received&limit=100${at}`);
      const page = json as { data: ReceivedMessage[]; next_cursor?: string | null };
      all.push(...page.data);
      cursor = page.next_cursor ?? null;
    }
    return all;
  }

  /** Their subjects in order, once there are at least this many. */
  async function subjects(atLeast: number, deadlineMs?: number): Promise<string[]> {
    const enough = (found: ReceivedMessage[]): boolean => found.length >= atLeast;
    const found = await waitFor(`${atLeast} received messages`, received, enough, deadlineMs);
    return found.map(({ subject }) => subject).sort();
  }

  /** Submits a mail, and waits until it is processed. */
  async function comesBack(raw: string | Buffer, to: string, from = ''): Promise<CameBack> {
    const last = await newest();
    const posted = await postMail({ port: port(), from, to, raw });
    if (posted.code !== 250) throw new Error(`not taken: ${posted.code} ${posted.text}`);
    return settled(to, last);
  }

  async function newest(): Promise<number> {
    const [row] = await query('SELECT MAX(id) AS id FROM inbound_messages');
    return Number(row?.['id']);
  }

  /** The first mail to an address after a row of the spool, once it is processed. */
  async function settled(to: string, after = 0): Promise<CameBack> {
    const [row] = await waitFor(
      `mail to ${to} to be worked on`,
      () =>
        query(
          `SELECT id, kind, state, outcome, detail FROM inbound_messages
           WHERE lower(rcpt_to) = lower(?) AND id > ? ORDER BY id LIMIT 1`,
          ...[to, after],
        ),
      ([found]) => found !== undefined && found['state'] !== 'waiting',
    );
    const came = row as unknown as Omit<CameBack, 'detail'> & { detail: string | null };
    return { ...came, detail: JSON.parse(came.detail ?? '{}') as Record<string, unknown> };
  }

  async function suppression(email: string): Promise<Record<string, unknown>> {
    const path = `/v1/suppressions/check?email=${encodeURIComponent(email)}&sub_tenant_id=${tenantId}`;
    return (await appliance.api('GET', path)).json as Record<string, unknown>;
  }

  return { port, ask, client, received, subjects, comesBack, newest, settled, suppression };
}
