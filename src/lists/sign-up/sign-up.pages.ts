// The sign-up page of a list, and the page behind the link of a confirmation mail. Opening either changes nothing. Both
// respond in the same way for every address, so they do not reveal who is on a list.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { addressKey, addressProblem, shownLine } from '../../lib/mime/index.js';
import type { SignUps, SignUpTarget, Visit } from './sign-up.js';
import type { Person } from '../../contacts/person.js';
import type { Api } from '../../http/api.js';
import { html, type Html } from '../../lib/http/index.js';
import { readFormFields, FORM_LIMIT_BYTES, formPages, masked } from '../../pages/form-pages.pages.js';
import { answerPage, type Look, type LookOf } from '../../pages/look.pages.js';
import type { SignUpLimit } from './sign-up-limit.pages.js';
import type { PageTexts } from '../../pages/texts.en.pages.js';
import { limitOpened } from '../../pages/token-limit.pages.js';

const MAX_NAME = 80;
/** Name of a hidden field, which people leave empty and programs that fill in forms do not. */
export const TRAP = 'website';
/** A name with a link or an address is dropped, because it goes into the mail to the owner of the address. */
const NOT_A_NAME = /[/\\<>@:]|www\.|\.\p{L}{2}/iu;

export interface SignUpPages {
  signUps: SignUps;
  limit: SignUpLimit;
  lookOf: LookOf;
}

/** Declares `GET` and `POST` of `/s/:token` and `/s/confirm/:token`. */
export function signUpRoutes(app: Api, pages: SignUpPages): void {
  formPages(
    app,
    ({ signUp: { title, gone } }) => ({ title, gone }),
    (scope) => {
      declareForm(scope, pages);
      declareConfirmation(scope, pages);
    },
  );
}

const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
const config = { public: true };

function declareForm(scope: Api, { signUps, limit, lookOf }: SignUpPages): void {
  const findPage = async (token: string): Promise<SignUpTarget> => {
    const page = await signUps.page(token);
    if (!page) throw new Refusal('not_found');
    return page;
  };

  scope.get('/s/:token', { config, schema }, async (request, reply) => {
    const { list, scope: owner } = await findPage(request.params.token);
    const look = await lookOf(request, owner);
    const body = formPage(look, list, { email: '', name: '', problem: null });
    return answerPage(reply, 200, look, { title: list.name, body });
  });

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Refusal) => void) => {
    const waitSeconds = limit(request.ip);
    if (waitSeconds !== null) reply.header('Retry-After', String(waitSeconds));
    done(waitSeconds === null ? undefined : new Refusal('rate_limited'));
  };
  const options = { config, schema, bodyLimit: FORM_LIMIT_BYTES, onRequest };
  scope.post('/s/:token', options, async (request, reply) => {
    const target = await findPage(request.params.token);
    const { list } = target;
    const look = await lookOf(request, target.scope);
    const fields = readFormFields(request.body);
    const email = (fields.get('email') ?? '').trim();
    const name = (fields.get('name') ?? '').trim();
    if (addressProblem(email, { utf8Local: true }) !== null) {
      const body = formPage(look, list, { email, name, problem: look.texts.signUp.badAddress });
      return answerPage(reply, 422, look, { title: list.name, body });
    }
    if ((fields.get(TRAP) ?? '') === '') {
      const visit = readVisit(request, `/s/${request.params.token}`);
      await signUps.subscribeVisitor(target, readVisitor(email, name), { ...visit, language: look.language });
    }
    return answerPage(reply, 200, look, { title: list.name, body: thanksPage(look.texts, list, email) });
  });
}

function declareConfirmation(scope: Api, { signUps, lookOf }: SignUpPages): void {
  const onRequest = limitOpened(scope);

  scope.get('/s/confirm/:token', { config, schema, onRequest }, async (request, reply) => {
    const pending = await signUps.pending(request.params.token);
    if (!pending) throw new Refusal('not_found');
    const { list, scope: owner, contact, isDone } = pending;
    const look = await lookOf(request, owner);
    const body = isDone ? confirmedPage(look.texts, list) : confirmPage(look.texts, list, contact.email);
    return answerPage(reply, 200, look, { title: look.texts.confirm.title, body });
  });

  scope.post(
    '/s/confirm/:token',
    { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
    async (request, reply) => {
      const confirmed = await signUps.confirm(request.params.token, readVisit(request, '/s/confirm'));
      if (!confirmed) throw new Refusal('not_found');
      const look = await lookOf(request, confirmed.scope);
      const { texts } = look;
      return answerPage(reply, 200, look, {
        title: texts.confirm.title,
        body: confirmedPage(texts, confirmed.list),
      });
    },
  );
}

/** The page must not have the token of a confirmation, which belongs to one person and is not stored. */
function readVisit(request: FastifyRequest, page: string): Visit {
  return { page, ip: request.ip, user_agent: request.headers['user-agent'] ?? null };
}

export function readVisitor(email: string, name: string): Person {
  const shown = shownLine(name, MAX_NAME);
  const isName = shown !== '' && !NOT_A_NAME.test(shown);
  return { email, key: addressKey(email), ...(isName ? { name: shown } : {}) };
}

type ShownList = Pick<SignUpTarget['list'], 'name' | 'description'>;

function formPage(
  { branding, texts: { signUp: texts } }: Look,
  { name: listName, description }: ShownList,
  { email, name, problem }: { email: string; name: string; problem: string | null },
): Html {
  return html`<main class="narrow">
    <h1 dir="auto">${listName}</h1>
    ${description === null ? html`` : html`<p dir="auto">${description}</p>`}
    ${problem === null ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`}
    <form method="post">
      <p>
        <label
          >${texts.address}<br /><input
            inputmode="email"
            autocapitalize="none"
            name="email"
            value="${email}"
            maxlength="254"
            autocomplete="email"
            required
        /></label>
      </p>
      <p>
        <label
          >${texts.name}<br /><input
            name="name"
            dir="auto"
            value="${name}"
            maxlength="${MAX_NAME}"
            autocomplete="name"
        /></label>
      </p>
      <p hidden>
        <label>${texts.trap}<br /><input name="${TRAP}" tabindex="-1" autocomplete="off" /></label>
      </p>
      ${consentLine(branding?.privacy_url ?? null, texts)}
      <p><button type="submit">${texts.submit}</button></p>
    </form>
  </main>`;
}

/** Empty if the sender has no privacy policy. */
function consentLine(privacyUrl: string | null, texts: PageTexts['signUp']): Html {
  if (privacyUrl === null) return html``;
  return html`<p>
    <small
      >${texts.consent} <a href="${privacyUrl}" rel="noopener" target="_blank">${texts.privacy}</a></small
    >
  </p>`;
}

/** Depends on the list only, never on the address. */
export function thanksPage(
  { signUp: texts }: PageTexts,
  list: Pick<SignUpTarget['list'], 'double_opt_in'>,
  email: string,
): Html {
  const next = list.double_opt_in === 1 ? texts.mailed(email) : texts.joined(email);
  return html`<main class="narrow">
    <h1>${texts.thanks}</h1>
    <p>${next}</p>
  </main>`;
}

function confirmPage({ confirm: texts }: PageTexts, { name }: ShownList, email: string): Html {
  return html`<main class="narrow">
    <h1 dir="auto">${name}</h1>
    <p>${texts.ask(masked(email))}</p>
    <form method="post"><button type="submit">${texts.yes}</button></form>
    <p>${texts.ignore}</p>
  </main>`;
}

function confirmedPage({ confirm: texts }: PageTexts, { name }: ShownList): Html {
  return html`<main class="narrow">
    <h1>${texts.done}</h1>
    <p>${texts.doneText(name)}</p>
  </main>`;
}
