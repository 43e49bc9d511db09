// The unsubscribe link of a message: GET shows a page and changes nothing, POST does it (RFC 8058, one click: no
// cookies, no redirect, done again it is done).
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { readUnsubscribeToken } from '../../mail/list-unsubscribe.js';
import type { TokenKey } from '../../mail/signed-token.js';
import type { Store } from '../../store/store.js';
import type { Unsubscribe } from '../../work/audience/unsubscribe.js';
import type { Api } from '../api/api.js';
import { STATUS_OF_TYPE, refusalOf } from '../api/errors.js';
import { html, page } from '../html.js';
import type { Html } from '../html.js';

const BODY_LIMIT_BYTES = 16 * 1024;
const USER_AGENT_LIMIT = 500;
const ONE_CLICK_PART = /name="?List-Unsubscribe"?[^]{0,200}?\r?\n\r?\nOne-Click\s/i;

export interface UnsubscribePageDeps {
  store: Pick<Store, 'messages'>;
  unsubscribe: Unsubscribe;
  tokenKeys: readonly TokenKey[];
}

export function unsubscribeRoutes(app: Api, deps: UnsubscribePageDeps): void {
  // its own scope, because forms and pages are read and answered differently from everything else
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = refusalOf(error);
      if (!refusal) request.log.error({ err: error }, 'unsubscribe failed');
      return refusal ? answerRefusal(reply, refusal) : answerRefusal(reply, new Refusal('internal_error'));
    });
    declare(scope, deps);
    done();
  });
}

function declare(scope: Api, { store, unsubscribe, tokenKeys }: UnsubscribePageDeps): void {
  const params = Type.Object({ token: Type.String() });
  const schema = { hide: true, params };
  const config = { public: true };
  const messageIdOf = (token: string): string => {
    const messageId = readUnsubscribeToken(token, tokenKeys);
    if (messageId === null) throw new Refusal('not_found');
    return messageId;
  };

  scope.get('/u/:token', { config, schema }, async (request, reply) => {
    const target = await store.messages.forToken(messageIdOf(request.params.token));
    if (!target) throw new Refusal('not_found');
    return answer(reply, 200, askPage(target.message.to_email));
  });

  scope.post('/u/:token', { config, schema, bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    const messageId = messageIdOf(request.params.token);
    if (!isOneClick(request.body, request.headers['content-type'] ?? '')) throw new Refusal('bad_request');
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LIMIT);
    const detail = { ip: request.ip, ...(userAgent === undefined ? {} : { user_agent: userAgent }) };
    if (!(await unsubscribe(messageId, detail))) throw new Refusal('not_found');
    return answer(reply, 200, donePage());
  });
}

/** `List-Unsubscribe=One-Click`, as a form of either kind (RFC 8058 section 3.2). */
function isOneClick(body: unknown, contentType: string): boolean {
  if (typeof body !== 'string') return false;
  if (contentType.toLowerCase().startsWith('multipart/form-data')) return ONE_CLICK_PART.test(body);
  return new URLSearchParams(body.trim()).get('List-Unsubscribe')?.toLowerCase() === 'one-click';
}

function answer(reply: FastifyReply, status: number, body: Html): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').send(page('Unsubscribe', body));
}

function askPage(email: string): Html {
  return html`<main class="narrow">
    <h1>Unsubscribe</h1>
    <p>No more mail from this sender to <strong>${masked(email)}</strong>?</p>
    <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click" />
      <button type="submit">Unsubscribe</button>
    </form>
  </main>`;
}

function donePage(): Html {
  return html`<main class="narrow">
    <h1>You are unsubscribed</h1>
    <p>This sender will not write to you again.</p>
  </main>`;
}

function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const text =
    refusal.type === 'not_found'
      ? 'This link is not valid. Please use the link exactly as it stands in the message.'
      : 'This did not work. Please open the link in the message again.';
  const body = html`<main class="narrow">
    <h1>Unsubscribe</h1>
    <p>${text}</p>
  </main>`;
  return answer(reply, STATUS_OF_TYPE[refusal.type], body);
}

/** Enough to recognize one's own address; links get forwarded. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(2, at))}…${email.slice(at)}`;
}
