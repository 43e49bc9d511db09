// Common parts of the pages for recipients: forms instead of JSON, answers that are pages, errors in words.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.js';
import type { PageLanguage } from '../contract/names.js';
import type { Api } from '../http/api.js';
import { STATUS_OF_TYPE, toRefusal } from '../http/errors.js';
import { html } from '../lib/http/index.js';
import { answerPage, plainLook } from './look.pages.js';
import type { PageTexts } from './texts.en.pages.js';
import type { EventDetail } from '../events/append.store.js';

export const FORM_LIMIT_BYTES = 16 * 1024;
const USER_AGENT_LIMIT = 500;

interface FormPages {
  title: string;
  /** Shown if a link is unknown. */
  gone: string;
}

/** Of the language that a page is in. */
type FormPagesOf = (texts: PageTexts, language: PageLanguage) => FormPages;

/** Declares pages in a separate scope, in which a body of any type arrives as text and refusals become pages. */
export function formPages(app: Api, pages: FormPagesOf, declare: (scope: Api) => void): void {
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toRefusal(error);
      if (!refusal) request.log.error({ err: error }, 'page failed');
      return answerRefusal(request, reply, refusal ?? new Refusal('internal_error'), pages);
    });
    declare(scope);
    done();
  });
}

/** Parses the body of an `application/x-www-form-urlencoded` form. */
export function readFormFields(body: unknown): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body.trim() : '');
}

/** Reads address and user agent of a visitor, for the audit trail. */
export function readVisitor(request: Pick<FastifyRequest, 'ip' | 'headers'>): EventDetail {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LIMIT);
  return { ip: request.ip, ...(userAgent === undefined ? {} : { user_agent: userAgent }) };
}

/** Shows enough for owners to recognize their address, because links can be forwarded. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(2, at))}…${email.slice(at)}`;
}

function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  pages: FormPagesOf,
): FastifyReply {
  const look = plainLook(request);
  const { errors } = look.texts;
  const { title, gone } = pages(look.texts, look.language);
  const text =
    refusal.type === 'not_found' ? gone : refusal.type === 'rate_limited' ? errors.tooMany : errors.failed;
  const body = html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`;
  return answerPage(reply, STATUS_OF_TYPE[refusal.type], look, { title, body });
}
