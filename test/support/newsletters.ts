// Lists, templates and live campaigns whose mail arrives at a sink, and the recipient's side of such a mail: reads its parts,
// follows its links. All names resolve to the server.
import { request } from 'node:http';
import { simpleParser } from 'mailparser';
import type { Appliance } from './appliance.js';
import type { MailRig } from './mail-rig.js';
import { fieldOf } from './raw-mail.js';
import type { SinkMessage } from './smtp-sink.js';
import { newId } from '../../src/lib/runtime/index.js';
import { waitFor } from './wait.js';

export const PUBLIC_URL = 'http://mail.platform.example';

export interface Fetched {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface ReceivedCopy {
  id: string;
  mail: SinkMessage;
  html: string;
  text: string;
  /** The URL in List-Unsubscribe, without the brackets. */
  oneClick: string;
  mailto: string;
}

export interface FetchOptions {
  method?: string;
  form?: Record<string, string> | URLSearchParams;
  headers?: Record<string, string>;
  userAgent?: string;
}

const TEMPLATE =
  '<html><body><p>Hi {{first_name}}, <a href="https://shop.example/a?x=1&amp;y=2">read</a> or ' +
  '<a href="https://shop.example/b">buy</a>.</p></body></html>';

/** Creates what the sub-tenant's campaigns require before they can be sent. */
export async function readyForCampaigns(appliance: Appliance, tenantId: string): Promise<void> {
  await addDefaultSender(appliance, tenantId);
  await appliance.api('PATCH', '/v1/organization', { body: { postal_address: 'Ring 1, 50667 Köln' } });
}

/** Lists and campaigns of the sub-tenant; `arrived` finds mail in the sink. */
export function newslettersOf(
  { appliance, tenantId, reached }: Pick<MailRig, 'appliance' | 'tenantId' | 'reached'>,
  arrived: (name: string) => Promise<SinkMessage>,
) {
  async function made(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await appliance.api('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json as Record<string, unknown>;
  }

  async function addList(fields: Record<string, unknown> = {}): Promise<string> {
    return String((await made('/v1/lists', { name: 'Readers', sub_tenant_id: tenantId, ...fields }))['id']);
  }

  const join = (listId: string, name: string): Promise<unknown> =>
    made(`/v1/lists/${listId}/contacts`, { email: `${name}@receiver.example`, name: `${name} Smith` });

  /** Sends a campaign to the list; returns its id. */
  async function sendCampaign(
    listId: string,
    { html = TEMPLATE, ...fields }: Record<string, unknown> & { html?: string } = {},
  ): Promise<string> {
    const subject = 'News for {{first_name}}';
    const { id: templateId } = await made('/v1/templates', {
      name: `News ${Math.random()}`,
      subject,
      html,
      sub_tenant_id: tenantId,
    });
    const from = { email: 'news@shop.example', name: 'The Shop' };
    const campaign = {
      name: 'News',
      list_id: listId,
      template_id: templateId,
      from,
      sub_tenant_id: tenantId,
    };
    const { id } = await made('/v1/campaigns', { ...campaign, ...fields });
    await made(`/v1/campaigns/${String(id)}/send`, {});
    return String(id);
  }

  /** Returns the content of the newest mail for the mailbox, of the message with this subject. */
  async function receivedCopy(name: string, campaignId: string): Promise<ReceivedCopy> {
    const path = `/v1/messages?campaign_id=${campaignId}&limit=100`;
    const listed = await waitFor(
      `the campaign's message to ${name}`,
      async () => (await appliance.api('GET', path)).json as { data: { id: string; to: unknown }[] },
      ({ data }) => data.some(({ to }) => JSON.stringify(to).includes(`${name}@`)),
    );
    const id = listed.data.find(({ to }) => JSON.stringify(to).includes(`${name}@`))?.id ?? '';
    await reached(id, 'delivered');
    return copyOf(id, await arrived(name));
  }

  return { made, addList, join, sendCampaign, receivedCopy, fetched: fetcher(appliance.port) };
}

/**
 * The From of mail that names none. Inserted directly, because confirming it requires a platform domain whose keys are in DNS.
 */
async function addDefaultSender(appliance: Appliance, tenantId: string): Promise<void> {
  const now = Date.now();
  await appliance.query(
    `INSERT INTO senders (id, workspace_id, sub_tenant_id, kind, identity, status, is_default, return_path_ok,
       inbound_ok, verified_at, created_at, updated_at)
     SELECT ?, workspace_id, id, 'address', 'hello@' || sending_domain, 'verified', 1, 0, 0, ?, ?, ? FROM sub_tenants WHERE id = ?`,
    ...[newId('snd', now), now, now, now, tenantId],
  );
}

async function copyOf(id: string, mail: SinkMessage): Promise<ReceivedCopy> {
  const { html, text } = await simpleParser(mail.raw);
  const uris = [...(fieldOf(mail.raw, 'List-Unsubscribe') ?? '').matchAll(/<([^>]+)>/g)].map(
    ([, uri = '']) => uri,
  );
  return {
    id,
    mail,
    html: html || '',
    text: text ?? '',
    oneClick: uris.find((uri) => uri.startsWith('http')) ?? '',
    mailto: /^mailto:([^?]+)/.exec(uris.find((uri) => uri.startsWith('mailto:')) ?? '')?.[1] ?? '',
  };
}

/** Fetches like a program on the recipient's side, for which all names resolve to the server; does not follow redirects. */
export function fetcher(port: number) {
  return (
    url: string,
    { method, form, headers = {}, userAgent = 'Mozilla/5.0 (Test)' }: FetchOptions = {},
  ) => {
    const { host, pathname, search } = new URL(url, PUBLIC_URL);
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    return new Promise<Fetched>((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          path: pathname + search,
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            host,
            'user-agent': userAgent,
            ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        },
      );
      asked.on('error', reject).end(body);
    });
  };
}

/** The addresses in hrefs and srcs, character references decoded. */
export function linksIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)\s*=\s*["']([^"']+)/g)].map(([, url = '']) =>
    url
      .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
      .replace(/&amp;/g, '&'),
  );
}
