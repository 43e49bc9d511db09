// The answers and headers that the description gives to every operation alike: nothing that a route has to repeat.
import type { RouteOptions } from 'fastify';

interface DescribedRoute {
  /** Without it no key is needed. */
  isPublic: boolean;
  method: string;
  hasBody: boolean;
  hasQuery: boolean;
  hasId: boolean;
  /** It makes messages. */
  sends: boolean;
  /** It takes an Idempotency-Key. */
  takesKey: boolean;
}

type Answers = Record<string, object>;

const REASONS: Record<string, string> = {
  '400': '`bad_request`: broken JSON, a cursor of another list, or headers that contradict the body.',
  '401': '`unauthorized`: the key is missing, unknown, revoked or expired, or the session has ended.',
  '402': '`quota_exceeded`: the plan has no sends left; `details` says until when.',
  '403':
    '`forbidden`: the key lacks the permission, or may not be used from here or for this; or the role does.',
  '404': '`not_found`: unknown, or out of the reach of this key; the two look alike.',
  '409': '`conflict`: the state of the object, or another one, stands against it.',
  '413': '`payload_too_large`: the body is larger than this operation takes.',
  '415': '`unsupported_media_type`: the body is not application/json.',
  '422': '`validation_error`: `details.fields` names what is wrong; unknown fields are refused too.',
  '429': '`rate_limited`: `Retry-After` says when to try again.',
  '500': '`internal_error`: not your fault; the request id finds it in the log.',
  '503': '`unavailable`: nothing was kept; try again.',
  '4XX': 'Any other refusal; `error.type` and `error.code` say why.',
  '5XX': 'Any other failure, not your fault.',
};

/** Operations that make a message. */
const SENDING = new Set(['sendMessage', 'resendMessage', 'replyToThread']);
const SUCCESSES: Record<string, string> = { '200': 'Done.', '201': 'Made.', '202': 'Accepted.' };

/** The routes' own answers with words, and every error that the operation may be refused or fail with. */
export function answersOf(route: DescribedRoute, own: Answers, errorSchema: object): Answers {
  const { isPublic, method, hasBody, hasQuery, hasId, sends } = route;
  const writes = method !== 'GET' && !isPublic;
  const statuses = [
    ...(hasBody || hasQuery || hasId ? ['400'] : []),
    ...(isPublic ? [] : ['401', '403', '429']),
    ...(sends ? ['402'] : []),
    ...(hasId || !isPublic ? ['404'] : []),
    ...(writes ? ['409'] : []),
    ...(hasBody ? ['413', '415'] : []),
    ...(hasBody || hasQuery || !isPublic ? ['422'] : []),
    ...(isPublic && !hasBody ? [] : ['500', '503']),
    '4XX',
    '5XX',
  ];
  const described = Object.entries(own).map(([status, answer]): [string, object] => [
    status,
    { description: SUCCESSES[status] ?? 'The answer.', ...answer },
  ]);
  const errors = statuses.map((status): [string, object] => [
    status,
    { description: REASONS[status] ?? '', content: { 'application/json': { schema: errorSchema } } },
  ]);
  return Object.fromEntries([...described, ...errors]);
}

/** The request headers that an operation with a key reads, besides Authorization. */
export function headersOf({ takesKey }: DescribedRoute): object {
  const header = (description: string, maxLength: number) => ({ type: 'string', description, maxLength });
  const properties = {
    'X-Sub-Tenant-Id': header('Narrows the request to one sub-tenant.', 200),
    'X-Request-Id': header('Your own id of the request, echoed in the answer and found in the log.', 128),
    ...(takesKey
      ? {
          'Idempotency-Key': header(
            'A repeated request with it is answered as the first one and changes nothing again.',
            255,
          ),
        }
      : {}),
  };
  return { type: 'object', properties };
}

/** What the description needs to know of a route with an operationId. */
export function describedRoute(schema: Record<string, unknown>, route: RouteOptions): DescribedRoute {
  const id = String(schema['operationId']);
  const { session, idempotency } = route.config ?? {};
  return {
    isPublic: route.config?.public ?? false,
    method: String(route.method),
    hasBody: schema['body'] !== undefined,
    hasQuery: schema['querystring'] !== undefined,
    hasId: schema['params'] !== undefined,
    sends: SENDING.has(id),
    takesKey: String(route.method) !== 'GET' && session !== true && idempotency !== 'none',
  };
}
