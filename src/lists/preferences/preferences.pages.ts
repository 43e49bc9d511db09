// The preference page behind the link of a message, on which recipients choose lists, all mail or no mail. GET changes nothing;
// POST saves.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { readUnsubscribeToken } from '../../contacts/unsubscribe.rules.js';
import type { OwnList } from '../../contacts/lists/lists.store.js';
import type { MessageLinkContext } from '../context.js';
import { PreferenceCenter, type Choice, type Preferences } from './preferences.js';
import type { Api } from '../../http/api.js';
import { html, type Html } from '../../lib/http/index.js';
import {
  readFormFields,
  FORM_LIMIT_BYTES,
  formPages,
  masked,
  readVisitor,
} from '../../pages/form-pages.pages.js';
import { answerPage, createLooks } from '../../pages/look.pages.js';
import type { PageTexts } from '../../pages/texts.en.pages.js';
import { limitInvalidTokens } from '../../pages/token-limit.pages.js';

type Texts = PageTexts['preferences'];

/** Declares `GET` and `POST /preferences/:token`, with the token of the message's unsubscribe link. */
export function preferenceRoutes(app: Api, context: MessageLinkContext): void {
  const { store, tokenKeys } = context;
  const preferences = new PreferenceCenter(context);
  const lookOf = createLooks(store.brandings);
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const config = { public: true };
  const readMessageId = (token: string): string => {
    const messageId = readUnsubscribeToken(token, tokenKeys);
    if (messageId === null) throw new Refusal('not_found');
    return messageId;
  };
  const found = (read: Preferences | null): Preferences => {
    if (!read) throw new Refusal('not_found');
    return read;
  };

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    shown: Preferences,
    isSaved: boolean,
  ): Promise<FastifyReply> => {
    const look = await lookOf(request, shown.scope);
    const texts = look.texts.preferences;
    const body = preferencePage(texts, shown, isSaved);
    return answerPage(reply, 200, look, { title: texts.title, body });
  };

  formPages(
    app,
    ({ preferences: { title, gone } }) => ({ title, gone }),
    (scope) => {
      const onRequest = limitInvalidTokens(
        scope,
        ({ token = '' }) => readUnsubscribeToken(token, tokenKeys) !== null,
      );
      scope.get('/preferences/:token', { config, schema, onRequest }, async (request, reply) => {
        const read = found(await preferences.read(readMessageId(request.params.token)));
        return answer(request, reply, read, false);
      });

      scope.post(
        '/preferences/:token',
        { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
        async (request, reply) => {
          const messageId = readMessageId(request.params.token);
          const choice = readChoice(readFormFields(request.body));
          const saved = found(await preferences.save(messageId, choice, readVisitor(request)));
          return answer(request, reply, saved, true);
        },
      );
    },
  );
}

function readChoice(fields: URLSearchParams): Choice {
  const save = fields.get('save');
  if (save === 'none' || save === 'again') return { kind: save };
  if (save !== 'lists') throw new Refusal('bad_request');
  return { kind: 'lists', shown: new Set(fields.getAll('shown')), wanted: new Set(fields.getAll('list')) };
}

function preferencePage(texts: Texts, { email, lists, mail }: Preferences, isSaved: boolean): Html {
  return html`<main class="narrow">
    <h1>${texts.title}</h1>
    ${isSaved ? html`<p role="status"><strong>${texts.saved}</strong></p>` : html``}
    <p>${texts.intro(masked(email))}</p>
    ${mail === 'wanted' ? html`${listForm(texts, lists)}${noneForm(texts)}` : stoppedPart(texts, mail)}
  </main>`;
}

function listForm(texts: Texts, lists: readonly OwnList[]): Html {
  if (lists.length === 0) return html`<p>${texts.none}</p>`;
  return html`<form method="post">
    ${lists.map((own) => listBox(texts, own))}
    <input type="hidden" name="save" value="lists" />
    <p><button type="submit">${texts.save}</button></p>
  </form>`;
}

function listBox(texts: Texts, { list, subscription }: OwnList): Html {
  const isChecked = subscription === 'subscribed';
  const box = isChecked
    ? html`<input type="checkbox" name="list" value="${list.id}" checked />`
    : html`<input type="checkbox" name="list" value="${list.id}" />`;
  const note = subscription === 'pending' ? html` ${texts.pending}` : html``;
  const description = list.description === null ? html`` : html`<br />${list.description}`;
  return html`<p>
    <input type="hidden" name="shown" value="${list.id}" />
    <label class="choice"
      >${box} <span><strong>${list.name}</strong>${note}${description}</span></label
    >
  </p>`;
}

function noneForm(texts: Texts): Html {
  return html`<form method="post" class="apart">
    <input type="hidden" name="save" value="none" />
    <p><button type="submit" class="second">${texts.noMail}</button></p>
  </form>`;
}

function stoppedPart(texts: Texts, mail: 'unsubscribed' | 'blocked'): Html {
  if (mail === 'blocked') return html`<p>${texts.blocked}</p>`;
  return html`<p>${texts.unsubscribed}</p>
    <form method="post">
      <input type="hidden" name="save" value="again" />
      <p><button type="submit">${texts.again}</button></p>
    </form>`;
}
