// The dashboard's page and files. Its addresses all answer with the one page, whose script reads the address; what it shows
// comes from /v1.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { PACKAGE_ROOT } from '../../lib/runtime/package-root.js';
import type { Api } from '../api.js';
import { html, page } from '../../lib/http/html.js';
import { sendStatic } from '../../lib/http/static-page.js';
import { createDashboardFiles } from './files.js';
import { DASHBOARD_POLICY } from './policy.js';

const BUILT = new URL('clients/dashboard/dist/', PACKAGE_ROOT);

/** A workspace in one environment, where every page for mail is. */
const PLACE = '/:workspace(^ws_[0-9a-z]{26}$)/:mode(^live$|^test$)';
const ADDRESSES = ['/sign-in', PLACE, `${PLACE}/*`];

const MISSING = page(
  'The dashboard is not built',
  html`<main class="narrow">
    <h1>The dashboard is not built</h1>
    <p>
      The server runs, and its API works. The files of the dashboard are missing: stop the server, run
      <code>npm run build</code> in its folder, and start it again.
    </p>
    <p>The <a href="/docs">API reference</a> works without them.</p>
  </main>`,
);

export interface DashboardDeps {
  /** Whether nobody owns the appliance yet. */
  isSetupNeeded: () => Promise<boolean>;
  publicUrl: string;
  /** Where the built files are, with a slash at its end. */
  folder?: URL;
}

/** Declares `GET /`, which leads to the dashboard or the set-up and gives programs links, and the dashboard's addresses and files. */
export function dashboardRoutes(app: Api, { isSetupNeeded, publicUrl, folder = BUILT }: DashboardDeps): void {
  const options = { config: { public: true }, schema: { hide: true } };
  const files = createDashboardFiles(folder);
  const links = linksBelow(publicUrl);

  const answerPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const built = await files.page();
    if (built === null) return reply.status(503).type('text/html; charset=utf-8').send(MISSING);
    return sendStatic(built, request, reply.header('content-security-policy', DASHBOARD_POLICY));
  };

  app.get('/', options, async (request, reply) => {
    void reply.header('vary', 'Accept');
    if (request.headers.accept?.includes('text/html') !== true) return links;
    return (await isSetupNeeded()) ? reply.redirect('/setup', 303) : answerPage(request, reply);
  });
  for (const address of ADDRESSES) app.get(address, options, answerPage);

  const schema = { hide: true, params: Type.Object({ name: Type.String() }) };
  app.get('/assets/:name', { ...options, schema }, async (request, reply) => {
    const file = await files.asset(request.params.name);
    if (file === null) throw new Refusal('not_found');
    return sendStatic(file, request, reply);
  });
}

function linksBelow(publicUrl: string) {
  return {
    object: 'links',
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    me: `${publicUrl}/v1/me`,
    messages: `${publicUrl}/v1/messages`,
    health: `${publicUrl}/healthz`,
  };
}
