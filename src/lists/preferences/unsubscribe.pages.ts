// The unsubscribe link of a message. GET shows a page and changes nothing; POST unsubscribes (RFC 8058: one click, no
// cookies, no redirect, repeatable). A person can also leave just the list that brought the message. One click leaves
// only the list if the message has a topic.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import { readUnsubscribeToken, SAMPLE_TOKEN } from '../../contacts/unsubscribe.rules.js';
import type { MessageLinkContext } from '../context.js';
import { listOfMessage, Unsubscribes } from './unsubscribe.js';
import type { Api } from '../../http/api.js';
import { html, type Html } from '../../lib/http/index.js';
import {
  readFormFields,
  FORM_LIMIT_BYTES,
  formPages,
  masked,
  readVisitor,
} from '../../pages/form-pages.pages.js';
import { answerPage, createLooks, plainLook, type Look } from '../../pages/look.pages.js';
import type { PageTexts } from '../../pages/texts.en.pages.js';
import { limitInvalidTokens } from '../../pages/token-limit.pages.js';

const ONE_CLICK_PART = /name="?List-Unsubscribe"?[^]{0,200}?\r?\n\r?\nOne-Click\s/i;

export function unsubscribeRoutes(app: Api, context: MessageLinkContext): void {
  formPages(
    app,
    ({ unsubscribe: { title, gone } }) => ({ title, gone }),
    (scope) => declare(scope, context),
  );
}

function declare(scope: Api, context: MessageLinkContext): void {
  const { store, tokenKeys } = context;
  const unsubscribes = new Unsubscribes(context);
  const lookFor = createLooks(store.brandings);
  const params = Type.Object({ token: Type.String() });
  const schema = { hide: true, params };
  const config = { public: true };
  const onRequest = limitInvalidTokens(
    scope,
    ({ token = '' }) => token === SAMPLE_TOKEN || readUnsubscribeToken(token, tokenKeys) !== null,
  );
  const readMessageId = (token: string): string => {
    const messageId = readUnsubscribeToken(token, tokenKeys);
    if (messageId === null) throw new Refusal('not_found');
    return messageId;
  };

  /** One click leaves the list of a message with a topic, and all mail otherwise. */
  const hasTopic = async (messageId: string): Promise<boolean> => {
    const target = await store.messages.forToken(messageId);
    return target !== null && target.message.topic_id !== null;
  };
  const fetchLook = async (messageId: string, request: FastifyRequest): Promise<Look> =>
    lookFor(request, (await store.messages.forToken(messageId))?.scope ?? null);
  const show = (reply: FastifyReply, look: Look, bodyOf: (texts: Texts) => Html) => {
    const texts = look.texts.unsubscribe;
    return answerPage(reply, 200, look, { title: texts.title, body: bodyOf(texts) });
  };
  const everything = async (messageId: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!(await unsubscribes.leaveAll(messageId, readVisitor(request)))) throw new Refusal('not_found');
    return show(reply, await fetchLook(messageId, request), donePage);
  };

  scope.get('/u/:token', { config, schema, onRequest }, async (request, reply) => {
    const { token } = request.params;
    if (token === SAMPLE_TOKEN) return show(reply, plainLook(request), samplePage);
    const target = await store.messages.forToken(readMessageId(token));
    if (!target || isErasedAddress(target.message.to_email)) throw new Refusal('not_found');
    const { to_email: email } = target.message;
    const list = await listOfMessage(context, target.message);
    const asked = { email, listName: list?.name ?? null, token };
    return show(reply, await lookFor(request, target.scope), (texts) => askPage(texts, asked));
  });

  scope.post(
    '/u/:token',
    { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
    async (request, reply) => {
      const { token } = request.params;
      if (token === SAMPLE_TOKEN) return show(reply, plainLook(request), samplePage);
      const messageId = readMessageId(token);
      if (isOneClick(request.body, request.headers['content-type'] ?? '')) {
        const left = (await hasTopic(messageId))
          ? await unsubscribes.leaveList(messageId, readVisitor(request))
          : null;
        if (left) {
          const look = await fetchLook(messageId, request);
          return show(reply, look, (texts) => leftPage(texts, left.name, token));
        }
        return everything(messageId, request, reply);
      }
      const leave = readFormFields(request.body).get('leave');
      if (leave === 'all') return everything(messageId, request, reply);
      if (leave !== 'list') throw new Refusal('bad_request');
      const list = await unsubscribes.leaveList(messageId, readVisitor(request));
      if (!list) throw new Refusal('not_found');
      const look = await fetchLook(messageId, request);
      return show(reply, look, (texts) => leftPage(texts, list.name, token));
    },
  );
}

/** `List-Unsubscribe=One-Click`, as a form of either kind (RFC 8058 section 3.2). */
function isOneClick(body: unknown, contentType: string): boolean {
  if (typeof body !== 'string') return false;
  if (contentType.toLowerCase().startsWith('multipart/form-data')) return ONE_CLICK_PART.test(body);
  return readFormFields(body).get('List-Unsubscribe')?.toLowerCase() === 'one-click';
}

type Texts = PageTexts['unsubscribe'];

interface Asked {
  email: string;
  /** `null` if the message was not sent to a list. */
  listName: string | null;
  token: string;
}

function askPage(texts: Texts, { email, listName, token }: Asked): Html {
  const leave =
    listName === null
      ? html``
      : html`<form method="post">
          <input type="hidden" name="leave" value="list" />
          <p><button type="submit">${texts.leaveList(listName)}</button></p>
        </form>`;
  return html`<main class="narrow">
    <h1>${texts.title}</h1>
    <p>${texts.ask(masked(email))}</p>
    ${leave}
    <form method="post">
      <input type="hidden" name="leave" value="all" />
      <p>
        ${
          listName === null
            ? html`<button type="submit">${texts.all}</button>`
            : html`<button type="submit" class="second">${texts.fromEverything}</button>`
        }
      </p>
    </form>
    <p><a href="/preferences/${token}">${texts.choose}</a></p>
  </main>`;
}

function donePage(texts: Texts): Html {
  return html`<main class="narrow">
    <h1>${texts.done}</h1>
    <p>${texts.doneText}</p>
  </main>`;
}

function leftPage(texts: Texts, listName: string, token: string): Html {
  return html`<main class="narrow">
    <h1>${texts.left(listName)}</h1>
    <p>${texts.leftText}</p>
    <p><a href="/preferences/${token}">${texts.chooseElse}</a></p>
  </main>`;
}

function samplePage(texts: Texts): Html {
  return html`<main class="narrow">
    <h1>${texts.title}</h1>
    <p>${texts.sample}</p>
  </main>`;
}
