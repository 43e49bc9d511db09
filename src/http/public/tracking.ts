// The links of tracking: `/o/TOKEN`, a picture of one pixel, and `/c/TOKEN/INDEX`, which leads to a link of the message.
// A click is durable before its answer; an open is recorded a moment later. Whoever only asks by HEAD is recorded as nothing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { TokenKey } from '../../mail/signed-token.js';
import { readClick, readOpenToken } from '../../mail/tracking-tokens.js';
import type { Tracking, TrackedClient } from '../../work/tracking/tracking.js';
import type { Api } from '../api/api.js';
import { html, page } from '../html.js';

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

export interface TrackingRoutesDeps {
  tracking: Pick<Tracking, 'opened' | 'clicked' | 'target'>;
  tokenKeys: readonly TokenKey[];
}

/** Declares `GET` and `HEAD` of `/o/:token` and `/c/:token/:index`. */
export function trackingRoutes(app: Api, { tracking, tokenKeys }: TrackingRoutesDeps): void {
  // Its own scope, because people, not programs, read its errors.
  void app.register((scope: Api, _options, done) => {
    scope.setErrorHandler((error, request, reply) => {
      request.log.error({ err: error }, 'tracking link failed');
      return answerPage(reply, 500, 'This link cannot be followed at the moment. Please try again.');
    });
    declare(scope, { tracking, tokenKeys });
    done();
  });
}

function declare(scope: Api, { tracking, tokenKeys }: TrackingRoutesDeps): void {
  const config = { public: true };
  const openSchema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const clickSchema = { hide: true, params: Type.Object({ token: Type.String(), index: Type.String() }) };

  scope.get('/o/:token', { config, schema: openSchema }, (request, reply) => {
    const messageId = readOpenToken(request.params.token, tokenKeys);
    if (messageId !== null && request.method === 'GET') tracking.opened(messageId, clientOf(request));
    return reply.headers(HEADERS).type('image/gif').send(PIXEL);
  });

  scope.get('/c/:token/:index', { config, schema: clickSchema }, async (request, reply) => {
    const { token, index } = request.params;
    const click = readClick(token, index, tokenKeys);
    const url = click === null ? null : await tracking.target(click.messageId, click);
    if (click === null || url === null) {
      return answerPage(reply, 404, 'It is not valid, or the message that it was in is gone.');
    }
    if (request.method === 'GET') {
      const link = { index: click.index, url };
      if (!(await tracking.clicked(click.messageId, link, clientOf(request)))) {
        reply.header('Retry-After', String(RETRY_SECONDS));
        return answerPage(reply, 503, 'This link cannot be followed at the moment. Please try again.');
      }
    }
    return reply.status(302).headers(HEADERS).header('location', url).send();
  });
}

function clientOf(request: FastifyRequest): TrackedClient {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? null };
}

function answerPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  const title = 'This link does not work';
  const body = html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`;
  return reply.status(status).headers(HEADERS).type('text/html; charset=utf-8').send(page(title, body));
}
