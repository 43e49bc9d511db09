// Wire shapes of /v1/templates, and the form of slugs.
import { MAX_TEMPLATE_CHARACTERS } from '../lib/templating/template-scan.js';
import { Type, type Static } from 'typebox';
import { listOf, orderedQueryWith, partOf, summaryOf, viewOf } from '../contract/lists.js';
import { MESSAGE_TYPES, MODES } from '../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const TEMPLATE_TYPES = [...MESSAGE_TYPES, 'any'] as const;
const MAX_SLUG = 100;

/** Of the JSON of a design. */
export const MAX_DESIGN_CHARACTERS = 262_144;

const name = Type.String({ minLength: 1, maxLength: 200 });
const slug = Type.String({ description: 'Lower-case letters, digits, - and _; at most 100.' });
const type = oneOf(TEMPLATE_TYPES, { description: 'For which messages; `any` for all.' });
const SIZE = 'At most 262,144 characters; files belong into attachments, and pictures onto a server.';
const content = {
  subject: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  html: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TEMPLATE_CHARACTERS,
        description: `Values are escaped here, and only here. ${SIZE}`,
      }),
    ),
  ),
  text: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TEMPLATE_CHARACTERS,
        description: `Derived from the html when missing. ${SIZE}`,
      }),
    ),
  ),
  inline_css: Type.Optional(
    Type.Boolean({
      description:
        "Copies the rules of the filled html's style elements into style attributes; default false. Part of a version.",
    }),
  ),
};

/** In requests and answers. */
const design = nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      "The editor's source of the html, such as its blocks; stored with the version and not interpreted. At most 262,144 characters of JSON. A change of html without it takes it away.",
  }),
);

export const templateCreate = closed(
  {
    name,
    slug: Type.Optional(slug),
    type: Type.Optional(type),
    ...content,
    design: Type.Optional(design),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ name: 'Welcome', subject: 'Hello {{first_name}}', html: '<p>Good to have you here.</p>' }] },
);

export const templateUpdate = closed(
  {
    name: Type.Optional(name),
    slug: Type.Optional(slug),
    type: Type.Optional(type),
    ...content,
    design: Type.Optional(design),
  },
  { examples: [{ subject: 'Welcome, {{first_name}}' }] },
);
export type TemplateUpdate = Static<typeof templateUpdate>;

const versionNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description });

export const templateRestore = closed(
  {
    version: Type.Optional(
      versionNumber('The version whose content the new one gets; the one before the current when missing.'),
    ),
  },
  { examples: [{ version: 1 }] },
);

export const templateCopy = closed(
  {
    environment: oneOf(MODES, {
      description: 'Where the copy is made; `live` takes a live key or a session.',
    }),
  },
  { examples: [{ environment: 'test' }] },
);

export const templateDiffQuery = closed({
  from: Type.Optional(versionNumber('The one before `to` when missing.')),
  to: Type.Optional(versionNumber('The current one when missing.')),
});

export const templateRender = closed(
  {
    version: Type.Optional(versionNumber('The current one when missing.')),
    footer: Type.Optional(
      Type.Boolean({
        description: 'With the footer that campaign copies get: postal address and unsubscribe link.',
      }),
    ),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    contact: Type.Optional(
      Type.String({ description: 'Id or address of a saved contact whose fields merge in.' }),
    ),
  },
  { examples: [{ variables: { first_name: 'Ann' } }] },
);

export const contentRender = closed(
  {
    subject: content.subject,
    html: content.html,
    text: content.text,
    inline_css: Type.Optional(Type.Boolean()),
    footer: templateRender.properties.footer,
    variables: templateRender.properties.variables,
    contact: templateRender.properties.contact,
  },
  {
    examples: [
      { subject: 'Hello {{first_name}}', html: '<p>Good to have you.</p>', variables: { first_name: 'Ann' } },
    ],
  },
);

const MAX_TEST_RECIPIENTS = 20;

export const templateTest = closed(
  {
    to: Type.Array(Type.String({ maxLength: 320 }), { minItems: 1, maxItems: MAX_TEST_RECIPIENTS }),
    version: templateRender.properties.version,
    variables: templateRender.properties.variables,
    contact: templateRender.properties.contact,
    from: Type.Optional(
      Type.String({ maxLength: 320, description: 'A verified sender; the default one when missing.' }),
    ),
  },
  { examples: [{ to: ['me@example.com'], variables: { first_name: 'Ann' } }] },
);

export const templateTestAnswer = Type.Object({
  object: Type.Literal('template_test'),
  template_id: Type.String(),
  version: Type.Integer(),
  missing: Type.Array(Type.String(), { description: 'Names whose placeholders show nothing.' }),
  messages: Type.Array(Type.Object({ id: Type.String(), to: Type.String(), status: Type.String() })),
});

export const templateParams = Type.Object({ id: Type.String({ description: 'Its id, or its slug.' }) });

export const template = Type.Object({
  id: Type.String(),
  object: Type.Literal('template'),
  name: Type.String(),
  slug: Type.String(),
  type,
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  inline_css: Type.Boolean(),
  design,
  version: Type.Integer(),
  variables: Type.Array(Type.String(), { description: 'The names that the placeholders read.' }),
  environment: oneOf(MODES, {
    description: 'Test keys use live templates too, and change only those of test.',
  }),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TemplateWire = Static<typeof template>;

export const templateSummary = summaryOf('template_summary', template, [
  'id',
  'name',
  'slug',
  'type',
  'subject',
  'version',
  'environment',
  'sub_tenant_id',
  'created_at',
  'updated_at',
]);

export const templateDeleteQuery = closed({
  force: Type.Optional(
    Type.Boolean({ description: 'Deletes the template even if sequences or unfinished campaigns use it.' }),
  ),
});

export const templateQuery = orderedQueryWith({
  q: partOf('the name, the slug or the subject'),
  view: viewOf('html, text, design and variables'),
});

/** Of one kind: summaries where `view=summary` asks for them. */
export const templateList = listOf(Type.Union([template, templateSummary]));

export const templateVersion = Type.Object({
  object: Type.Literal('template_version'),
  template_id: Type.String(),
  version: Type.Integer(),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  inline_css: Type.Boolean(),
  design,
  created_at: timestamp,
});

export const renderedTemplate = Type.Object({
  object: Type.Literal('rendered_template'),
  template_id: Type.String(),
  version: Type.Integer(),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  missing: Type.Array(Type.String(), {
    description: 'Names whose placeholders are empty: neither variables, contact nor built-ins filled them.',
  }),
});

export const renderedContent = Type.Object({
  object: Type.Literal('rendered_content'),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  missing: renderedTemplate.properties.missing,
});

const partDiff = Type.Object({
  diff: Type.String({ description: 'Unified, with three lines of context; empty when nothing changed.' }),
  added: Type.Integer({ description: 'Lines.' }),
  removed: Type.Integer({ description: 'Lines.' }),
});

export const templateDiff = Type.Object({
  object: Type.Literal('template_diff'),
  template_id: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  parts: Type.Object({ subject: partDiff, html: partDiff, text: partDiff, inline_css: partDiff }),
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

nameSchemas({
  TemplateSummary: templateSummary,
  TemplateList: templateList,
  TemplateCreate: templateCreate,
  TemplateUpdate: templateUpdate,
  TemplateRestore: templateRestore,
  TemplateCopy: templateCopy,
  TemplateRender: templateRender,
  Template: template,
  TemplateVersion: templateVersion,
  RenderedTemplate: renderedTemplate,
  ContentRender: contentRender,
  RenderedContent: renderedContent,
  TemplateTest: templateTest,
  TemplateTestResult: templateTestAnswer,
  TemplateTestMessage: templateTestAnswer.properties.messages.items,
  TemplatePartDiff: partDiff,
  TemplateDiff: templateDiff,
  TemplateDiffParts: templateDiff.properties.parts,
});

nameEnums({ TemplateType: TEMPLATE_TYPES });
