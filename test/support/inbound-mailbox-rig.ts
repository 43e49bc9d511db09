// The program with a sub-tenant whose inbound domain takes mail, strangers who write there, and what the API shows of it.
import type { Appliance } from './appliance.js';
import { startMailRig, type MailRig, type MailRigOptions } from './mail-rig.js';
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

export type InboundMailboxRig = Awaited<ReturnType<typeof startInboundMailboxRig>>;

export async function startInboundMailboxRig(options: MailRigOptions = {}) {
  const rig = await startMailRig(options);
  return { ...rig, ...outsidersOf(rig) };
}

function outsidersOf({ appliance }: MailRig) {
  const port = (): number => appliance.mailPort('Inbound');

  /** Hands in one mail; the reply to it, such as `250`. */
  async function ask(subject: string, raw = question(subject)): Promise<number> {
    const { code } = await postMail({ port: port(), from: 'bob@receiver.example', to: MAILBOX, raw });
    return code;
  }

  /** A client that was greeted and has said EHLO. */
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

  /** All received messages, the newest first. */
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

  /** Their subjects in order, once there are at least so many. */
  async function subjects(atLeast: number, deadlineMs?: number): Promise<string[]> {
    const enough = (found: ReceivedMessage[]): boolean => found.length >= atLeast;
    const found = await waitFor(`${atLeast} received messages`, received, enough, deadlineMs);
    return found.map(({ subject }) => subject).sort();
  }

  return { port, ask, client, received, subjects };
}
