// The pages of share links, with the DNS records of a domain or the delivery of a message. They show nothing else of the workspace,
// change nothing, and stay out of caches and search engines.
import type { ExplainMessage } from '../outbound/index.js';
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import { isErasedAddress } from '../contract/erased-address.js';
import type { Message } from '../messages/messages.store.js';
import type { Scope } from '../database/scope.js';
import type { ShareLinkContext } from './context.js';
import type { ShareLinks } from './share-links.js';
import { ownerOfSender, ownerOfTenant, type RecordWithResult } from '../domains/domain-records.js';
import { unnamedAdvice } from '../domains/dns-advice.js';
import type { CurrentRecords } from '../domains/current-records.js';
import type { Api } from '../http/api.js';
import { html, type Html } from '../lib/http/index.js';
import { sayIn } from '../http/language.js';
import { formPages } from '../pages/form-pages.pages.js';
import { answerPage, createLooks, type PageContent } from '../pages/look.pages.js';
import { SCRIPTED_PAGE_POLICY } from '../pages/scripted-page.pages.js';
import { limitInvalidTokens, limitOpened } from '../pages/token-limit.pages.js';
import type { ShareLink } from './share-links.tables.js';

const TITLE = 'Shared page';
type Say = (text: string) => string;

const SCRIPT_PATH = '/share.js';
/** Shows times in the language and time zone of the reader. */
const SCRIPT = `const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'long' });
for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
`;

const GONE = 'This link is no longer valid. Ask the person who sent it for a new one.';
/** Most characters of a message's text. */
const MOST_TEXT = 20_000;
/** Unsubscribe and preference links, which act for the recipient. */
const OWN_LINKS = /\/(u|preferences)\/[0-9a-z]{53}/g;

type PageContext = Pick<ShareLinkContext, 'store' | 'lookAtRecords'> & {
  shareLinks: ShareLinks;
  explainMessage: ExplainMessage;
};

/** Declares `GET /share/:token`. */
export function sharePageRoutes(app: Api, context: PageContext): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const { shareLinks } = context;
  const lookOf = createLooks(context.store.brandings);
  app.get(SCRIPT_PATH, { config: { public: true }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
  formPages(
    app,
    (_texts, language) => {
      const say = sayIn(language);
      return { title: say(TITLE), gone: say(GONE) };
    },
    (scope) => {
      // Guesses are stopped before any read. Valid links are limited too, because they cost DNS lookups.
      const onRequest = [
        limitInvalidTokens(scope, ({ token = '' }) => shareLinks.isSigned(token)),
        limitOpened(scope),
      ];
      scope.get('/share/:token', { config: { public: true }, schema, onRequest }, async (request, reply) => {
        reply.header('Cache-Control', 'no-store').header('X-Robots-Tag', 'noindex, nofollow');
        const opened = await shareLinks.open(request.params.token);
        if (!opened) throw new Refusal('not_found');
        const look = await lookOf(request, { ...opened.scope, subTenantId: opened.link.sub_tenant_id });
        // Texts about mail and DNS are in English and German.
        const language = look.language === 'de' ? 'de' : 'en';
        const content = await renderPage(context, opened, sayIn(language));
        reply.header('content-security-policy', SCRIPTED_PAGE_POLICY);
        return answerPage(reply, 200, { ...look, language }, { ...content, scriptPath: SCRIPT_PATH });
      });
    },
  );
}

/** Refused with `not_found` if the target was deleted. */
async function renderPage(
  context: PageContext,
  { link, scope }: { link: ShareLink; scope: Scope },
  say: Say,
): Promise<PageContent> {
  const { store, lookAtRecords } = context;
  switch (link.target) {
    case 'message':
      return messagePage(context, { link, scope }, say);
    case 'sub_tenant': {
      const tenant = await store.tenants.subTenant(scope, link.target_id);
      if (!tenant) throw new Refusal('not_found');
      const seen = await lookAtRecords(ownerOfTenant(tenant), tenant.dns_results);
      return recordsPage(tenant.sending_domain, { seen, link }, say);
    }
    case 'sender': {
      const sender = await store.domains.sender(scope, link.target_id);
      if (!sender || sender.kind !== 'domain') throw new Refusal('not_found');
      const seen = await lookAtRecords(ownerOfSender(sender), sender.dns_results);
      return recordsPage(sender.identity, { seen, link }, say);
    }
  }
}

const STATES: Readonly<Record<RecordWithResult['status'], string>> = {
  ok: 'correct',
  missing: 'not found',
  mismatch: 'different',
  pending: 'no DNS response',
  host_unnamed: 'not yet available',
};

const PURPOSES: Readonly<Record<RecordWithResult['purpose'], string>> = {
  dkim: 'DKIM signature',
  return_path: 'Bounces',
  spf: 'SPF',
  dmarc: 'DMARC',
  inbound: 'Replies',
  tracking: 'Tracking links',
};

function recordsPage(
  domain: string,
  { seen: { records, at }, link }: { seen: CurrentRecords; link: ShareLink },
  say: Say,
): PageContent {
  const open = records.filter(({ required, status }) => required && status !== 'ok').length;
  const summary =
    open === 0
      ? say('All required records are correct.')
      : say(
          open === 1
            ? '1 required record is missing or incorrect.'
            : `${open} required records are missing or incorrect.`,
        );
  const title = say(`DNS records for ${domain}`);
  const body = html`<main>
    <h1>${title}</h1>
    <p><strong>${summary}</strong></p>
    <p>
      ${say(`Publish these records with the DNS provider of ${domain}.`)} ${say('Last checked:')} ${time(at)}.
      ${say('Reload the page to check again. Records are checked no more than once every 20 seconds.')}
    </p>
    ${records.map((record) => recordPart(record, say))} ${endPart(link, say)}
  </main>`;
  return { title, body };
}

function recordPart(record: RecordWithResult, say: Say): Html {
  const { purpose, type, host, value, required, status, found } = record;
  const heading = `${say(PURPOSES[purpose])} (${type}): ${say(STATES[status])}${required ? '' : `, ${say('optional')}`}`;
  if (value === null) {
    return html`<h2>${heading}</h2>
      <p>${say(unnamedAdvice(record.missing_setting))}</p>`;
  }
  const priority =
    record.type === 'MX'
      ? html`<tr>
          <th scope="row">${say('Priority')}</th>
          <td>${record.priority}</td>
        </tr>`
      : html``;
  const seen =
    found.length === 0
      ? html`${say('nothing')}`
      : html`${found.map((text) => html`<code>${text}</code><br />`)}`;
  return html`<h2>${heading}</h2>
    <table>
      <tr>
        <th scope="row">${say('Name')}</th>
        <td><code>${host}</code></td>
      </tr>
      <tr>
        <th scope="row">${say('Value')}</th>
        <td><code>${value}</code></td>
      </tr>
      ${priority}
      <tr>
        <th scope="row">${say('Found')}</th>
        <td>${seen}</td>
      </tr>
    </table>`;
}

async function messagePage(
  context: PageContext,
  { link, scope }: { link: ShareLink; scope: Scope },
  say: Say,
): Promise<PageContent> {
  const message = await context.store.messages.message(scope, link.target_id);
  if (!message || isErasedAddress(message.to_email)) throw new Refusal('not_found');
  const { summary, chain, next } = await context.explainMessage(scope, message);
  const content = link.include_content === 1 ? await contentPart(context, message, say) : html``;
  const title = say('Message delivery');
  const body = html`<main>
    <h1>${title}</h1>
    <p><strong>${say(summary)}</strong></p>
    <table>
      <tr>
        <th scope="row">${say('To')}</th>
        <td>${message.to_email}</td>
      </tr>
      <tr>
        <th scope="row">${say('From')}</th>
        <td>${message.from_email}</td>
      </tr>
      <tr>
        <th scope="row">${say('Status')}</th>
        <td>${say(message.status)}</td>
      </tr>
      <tr>
        <th scope="row">${say('Accepted')}</th>
        <td>${time(message.created_at)}</td>
      </tr>
      <tr>
        <th scope="row">${say('Message')}</th>
        <td><code>${message.public_id}</code></td>
      </tr>
    </table>
    <h2>${say('Timeline')}</h2>
    <table>
      ${chain.map(
        ({ at, text }) =>
          html`<tr>
            <th scope="row">${time(at)}</th>
            <td>${say(text)}</td>
          </tr>`,
      )}
    </table>
    ${next === null ? html`` : html`<p>${say('Next:')} ${say(next.what)} (${time(next.at)})</p>`} ${content}
    ${endPart(link, say)}
  </main>`;
  return { title, body };
}

async function contentPart({ store }: PageContext, message: Message, say: Say): Promise<Html> {
  const stored = message.redacted_at === null ? await store.messages.content(message) : null;
  if (stored === null)
    return html`<h2>${say('Content')}</h2>
      <p>${say('The message content is no longer stored.')}</p>`;
  const text =
    stored.text ?? say('This message has no plain-text part, and this page does not display HTML.');
  const shown = text.replace(OWN_LINKS, '/$1/…').slice(0, MOST_TEXT);
  return html`<h2 dir="auto">${message.subject}</h2>
    <pre tabindex="0" dir="auto">${shown}</pre>`;
}

function endPart({ expires_at: expiresAt }: ShareLink, say: Say): Html {
  return html`<p>${say('This page is available until:')} ${time(expiresAt)}.</p>`;
}

/** Renders a time in UTC, which the script shows in the reader's time zone. */
function time(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
