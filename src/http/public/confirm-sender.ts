// The page behind the link of a confirmation mail. Opening it changes nothing, since mail scanners open links;
// the button does it.
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Confirmations } from '../../work/tenants/confirmations.js';
import type { Api } from '../api/api.js';
import { html, page, type Html } from '../html.js';
import { limitOpened } from './token-limit.js';

const BODY_LIMIT_BYTES = 1024;

export interface ConfirmSenderDeps {
  confirmations: Pick<Confirmations, 'find' | 'confirm'>;
}

/** Declares `GET` and `POST /confirm/:token`. */
export function confirmSenderRoutes(app: Api, deps: ConfirmSenderDeps): void {
  // Its own scope, because the button sends a form; there is nothing in it to read.
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null, null));
    declare(scope, deps);
    done();
  });
}

function declare(scope: Api, { confirmations }: ConfirmSenderDeps): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const config = { public: true };
  const onRequest = limitOpened(scope);

  scope.get('/confirm/:token', { config, schema, onRequest }, async (request, reply) => {
    const sender = await confirmations.find(request.params.token);
    return sender ? answer(reply, 200, askPage(sender.identity)) : answer(reply, 404, gonePage());
  });

  scope.post(
    '/confirm/:token',
    { config, schema, onRequest, bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const sender = await confirmations.confirm(request.params.token);
      return sender ? answer(reply, 200, donePage(sender.identity)) : answer(reply, 404, gonePage());
    },
  );
}

function answer(reply: FastifyReply, status: number, body: Html): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').send(page('Confirm a sender', body));
}

function askPage(email: string): Html {
  return html`<main class="narrow">
    <h1>Confirm a sender</h1>
    <p>May mail be sent in the name of <strong>${email}</strong>?</p>
    <form method="post"><button type="submit">Confirm</button></form>
    <p>If you do not agree, close this page: nothing happens.</p>
  </main>`;
}

function donePage(email: string): Html {
  return html`<main class="narrow">
    <h1>Sender confirmed</h1>
    <p><strong>${email}</strong> can be used as a sender now. You can close this page.</p>
  </main>`;
}

function gonePage(): Html {
  return html`<main class="narrow">
    <h1>This link does not work</h1>
    <p>It was used already, has expired, or was replaced by a newer one.</p>
  </main>`;
}
