// The page behind the link of a confirmation mail. Opening it changes nothing, because mail scanners open links; the button
// confirms. The page has no branding, because a name and a logo would lend trust to the requester.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Confirmations } from './confirmations.js';
import type { Api } from '../../http/api.js';
import { html, type Html } from '../../lib/http/index.js';
import { answerPage, plainLook } from '../../pages/look.pages.js';
import type { PageTexts } from '../../pages/texts.en.pages.js';
import { limitOpened } from '../../pages/token-limit.pages.js';

const BODY_LIMIT_BYTES = 1024;

/** Declares `GET` and `POST /confirm/:token`. */
export function confirmSenderRoutes(app: Api, confirmations: Confirmations): void {
  // The button sends a form without fields, which only this scope accepts.
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null, null));
    declare(scope, confirmations);
    done();
  });
}

function declare(scope: Api, confirmations: Confirmations): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const config = { public: true };
  const onRequest = limitOpened(scope);

  scope.get('/confirm/:token', { config, schema, onRequest }, async (request, reply) => {
    const sender = await confirmations.find(request.params.token);
    return sender
      ? answer(request, reply, 200, (texts) => askPage(texts, sender.identity))
      : answer(request, reply, 404, gonePage);
  });

  scope.post(
    '/confirm/:token',
    { config, schema, onRequest, bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const sender = await confirmations.confirm(request.params.token);
      return sender
        ? answer(request, reply, 200, (texts) => donePage(texts, sender.identity))
        : answer(request, reply, 404, gonePage);
    },
  );
}

type Texts = PageTexts['sender'];

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  bodyOf: (texts: Texts) => Html,
): FastifyReply {
  const look = plainLook(request);
  const texts = look.texts.sender;
  return answerPage(reply, status, look, { title: texts.title, body: bodyOf(texts) });
}

function askPage(texts: Texts, email: string): Html {
  return html`<main class="narrow">
    <h1>${texts.title}</h1>
    <p>${texts.ask(email)}</p>
    <form method="post"><button type="submit">${texts.confirm}</button></form>
    <p>${texts.ignore}</p>
  </main>`;
}

function donePage(texts: Texts, email: string): Html {
  return html`<main class="narrow">
    <h1>${texts.done}</h1>
    <p>${texts.doneText(email)}</p>
  </main>`;
}

function gonePage(texts: Texts): Html {
  return html`<main class="narrow">
    <h1>${texts.gone}</h1>
    <p>${texts.goneText}</p>
  </main>`;
}
