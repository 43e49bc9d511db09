// Lists the kinds of objects in a workspace export. Each noun reads and presents its own.
import { presentCampaigns } from '../campaigns/campaign.view.js';
import { presentExported } from '../contacts/contact.view.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { CampaignStatus, Mode } from '../contract/names.js';
import { iso } from '../contract/time.js';
import type { Page, PageRequest, Scope } from '../database/scope.js';
import { domainSettings } from '../domains/index.js';
import { presentSender } from '../domains/senders/sender.view.js';
import { showSubTenants } from '../domains/sub-tenants/sub-tenant.view.js';
import { pageOfParts, type WorkspaceLine, type WorkspaceSection } from '../imports/workspace-file.js';
import type { Clock } from '../lib/runtime/index.js';
import { presentContactList } from '../lists/contact-list.view.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { presentSequence } from '../sequences/sequence.view.js';
import { templatesOfSlugs } from '../sequences/template-slugs.js';
import type { Config } from '../settings/settings.js';
import { presentSuppression } from '../suppressions/suppression.view.js';
import { presentAll } from '../templates/presenting.routes.js';
import { presentSavedBlock } from '../templates/saved-block.view.js';
import type { TemplateSources } from '../templates/sources.js';
import { presentTemplateVersion } from '../templates/template.view.js';
import { presentWebhookEndpoint } from '../webhooks/endpoint.view.js';
import type { VendorFormats } from '../webhooks/format.rules.js';
import type { Store } from './store.js';

/** Objects of a page that may be large. */
const FEW = 10;
const SOME = 100;
const MANY = 500;

const UNSENT: readonly CampaignStatus[] = ['draft', 'scheduled'];

interface Given {
  store: Store;
  config: Config;
  rules: OutboundRules;
  sources: TemplateSources;
  formats: VendorFormats;
  clock: Clock;
  /** Address of a list's sign-up page. */
  pageUrl: (list: ContactList, mode: Mode) => string | null;
}

/** In the order of an import: later objects refer to earlier ones. */
export function workspaceSections(given: Given): WorkspaceSection[] {
  return [
    ...accountSections(given),
    ...templateSections(given),
    ...peopleSections(given),
    ...bulkMailSections(given),
  ];
}

function accountSections({ store, config, rules, formats, clock }: Given): WorkspaceSection[] {
  const settings = { ...config, ...domainSettings({ config, rules }) };
  return [
    section('sub_tenants', SOME, async (scope, page) => {
      const { rows, next } = await store.tenants.subTenants(scope, page, {});
      return { rows: await showSubTenants({ store, settings }, rows), next };
    }),
    section('senders', SOME, async (scope, page) => {
      const { rows, next } = await store.domains.senders(scope, page);
      const keys = await store.domains.dkimKeys(rows.map(({ id }) => id));
      const keysOf = (id: string) => keys.filter(({ owner_id: owner }) => owner === id);
      return { rows: rows.map((row) => presentSender(row, keysOf(row.id), settings)), next };
    }),
    section('webhook_endpoints', SOME, async (scope, page) => {
      const { rows, next } = await store.webhooks.endpoints(scope, page);
      return { rows: rows.map((row) => presentWebhookEndpoint(row, { formats, now: clock() })), next };
    }),
  ];
}

/** A sub-tenant and the test environment may also use templates that are not their own, which are left out. */
function templateSections({ store, sources }: Given): WorkspaceSection[] {
  const templates = async (scope: Scope, page: PageRequest) => {
    const { rows, next } = await store.templates.templates(scope, page);
    const own = rows.filter(
      (row) =>
        row.environment_id === scope.environmentId &&
        (scope.subTenantId === null || row.sub_tenant_id === scope.subTenantId),
    );
    return { rows: own, next };
  };
  return [
    section('templates', FEW, async (scope, page) => {
      const { rows, next } = await templates(scope, page);
      return { rows: await presentAll({ store, sources }, scope, rows), next };
    }),
    section('template_versions', FEW, (scope, given) =>
      pageOfParts(
        given,
        (page) => templates(scope, page),
        async ({ id, version: current }, page) => {
          const { rows, next } = await store.templates.versions(id, page);
          return {
            rows: rows.filter(({ version }) => version !== current).map(presentTemplateVersion),
            next,
          };
        },
      ),
    ),
    section('saved_blocks', FEW, async (scope, page) => {
      const { rows, next } = await store.savedBlocks.ownedBlocks(scope, page);
      return { rows: rows.map((row) => presentSavedBlock(row)), next };
    }),
  ];
}

function peopleSections({ store, pageUrl }: Given): WorkspaceSection[] {
  const lists = async (scope: Scope, page: PageRequest, isShown: (list: ContactList) => boolean) => {
    const { rows, next } = await store.lists.lists(scope, page, {});
    const shown = rows.filter(isShown).map((row) => presentContactList(row, pageUrl(row, scope.mode)));
    return { rows: shown, next };
  };
  return [
    section('suppressions', MANY, async (scope, page) => {
      const { rows, next } = await store.suppressions.suppressions(scope, page, {});
      return { rows: rows.map((row) => presentSuppression(row)), next };
    }),
    section('lists', SOME, (scope, page) => lists(scope, page, ({ filter }) => filter === null)),
    section('segments', SOME, (scope, page) => lists(scope, page, ({ filter }) => filter !== null)),
    section('contacts', SOME, async (scope, { limit, after }) => {
      const { rows, next } = await store.transfers.contactSlice(
        scope,
        {},
        { limit, after: Number(after ?? 0) },
      );
      const numbers = rows.map(({ number }) => number);
      const consents = await store.consents.consentsOf(numbers);
      const memberships = await store.lists.listsOfContacts(numbers);
      const shown = rows.map((row) => ({
        ...presentExported(row, consents.get(row.number) ?? []),
        memberships: (memberships.get(row.number) ?? []).map(({ list_id, state, joined_at: at }) => ({
          ...{ list_id, list_state: state },
          joined_at: iso(at),
        })),
      }));
      return { rows: shown, next: next === null ? null : String(next) };
    }),
    section('list_unsubscribes', MANY, (scope, given) =>
      pageOfParts(
        given,
        (page) => store.lists.lists(scope, page, {}),
        async (list, page) => {
          const { rows, next } = await store.lists.unsubscribes(list.number, page);
          const shown = rows.map(({ email_key: email, unsubscribed_at: at }) => ({
            ...{ object: 'list_unsubscribe', list_id: list.id, email },
            unsubscribed_at: iso(at),
          }));
          return { rows: shown, next };
        },
      ),
    ),
  ];
}

function bulkMailSections({ store }: Given): WorkspaceSection[] {
  return [
    section('sequences', FEW, async (scope, page) => {
      const { rows, next } = await store.sequences.sequences(scope, page, {});
      const inDoubt = await store.messages.countInDoubt(
        'sequence_id',
        rows.map(({ id }) => id),
      );
      const shown = rows.map(async (row) => ({
        ...presentSequence(row, inDoubt.get(row.id) ?? 0),
        template_ids: await templatesOfSlugs(store, scope, row),
      }));
      return { rows: await Promise.all(shown), next };
    }),
    section('campaigns', SOME, async (scope, page) => {
      const { rows, next } = await store.campaigns.campaigns(scope, page, { status: UNSENT });
      return { rows: await presentCampaigns(store, scope, rows), next };
    }),
  ];
}

function section(
  name: string,
  limit: number,
  read: (scope: Scope, page: PageRequest) => Promise<Page<WorkspaceLine>>,
): WorkspaceSection {
  return { name, limit, read };
}
