// Postmark's templates. TemplateId is the template's id, not a number, and the alias is its slug.
import { Type, type Static } from 'typebox';
import type { TemplateWire } from '../../templates/template.schema.js';
import { Refusal } from '../../contract/refusal.js';
import { closed, nullable } from '../../contract/schema.js';
import { CONTENT, LINE } from '../bounds.js';
import { given } from '../fields.js';
import { pageByOffset } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { pageFields } from './messages.js';

const LAYOUT = notHere(
  Type.Optional(nullable(LINE)),
  'layouts are not supported. Put the complete HTML into the template',
);
const fields = {
  Name: Type.Optional(LINE),
  Alias: Type.Optional(nullable(LINE)),
  Subject: Type.Optional(LINE),
  HtmlBody: Type.Optional(CONTENT),
  TextBody: Type.Optional(CONTENT),
  TemplateType: Type.Optional(Type.Literal('Standard')),
  LayoutTemplate: LAYOUT,
};
const update = closed(fields);
const create = closed({ ...fields, Name: LINE });
const query = closed({
  ...pageFields,
  templatetype: Type.Optional(Type.Union([Type.Literal('All'), Type.Literal('Standard')])),
  layouttemplate: LAYOUT,
});
const validate = closed({
  Subject: Type.Optional(LINE),
  HtmlBody: Type.Optional(CONTENT),
  TextBody: Type.Optional(CONTENT),
  TestRenderModel: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  InlineCssForHtmlTestRender: Type.Optional(Type.Boolean()),
  TemplateType: Type.Optional(Type.Literal('Standard')),
  LayoutTemplate: LAYOUT,
});
const example = { Name: 'Hello again', Subject: 'Hello {{name}}', HtmlBody: '<p>Hello {{name}}</p>' };

const createRoute = (path: string): CompatRoute =>
  compatRoute({
    method: 'POST',
    path,
    permission: 'full',
    isLarge: true,
    body: create,
    example,
    async handle({ body, v1 }) {
      return { body: shortOf(await v1.templates.create(contentOf(body))) };
    },
  });

export const TEMPLATE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/templates',
    permission: 'read',
    query,
    async handle({ query: { count = 100, offset = 0 }, v1 }) {
      const { items, total } = await pageByOffset(v1.templates.list, { count, offset });
      return { body: { TotalCount: total, Templates: items.map(shortOf) } };
    },
  }),
  createRoute('/templates'),
  createRoute('/templates/'),
  compatRoute({
    method: 'POST',
    path: '/templates/validate',
    permission: 'full',
    isLarge: true,
    body: validate,
    example: { Subject: 'Hello {{name}}', TestRenderModel: { name: 'Ann' } },
    async handle({ body, v1 }) {
      const sections = {
        Subject: await section(v1, body, 'Subject'),
        HtmlBody: await section(v1, body, 'HtmlBody'),
        TextBody: await section(v1, body, 'TextBody'),
      };
      const AllContentIsValid = Object.values(sections).every((one) => one === null || one.ContentIsValid);
      return { body: { AllContentIsValid, ...sections, SuggestedTemplateModel: body.TestRenderModel ?? {} } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/templates/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      const template = await v1.templates.get(id);
      const { subject, html, text } = template;
      return {
        body: {
          ...shortOf(template),
          Subject: subject,
          HtmlBody: html,
          TextBody: text,
          AssociatedServerId: null,
        },
      };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/templates/:id',
    permission: 'full',
    isLarge: true,
    body: update,
    example: { Subject: 'Hello again' },
    async handle({ params: { id = '' }, body, v1 }) {
      return { body: shortOf(await v1.templates.update(id, contentOf(body))) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/templates/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.templates.delete(id);
      return { body: { ErrorCode: 0, Message: 'Template removed.' } };
    },
  }),
];

function contentOf({
  Name,
  Alias,
  Subject,
  HtmlBody,
  TextBody,
}: Static<typeof update>): Record<string, unknown> {
  return {
    ...given('name', Name),
    ...given('slug', Alias),
    ...given('subject', Subject),
    ...given('html', HtmlBody),
    ...given('text', TextBody),
  };
}

function shortOf({ id, name, slug }: TemplateWire) {
  return {
    TemplateId: id,
    Name: name,
    Active: true,
    Alias: slug,
    TemplateType: 'Standard',
    LayoutTemplate: null,
  };
}

const FIELDS = { Subject: 'subject', HtmlBody: 'html', TextBody: 'text' } as const;

/** Renders a part with the model; null if the part is absent. */
async function section(v1: V1, body: Static<typeof validate>, part: keyof typeof FIELDS) {
  const source = body[part];
  if (source === undefined) return null;
  const field = FIELDS[part];
  try {
    const rendered = await v1.templates.renderContent({
      [field]: source,
      variables: body.TestRenderModel ?? {},
      ...(part === 'HtmlBody' ? given('inline_css', body.InlineCssForHtmlTestRender) : {}),
    });
    return { ContentIsValid: true, ValidationErrors: [], RenderedContent: rendered[field] };
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'validation_error') throw error;
    return { ContentIsValid: false, ValidationErrors: [{ Message: error.message }], RenderedContent: null };
  }
}
