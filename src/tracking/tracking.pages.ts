// Serves tracking links: `/o/TOKEN`, a picture of one pixel, and `/c/TOKEN/INDEX`, which redirects to a link of the message. A
// click is stored before the response; an open is recorded shortly after. HEAD requests are not recorded.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import type { TokenKey } from '../lib/tokens/index.js';
import { readClick, readOpenToken } from './tracking-tokens.rules.js';
import type { Tracking, TrackedClient } from './tracking.js';
import type { Api } from '../http/api.js';
import { html } from '../lib/http/index.js';
import { answerPage as answerLook, plainLook } from '../pages/look.pages.js';
import type { PageTexts } from '../pages/texts.en.pages.js';
import { limitInvalidTokens } from '../pages/token-limit.pages.js';

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const RETRY_SECONDS = 5;

const HEADERS = {
  'cache-control': 'no-store, no-cache, must-revalidate, private',
  pragma: 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  // Mail is shown on the pages of others.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Declares `GET` and `HEAD` of `/o/:token` and `/c/:token/:index`. */
export function trackingRoutes(app: Api, tracking: Tracking, tokenKeys: readonly TokenKey[]): void {
  // Its own scope, because people, not programs, read its errors.
  void app.register((scope: Api, _options, done) => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof Refusal && error.code === 'rate_limited') {
        return answerPage(request, reply, 429, 'tooMany');
      }
      request.log.error({ err: error }, 'tracking link failed');
      return answerPage(request, reply, 500, 'unavailable');
    });
    declare(scope, tracking, tokenKeys);
    done();
  });
}

function declare(scope: Api, tracking: Tracking, tokenKeys: readonly TokenKey[]): void {
  const config = { public: true };
  const openSchema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const clickSchema = { hide: true, params: Type.Object({ token: Type.String(), index: Type.String() }) };

  const onOpen = limitInvalidTokens(scope, ({ token = '' }) => readOpenToken(token, tokenKeys) !== null);
  const onClick = limitInvalidTokens(
    scope,
    ({ token = '', index = '' }) => readClick(token, index, tokenKeys) !== null,
  );

  scope.get('/o/:token', { config, schema: openSchema, onRequest: onOpen }, (request, reply) => {
    const messageId = readOpenToken(request.params.token, tokenKeys);
    if (messageId !== null && request.method === 'GET') tracking.opened(messageId, readClient(request));
    return reply.headers(HEADERS).type('image/gif').send(PIXEL);
  });

  scope.get(
    '/c/:token/:index',
    { config, schema: clickSchema, onRequest: onClick },
    async (request, reply) => {
      const { token, index } = request.params;
      const click = readClick(token, index, tokenKeys);
      const url = click === null ? null : await tracking.target(click.messageId, click);
      if (click === null || url === null) {
        return answerPage(request, reply, 404, 'unknown');
      }
      if (request.method === 'GET') {
        const link = { index: click.index, url };
        if (!(await tracking.clicked(click.messageId, link, readClient(request)))) {
          reply.header('Retry-After', String(RETRY_SECONDS));
          return answerPage(request, reply, 503, 'unavailable');
        }
      }
      return reply.status(302).headers(HEADERS).header('location', url).send();
    },
  );
}

function readClient(request: FastifyRequest): TrackedClient {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? null };
}

function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  reason: Exclude<keyof PageTexts['link'], 'title'>,
): FastifyReply {
  const look = plainLook(request);
  const { title, [reason]: text } = look.texts.link;
  const body = html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`;
  return answerLook(reply.headers(HEADERS), status, look, { title, body });
}
