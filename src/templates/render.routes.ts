// Renders a template as a message or a campaign would, for a preview or for a test mail.
import { invalidFields, Refusal } from '../contract/refusal.js';
import {
  contentRender,
  renderedContent,
  renderedTemplate,
  templateParams,
  templateRender,
  templateTest,
  templateTestAnswer,
} from './template.schema.js';
import { sampleUnsubscribeUrl } from '../contacts/unsubscribe.rules.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Scope } from '../database/scope.js';
import { makeCopy } from './rendering/copy.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { messageSubmitter } from '../http/access/caller.js';
import type { TemplateContext } from './context.js';
import { tags } from './presenting.routes.js';
import { findTemplate, readVersion } from './templates.js';

/** Marks the messages of a test. */
const TEST_TAG = 'template_test';

/** Renders content that is not saved. */
export function renderContentRoute(app: Api, { store, renderer, publicUrl }: TemplateContext): void {
  app.post(
    '/v1/templates/render',
    {
      schema: {
        operationId: 'templates.renderContent',
        tags,
        summary: 'Render unsaved content',
        description: 'Renders content as if it were a template. Nothing is saved or sent.',
        body: contentRender,
        response: { 200: renderedContent },
      },
      // Everyone who can read templates can render them, because nothing is saved or sent.
      config: { permission: 'send', role: 'viewer', reading: 'request' },
    },
    async (request) => {
      const { scope } = request.caller;
      const { subject = null, html, text, variables = {}, contact, footer = false } = request.body;
      if (subject === null && !html && !text) {
        throw invalidFields([{ path: 'html', message: 'is missing. Provide html, text or subject' }]);
      }
      const copy = await makeCopy(renderer, {
        subject: subject ?? '',
        html: html || null,
        text: text || null,
        variables,
        contact: contact === undefined ? null : await findContact(store, scope, contact),
        unsubscribeUrl: sampleUnsubscribeUrl(publicUrl),
        footer: footer ? await readPostalAddress(store, scope) : null,
        inlineCss: request.body.inline_css === true,
        owner: scope.subTenantId ?? scope.workspaceId,
        param: 'variables',
      });
      return {
        object: 'rendered_content' as const,
        subject: subject === null ? null : copy.subject,
        html: copy.html,
        text: copy.text,
        missing: copy.missing,
      };
    },
  );
}

/** Sends a rendered template to test addresses, as a transactional message. */
export function testRoute(app: Api, context: TemplateContext): void {
  app.post(
    '/v1/templates/:id/test',
    {
      schema: {
        operationId: 'templates.test',
        tags,
        summary: 'Send a test of a template',
        description:
          'Sends a template to test addresses as one untracked transactional message with the tag `template_test`. The addresses do not have to be contacts, and the unsubscribe link is a sample. With a test key, the message goes to the sandbox.',
        params: templateParams,
        body: templateTest,
        response: { 202: templateTestAnswer },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { to, from } = request.body;
      const addresses = new Map<string, string>();
      for (const [i, text] of to.entries()) {
        const { key, email } = readAddress(`to.${i}`, text);
        if (!addresses.has(key)) addresses.set(key, email);
      }
      const { current, row, copy } = await renderVersion(context, scope, request.params.id, request.body);
      const { message, copies } = await context.testMail.accept(
        scope,
        {
          to: [...addresses.values()],
          subject: copy.subject === '' ? current.name : copy.subject,
          ...(copy.html === null ? {} : { html: copy.html }),
          ...(copy.text === null ? {} : { text: copy.text }),
          ...(from === undefined ? {} : { from }),
          // The content is rendered. Values of its variables may look like placeholders.
          render: false,
          type: 'transactional',
          tags: [TEST_TAG],
          metadata: { template_id: current.id },
          track_opens: false,
          track_clicks: false,
        },
        { ...messageSubmitter(request.caller), idempotencyHeader: null },
      );
      return reply.status(202).send({
        object: 'template_test' as const,
        template_id: current.id,
        version: row.version,
        missing: copy.missing,
        messages: [message, ...copies].map((one) => ({
          id: one.public_id,
          to: one.to_email,
          status: one.status,
        })),
      });
    },
  );
}

export function renderRoute(app: Api, context: TemplateContext): void {
  app.post(
    '/v1/templates/:id/render',
    {
      schema: {
        operationId: 'templates.render',
        tags,
        summary: 'Render a template',
        description:
          'Renders a template as a message would, without sending it. The unsubscribe link is a sample.',
        params: templateParams,
        body: templateRender,
        response: { 200: renderedTemplate },
      },
      config: { permission: 'send', role: 'viewer' },
    },
    async (request) => {
      const { scope } = request.caller;
      const { current, row, copy } = await renderVersion(context, scope, request.params.id, request.body);
      return {
        object: 'rendered_template' as const,
        template_id: current.id,
        version: row.version,
        subject: row.subject === null ? null : copy.subject,
        html: copy.html,
        text: copy.text,
        missing: copy.missing,
      };
    },
  );
}

interface RenderRequest {
  variables?: Record<string, unknown>;
  contact?: string;
  version?: number;
  /** Whether to show the postal address, as in bulk mail. */
  footer?: boolean;
}

/** Renders the requested version of a saved template. */
async function renderVersion(
  context: TemplateContext,
  scope: Scope,
  id: string,
  { variables = {}, contact, version, footer = false }: RenderRequest,
) {
  const { store, renderer, publicUrl } = context;
  const current = await findTemplate(context, scope, id);
  const row =
    version === undefined || version === current.version
      ? current
      : await readVersion(store, current.id, version, 'version');
  const copy = await makeCopy(renderer, {
    subject: row.subject ?? '',
    html: row.html || null,
    text: row.text || null,
    variables,
    contact: contact === undefined ? null : await findContact(store, scope, contact),
    unsubscribeUrl: sampleUnsubscribeUrl(publicUrl),
    footer: footer ? await readPostalAddress(store, scope) : null,
    inlineCss: row.inline_css === 1,
    owner: scope.subTenantId ?? scope.workspaceId,
    param: 'variables',
  });
  return { current, row, copy };
}

async function findContact(
  store: TemplateContext['store'],
  scope: Scope,
  idOrAddress: string,
): Promise<Contact> {
  const found = idOrAddress.includes('@')
    ? await store.contacts.contactByAddress(scope, readAddress('contact', idOrAddress).key)
    : await store.contacts.contact(scope, idOrAddress);
  if (!found)
    throw new Refusal('recipient_not_a_contact', 'The contact does not exist.', { param: 'contact' });
  return found;
}

/** Refuses with `postal_address_required`. */
async function readPostalAddress(store: TemplateContext['store'], scope: Scope): Promise<string> {
  const { postal_address } = await store.accounts.organization(scope);
  if ((postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return postal_address ?? '';
}
