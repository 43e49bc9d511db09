// Answers known paths that lack the requested method (RFC 9110 sections 15.5.6, 9.3.7).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { Api } from '../api.js';
import { allowCrossOrigin } from '../access/cross-origin.js';
import { answerError, noteRefusal } from '../errors.js';
import { readLanguage, sayIn, type Language } from '../language.js';
import { html, page } from '../../lib/http/index.js';

type PartPattern = string | RegExp | null;

interface KnownPath {
  /** Parts between slashes; null matches anything. Computed at the first comparison. */
  parts?: readonly PartPattern[];
  methods: Set<string>;
  /** Methods open to scripts of other sites. */
  open: Set<string>;
}

interface KnownPaths {
  /** Returns a path's methods in alphabetical order; empty if the path is unknown. */
  methodsOf(path: string): string[];
  /** Returns those of the path's methods that scripts of other sites may use. */
  openMethodsOf(path: string): string[];
}

/** Must be called before the routes are declared. */
export function collectPaths(app: Api): KnownPaths {
  const byPattern = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    let known = byPattern.get(url);
    if (known === undefined) byPattern.set(url, (known = { methods: new Set(), open: new Set() }));
    for (const one of [method].flat()) {
      known.methods.add(one);
      if (config?.crossOrigin === true) known.open.add(one);
    }
  });
  const fitting = (path: string): KnownPath[] => {
    const parts = partsOf(path);
    return [...byPattern].flatMap(([url, known]) => {
      known.parts ??= partsOf(url).map(partPattern);
      return fits(known.parts, parts) ? [known] : [];
    });
  };
  return {
    methodsOf: (path) => [...new Set(fitting(path).flatMap(({ methods }) => [...methods]))].sort(),
    openMethodsOf: (path) => fitting(path).flatMap(({ open }) => [...open]),
  };
}

/** Answers with 404, or with 405 and the path's methods. OPTIONS lists the methods of a known path. */
export function answerUnknownRoute(
  paths: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { method } = request;
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = paths.methodsOf(path);
  if (methods.length === 0) {
    const refusal = new Refusal('not_found', `No such route: ${method} ${path}.`);
    return answerNotFound(refusal, request, reply);
  }
  const allowed = [...methods, 'OPTIONS'].join(', ');
  reply.header('Allow', allowed);
  if (method === 'OPTIONS') {
    const open = paths.openMethodsOf(path);
    if (open.length > 0) allowCrossOrigin(reply, open);
    return reply.status(204).send();
  }
  const sentence = `Method ${method} is not allowed for ${path}. Allowed methods: ${allowed}.`;
  return answerError(new Refusal('method_not_allowed', sentence), request, reply);
}

function noPage(language: Language): string {
  const say = sayIn(language);
  const title = say('Page not found');
  return page(
    title,
    html`<main class="narrow">
      <h1>${title}</h1>
      <p>${say('The address may be misspelled, or the page may have been removed.')}</p>
      <p><a href="/">${say('Dashboard')}</a> · <a href="/docs">${say('Documentation')}</a></p>
    </main>`,
    { language },
  );
}

/** Whether the request comes from a browser's navigation; programs get JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isOfPrograms = /^\/(?:v1|compat)\//.test(url);
  return method === 'GET' && !isOfPrograms && headers.accept?.includes('text/html') === true;
}

/** Answers a browser with a helpful page and a program with the usual error body. */
export function answerNotFound(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!wantsPage(request)) return answerError(refusal, request, reply);
  noteRefusal(refusal, request, reply);
  return reply
    .status(404)
    .type('text/html; charset=utf-8')
    .send(noPage(readLanguage(request)));
}

function partsOf(path: string): string[] {
  return path.split('/').slice(1);
}

/** Matches a part of a route: `:name`, `:name(expression)`, `*` or a literal. */
function partPattern(part: string): PartPattern {
  const expression = /^:\w+\((.+)\)$/.exec(part)?.[1];
  if (expression !== undefined) return new RegExp(expression);
  return part.startsWith(':') || part === '*' ? null : part;
}

function fits(pattern: readonly PartPattern[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((wanted, at) => fitsPart(wanted, parts[at] ?? ''));
}

function fitsPart(wanted: PartPattern, part: string): boolean {
  if (wanted === null) return part !== '';
  return typeof wanted === 'string' ? wanted === part : wanted.test(part);
}
