// The description of /v1 as an OpenAPI 3.1 document, made from the schemas of the routes.
import swagger from '@fastify/swagger';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { errorBody } from '../../contract/error-body.js';
import {
  ERROR_CATEGORIES,
  EXTRA_WEBHOOK_EVENTS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../contract/names.js';
import { EXPLANATION_CODES } from '../../outbound/explain/explain.rules.js';
import { ADVICE } from '../../outbound/explain/explain-advice.rules.js';
import type { Api } from '../api.js';
import { describedRoute, headersOf } from './openapi-answers.js';
import { finishDocument, DESCRIBED, type OpenapiDocument } from './openapi-document.js';
import { SESSION_COOKIE } from '../access/session-auth.js';
import { subjectPrefixOf } from '../../webhooks/event.rules.js';
import { WEBHOOK_MEANINGS, webhookEnvelope } from '../../webhooks/webhook-events.schema.js';

// The webhooks of the OpenAPI document: what is posted to the endpoints of customers.
/** One for each event. Their schemas still have their marks. */
function webhooks(): Record<string, object> {
  const events = Object.keys(WEBHOOK_MEANINGS) as WebhookEvent[]; // the keys of a record over exactly these
  return Object.fromEntries(events.map((event) => [event, { post: webhook(event) }]));
}

function webhook(event: WebhookEvent): object {
  const occurred_at = '2026-03-01T09:00:00.000Z';
  const id = `${subjectPrefixOf(event)}_01kdyak3se4w5amvgkazjzkvb7`;
  const example = { event, occurred_at, data: { id, event, occurred_at } };
  return {
    operationId: `on.${event}`,
    tags: ['Events'],
    summary: WEBHOOK_MEANINGS[event],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: webhookEnvelope, example } },
    },
    responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
    security: [],
  };
}

const header = (name: string, description: string, example: string, required = true) => ({
  in: 'header',
  name,
  required,
  description,
  schema: { type: 'string', examples: [example] },
});

const HEADERS = [
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced.',
    't=1772355600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  header('Service-Event', 'The name of the event.', 'message.delivered'),
  header('Service-Delivery', 'The same for every attempt of a delivery.', 'whd_01kdyak3se4w5amvgkazjzkvb7'),
  header('Service-Attempt', 'Counts from 1.', '1'),
  header(
    'Service-Replay-Of',
    'Only on a replay: the delivery that this one repeats.',
    'whd_01kdyak3se4w5amvgkazjzkvb6',
    false,
  ),
];

// The groups of operations in the OpenAPI document, in the order in which a reference shows them. The first part of an
// operationId is its group's name in camelCase.
interface Tag {
  name: string;
  description: string;
}

const TAGS: readonly Tag[] = [
  { name: 'Messages', description: 'Send a mail to one recipient, and follow its delivery.' },
  { name: 'Threads', description: 'Conversations: sent messages and the replies that came back to them.' },
  { name: 'Templates', description: 'Handlebars templates with versions, sent by their slug or id.' },
  { name: 'Saved blocks', description: 'Blocks of template designs, saved for other templates.' },
  { name: 'Contacts', description: 'People who are written to, with their fields, tags and activity.' },
  { name: 'Lists', description: 'Audiences: lists that contacts join and leave, and segments by filter.' },
  { name: 'Suppressions', description: 'Addresses that get no mail, and why.' },
  {
    name: 'DMARC reports',
    description: 'What receivers saw in the name of your domains.',
  },
  {
    name: 'TLS reports',
    description: 'TLS as senders met it at your inbound domains.',
  },
  { name: 'Campaigns', description: 'One mail to an audience, with variants, preview and overrides.' },
  { name: 'Sequences', description: 'Mails that follow each other, for each contact by itself.' },
  { name: 'Imports', description: 'Contacts read from a CSV or JSON file in the background.' },
  { name: 'Exports', description: 'Files of your data, written in the background.' },
  {
    name: 'Bulk actions',
    description: 'Resend, cancel, tag, suppress or delete all that a filter finds, after a dry run.',
  },
  { name: 'Events', description: 'Everything that happened, as pages and as a live stream.' },
  { name: 'Webhook endpoints', description: 'Where events are posted to, with delivery logs and replays.' },
  { name: 'Senders', description: 'From addresses that are proved by a mail.' },
  {
    name: 'Sub-tenants',
    description: 'Customers of a platform: domain, DKIM key and reputation of their own.',
  },
  {
    name: 'Bulk rules',
    description: 'What large providers ask of bulk senders, and how the mail of the workspace stands.',
  },
  {
    name: 'Share links',
    description: 'Pages for people without a key: the DNS records of a domain, or the delivery of a message.',
  },
  { name: 'Search', description: 'Find anything of the workspace by a text or an id.' },
  {
    name: 'Bounces',
    description: 'Mail that was refused: the reason, the provider, and whose fault it was.',
  },
  { name: 'Analytics', description: 'Counts of sent mail and its results, by hour or by day.' },
  { name: 'Proofs', description: 'Signed evidence of what happened to a message, checked by anybody.' },
  { name: 'Queue', description: 'Mail that waits, by destination, and the limits that hold it back.' },
  { name: 'Sources', description: 'The addresses and smarthosts that mail leaves by, for the operator.' },
  {
    name: 'Routes',
    description: 'Ways that the operator gives to mail before those of the egress file, for a time.',
  },
  { name: 'Health', description: 'Whether the service works, and whether its host can send mail.' },
  { name: 'Nodes', description: 'The servers that work on one PostgreSQL database, for the operator.' },
  { name: 'System', description: 'The release, its ports and its limits.' },
  { name: 'Usage', description: 'The limits of the plan, and their usage.' },
  { name: 'Organization', description: 'Settings that all workspaces of the account share.' },
  {
    name: 'Workspaces',
    description: 'Separate parts of an organization, each with a live and a test environment.',
  },
  { name: 'Me', description: 'The caller: the key or the person, with its permissions.' },
  { name: 'API keys', description: 'Keys of programs: permission, sub-tenant, addresses, expiry, rotation.' },
  { name: 'Members', description: 'People of the organization and their roles.' },
  {
    name: 'Invitations',
    description: 'Invite a person into the organization, and accept such an invitation.',
  },
  { name: 'Auth', description: 'Sign in and out, sessions, password and second factor of a person.' },
  { name: 'Requests', description: 'Recent requests to the API, with their answers.' },
  { name: 'Audit log', description: 'Who changed what, and from where.' },
];

const DESCRIPTION = `An email platform behind one API.

Send \`Authorization: Bearer <key>\` with every request. A live key (\`svc_live_…\`) sends real mail, a test key
(\`svc_test_…\`) runs in the sandbox. \`X-Sub-Tenant-Id\` narrows a request to one sub-tenant. Lists are newest first;
\`next_cursor\` leads to the next page. Unknown fields are refused. Every error has the same body; \`X-Request-Id\`, yours
(up to 128 characters) or ours, is on every answer and finds the request in the log. On every answer to a key are also
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`, and \`Service-Version\`: the dated version of the API, that of
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
        title: 'Mailkeel',
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
