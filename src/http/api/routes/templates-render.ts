// A template filled as a message or a campaign would fill it; nothing is sent.
import { Refusal } from '../../../contract/refusal.js';
import { renderedTemplate, templateParams, templateRender } from '../../../contract/template.js';
import { sampleUnsubscribeUrl } from '../../../mail/list-unsubscribe.js';
import type { Contact } from '../../../store/audience.js';
import type { Scope } from '../../../store/scope.js';
import { makeCopy } from '../../../work/submission/copy.js';
import { readAddress } from '../address-field.js';
import type { Api } from '../api.js';
import { tags, type TemplateContext } from './templates-context.js';
import { readVersion } from './templates-versions.js';

export function renderRoute(app: Api, { store, renderer, find, publicUrl }: TemplateContext): void {
  app.post(
    '/v1/templates/:id/render',
    {
      schema: {
        operationId: 'templates.render',
        tags,
        summary: 'Fill a template as a message would, and send nothing; the unsubscribe link is a sample',
        params: templateParams,
        body: templateRender,
        response: { 200: renderedTemplate },
      },
      config: { permission: 'send' },
    },
    async (request) => {
      const { scope } = request.caller;
      const { variables = {}, contact, version, footer = false } = request.body;
      const current = await find(scope, request.params.id);
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
        footer: footer ? await postalAddress(store, scope) : null,
        inlineCss: row.inline_css === 1,
        owner: scope.subTenantId ?? scope.workspaceId,
        param: 'variables',
      });
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

async function findContact(
  store: TemplateContext['store'],
  scope: Scope,
  idOrAddress: string,
): Promise<Contact> {
  const found = idOrAddress.includes('@')
    ? await store.audience.contactByAddress(scope, readAddress('contact', idOrAddress).key)
    : await store.audience.contact(scope, idOrAddress);
  if (!found) throw new Refusal('recipient_not_a_contact', 'There is no such contact.', { param: 'contact' });
  return found;
}

/** Refused with `postal_address_required`. */
async function postalAddress(store: TemplateContext['store'], scope: Scope): Promise<string> {
  const { postal_address } = await store.accounts.organization(scope);
  if ((postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return postal_address ?? '';
}
