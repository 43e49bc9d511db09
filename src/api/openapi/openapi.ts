// The description of /v1 as an OpenAPI 3.1 document, made from the schemas of the routes.
import swagger from '@fastify/swagger';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { errorBody } from '../../contract/error-body.js';
import { ERROR_CATEGORIES, EXTRA_WEBHOOK_EVENTS, WEBHOOK_EVENTS } from '../../contract/names.js';
import { EXPLANATION_CODES } from '../../outbound/explain/explain.rules.js';
import { ADVICE } from '../../outbound/explain/explain-advice.rules.js';
import type { Api } from '../api.js';
import { describedRoute, headersOf } from './openapi-answers.js';
import { finishDocument, DESCRIBED, type OpenapiDocument } from './openapi-document.js';
import { TAGS } from './openapi-tags.js';
import { webhooks } from './openapi-webhooks.js';
import { SESSION_COOKIE } from '../session-auth.js';

const DESCRIPTION = `An email platform behind one API.

Send \`Authorization: Bearer <key>\` with every request. A live key (\`svc_live_…\`) sends real mail, a test key
(\`svc_test_…\`) runs in the sandbox. \`X-Sub-Tenant-Id\` narrows a request to one sub-tenant. Lists are newest first;
\`next_cursor\` leads to the next page. Unknown fields are refused. Every error has the same body; \`X-Request-Id\`, yours
(up to 128 characters) or ours, is on every answer and finds the request in the log. On every answer to a key are also
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`, and \`Posthorn-Version\`: the dated version of the API, that of
the key's first call unless the request names another.

People sign in (\`POST /v1/auth/sign-in\`) and then use the same operations with their session's cookie, as far as their
role goes: \`X-CSRF-Token\` with every request that is not a GET, \`X-Workspace-Id\` and \`X-Environment\` (live or test) to
choose; the first workspace and live unless given. A GET takes both in the query as well, \`workspace_id\` and
\`environment\`: links, downloads and EventSource have no headers of their own.`;

/** Words that are checked, or listed, elsewhere than in the schema that names them. */
const CATALOGUES = {
  ExplanationCode: EXPLANATION_CODES,
  AdviceCode: Object.keys(ADVICE),
  ErrorCategory: ERROR_CATEGORIES,
  WebhookEventName: [...WEBHOOK_EVENTS, ...EXTRA_WEBHOOK_EVENTS],
};

/** Must be registered before the routes are declared; the document is complete when the server is ready. */
export async function registerOpenapi(app: Api, info: { version: string; publicUrl: string }): Promise<void> {
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Posthorn',
        version: info.version,
        description: DESCRIPTION,
        // the types of the plugin are those of OpenAPI 3.0, which has no identifier
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: info.publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: 'The session of a person who has signed in.',
          },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
      tags: [...TAGS],
      webhooks: webhooks(),
    },
    transform: describeRoute,
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      // the types of the plugin are those of OpenAPI 3.0
      const document = made.openapiObject as unknown as OpenapiDocument;
      finishDocument(document, { catalogues: CATALOGUES, errorBody });
      return made.openapiObject;
    },
  });
}

const describeRoute: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => {
  const described = { ...schema } as Record<string, unknown>; // undefined for routes without a schema
  if (described['operationId'] === undefined) return { schema: { hide: true }, url };
  const kind = describedRoute(described, route);
  described[DESCRIBED] = { ...kind, optionalBody: route.config?.optionalBody === true };
  if (route.config?.deprecation !== undefined) described['deprecated'] = true;
  if (kind.isPublic) described['security'] = [];
  if (route.config?.session === true) described['security'] = [{ session: [] }];
  if (!kind.isPublic) described['headers'] = headersOf(kind);
  return { schema: described, url };
};
