// The description of /v1 as an OpenAPI 3.1 document, made from the schemas of the routes.
import swagger from '@fastify/swagger';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { errorBody } from '../../contract/error-body.js';
import type { WebhookEvent } from '../../contract/names.js';
import { WEBHOOK_MEANINGS, webhookEnvelope } from '../../contract/webhook-events.js';
import type { Api } from './api.js';
import { PLACE_PARAMETERS } from './named-place.js';
import { answersOf, describedRoute, headersOf } from './openapi-answers.js';
import { SESSION_COOKIE } from './session-auth.js';

const ERROR_SCHEMA_ID = 'Error';

/** A mark on an operation between the two steps that make the document. */
const OPTIONAL_BODY = 'x-optional-body';
interface OperationWithMark {
  [OPTIONAL_BODY]?: boolean;
  parameters?: object[];
  security?: readonly object[];
  requestBody?: { required?: boolean };
}

const PLACE_REFERENCES = Object.keys(PLACE_PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

const DESCRIPTION = `An email platform behind one API.

Send \`Authorization: Bearer <key>\` with every request. A live key (\`svc_live_…\`) sends real mail, a test key
(\`svc_test_…\`) runs in the sandbox. \`X-Sub-Tenant-Id\` narrows a request to one sub-tenant. Lists are newest first;
\`next_cursor\` leads to the next page. Unknown fields are refused. Every error has the same body; \`X-Request-Id\`, yours
or ours, finds the request in the log.

People sign in (\`POST /v1/auth/sign-in\`) and then use the same operations with their session's cookie, as far as their
role goes: \`X-CSRF-Token\` with every request that is not a GET, \`X-Workspace-Id\` and \`X-Environment\` (live or test) to
choose; the first workspace and live unless given. A GET takes both in the query as well, \`workspace_id\` and
\`environment\`: links, downloads and EventSource have no headers of their own.`;

/** Must be registered before the routes are declared; the document is complete when the server is ready. */
export async function registerOpenapi(app: Api, info: { version: string; publicUrl: string }): Promise<void> {
  app.addSchema({ $id: ERROR_SCHEMA_ID, ...errorBody });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Posthorn', version: info.version, description: DESCRIPTION, license: { name: 'MIT' } },
      servers: [{ url: info.publicUrl }],
      components: {
        parameters: PLACE_PARAMETERS,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
      webhooks: webhooks(),
    },
    refResolver: { buildLocalReference: ({ $id }) => (typeof $id === 'string' ? $id : ERROR_SCHEMA_ID) },
    transform: describeRoute,
    transformObject: finishOperations,
  });
}

const describeRoute: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => {
  const described = { ...schema } as Record<string, unknown>; // undefined for routes without a schema
  if (described['operationId'] === undefined) return { schema: { hide: true }, url };
  const kind = describedRoute(described, route);
  const own = (described['response'] ?? {}) as Record<string, object>;
  described['response'] = answersOf(kind, own, { $ref: `${ERROR_SCHEMA_ID}#` });
  // The generator calls every body required; `finishOperations` takes the mark away again.
  if (route.config?.optionalBody === true) described[OPTIONAL_BODY] = true;
  if (kind.isPublic) described['security'] = [];
  if (route.config?.session === true) described['security'] = [{ session: [] }];
  if (!kind.isPublic) described['headers'] = headersOf(kind);
  return { schema: described, url };
};

const finishOperations: NonNullable<FastifyDynamicSwaggerOptions['transformObject']> = (made) => {
  if (!('openapiObject' in made)) return made.swaggerObject;
  const { openapiObject } = made;
  for (const path of Object.values(openapiObject.paths ?? {})) {
    for (const [method, operation] of Object.entries(path ?? {}) as [string, OperationWithMark][]) {
      if (method === 'get' && operation.security?.length !== 0) {
        operation.parameters = [...(operation.parameters ?? []), ...PLACE_REFERENCES];
      }
      if (operation[OPTIONAL_BODY] !== true) continue;
      if (operation.requestBody) operation.requestBody.required = false;
      delete operation['x-optional-body'];
    }
  }
  return openapiObject;
};

function webhooks(): Record<string, object> {
  const events = Object.keys(WEBHOOK_MEANINGS) as WebhookEvent[]; // the keys of a record over exactly these
  return Object.fromEntries(
    events.map((event) => [
      event,
      {
        post: {
          operationId: `on.${event}`,
          tags: ['Events'],
          summary: WEBHOOK_MEANINGS[event],
          parameters: webhookHeaders(),
          requestBody: { content: { 'application/json': { schema: webhookEnvelope(event) } } },
          responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
          security: [],
        },
      },
    ]),
  );
}

function webhookHeaders(): object[] {
  const header = (name: string, description: string, required = true) => ({
    in: 'header',
    name,
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    header(
      'Service-Signature',
      '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced.',
    ),
    header('Service-Event', 'The name of the event.'),
    header('Service-Delivery', 'The same for every attempt of a delivery.'),
    header('Service-Attempt', 'Counts from 1.'),
    header('Service-Replay-Of', 'Only on a replay: the delivery that this one repeats.', false),
  ];
}
