// Adds forwarding to the mail rig: an inbox, addresses whose owners confirm by the mailed link, signed mail to the inbox, and a
// judge of the forwarded mail that shares no code with the program.
import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import { publishPlatformKeys, type SinkRig, startMailRigWithSink, type SinkRigOptions } from './mail-rig.js';
import { postMail } from './post-mail.js';
import { signerOf } from './returned-mail.js';
import type { SinkMessage } from './smtp-sink.js';
import { layered } from './tuning.js';
import { tuned } from './tuning.js';
import { waitFor } from './wait.js';

const PLATFORM = 'post.example';
const AUTHOR = 'author.example';
const BODY = 'Hello,\r\n  with  odd   blanks\t\r\n.dots\r\n\r\n';

interface ForwardedCopy {
  forward_id: string;
  message_id: string | null;
  not_forwarded: string | null;
}
interface Received {
  id: string;
  subject: string;
  received: { forwards: ForwardedCopy[] };
}
interface ShownForward {
  id: string;
  address: string;
  state: string;
  reason: string | null;
}

export type ForwardingRig = Awaited<ReturnType<typeof startForwardingRig>>;

export async function startForwardingRig(options: SinkRigOptions = {}) {
  const env = layered(
    tuned({ minuteJobs: '*/2 * * * * *' }),
    { MAILKEEL_PLATFORM_DOMAIN: PLATFORM },
    options.env ?? {},
  );
  const rig = await startMailRigWithSink({ ...options, env });
  await publishPlatformKeys(rig, PLATFORM);
  return { ...rig, ...forwardingOf(rig) };
}

/** Returns the sink's mail for an address. */
function forwardingOf(rig: SinkRig) {
  const { appliance, dns, sink } = rig;
  const sign = signerOf(dns, AUTHOR);
  dns.set(`_dmarc.${AUTHOR}`, 'TXT', ['v=DMARC1; p=reject']);

  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { status, text, json } = await appliance.api(method, path, body === undefined ? {} : { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json as Answer;
  }

  const mailsTo = (address: string): SinkMessage[] =>
    sink.messages.filter(({ rcptTo }) => rcptTo.includes(address));
  const waitForMail = (address: string, subject: string): Promise<SinkMessage> =>
    waitFor(
      `${subject} for ${address}`,
      () => mailsTo(address).find(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)) ?? null,
      (found) => found !== null,
    ) as Promise<SinkMessage>;

  /** The link in the latest confirmation mail to an address. */
  async function linkTo(address: string): Promise<string> {
    const mail = await waitFor(
      `the confirmation for ${address}`,
      () => mailsTo(address).findLast(({ raw }) => raw.includes('/forward/')),
      (found) => found !== undefined,
    );
    const text = mail?.raw.toString().replaceAll('=\r\n', '') ?? '';
    const token = /\/forward\/([A-Za-z0-9_-]{43})/.exec(text)?.[1];
    if (token === undefined) throw new Error(`no link in ${text}`);
    return `${appliance.url}/forward/${token}`;
  }

  return {
    ask,
    linkTo,
    waitForMail,
    mailsTo,
    newInbox: (name: string): Promise<{ id: string; address: string }> =>
      ask('POST', '/v1/inboxes', { address: `${name}@reply.shop.example`, client_id: name }),

    /** Added, and confirmed by its owner. */
    async addForward(inboxId: string, address: string): Promise<ShownForward> {
      const forward = await ask<ShownForward>('POST', `/v1/inboxes/${inboxId}/forwards`, { address });
      const answer = await fetch(await linkTo(address), { method: 'POST' });
      if (answer.status !== 200) throw new Error(`not confirmed: ${answer.status}`);
      return forward;
    },

    forwardsOf: async (inboxId: string): Promise<ShownForward[]> =>
      (await ask<{ data: ShownForward[] }>('GET', `/v1/inboxes/${inboxId}/forwards`)).data,

    /** Mail as another server has written it. */
    async postRaw(to: string, raw: string): Promise<void> {
      const from = `ann@${AUTHOR}`;
      const { code } = await postMail({ port: appliance.mailPort('Inbound'), from, to, raw });
      if (code !== 250) throw new Error(`not taken: ${code}`);
    },

    /** Sends mail of an author who signs, unless `forged`. */
    async write(
      to: string,
      subject: string,
      { forged = false, from = `ann@${AUTHOR}`, headers = [] as string[], body = BODY, at = appliance } = {},
    ): Promise<string> {
      const raw = [
        ...headers,
        `From: Ann <ann@${AUTHOR}>`,
        `To: ${to}`,
        `Subject: ${subject}`,
        `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
        `Message-ID: <${subject.replaceAll(' ', '.')}@${AUTHOR}>`,
        '',
        body,
      ].join('\r\n');
      const sent = forged ? raw : sign(raw);
      const { code, text } = await postMail({ port: at.mailPort('Inbound'), from, to, raw: sent });
      if (code !== 250) throw new Error(`not taken: ${code} ${text}`);
      return sent;
    },

    /** The message of a subject in an inbox. */
    received: (inboxId: string, subject: string): Promise<Received> =>
      waitFor(
        `${subject} in the inbox`,
        async () => {
          const { data } = await ask<{ data: Received[] }>('GET', `/v1/inboxes/${inboxId}/messages`);
          return data.find((one) => one.subject === subject) ?? null;
        },
        (found) => found !== null,
      ) as Promise<Received>,

    /** Judges it as the next server does. */
    async judge({ raw, mailFrom }: Pick<SinkMessage, 'raw' | 'mailFrom'>) {
      const resolver = new Resolver();
      resolver.setServers([dns.address]);
      const result = await authenticate(raw, {
        ip: '127.0.0.1',
        helo: 'mx.post.example',
        sender: mailFrom,
        mta: 'mx.receiver.example',
        resolver: (name, type) => resolver.resolve(name, type) as Promise<string[] | string[][]>,
      });
      return {
        dkim: result.dkim.results.map(({ status, signingDomain }) => [signingDomain, status.result]),
        arc: result.arc === false ? null : result.arc.status.result,
        arcSets: result.arc === false ? 0 : result.arc.i,
      };
    },
  };
}
