// Wire shapes of /v1/templates, and the form of slugs.
import { MAX_TEMPLATE_CHARACTERS } from '../lib/templating/index.js';
import { Type, type Static } from 'typebox';
import { listOf, orderedQueryWith, partOf, summaryOf, viewOf } from '../contract/lists.js';
import { MESSAGE_TYPES, MODES } from '../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const TEMPLATE_TYPES = [...MESSAGE_TYPES, 'any'] as const;
const MAX_SLUG = 100;

/** Limits the JSON of a design. */
export const MAX_DESIGN_CHARACTERS = 262_144;

const name = Type.String({ minLength: 1, maxLength: 200 });
const slug = Type.String({ description: 'The slug, with up to 100 lowercase letters, digits, `-` and `_`.' });
const type = oneOf(TEMPLATE_TYPES, {
  description: 'The message type the template can be used for, or `any`.',
});
const SIZE = 'Up to 262,144 characters. Send files as attachments and host images on a server.';
const content = {
  subject: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  html: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TEMPLATE_CHARACTERS,
        description: `The HTML body. Placeholder values are HTML-escaped in this part only. ${SIZE}`,
      }),
    ),
  ),
  text: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TEMPLATE_CHARACTERS,
        description: `The plain text body. Derived from the HTML if omitted. ${SIZE}`,
      }),
    ),
  ),
  inline_css: Type.Optional(
    Type.Boolean({
      description:
        'Whether to copy the rules of style elements into style attributes after rendering. Defaults to `false`. Stored with the version.',
    }),
  ),
};

const design = nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      "The editor's source for the HTML, for example its blocks, up to 262,144 characters of JSON. It is stored with the version and not interpreted. Changing the HTML without passing a design removes it.",
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
  { examples: [{ name: 'Welcome', subject: 'Hello {{first_name}}', html: '<p>Thanks for signing up.</p>' }] },
);

export type TemplateCreate = Static<typeof templateCreate>;

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

/** Parses a stored design. */
export function readDesign(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

const versionNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description });

export const templateRestore = closed(
  {
    version: Type.Optional(
      versionNumber('The version whose content to restore. Defaults to the version before the current one.'),
    ),
  },
  { examples: [{ version: 1 }] },
);

export const templateCopy = closed(
  {
    environment: oneOf(MODES, {
      description: 'The environment to copy to. `live` requires a live key or a session.',
    }),
  },
  { examples: [{ environment: 'test' }] },
);

export const templateDiffQuery = closed({
  from: Type.Optional(versionNumber('The older version. Defaults to the version before `to`.')),
  to: Type.Optional(versionNumber('The newer version. Defaults to the current version.')),
});

export const templateRender = closed(
  {
    version: Type.Optional(versionNumber('The version to render. Defaults to the current version.')),
    footer: Type.Optional(
      Type.Boolean({
        description:
          'Whether to add the footer of campaign emails with the postal address and unsubscribe link.',
      }),
    ),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    contact: Type.Optional(
      Type.String({
        description: 'The ID or address of a saved contact whose fields are used for placeholders.',
      }),
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
      {
        subject: 'Hello {{first_name}}',
        html: '<p>Thanks for signing up.</p>',
        variables: { first_name: 'Ann' },
      },
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
      Type.String({ maxLength: 320, description: 'A verified sender. Defaults to the default sender.' }),
    ),
  },
  { examples: [{ to: ['me@example.com'], variables: { first_name: 'Ann' } }] },
);

export const templateTestAnswer = Type.Object({
  object: Type.Literal('template_test'),
  template_id: Type.String(),
  version: Type.Integer(),
  missing: Type.Array(Type.String(), { description: 'Placeholders without a value.' }),
  messages: Type.Array(Type.Object({ id: Type.String(), to: Type.String(), status: Type.String() })),
});

export const templateParams = Type.Object({
  id: Type.String({ description: 'The ID or slug of the template.' }),
});

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
  variables: Type.Array(Type.String(), { description: 'The names used by the placeholders.' }),
  environment: oneOf(MODES, {
    description:
      'The environment the template belongs to. Test keys can use live templates but only change test templates.',
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
    Type.Boolean({
      description: 'Whether to delete the template even if a list, sequence or unfinished campaign uses it.',
    }),
  ),
});

export const templateQuery = orderedQueryWith({
  q: partOf('the name, slug or subject'),
  view: viewOf('html, text, design and variables'),
});

/** Contains summaries if the request has `view=summary`. */
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
    description: 'Placeholders without a value from the variables, the contact or the built-in values.',
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
  diff: Type.String({ description: 'A unified diff with three lines of context. Empty if nothing changed.' }),
  added: Type.Integer({ description: 'Lines added.' }),
  removed: Type.Integer({ description: 'Lines removed.' }),
});

export const templateDiff = Type.Object({
  object: Type.Literal('template_diff'),
  template_id: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  parts: Type.Object({ subject: partDiff, html: partDiff, text: partDiff, inline_css: partDiff }),
});

/** Returns the reason why a slug is invalid; `null` if it is valid. */
export function slugProblem(value: string): string | null {
  if (value.length > MAX_SLUG) return `must be at most ${MAX_SLUG} characters long`;
  return /^[a-z0-9_-]+$/.test(value) ? null : 'must contain only lowercase letters, digits, - and _';
}

/** Derives a slug from a name, such as `welcome-zoe` from `Welcome, Zoë!`. Returns an empty string if no character can be used. */
export function deriveSlug(templateName: string): string {
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
