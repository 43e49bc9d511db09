// The unsubscribe link of a message: GET shows a page and changes nothing, POST does it (RFC 8058, one click: no
// cookies, no redirect, done again it is done). A person may also leave just the list that brought the
// message; of a message that stands for a list, one click does.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { isErasedAddress } from '../../mail/erased-address.js';
import { readUnsubscribeToken, SAMPLE_TOKEN } from '../../mail/list-unsubscribe.js';
import type { TokenKey } from '../../mail/signed-token.js';
import type { Store } from '../../store/store.js';
import type { LeaveList, Unsubscribe } from '../../work/audience/unsubscribe.js';
import type { Api } from '../api/api.js';
import { html } from '../html.js';
import type { Html } from '../html.js';
import { answerPage, fieldsOf, FORM_LIMIT_BYTES, formPages, masked, visitorOf } from './form-pages.js';
import { limitInvalidTokens } from './token-limit.js';

const TITLE = 'Unsubscribe';
const GONE = 'This link is not valid. Please use the link exactly as it stands in the message.';
const ONE_CLICK_PART = /name="?List-Unsubscribe"?[^]{0,200}?\r?\n\r?\nOne-Click\s/i;

export interface UnsubscribePageDeps {
  store: Pick<Store, 'messages' | 'lists'>;
  unsubscribe: Unsubscribe;
  leaveList: LeaveList;
  tokenKeys: readonly TokenKey[];
}

export function unsubscribeRoutes(app: Api, deps: UnsubscribePageDeps): void {
  formPages(app, { title: TITLE, gone: GONE }, (scope) => declare(scope, deps));
}

function declare(scope: Api, { store, unsubscribe, leaveList, tokenKeys }: UnsubscribePageDeps): void {
  const params = Type.Object({ token: Type.String() });
  const schema = { hide: true, params };
  const config = { public: true };
  const onRequest = limitInvalidTokens(
    scope,
    ({ token = '' }) => token === SAMPLE_TOKEN || readUnsubscribeToken(token, tokenKeys) !== null,
  );
  const messageIdOf = (token: string): string => {
    const messageId = readUnsubscribeToken(token, tokenKeys);
    if (messageId === null) throw new Refusal('not_found');
    return messageId;
  };

  /** One click leaves the list that a message stands for; of other mail it can mean nothing but all of it. */
  const hasTopic = async (messageId: string): Promise<boolean> => {
    const target = await store.messages.forToken(messageId);
    return target !== null && target.message.topic_id !== null;
  };
  const everything = async (messageId: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!(await unsubscribe(messageId, visitorOf(request)))) throw new Refusal('not_found');
    return answerPage(reply, 200, TITLE, donePage());
  };

  scope.get('/u/:token', { config, schema, onRequest }, async (request, reply) => {
    const { token } = request.params;
    if (token === SAMPLE_TOKEN) return answerPage(reply, 200, TITLE, samplePage());
    const target = await store.messages.forToken(messageIdOf(token));
    if (!target || isErasedAddress(target.message.to_email)) throw new Refusal('not_found');
    const { to_email: email } = target.message;
    const list = await store.lists.listOfMessage(target.message);
    return answerPage(reply, 200, TITLE, askPage({ email, listName: list?.name ?? null, token }));
  });

  scope.post(
    '/u/:token',
    { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
    async (request, reply) => {
      const { token } = request.params;
      if (token === SAMPLE_TOKEN) return answerPage(reply, 200, TITLE, samplePage());
      const messageId = messageIdOf(token);
      if (isOneClick(request.body, request.headers['content-type'] ?? '')) {
        const left = (await hasTopic(messageId)) ? await leaveList(messageId, visitorOf(request)) : null;
        if (left) return answerPage(reply, 200, TITLE, leftPage(left.name, token));
        return everything(messageId, request, reply);
      }
      const leave = fieldsOf(request.body).get('leave');
      if (leave === 'all') return everything(messageId, request, reply);
      if (leave !== 'list') throw new Refusal('bad_request');
      const list = await leaveList(messageId, visitorOf(request));
      if (!list) throw new Refusal('not_found');
      return answerPage(reply, 200, TITLE, leftPage(list.name, token));
    },
  );
}

/** `List-Unsubscribe=One-Click`, as a form of either kind (RFC 8058 section 3.2). */
function isOneClick(body: unknown, contentType: string): boolean {
  if (typeof body !== 'string') return false;
  if (contentType.toLowerCase().startsWith('multipart/form-data')) return ONE_CLICK_PART.test(body);
  return fieldsOf(body).get('List-Unsubscribe')?.toLowerCase() === 'one-click';
}

interface Asked {
  email: string;
  /** Null when the message came by no list. */
  listName: string | null;
  token: string;
}

function askPage({ email, listName, token }: Asked): Html {
  const leave =
    listName === null
      ? html``
      : html`<form method="post">
          <input type="hidden" name="leave" value="list" />
          <p><button type="submit">Leave only “${listName}”</button></p>
        </form>`;
  return html`<main class="narrow">
    <h1>Unsubscribe</h1>
    <p>No more mail from this sender to <strong>${masked(email)}</strong>?</p>
    ${leave}
    <form method="post">
      <input type="hidden" name="leave" value="all" />
      <p>
        ${
          listName === null
            ? html`<button type="submit">Unsubscribe</button>`
            : html`<button type="submit" class="second">Unsubscribe from everything</button>`
        }
      </p>
    </form>
    <p><a href="/preferences/${token}">Choose what you get</a></p>
  </main>`;
}

function donePage(): Html {
  return html`<main class="narrow">
    <h1>You are unsubscribed</h1>
    <p>This sender will not write to you again.</p>
  </main>`;
}

function leftPage(listName: string, token: string): Html {
  return html`<main class="narrow">
    <h1>You have left “${listName}”</h1>
    <p>Nothing more will be sent to you from this list.</p>
    <p><a href="/preferences/${token}">Choose what else you get</a></p>
  </main>`;
}

function samplePage(): Html {
  return html`<main class="narrow">
    <h1>Unsubscribe</h1>
    <p>
      This is the link of a preview. In the message itself it leads each recipient to a page where they leave
      the list, or all mail.
    </p>
  </main>`;
}
