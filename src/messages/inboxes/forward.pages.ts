// The page behind the link of a forwarding confirmation. The owner of the address confirms there, and can stop the forwarding
// later. Opening the page changes nothing, because mail scanners open links. It has no branding, which would lend credibility to
// the requester.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Api } from '../../http/api.js';
import { html, type Html } from '../../lib/http/index.js';
import { answerPage, plainLook } from '../../pages/look.pages.js';
import type { PageTexts } from '../../pages/texts.en.pages.js';
import { limitOpened } from '../../pages/token-limit.pages.js';
import type { ForwardOfInbox } from './forwards.store.js';
import type { Forwards } from './forwards.js';

const BODY_LIMIT_BYTES = 1024;

/** Declares `GET` and `POST /forward/:token`, and `POST /forward/:token/stop`. */
export function forwardPageRoutes(app: Api, forwards: Forwards): void {
  // The buttons send forms without fields, which only this scope accepts.
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null, null));
    declare(scope, forwards);
    done();
  });
}

function declare(scope: Api, forwards: Forwards): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const config = { public: true };
  const onRequest = limitOpened(scope);
  const options = { config, schema, onRequest, bodyLimit: BODY_LIMIT_BYTES };

  scope.get('/forward/:token', { config, schema, onRequest }, async (request, reply) =>
    answer(request, reply, await forwards.ofLink(request.params.token), (texts, forward) =>
      pageOf(texts, forward, request.params.token),
    ),
  );
  scope.post('/forward/:token', options, async (request, reply) =>
    answer(request, reply, await forwards.confirm(request.params.token), (texts, { address }) =>
      plainPage(texts.done, texts.doneText(address)),
    ),
  );
  scope.post('/forward/:token/stop', options, async (request, reply) =>
    answer(request, reply, await forwards.stop(request.params.token), (texts, { address }) =>
      plainPage(texts.stopped, texts.stoppedText(address)),
    ),
  );
}

type Texts = PageTexts['forward'];

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  found: ForwardOfInbox | null,
  bodyOf: (texts: Texts, forward: ForwardOfInbox) => Html,
): FastifyReply {
  const look = plainLook(request);
  const { forward: texts, sender } = look.texts;
  const body = found === null ? plainPage(sender.gone, html`${sender.goneText}`) : bodyOf(texts, found);
  return answerPage(reply, found === null ? 404 : 200, look, { title: texts.title, body });
}

function pageOf(
  texts: Texts,
  { address, inboxAddress, confirmed_at, stopped_at }: ForwardOfInbox,
  token: string,
): Html {
  if (stopped_at !== null) return plainPage(texts.stopped, texts.stoppedText(address));
  if (confirmed_at !== null) {
    return html`<main class="narrow">
      <h1>${texts.title}</h1>
      <p>${texts.active(inboxAddress, address)}</p>
      <form method="post" action="${token}/stop"><button type="submit">${texts.stop}</button></form>
    </main>`;
  }
  return html`<main class="narrow">
    <h1>${texts.title}</h1>
    <p>${texts.ask(inboxAddress, address)}</p>
    <form method="post"><button type="submit">${texts.confirm}</button></form>
    <p>${texts.ignore}</p>
  </main>`;
}

function plainPage(title: string, text: Html): Html {
  return html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`;
}
