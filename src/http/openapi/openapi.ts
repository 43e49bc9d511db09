// Generates the OpenAPI 3.1 document of /v1 from the schemas of the routes.
import swagger from '@fastify/swagger';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { errorBody } from '../../contract/error-body.js';
import { ALL_WEBHOOK_EVENTS, ERROR_CATEGORIES } from '../../contract/names.js';
import type { Api } from '../api.js';
import { describedRoute, describeHeaders } from './openapi-answers.js';
import { finishDocument, DESCRIBED, type OpenapiDocument } from './openapi-document.js';

// The groups of operations in the order of the reference. An operationId starts with its group's name in camelCase.
interface Tag {
  name: string;
  description: string;
}

const TAGS: readonly Tag[] = [
  { name: 'Messages', description: 'Send an email to one or more recipients and track its delivery.' },
  { name: 'Threads', description: 'Conversations made up of sent messages and the replies to them.' },
  { name: 'Drafts', description: 'Replies that are written in a thread and sent later.' },
  { name: 'Inboxes', description: 'Addresses that receive mail, with the messages that arrive.' },
  { name: 'Templates', description: 'Versioned Handlebars templates, sent by slug or ID.' },
  {
    name: 'Approvals',
    description: 'Messages of API keys that wait for a person to approve them, and the decisions.',
  },
  { name: 'Saved blocks', description: 'Template design blocks saved for reuse.' },
  { name: 'Contacts', description: 'People you send email to, with their fields, tags and activity.' },
  {
    name: 'Lists',
    description: 'Audiences: lists that contacts join and leave, and segments defined by a filter.',
  },
  { name: 'Suppressions', description: 'Addresses that Mailkeel does not send to, with the reason.' },
  {
    name: 'DMARC reports',
    description: 'DMARC aggregate reports from receivers about mail that uses your domains.',
  },
  {
    name: 'TLS reports',
    description: 'SMTP TLS reports from senders about TLS connections to your inbound domains.',
  },
  {
    name: 'Campaigns',
    description: 'Send one email to an audience, with variants, previews and per-recipient overrides.',
  },
  { name: 'Sequences', description: "Series of emails sent to each contact on the contact's own schedule." },
  { name: 'Imports', description: 'Import contacts from a CSV or JSON file in the background.' },
  {
    name: 'Account imports',
    description: 'Import contacts, suppressions, templates and more from an account at another vendor.',
  },
  { name: 'Exports', description: 'Export your data to files in the background.' },
  {
    name: 'Bulk actions',
    description:
      'Resend, cancel, tag, suppress or delete everything that matches a filter, after an optional dry run.',
  },
  {
    name: 'Events',
    description: 'Everything that happened in the environment, as a paginated list or a live stream.',
  },
  { name: 'Webhook endpoints', description: 'URLs that receive events, with delivery logs and replays.' },
  { name: 'Senders', description: 'From addresses and domains that you have verified.' },
  {
    name: 'Sub-tenants',
    description: 'Customers of a platform, each with its own domain, DKIM keys and reputation.',
  },
  {
    name: 'Bulk rules',
    description: 'Compliance with the bulk sender requirements of large mailbox providers.',
  },
  {
    name: 'Share links',
    description: "Public pages that show a domain's DNS records or a message's delivery without an API key.",
  },
  { name: 'Search', description: 'Find anything in the workspace by text or ID.' },
  {
    name: 'Bounces',
    description: 'Rejected mail by reason, provider and responsibility.',
  },
  { name: 'Analytics', description: 'Statistics for sent mail and engagement, by hour or by day.' },
  { name: 'Proofs', description: 'Signed evidence of what happened to a message, which anyone can verify.' },
  {
    name: 'Queue',
    description: 'Messages waiting to be delivered, by destination, and the limits that delay them.',
  },
  { name: 'Sources', description: 'Sending IPs and smarthosts, managed by the operator.' },
  {
    name: 'Route shares',
    description: 'Share of a route that is delivered directly, while the rest leaves through another vendor.',
  },
  {
    name: 'Routes',
    description: 'Temporary routes that the operator places ahead of those in the egress file.',
  },
  { name: 'Health', description: 'Whether the service is running and its host can send mail.' },
  { name: 'Nodes', description: 'The servers that share one PostgreSQL database. For the operator.' },
  { name: 'System', description: "The server's release, ports and limits." },
  { name: 'Usage', description: "The plan's limits and current usage." },
  { name: 'Organization', description: 'Settings shared by all workspaces of an organization.' },
  {
    name: 'Workspaces',
    description: 'Separate areas of an organization, each with a live and a test environment.',
  },
  { name: 'Me', description: 'The API key or user that makes the request, with its permissions.' },
  {
    name: 'API keys',
    description:
      'Credentials for programs, with permission, sub-tenant, allowed IP addresses, expiry and rotation.',
  },
  { name: 'Members', description: 'Users who belong to the organization, and their roles.' },
  {
    name: 'Invitations',
    description: 'Invite people to the organization and accept invitations.',
  },
  { name: 'Auth', description: 'Sign-in, sessions, passwords and two-factor authentication of users.' },
  { name: 'Requests', description: 'A log of recent API requests and their responses.' },
  { name: 'Audit log', description: 'A record of every change, with its author and IP address.' },
];

const DESCRIPTION = `An email platform behind one API.

**API keys.** Send \`Authorization: Bearer <key>\` with every request. A live key (\`svc_live_…\`) sends real email; a test key
(\`svc_test_…\`) uses the sandbox. \`X-Sub-Tenant-Id\` limits a request to one sub-tenant.

**Requests and responses.** Lists are sorted newest first and paginated with \`next_cursor\`. Unknown fields are rejected. All
errors have the same body. Every response has an \`X-Request-Id\`, either yours (up to 128 characters) or a generated one, which
identifies the request in the log. Responses to API keys also include \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`, and \`Service-Version\`, the dated version of the API. It is the version of the key's first call unless the
request selects another.

**Sessions.** Users sign in (\`POST /v1/auth/sign-in\`) and then call the same operations with their session cookie, as far as
their role allows. Send \`X-CSRF-Token\` with every request other than GET. \`X-Workspace-Id\` and \`X-Environment\` (\`live\` or
\`test\`) select the workspace and environment, which default to the first workspace and \`live\`. GET requests also accept them
as the query parameters \`workspace_id\` and \`environment\`, because links, downloads and EventSource cannot set headers.`;

const CATALOGUES = {
  ErrorCategory: ERROR_CATEGORIES,
  WebhookEventName: ALL_WEBHOOK_EVENTS,
};

interface OpenapiInfo {
  version: string;
  publicUrl: string;
  /** Name of the session cookie. */
  sessionCookie: string;
  /** Closed sets of words by schema name, which are validated or listed outside the schema. */
  catalogues: Record<string, readonly string[]>;
  /** Operations that webhook receivers provide, by event. Their schemas still have their marks. */
  webhooks: Record<string, object>;
}

/** Must be registered before the routes are declared. The document is complete when the server is ready. */
export async function registerOpenapi(app: Api, info: OpenapiInfo): Promise<void> {
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mailkeel',
        version: info.version,
        description: DESCRIPTION,
        // The plugin's types are those of OpenAPI 3.0, which lacks the identifier.
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: info.publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: info.sessionCookie,
            description: 'The session cookie of a signed-in user.',
          },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
      tags: [...TAGS],
      webhooks: info.webhooks,
    },
    transform: describeRoute,
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      // The plugin's types are those of OpenAPI 3.0.
      const document = made.openapiObject as unknown as OpenapiDocument;
      finishDocument(document, { catalogues: { ...CATALOGUES, ...info.catalogues }, errorBody });
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
  if (!kind.isPublic) described['headers'] = describeHeaders(kind);
  return { schema: described, url };
};
