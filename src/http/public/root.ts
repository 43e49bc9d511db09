// GET /: a browser is led to a page, a program gets links.
import type { Api } from '../api/api.js';

export interface RootDeps {
  /** Whether nobody owns the appliance yet. */
  isSetupNeeded: () => Promise<boolean>;
  publicUrl: string;
}

export function rootRoutes(app: Api, { isSetupNeeded, publicUrl }: RootDeps): void {
  const links = {
    object: 'links',
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    me: `${publicUrl}/v1/me`,
    messages: `${publicUrl}/v1/messages`,
    health: `${publicUrl}/healthz`,
  };
  app.get('/', { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    void reply.header('Vary', 'Accept');
    if (request.headers.accept?.includes('text/html') !== true) return links;
    return reply.redirect((await isSetupNeeded()) ? '/setup' : '/docs', 303);
  });
}
