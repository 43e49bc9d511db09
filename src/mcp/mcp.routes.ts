// The MCP endpoint (Model Context Protocol, streamable HTTP): POST /mcp answers one JSON-RPC message in JSON. There are no sessions and no
// streams, so any node can answer, and other methods get 405.
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import type { Api } from '../http/api.js';
import { V1Calls } from '../http/server/v1-calls.js';
import { once } from '../lib/http/index.js';
import type { Config } from '../settings/settings.js';

export const MCP_PATH = '/mcp';
const BODY_LIMIT = 1024 * 1024;
const PASSED_HEADERS = /^(accept|content-type|mcp-[a-z-]+)$/;

interface McpContext {
  config: Pick<Config, 'publicUrl'>;
}

export function mcpRoutes(app: Api, { config: { publicUrl } }: McpContext): void {
  const { origin } = new URL(publicUrl);
  const load = once(() => import('./server.js'));
  app.post(
    MCP_PATH,
    {
      config: {
        acceptsAccessTokens: true,
        challenge: `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${MCP_PATH}", scope="read"`,
        // Each tool's operation of /v1 checks the permission, and is audited and made idempotent.
        checksPermission: true,
        audit: false,
        idempotency: 'none',
        reading: 'stream',
      },
      bodyLimit: BODY_LIMIT,
      schema: {
        hide: true,
        body: Type.Object({}, { description: 'A JSON-RPC message. Batches are refused.' }),
      },
      onRequest: (request, _reply, done) => done(originRefusal(request.headers.origin, origin)),
    },
    async (request, reply) => {
      const { permission } = request.caller;
      const { answerMessage } = await load();
      const v1 = new V1Calls({ request, reply, handOver: app.handOver });
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) {
        if (PASSED_HEADERS.test(name) && typeof value === 'string') headers.set(name, value);
      }
      const answer = await answerMessage(
        { v1, permission, publicUrl, log: request.log },
        { url: `${publicUrl}${MCP_PATH}`, headers, body: request.body },
      );
      void reply.status(answer.status);
      const type = answer.headers.get('content-type');
      return type === null ? reply.send() : reply.type(type).send(await answer.text());
    },
  );
}

/** Browsers name the page that sends a request; a page of another site may have rebound its name to this server. */
function originRefusal(given: string | undefined, own: string): Refusal | undefined {
  if (given === undefined || given === own) return undefined;
  return new Refusal('forbidden', `Requests from other websites are not allowed. The Origin must be ${own}.`);
}
