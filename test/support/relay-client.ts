// A client of the relay that submits exactly the bytes that a test specifies.
import { Resolver } from 'node:dns/promises';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { dotStuff } from '../../src/lib/smtp/index.js';
import type { MailRig } from './mail-rig.js';
import { openRawClient, type RawClient } from './raw-client.js';

export interface Submitting {
  raw: string | Buffer;
  to: string | readonly string[];
  /** Of the envelope. */
  from?: string;
  /** The tenant's by default. */
  key?: string;
  /** Parameters of MAIL and RCPT. */
  mail?: string;
  rcpt?: string;
  tls?: boolean;
  method?: 'PLAIN' | 'LOGIN';
  /** The octets go as they are, with the final dot in them. */
  isWhole?: boolean;
}

export interface Submitted {
  /** To the final dot, or to the command that was refused for good. */
  reply: string;
  /** Replies to refused recipients. */
  refused: string[];
  /** Of the first three messages. */
  ids: string[];
}

const ROBOT = 'robot@shop.example';

export async function relayOf({ appliance, dns, tenantId }: Pick<MailRig, 'appliance' | 'dns' | 'tenantId'>) {
  const { secret: key } = await makeKey({ permission: 'send', sub_tenant_id: tenantId });

  /** Creates a key of the live environment; returns the response, with `id` and `secret`. */
  async function makeKey(body: Record<string, unknown>): Promise<{ id: string; secret: string }> {
    const made = await appliance.api('POST', '/v1/api-keys', { body: { name: 'relay', ...body } });
    if (made.status !== 201) throw new Error(`no key: ${made.status} ${made.text}`);
    return made.json as { id: string; secret: string };
  }

  /** Greeted, and under TLS unless `isClear`. */
  async function relayClient({ tls = false, isClear = false } = {}): Promise<RawClient> {
    const port = appliance.mailPort(tls ? 'Relay, TLS' : 'Relay');
    const opened = await openRawClient({ port, tls });
    await opened.reply();
    await opened.say('EHLO client.example');
    if (tls || isClear) return opened;
    await opened.say('STARTTLS');
    await opened.secure();
    await opened.say('EHLO client.example');
    return opened;
  }

  async function submit(mail: Submitting): Promise<Submitted> {
    const opened = await relayClient({ tls: mail.tls ?? false });
    try {
      const signedIn = await signIn(opened, mail.key ?? key, mail.method);
      if (!signedIn.startsWith('235')) return { reply: signedIn, refused: [], ids: [] };
      return await say(opened, mail);
    } finally {
      opened.hangUp();
    }
  }

  /** `d=` of each signature that holds, by another's verifier with the published keys. */
  async function validSignatures(raw: Buffer): Promise<string[]> {
    const resolver = new Resolver();
    resolver.setServers([dns.address]);
    const { results } = await dkimVerify(raw, {
      resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
    });
    return results.flatMap(({ status, signingDomain }) =>
      status.result === 'pass' ? [signingDomain ?? ''] : [],
    );
  }

  return { key, makeKey, relayClient, submit, validSignatures };
}

/** The last reply of an AUTH. */
export function signIn(client: RawClient, key: string, method: 'PLAIN' | 'LOGIN' = 'PLAIN'): Promise<string> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return method === 'PLAIN'
    ? client.say(`AUTH PLAIN ${base64(`\0anybody\0${key}`)}`)
    : client.say('AUTH LOGIN', base64('anybody'), base64(key));
}

async function say(client: RawClient, mail: Submitting): Promise<Submitted> {
  const { raw, to, from = ROBOT, mail: ofMail = '', rcpt: ofRcpt = '', isWhole = false } = mail;
  const refused: string[] = [];
  const recipients = typeof to === 'string' ? [to] : to;
  const answered = await client.say(`MAIL FROM:<${from}>${ofMail && ` ${ofMail}`}`);
  if (!answered.startsWith('250')) return { reply: answered, refused, ids: [] };
  for (const address of recipients) {
    const reply = await client.say(`RCPT TO:<${address}>${ofRcpt && ` ${ofRcpt}`}`);
    if (!reply.startsWith('250')) refused.push(reply);
  }
  if (refused.length === recipients.length) return { reply: refused.at(-1) ?? '', refused, ids: [] };
  const ready = await client.say('DATA');
  if (!ready.startsWith('354')) return { reply: ready, refused, ids: [] };
  const octets = Buffer.isBuffer(raw) ? raw : Buffer.from(raw);
  client.write(isWhole ? octets : Buffer.concat([...dotStuff([octets]), Buffer.from('.\r\n')]));
  const reply = await client.reply();
  return { reply, refused, ids: reply.match(/msg_[0-9a-z]+/g) ?? [] };
}
