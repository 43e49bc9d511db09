// POST /v1/subscribe from a form on any website, with the publishable key of a list in place of an API key. A browser gets a
// page or a redirect that the list allows, and a program gets JSON. The response is the same for every address.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { invalidFields, Refusal, type FieldProblem } from '../../contract/refusal.js';
import { addressKey, addressProblem, shownLine } from '../../lib/mime/index.js';
import type { Person } from '../../contacts/person.js';
import type { SignUpTarget } from './sign-up.js';
import type { Api } from '../../http/api.js';
import { answerError, toRefusal, STATUS_OF_TYPE } from '../../http/errors.js';
import { html } from '../../lib/http/index.js';
import { readFormFields, FORM_LIMIT_BYTES } from '../../pages/form-pages.pages.js';
import { answerPage, plainLook } from '../../pages/look.pages.js';
import { readVisitor, thanksPage, TRAP, type SignUpPages } from './sign-up.pages.js';

/** Value of the constraint for forms. JSON requests have an API key. */
const FORM_BODY = 'form';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const KNOWN_FIELDS: readonly string[] = ['email', 'name', 'list_key', 'redirect_url', TRAP];
const METADATA = /^metadata\[([^\]]{1,64})\]$/;
const MAX_METADATA = 20;
const MAX_VALUE = 200;
const MAX_PROBLEMS = 20;
/** Values may appear in the confirmation mail, so links and addresses are refused. */
const LINK_LIKE = /\/\/|[<>@]|www\.|\.\p{L}{2}/iu;

type Strategy = Parameters<Api['addConstraintStrategy']>[0];

/** Constraint by which Fastify routes forms and JSON to different handlers. */
export const FORM_BODY_CONSTRAINT: Strategy = {
  name: 'body',
  storage() {
    const handlers = new Map<unknown, NonNullable<ReturnType<ReturnType<Strategy['storage']>['get']>>>();
    return {
      get: (type) => handlers.get(type) ?? null,
      set: (type, handler) => void handlers.set(type, handler),
    };
  },
  deriveConstraint: ({ headers }) =>
    headers['content-type']?.startsWith(FORM_TYPE) === true ? FORM_BODY : undefined,
};

export function subscribeFormRoutes(app: Api, { signUps, limit, lookOf }: SignUpPages): void {
  void app.register((scope: Api, _options, done) => {
    scope.addContentTypeParser<string>(FORM_TYPE, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler(answerRefusal);
    scope.post(
      '/v1/subscribe',
      {
        config: { public: true, crossOrigin: true },
        constraints: { body: FORM_BODY },
        schema: { hide: true, body: Type.String() },
        bodyLimit: FORM_LIMIT_BYTES,
        onRequest: (request, reply, next) => {
          const waitSeconds = limit(request.ip);
          if (waitSeconds !== null) reply.header('Retry-After', String(waitSeconds));
          next(waitSeconds === null ? undefined : new Refusal('rate_limited'));
        },
      },
      async (request, reply) => {
        const fields = readFormFields(request.body);
        const target = await signUps.listOfFormKey(fields.get('list_key') ?? '');
        const { person, redirectUrl } = read(fields, target);
        if (!target) {
          throw new Refusal('list_not_found', 'No list uses this publishable key.', { param: 'list_key' });
        }
        const look = await lookOf(request, target.scope);
        if ((fields.get(TRAP) ?? '') === '') {
          await signUps.subscribeVisitor(target, person, {
            page: consentSource(request),
            ip: request.ip,
            user_agent: request.headers['user-agent'] ?? null,
            language: look.language,
          });
        }
        if (!isBrowser(request)) {
          return { object: 'sign_up' as const, list_id: target.list.id, status: 'accepted' as const };
        }
        if (redirectUrl !== null) return reply.redirect(redirectUrl, 303);
        const body = thanksPage(look.texts, target.list, person.email);
        return answerPage(reply, 200, look, { title: target.list.name, body });
      },
    );
    done();
  });
}

/** Refuses with every problem by its field. */
function read(
  fields: URLSearchParams,
  target: SignUpTarget | null,
): { person: Person; redirectUrl: string | null } {
  const problems: FieldProblem[] = [];
  const metadata: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [field, value] of fields) {
    const key = METADATA.exec(field)?.[1];
    if (seen.has(field)) problems.push({ path: shown(field), message: 'must be specified exactly once' });
    else if (key !== undefined) Object.defineProperty(metadata, key, { value, enumerable: true });
    else if (!KNOWN_FIELDS.includes(field))
      problems.push({ path: shown(field), message: 'is not a known field' });
    seen.add(field);
  }
  for (const [key, value] of Object.entries(metadata)) {
    const problem = valueProblem(value);
    if (problem !== null) problems.push({ path: `metadata.${key}`, message: problem });
  }
  if (Object.keys(metadata).length > MAX_METADATA) {
    problems.push({ path: 'metadata', message: `must have at most ${MAX_METADATA} keys` });
  }
  if ((fields.get('list_key') ?? '') === '') problems.push({ path: 'list_key', message: 'is required' });
  const email = (fields.get('email') ?? '').trim();
  const emailProblem = addressProblem(email, { utf8Local: true });
  if (emailProblem !== null) problems.push({ path: 'email', message: emailProblem });
  const wanted = fields.get('redirect_url') ?? '';
  const redirectUrl = target && wanted !== '' ? allowedUrl(target, wanted) : null;
  if (target && wanted !== '' && redirectUrl === null) {
    const message = 'must have an origin listed in form_origins of the list';
    problems.push({ path: 'redirect_url', message });
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  const person = readVisitor(email, (fields.get('name') ?? '').trim());
  return {
    person: Object.keys(metadata).length === 0 ? person : { ...person, key: addressKey(email), metadata },
    redirectUrl,
  };
}

function valueProblem(value: string): string | null {
  if (value.length > MAX_VALUE) return `must be at most ${MAX_VALUE} characters long`;
  if (value !== shownLine(value, MAX_VALUE)) return 'must be a single line of text';
  return LINK_LIKE.test(value) ? 'must not contain links or email addresses' : null;
}

function shown(field: string): string {
  return field.slice(0, 64);
}

/** Returns the URL in the form that a header may have; null if the list does not allow its origin. */
function allowedUrl({ list }: SignUpTarget, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, origin, username, password, href } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || username !== '' || password !== '') return null;
  return (JSON.parse(list.form_origins) as string[]).includes(origin) ? href : null;
}

/** Returns the source of the consent, with the website that the browser reports. */
function consentSource({ headers }: FastifyRequest): string {
  const { origin } = headers;
  return origin !== undefined && URL.canParse(origin) && origin.length <= MAX_VALUE
    ? `/v1/subscribe from ${origin}`
    : '/v1/subscribe';
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html');
}

function answerRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  if (!isBrowser(request) || !refusal) return answerError(error, request, reply);
  const problems = refusal.details?.['fields'] as FieldProblem[] | undefined;
  const look = plainLook(request);
  const { title, failed, goBack } = look.texts.signUp;
  const body = html`<main class="narrow">
    <h1>${title}</h1>
    <p role="alert"><strong>${failed}</strong> ${refusal.message}</p>
    ${(problems ?? []).map(({ path, message }) => html`<p>${path}: ${message}</p>`)}
    <p>${goBack}</p>
  </main>`;
  return answerPage(reply, STATUS_OF_TYPE[refusal.type], look, { title, body });
}
