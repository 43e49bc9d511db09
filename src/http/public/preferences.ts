// The preference page behind the link of a message: the recipient's lists with check boxes, no mail at all, mail again.
// GET changes nothing; POST saves.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { readUnsubscribeToken } from '../../mail/list-unsubscribe.js';
import type { TokenKey } from '../../mail/signed-token.js';
import type { OwnList } from '../../store/lists.js';
import type { Choice, PreferenceDesk, Preferences } from '../../work/audience/preferences.js';
import type { Api } from '../api/api.js';
import { html, type Html } from '../html.js';
import { answerPage, fieldsOf, FORM_LIMIT_BYTES, formPages, masked, visitorOf } from './form-pages.js';
import { limitInvalidTokens } from './token-limit.js';

const TITLE = 'Your mail';
const GONE = 'This link is not valid. Please use the link exactly as it stands in the message.';

export interface PreferencePageDeps {
  preferences: PreferenceDesk;
  tokenKeys: readonly TokenKey[];
}

/** Declares `GET` and `POST /preferences/:token`, with the token of the message's unsubscribe link. */
export function preferenceRoutes(app: Api, { preferences, tokenKeys }: PreferencePageDeps): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const config = { public: true };
  const messageIdOf = (token: string): string => {
    const messageId = readUnsubscribeToken(token, tokenKeys);
    if (messageId === null) throw new Refusal('not_found');
    return messageId;
  };
  const found = (read: Preferences | null): Preferences => {
    if (!read) throw new Refusal('not_found');
    return read;
  };

  formPages(app, { title: TITLE, gone: GONE }, (scope) => {
    const onRequest = limitInvalidTokens(
      scope,
      ({ token = '' }) => readUnsubscribeToken(token, tokenKeys) !== null,
    );
    scope.get('/preferences/:token', { config, schema, onRequest }, async (request, reply) => {
      const read = found(await preferences.read(messageIdOf(request.params.token)));
      return answerPage(reply, 200, TITLE, preferencePage(read, false));
    });

    scope.post(
      '/preferences/:token',
      { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
      async (request, reply) => {
        const messageId = messageIdOf(request.params.token);
        const choice = choiceOf(fieldsOf(request.body));
        const saved = found(await preferences.save(messageId, choice, visitorOf(request)));
        return answerPage(reply, 200, TITLE, preferencePage(saved, true));
      },
    );
  });
}

function choiceOf(fields: URLSearchParams): Choice {
  const save = fields.get('save');
  if (save === 'none' || save === 'again') return { kind: save };
  if (save !== 'lists') throw new Refusal('bad_request');
  return { kind: 'lists', shown: new Set(fields.getAll('shown')), wanted: new Set(fields.getAll('list')) };
}

function preferencePage({ email, lists, mail }: Preferences, isSaved: boolean): Html {
  return html`<main class="narrow">
    <h1>Your mail</h1>
    ${isSaved ? html`<p role="status"><strong>Saved.</strong></p>` : html``}
    <p>What this sender sends to <strong>${masked(email)}</strong>.</p>
    ${mail === 'wanted' ? html`${listForm(lists)}${noneForm()}` : stoppedPart(mail)}
  </main>`;
}

function listForm(lists: readonly OwnList[]): Html {
  if (lists.length === 0) return html`<p>You are on none of its lists.</p>`;
  return html`<form method="post">
    ${lists.map(listBox)}
    <input type="hidden" name="save" value="lists" />
    <p><button type="submit">Save</button></p>
  </form>`;
}

function listBox({ list, standing }: OwnList): Html {
  const isChecked = standing === 'subscribed';
  const box = isChecked
    ? html`<input type="checkbox" name="list" value="${list.id}" checked />`
    : html`<input type="checkbox" name="list" value="${list.id}" />`;
  const note = standing === 'pending' ? html` (waits for your confirmation)` : html``;
  const description = list.description === null ? html`` : html`<br />${list.description}`;
  return html`<p>
    <input type="hidden" name="shown" value="${list.id}" />
    <label class="choice"
      >${box} <span><strong>${list.name}</strong>${note}${description}</span></label
    >
  </p>`;
}

function noneForm(): Html {
  return html`<form method="post" class="apart">
    <input type="hidden" name="save" value="none" />
    <p><button type="submit" class="second">No mail at all</button></p>
  </form>`;
}

function stoppedPart(mail: 'unsubscribed' | 'blocked'): Html {
  if (mail === 'blocked') return html`<p>This sender does not write to this address.</p>`;
  return html`<p>You are unsubscribed: this sender will not write to you.</p>
    <form method="post">
      <input type="hidden" name="save" value="again" />
      <p><button type="submit">Subscribe again</button></p>
    </form>`;
}
