// Answers the HTTP-01 challenges of an ACME authority on the API's port (RFC 8555 section 8.3), for setups with a proxy on port 80.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { Api } from '../../http/api.js';
import type { AcmeChallenges } from '../../lib/acme/index.js';

/** Declares `GET /.well-known/acme-challenge/:token`. */
export function acmeChallengeRoutes(app: Api, challenges: Pick<AcmeChallenges, 'answer'>): void {
  const schema = { hide: true, params: closed({ token: Type.String() }) };
  app.get(
    '/.well-known/acme-challenge/:token',
    { config: { public: true }, schema },
    async (request, reply) => {
      const text = await challenges.answer(request.params.token);
      if (text === null) throw new Refusal('not_found');
      return reply.type('application/octet-stream').send(text);
    },
  );
}
