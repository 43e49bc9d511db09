// The pages behind share links: the DNS records of a domain, and what became of a message. They show what was shared and nothing
// else of the workspace, change nothing, and are kept out of caches and search engines.
import type { ExplainMessage } from '../messages/insight.routes.js';
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import { isErasedAddress } from '../contacts/erased-address.rules.js';
import type { Message } from '../messages/messages.store.js';
import type { Scope } from '../store/scope.js';
import type { Store } from '../store/store.js';
import type { ShareLinks } from './share-links.js';
import { ownerOfSender, ownerOfTenant, type RecordWithResult } from '../domains/domain-records.js';
import { unnamedAdvice } from '../domains/dns-advice.js';
import type { LookAtRecords, SeenRecords } from '../domains/current-records.js';
import type { Api } from '../api/api.js';
import { html, type Html } from '../lib/http/html.js';
import { formPages } from '../pages/form-pages.pages.js';
import { answerPage, createLooks, type PageContent } from '../pages/look.pages.js';
import { limitInvalidTokens, limitOpened } from '../pages/token-limit.pages.js';
import type { ShareLink } from './share-links.tables.js';

const TITLE = 'Shared page';
const GONE = 'This link does not work any more. Ask its sender for a new one.';
/** Characters of a message's text; more is left out. */
const MOST_TEXT = 20_000;
/** A recipient's own links, which act for them. */
const OWN_LINKS = /\/(u|preferences)\/[0-9a-z]{53}/g;

export interface SharePageDeps {
  store: Pick<Store, 'messages' | 'tenants' | 'brandings'>;
  shareLinks: Pick<ShareLinks, 'open' | 'isSigned'>;
  lookAtRecords: LookAtRecords;
  explainMessage: ExplainMessage;
}

/** Declares `GET /share/:token`. */
export function sharePageRoutes(app: Api, deps: SharePageDeps): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const { shareLinks } = deps;
  const lookOf = createLooks(deps.store);
  formPages(
    app,
    () => ({ title: TITLE, gone: GONE }),
    (scope) => {
      // Guesses are stopped before anything is read; a good link costs look-ups, so it is counted, too.
      const onRequest = [
        limitInvalidTokens(scope, ({ token = '' }) => shareLinks.isSigned(token)),
        limitOpened(scope),
      ];
      scope.get('/share/:token', { config: { public: true }, schema, onRequest }, async (request, reply) => {
        reply.header('Cache-Control', 'no-store').header('X-Robots-Tag', 'noindex, nofollow');
        const opened = await shareLinks.open(request.params.token);
        if (!opened) throw new Refusal('not_found');
        const content = await pageOf(deps, opened.link, opened.scope);
        const look = await lookOf(request, { ...opened.scope, subTenantId: opened.link.sub_tenant_id });
        // Texts of the engine about mail and DNS are in English.
        return answerPage(reply, 200, { ...look, language: 'en' }, content);
      });
    },
  );
}

/** Refused with `not_found` when the target is gone. */
async function pageOf(deps: SharePageDeps, link: ShareLink, scope: Scope): Promise<PageContent> {
  const { store, lookAtRecords } = deps;
  switch (link.target) {
    case 'message':
      return messagePage(deps, link, scope);
    case 'sub_tenant': {
      const tenant = await store.tenants.subTenant(scope, link.target_id);
      if (!tenant) throw new Refusal('not_found');
      const seen = await lookAtRecords(ownerOfTenant(tenant), tenant.dns_results);
      return recordsPage(tenant.sending_domain, seen, link);
    }
    case 'sender': {
      const sender = await store.tenants.sender(scope, link.target_id);
      if (!sender || sender.kind !== 'domain') throw new Refusal('not_found');
      return recordsPage(
        sender.identity,
        await lookAtRecords(ownerOfSender(sender), sender.dns_results),
        link,
      );
    }
  }
}

const STATES: Readonly<Record<RecordWithResult['status'], string>> = {
  ok: 'Right',
  missing: 'Not found',
  mismatch: 'Different',
  pending: 'DNS did not answer',
  host_unnamed: 'Not available yet',
};

const PURPOSES: Readonly<Record<RecordWithResult['purpose'], string>> = {
  dkim: 'DKIM signature',
  return_path: 'Mail that comes back',
  spf: 'SPF',
  dmarc: 'DMARC',
  inbound: 'Replies',
  tracking: 'Tracked links',
};

function recordsPage(domain: string, { records, at }: SeenRecords, link: ShareLink): PageContent {
  const open = records.filter(({ required, status }) => required && status !== 'ok').length;
  const summary =
    open === 0
      ? 'Every record that is needed is right.'
      : `Of the records that are needed, ${open} ${open === 1 ? 'is' : 'are'} not right yet.`;
  const body = html`<main>
    <h1>DNS records for ${domain}</h1>
    <p><strong>${summary}</strong></p>
    <p>
      Publish these records at the DNS provider of ${domain}. Looked up ${time(at)}; load the page again for a
      new look, at most every 20 seconds.
    </p>
    ${records.map(recordPart)} ${endPart(link)}
  </main>`;
  return { title: `DNS records for ${domain}`, body };
}

function recordPart(record: RecordWithResult): Html {
  const { purpose, type, host, value, required, status, found } = record;
  if (value === null) {
    return html`<h2>${PURPOSES[purpose]} (${type}): ${STATES[status]}${required ? '' : ', optional'}</h2>
      <p>${unnamedAdvice(record.missing_setting)}</p>`;
  }
  const priority =
    record.type === 'MX'
      ? html`<tr>
          <th scope="row">Priority</th>
          <td>${record.priority}</td>
        </tr>`
      : html``;
  const seen =
    found.length === 0 ? html`nothing` : html`${found.map((text) => html`<code>${text}</code><br />`)}`;
  return html`<h2>${PURPOSES[purpose]} (${type}): ${STATES[status]}${required ? '' : ', optional'}</h2>
    <table>
      <tr>
        <th scope="row">Name</th>
        <td><code>${host}</code></td>
      </tr>
      <tr>
        <th scope="row">Value</th>
        <td><code>${value}</code></td>
      </tr>
      ${priority}
      <tr>
        <th scope="row">Found</th>
        <td>${seen}</td>
      </tr>
    </table>`;
}

async function messagePage(deps: SharePageDeps, link: ShareLink, scope: Scope): Promise<PageContent> {
  const message = await deps.store.messages.message(scope, link.target_id);
  if (!message || isErasedAddress(message.to_email)) throw new Refusal('not_found');
  const { summary, chain, next } = await deps.explainMessage(scope, message);
  const content = link.include_content === 1 ? await contentPart(deps, message) : html``;
  const body = html`<main>
    <h1>What became of a message</h1>
    <p><strong>${summary}</strong></p>
    <table>
      <tr>
        <th scope="row">To</th>
        <td>${message.to_email}</td>
      </tr>
      <tr>
        <th scope="row">From</th>
        <td>${message.from_email}</td>
      </tr>
      <tr>
        <th scope="row">Status</th>
        <td>${message.status}</td>
      </tr>
      <tr>
        <th scope="row">Accepted</th>
        <td>${time(message.created_at)}</td>
      </tr>
      <tr>
        <th scope="row">Message</th>
        <td><code>${message.public_id}</code></td>
      </tr>
    </table>
    <h2>What happened</h2>
    <table>
      ${chain.map(
        ({ at, text }) =>
          html`<tr>
            <th scope="row">${time(at)}</th>
            <td>${text}</td>
          </tr>`,
      )}
    </table>
    ${next === null ? html`` : html`<p>Next, ${time(next.at)}: ${next.what}</p>`} ${content} ${endPart(link)}
  </main>`;
  return { title: 'What became of a message', body };
}

async function contentPart({ store }: SharePageDeps, message: Message): Promise<Html> {
  const stored = message.redacted_at === null ? await store.messages.content(message) : null;
  if (stored === null)
    return html`<h2>Content</h2>
      <p>The content of the message is not stored.</p>`;
  const text = stored.text ?? 'This message has no text of its own, and its html is not shown here.';
  const shown = text.replace(OWN_LINKS, '/$1/…').slice(0, MOST_TEXT);
  return html`<h2>${message.subject}</h2>
    <pre tabindex="0">${shown}</pre>`;
}

function endPart({ expires_at: expiresAt }: ShareLink): Html {
  return html`<p>This page can be opened until ${time(expiresAt)}.</p>`;
}

/** To the second, in UTC. */
function time(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
