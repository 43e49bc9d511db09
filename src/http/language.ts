// Translates sentences of answers into the language of the request. Codes, names and user content are unchanged.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsSchema } from 'typebox';
import type { ErrorBody } from '../contract/error-body.js';
import { acceptedLanguage, createTranslator, GERMAN, type Translate } from '../lib/wording/index.js';
import { sentencePaths } from '../contract/schema.js';
import type { Api } from './api.js';

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const german = createTranslator(GERMAN);

/** Returns English unless the request asks for another supported language. */
export function readLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return acceptedLanguage(headers['accept-language'], LANGUAGES) ?? 'en';
}

/** Translates sentences into German; other languages stay English. */
export function sayIn(language: string): Translate {
  return language === 'de' ? german : (text) => text;
}

/**
 * Translates the fields that a route lists in `speaks`, such as `chain.text`, or else the sentences of its schema. Lists on the
 * path are traversed.
 */
export function registerLanguage(app: Api): void {
  app.addHook('onRoute', (route) => {
    const speaks = route.config?.speaks ?? spokenIn(route.schema?.response);
    route.config = { ...route.config, speaks };
  });
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { speaks } = request.routeOptions.config;
    const isSpoken = speaks !== undefined && speaks.length > 0 && reply.statusCode < 400;
    done(null, isSpoken ? told(request, reply, { payload, speaks }) : payload);
  });
}

/** Returns the paths of the sentences in the answers of an operation. */
function spokenIn(answers: unknown): string[] {
  if (typeof answers !== 'object' || answers === null) return [];
  const paths = Object.entries(answers)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([, schema]) => (IsSchema(schema) ? sentencePaths(schema) : []));
  return [...new Set(paths)];
}

function told(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, speaks }: { payload: unknown; speaks: readonly string[] },
): unknown {
  const language = readLanguage(request);
  reply.header('Vary', 'Accept-Language').header('Content-Language', language);
  if (language === 'en') return payload;
  const translate = sayIn(language);
  const paths = speaks.map((path) => path.split('.'));
  return paths.reduce((said, path) => translated(said, path, translate), payload);
}

function translated(value: unknown, [name, ...rest]: readonly string[], translate: Translate): unknown {
  if (Array.isArray(value))
    return value.map((one) => translated(one, name === undefined ? [] : [name, ...rest], translate));
  if (name === undefined) return typeof value === 'string' ? translate(value) : value;
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  return { ...value, [name]: translated(Reflect.get(value, name), rest, translate) };
}

/** Translates an error's sentences. A field's sentence starts with the field's name. */
export function errorInLanguage(body: ErrorBody, request: Pick<FastifyRequest, 'headers'>): ErrorBody {
  const language = readLanguage(request);
  if (language === 'en') return body;
  const translate = sayIn(language);
  const { error } = body;
  const fields = fieldsOf(error.details).map(({ path, message }) => ({ path, message: translate(message) }));
  const [first] = fields;
  const message =
    first === undefined
      ? translate(error.message)
      : first.path === ''
        ? first.message
        : `${first.path}: ${first.message}`;
  const details = first === undefined ? error.details : { ...error.details, fields };
  return { error: { ...error, message, ...(details === undefined ? {} : { details }) } };
}

function fieldsOf(details: ErrorBody['error']['details']): { path: string; message: string }[] {
  const fields: unknown = details?.['fields'];
  return Array.isArray(fields) ? (fields as { path: string; message: string }[]) : [];
}
