// Wire shapes of /v1/templates, and the form of slugs.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { MESSAGE_TYPES } from './names.js';
import { closed, nullable, oneOf, timestamp } from './schema.js';

const TEMPLATE_TYPES = [...MESSAGE_TYPES, 'any'] as const;
const MAX_SLUG = 100;

const name = Type.String({ minLength: 1, maxLength: 200 });
const slug = Type.String({ description: 'Lower-case letters, digits, - and _; at most 100.' });
const type = oneOf(TEMPLATE_TYPES, { description: 'For which messages; `any` for all.' });
const content = {
  subject: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  html: Type.Optional(nullable(Type.String({ description: 'Values are escaped here, and only here.' }))),
  text: Type.Optional(nullable(Type.String({ description: 'Derived from the html when missing.' }))),
};

export const templateCreate = closed(
  {
    name,
    slug: Type.Optional(slug),
    type: Type.Optional(type),
    ...content,
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ name: 'Welcome', subject: 'Hello {{first_name}}', html: '<p>Good to have you here.</p>' }] },
);

export const templateUpdate = closed({
  name: Type.Optional(name),
  slug: Type.Optional(slug),
  type: Type.Optional(type),
  ...content,
});

export const templateRender = closed(
  {
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    contact: Type.Optional(
      Type.String({ description: 'Id or address of a saved contact whose fields merge in.' }),
    ),
  },
  { examples: [{ variables: { first_name: 'Ann' } }] },
);

export const template = Type.Object({
  id: Type.String(),
  object: Type.Literal('template'),
  name: Type.String(),
  slug: Type.String(),
  type,
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  version: Type.Integer(),
  variables: Type.Array(Type.String(), { description: 'The names that the placeholders read.' }),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TemplateWire = Static<typeof template>;

export const templateVersion = Type.Object({
  object: Type.Literal('template_version'),
  template_id: Type.String(),
  version: Type.Integer(),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  created_at: timestamp,
});
export type TemplateVersionWire = Static<typeof templateVersion>;

export const renderedTemplate = Type.Object({
  object: Type.Literal('rendered_template'),
  template_id: Type.String(),
  version: Type.Integer(),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
});

/** Why a slug is refused; null when it is fine. */
export function slugProblem(value: string): string | null {
  if (value.length > MAX_SLUG) return `must have at most ${MAX_SLUG} characters`;
  return /^[a-z0-9_-]+$/.test(value) ? null : 'must have only lower-case letters, digits, - and _';
}

/** A slug made from a name: `Welcome, Zoë!` gives `welcome-zoe`. Empty when nothing of the name can be kept. */
export function slugOf(templateName: string): string {
  return templateName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
}
