// What the pages that recipients see have in common: forms instead of JSON, answers that are pages, errors in words.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { EventDetail } from '../../store/plan.js';
import type { Api } from '../api/api.js';
import { STATUS_OF_TYPE, refusalOf } from '../api/errors.js';
import { html, page, type Html } from '../html.js';

export const FORM_LIMIT_BYTES = 16 * 1024;
const USER_AGENT_LIMIT = 500;

export interface FormPages {
  title: string;
  /** Said where a link leads to nothing. */
  gone: string;
}

/** Declares pages in a scope of their own: a body of any type arrives as text, and refusals become pages. */
export function formPages(app: Api, pages: FormPages, declare: (scope: Api) => void): void {
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = refusalOf(error);
      if (!refusal) request.log.error({ err: error }, 'page failed');
      return answerRefusal(reply, refusal ?? new Refusal('internal_error'), pages);
    });
    declare(scope);
    done();
  });
}

export function answerPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').send(page(title, body));
}

/** The fields of a form that was sent the usual way. */
export function fieldsOf(body: unknown): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body.trim() : '');
}

/** What the trail keeps of who did it. */
export function visitorOf(request: Pick<FastifyRequest, 'ip' | 'headers'>): EventDetail {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LIMIT);
  return { ip: request.ip, ...(userAgent === undefined ? {} : { user_agent: userAgent }) };
}

/** Enough to recognize one's own address; links get forwarded. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(2, at))}…${email.slice(at)}`;
}

function answerRefusal(reply: FastifyReply, refusal: Refusal, { title, gone }: FormPages): FastifyReply {
  const text =
    refusal.type === 'not_found'
      ? gone
      : refusal.type === 'rate_limited'
        ? 'Too many requests. Please try again in a few minutes.'
        : 'This did not work. Please open the link again.';
  const body = html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`;
  return answerPage(reply, STATUS_OF_TYPE[refusal.type], title, body);
}
