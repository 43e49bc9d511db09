// Previews the copies of a campaign before sending, and reads the sent ones afterwards, newest recipient first.
import type { CampaignContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sampleUnsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import { readCampaignSources } from '../copy.rules.js';
import { splitGroup } from '../split.rules.js';
import type { PreflightProblem } from '../preflight.rules.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import type { Copy } from '../../templates/rendering/copy.js';
import { skipReasons } from './eligibility.js';
import type { TotalTerms } from './audience-total.js';
import { AudienceTotals } from './audience-totals.js';
import { openCopyRenderer, readPinned, type RenderCopy } from './recipient-copy.js';
import type { Campaign, CampaignRecipient } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { CampaignStores } from '../stores.js';

/** Contacts per read, until a page is full. */
const CHUNK = 200;

export interface PreviewedRecipient {
  email: string;
  name: string | null;
  tags: readonly string[];
  /** The variant's tag or the split's key; `null` for the base. */
  variant: string | null;
  variantTag: string | null;
  templateName: string;
  edited: boolean;
  /** True if the recipient waits for the winner of the split, so the preview shows the base. */
  awaitsWinner: boolean;
  /** `null` if rendering failed. */
  copy: Copy | null;
  problem: PreflightProblem | null;
}

/** A recipient of the audience snapshot. The contact is null if it was deleted since. */
type SnapshotRecipient = CampaignRecipient & { contact: Contact | null };

export class Previews {
  readonly #context: CampaignContext;
  readonly #store: CampaignContext['store'];
  readonly #unsubscribeUrl: string;
  readonly #totals: AudienceTotals;

  constructor(context: CampaignContext) {
    this.#context = context;
    this.#store = context.store;
    this.#unsubscribeUrl = sampleUnsubscribeUrl(this.#context.config.publicUrl);
    this.#totals = new AudienceTotals(context);
  }

  /**
   * Pages through recipients who get a copy, of whom there are `total`, or null while a large audience is counted. Cursors are
   * contact numbers.
   */
  async page(
    scope: Scope,
    campaign: Campaign,
    page: PageRequest,
  ): Promise<Page<PreviewedRecipient> & { total: number | null }> {
    if (campaign.frozen_at !== null) {
      const { rows, next } = await this.#snapshotPage(campaign, page);
      const total = Math.max(0, campaign.total - campaign.skipped);
      return { rows: await this.#previewSnapshot(scope, campaign, rows), next, total };
    }
    const [{ rows, next }, total] = await Promise.all([
      this.#livePage(scope, campaign, page),
      this.#termsOf(scope, campaign).then((terms) => this.#totals.total(campaign.id, terms)),
    ]);
    const shown = await this.#copiesFor(
      campaign,
      await openCopyRenderer(this.#context, scope, campaign),
      rows,
    );
    return { rows: shown, next, total };
  }

  /** Returns the copy for one address, or `null` if it gets none. */
  async forAddress(scope: Scope, campaign: Campaign, emailKey: string): Promise<PreviewedRecipient | null> {
    if (campaign.frozen_at !== null) {
      const found = await this.#store.campaigns.recipients(
        campaign.id,
        { limit: 1, after: null },
        { emailKey },
      );
      const rows = found.rows.filter(({ state }) => state !== 'skipped');
      return (await this.#previewSnapshot(scope, campaign, await this.#withContacts(rows)))[0] ?? null;
    }
    const contact = await this.#eligibleContact(scope, campaign, emailKey);
    if (!contact) return null;
    return (
      (
        await this.#copiesFor(campaign, await openCopyRenderer(this.#context, scope, campaign), [contact])
      )[0] ?? null
    );
  }

  /** Returns the copy for a contact, even outside the audience. */
  async forContact(scope: Scope, campaign: Campaign, contact: Contact): Promise<PreviewedRecipient> {
    const [shown] = await this.#copiesFor(campaign, await openCopyRenderer(this.#context, scope, campaign), [
      contact,
    ]);
    if (!shown) throw new Error('A contact without a copy.');
    return shown;
  }

  /** Resolves when no total is being counted. */
  stop(): Promise<void> {
    return this.#totals.stop();
  }

  async #termsOf(scope: Scope, campaign: Campaign): Promise<TotalTerms> {
    return { scope, campaign, organization: await this.#store.accounts.organization(scope) };
  }

  async #copiesFor(
    campaign: Campaign,
    renderCopy: RenderCopy,
    contacts: readonly Contact[],
  ): Promise<PreviewedRecipient[]> {
    const keys = contacts.map((contact) => contact.email_key);
    const overrides = new Map(
      (await this.#store.campaigns.overrides(campaign.id, keys)).map((row) => [row.email_key, row]),
    );
    const { split } = readCampaignSources(campaign);
    const awaitsWinner = ({ number }: Contact, variantTag: string | null): boolean =>
      split !== null &&
      campaign.winner === null &&
      variantTag === null &&
      splitGroup(split, campaign.id, number) === null;
    return Promise.all(
      contacts.map(async (contact) => {
        const override = overrides.get(contact.email_key) ?? null;
        const made = await renderCopy({ contact, override, unsubscribeUrl: this.#unsubscribeUrl });
        const { variant, variantTag, edited } = made;
        return {
          email: contact.email,
          name: contact.name,
          tags: JSON.parse(contact.tags) as string[],
          variant,
          variantTag,
          templateName: made.template.name,
          edited,
          awaitsWinner: awaitsWinner(contact, variantTag),
          ...(made.kind === 'copy'
            ? { copy: { subject: made.subject, html: made.html, text: made.text }, problem: null }
            : { copy: null, problem: { code: made.code, message: made.message } }),
        };
      }),
    );
  }

  /** Reads the current list, because there is no audience snapshot yet. */
  async #livePage(scope: Scope, campaign: Campaign, page: PageRequest): Promise<Page<Contact>> {
    const list = await this.#store.lists.listFor(campaign);
    if (!list) return { rows: [], next: null };
    const terms = await this.#termsOf(scope, campaign);
    const rows: Contact[] = [];
    let beforeNumber = page.after === null ? null : Number(page.after);
    while (rows.length <= page.limit) {
      const contacts = await this.#store.lists.audiencePage({
        list,
        segmentTag: campaign.segment_tag,
        beforeNumber,
        limit: CHUNK,
      });
      const reasons = await skipReasons(this.#context, terms, contacts);
      rows.push(...contacts.filter(({ number }) => !reasons.has(number)));
      const last = contacts.at(-1);
      if (!last || contacts.length < CHUNK) break;
      beforeNumber = last.number;
      // If most contacts have opted out, filling a page takes many slices.
      await nextTurn();
    }
    return cutPage(rows, page.limit, (contact) => String(contact.number));
  }

  async #snapshotPage(campaign: Campaign, page: PageRequest): Promise<Page<SnapshotRecipient>> {
    const rows: CampaignRecipient[] = [];
    let { after } = page;
    while (rows.length <= page.limit) {
      const found = await this.#store.campaigns.recipients(campaign.id, { limit: CHUNK, after }, {});
      rows.push(...found.rows.filter(({ state }) => state !== 'skipped'));
      after = found.next;
      if (after === null) break;
      await nextTurn();
    }
    const { rows: kept, next } = cutPage(rows, page.limit, (row) => String(row.contact_number));
    return { rows: await this.#withContacts(kept), next };
  }

  async #withContacts(rows: readonly CampaignRecipient[]): Promise<SnapshotRecipient[]> {
    const found = await this.#store.contacts.contactsByNumber(rows.map((row) => row.contact_number));
    const contacts = new Map(found.map((contact) => [contact.number, contact]));
    return rows.map((row) => ({ ...row, contact: contacts.get(row.contact_number) ?? null }));
  }

  /**
   * Shows recipients their message if they have one, and otherwise the copy that they would get. Leaves out recipients who have
   * been suppressed since.
   */
  async #previewSnapshot(
    scope: Scope,
    campaign: Campaign,
    rows: readonly SnapshotRecipient[],
  ): Promise<PreviewedRecipient[]> {
    const open = rows.flatMap(({ message_id: id, contact }) => (id === null && contact ? [contact] : []));
    const reasons = await skipReasons(this.#context, await this.#termsOf(scope, campaign), open);
    const eligible = open.filter(({ number }) => !reasons.has(number));
    const [made, pending] = await Promise.all([
      this.#sentCopies(scope, campaign, rows),
      eligible.length === 0
        ? []
        : this.#copiesFor(campaign, await openCopyRenderer(this.#context, scope, campaign), eligible),
    ]);
    const pendingOf = new Map(pending.map((one, index) => [eligible[index]?.number, one]));
    return rows.flatMap((row) => made.get(row.contact_number) ?? pendingOf.get(row.contact_number) ?? []);
  }

  async #sentCopies(
    scope: Scope,
    campaign: Campaign,
    rows: readonly SnapshotRecipient[],
  ): Promise<Map<number, PreviewedRecipient>> {
    const sent = rows.filter(({ message_id: id }) => id !== null);
    if (sent.length === 0) return new Map();
    const ids = sent.flatMap(({ message_id: id }) => id ?? []);
    const [messages, overrides, templates] = await Promise.all([
      this.#store.messages.messagesByRowId(scope, ids),
      this.#store.campaigns.overrides(
        campaign.id,
        sent.map((row) => row.email_key),
      ),
      readPinned(this.#store, campaign.versions ?? '{}'),
    ]);
    const messageOf = new Map(messages.map((message) => [message.id, message]));
    const edited = new Set(overrides.map((row) => row.email_key));
    const { variants } = readCampaignSources(campaign);
    const shown = new Map<number, PreviewedRecipient>();
    await Promise.all(
      sent.map(async (row) => {
        const message = messageOf.get(row.message_id ?? 0);
        if (!message) return;
        const { html, text } = await this.#store.messages.content(message);
        shown.set(row.contact_number, {
          email: row.email,
          name: message.to_name,
          tags: row.contact === null ? [] : (JSON.parse(row.contact.tags) as string[]),
          variant: row.variant,
          variantTag: variants.some(({ tag }) => tag === row.variant) ? row.variant : null,
          templateName: templates.get(message.template_id ?? '')?.name ?? '',
          edited: edited.has(row.email_key),
          awaitsWinner: false,
          copy: { subject: message.subject, html, text },
          problem: null,
        });
      }),
    );
    return shown;
  }

  async #eligibleContact(scope: Scope, campaign: Campaign, emailKey: string): Promise<Contact | null> {
    const contact = await findInAudience(this.#context, scope, campaign, emailKey);
    if (!contact) return null;
    const reasons = await skipReasons(this.#context, await this.#termsOf(scope, campaign), [contact]);
    return reasons.size === 0 ? contact : null;
  }
}

/** Finds the contact of an address in the campaign's current audience, eligible or not. */
export async function findInAudience(
  { store }: { store: Pick<CampaignStores, 'contacts' | 'lists'> },
  scope: Scope,
  campaign: Pick<Campaign, 'environment_id' | 'sub_tenant_id' | 'list_number' | 'segment_tag'>,
  emailKey: string,
): Promise<Contact | null> {
  const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
  const [contact, list] = await Promise.all([
    store.contacts.contactByAddress(owned, emailKey),
    store.lists.listFor(campaign),
  ]);
  if (!contact || !list) return null;
  const audience = { list, segmentTag: campaign.segment_tag };
  return (await store.lists.isInAudience(audience, contact.number)) ? contact : null;
}
