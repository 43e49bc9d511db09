// Answers the HTTP-01 challenges of an ACME authority on the API's port (RFC 8555 section 8.3), for whoever has a proxy on
// port 80.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { Api } from '../../http/api.js';

export interface AcmeChallengeDeps {
  /** The key authorization of an open challenge; null: there is no such challenge. */
  answer(token: string): Promise<string | null>;
}

/** Declares `GET /.well-known/acme-challenge/:token`. */
export function acmeChallengeRoutes(app: Api, challenges: AcmeChallengeDeps): void {
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
