// The sign-up page of a list, and the page behind the link of a confirmation mail. Opening either changes nothing. What
// they answer is the same for every address: nobody learns here who is on a list.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../mail/address.js';
import { shownLine } from '../../mail/shown-line.js';
import type { SignUp, SignUpTarget, Visit } from '../../work/audience/sign-up.js';
import type { Person } from '../../work/audience/person.js';
import type { Api } from '../api/api.js';
import { html, type Html } from '../html.js';
import { answerPage, fieldsOf, FORM_LIMIT_BYTES, formPages, masked } from './form-pages.js';
import type { SignUpLimit } from './sign-up-limit.js';
import { limitOpened } from './token-limit.js';

const GONE =
  'This page does not exist (any more). A link of a confirmation may have expired: please sign up again.';
const MAX_NAME = 80;
/** People leave it empty, since they do not see it; programs that fill in forms do not. */
export const TRAP = 'website';
/** A name goes into a mail to whoever owns the address: it carries no link and no address. */
const NOT_A_NAME = /[/\\<>@:]|www\.|\.\p{L}{2}/iu;

export interface SignUpPageDeps {
  signUp: SignUp;
  /** Of one client address. */
  limit: SignUpLimit;
}

/** Declares `GET` and `POST` of `/s/:token` and `/s/confirm/:token`. */
export function signUpRoutes(app: Api, deps: SignUpPageDeps): void {
  formPages(app, { title: 'Sign up', gone: GONE }, (scope) => {
    declareForm(scope, deps);
    declareConfirmation(scope, deps);
  });
}

const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
const config = { public: true };

function declareForm(scope: Api, { signUp, limit }: SignUpPageDeps): void {
  const pageOf = async (token: string): Promise<SignUpTarget> => {
    const page = await signUp.page(token);
    if (!page) throw new Refusal('not_found');
    return page;
  };

  scope.get('/s/:token', { config, schema }, async (request, reply) => {
    const { list } = await pageOf(request.params.token);
    return answerPage(reply, 200, list.name, formPage(list, { email: '', name: '', problem: null }));
  });

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Refusal) => void) => {
    const waitSeconds = limit(request.ip);
    if (waitSeconds !== null) reply.header('Retry-After', String(waitSeconds));
    done(waitSeconds === null ? undefined : new Refusal('rate_limited'));
  };
  const options = { config, schema, bodyLimit: FORM_LIMIT_BYTES, onRequest };
  scope.post('/s/:token', options, async (request, reply) => {
    const target = await pageOf(request.params.token);
    const { list } = target;
    const fields = fieldsOf(request.body);
    const email = (fields.get('email') ?? '').trim();
    const name = (fields.get('name') ?? '').trim();
    if (addressProblem(email) !== null) {
      const problem = 'Please enter a valid address.';
      return answerPage(reply, 422, list.name, formPage(list, { email, name, problem }));
    }
    if ((fields.get(TRAP) ?? '') === '') {
      await signUp.subscribeStranger(
        target,
        personOf(email, name),
        visitOf(request, `/s/${request.params.token}`),
      );
    }
    return answerPage(reply, 200, list.name, thanksPage(list, email));
  });
}

function declareConfirmation(scope: Api, { signUp }: SignUpPageDeps): void {
  const title = 'Confirm';
  const onRequest = limitOpened(scope);

  scope.get('/s/confirm/:token', { config, schema, onRequest }, async (request, reply) => {
    const pending = await signUp.pending(request.params.token);
    if (!pending) throw new Refusal('not_found');
    const { list, contact, isDone } = pending;
    const body = isDone ? confirmedPage(list) : confirmPage(list, contact.email);
    return answerPage(reply, 200, title, body);
  });

  scope.post(
    '/s/confirm/:token',
    { config, schema, onRequest, bodyLimit: FORM_LIMIT_BYTES },
    async (request, reply) => {
      const confirmed = await signUp.confirm(request.params.token, visitOf(request, '/s/confirm'));
      if (!confirmed) throw new Refusal('not_found');
      return answerPage(reply, 200, title, confirmedPage(confirmed.list));
    },
  );
}

/** The token of a sign-up page is nobody's own; that of a confirmation is, and is not kept. */
function visitOf(request: FastifyRequest, page: string): Visit {
  return { page, ip: request.ip, user_agent: request.headers['user-agent'] ?? null };
}

export function personOf(email: string, name: string): Person {
  const shown = shownLine(name, MAX_NAME);
  const isName = shown !== '' && !NOT_A_NAME.test(shown);
  return { email, key: addressKey(email), ...(isName ? { name: shown } : {}) };
}

type ShownList = Pick<SignUpTarget['list'], 'name' | 'description'>;

function formPage(
  { name: listName, description }: ShownList,
  { email, name, problem }: { email: string; name: string; problem: string | null },
): Html {
  return html`<main class="narrow">
    <h1>${listName}</h1>
    ${description === null ? html`` : html`<p>${description}</p>`}
    ${problem === null ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`}
    <form method="post">
      <p>
        <label
          >Address<br /><input
            type="email"
            name="email"
            value="${email}"
            maxlength="254"
            autocomplete="email"
            required
        /></label>
      </p>
      <p>
        <label
          >Name (optional)<br /><input
            name="name"
            value="${name}"
            maxlength="${MAX_NAME}"
            autocomplete="name"
        /></label>
      </p>
      <p hidden>
        <label>Leave this empty<br /><input name="${TRAP}" tabindex="-1" autocomplete="off" /></label>
      </p>
      <p><button type="submit">Sign up</button></p>
    </form>
  </main>`;
}

/** Of the list alone, never of the address. */
export function thanksPage(list: SignUpTarget['list'], email: string): Html {
  const next =
    list.double_opt_in === 1
      ? html`We send a mail to <strong>${email}</strong>. Please open the link in it to confirm.`
      : html`<strong>${email}</strong> gets the next mail of this list. If we have to ask for your consent,
          you get a mail with a link.`;
  return html`<main class="narrow">
    <h1>Thank you</h1>
    <p>${next}</p>
  </main>`;
}

function confirmPage({ name }: ShownList, email: string): Html {
  return html`<main class="narrow">
    <h1>${name}</h1>
    <p>Shall this mail be sent to <strong>${masked(email)}</strong>?</p>
    <form method="post"><button type="submit">Yes, sign me up</button></form>
    <p>If you did not ask for it, close this page: nothing happens.</p>
  </main>`;
}

function confirmedPage({ name }: ShownList): Html {
  return html`<main class="narrow">
    <h1>You are on the list</h1>
    <p>You get the mail of “${name}” from now on. Each one has a link to leave.</p>
  </main>`;
}
