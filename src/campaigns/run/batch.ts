// Plans one batch of a campaign's recipients: skips, copies, and the changes that store them atomically.
import type { CampaignContext } from '../context.js';
import { Refusal } from '../../contract/refusal.js';
import { unsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import { isTrackedByDefault } from '../../accounts/tracking-default.rules.js';
import { newId } from '../../lib/runtime/index.js';
import type { WaitingRecipient } from '../campaigns.store.js';
import type { Scope } from '../../database/scope.js';
import { contactDraft, skippedDraft } from '../../messages/accept/contact-draft.js';
import type { SenderSide } from '../../messages/accept/facts.js';
import type { Draft } from '../../messages/accept/draft.js';
import { planMessages } from '../../messages/accept/plan-message.js';
import type { Senders } from '../../messages/accept/sender.js';
import { skipReasons } from '../prepare/eligibility.js';
import type { RenderCopy, RecipientCopy, UnrenderedMessage } from '../prepare/recipient-copy.js';
import { type Campaign, type CampaignOverride, campaigns } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { countRecipients, recordRecipient, type RecordRecipient } from '../recipient-changes.store.js';

/** Terms shared by all recipients of a campaign. */
export interface BatchTerms {
  scope: Scope;
  campaign: Campaign;
  side: SenderSide;
  senders: Senders;
  renderCopy: RenderCopy;
  /** The unrendered message for recipients without a variant or edit. */
  unrendered: UnrenderedMessage;
}

export interface Batch {
  /** Refused with `quota_exceeded` if others used the remaining quota. */
  plan: Change[];
  /** Recipients whose outcome is in the plan. */
  recorded: number;
  /** Copies that count against the plan. */
  created: number;
  /** Recipients beyond the quota, who continue to wait. */
  unserved: number;
}

/** A template exceeded the time or memory limit, so its copies cannot be rendered now. */
export class SlowTemplate extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

type Decision =
  | { kind: 'skip'; reason: string }
  /** Skipped because the address is suppressed, with a message that records it. */
  | { kind: 'suppress'; reason: string; contact: Contact }
  | { kind: 'write'; contact: Contact };

interface RecordedRecipient {
  changes: Change[];
  state: 'created' | 'skipped' | 'suppressed' | 'failed';
}

/**
 * Creates at most `remaining` copies. Skipped recipients need none. Refuses with `unavailable` if too much is being rendered, and
 * throws SlowTemplate.
 */
export async function planBatch(
  context: CampaignContext,
  terms: BatchTerms,
  waiting: readonly WaitingRecipient[],
  remaining: number,
): Promise<Batch> {
  const { scope, campaign, side } = terms;
  const { decide, overrides } = await readFacts(context, terms, waiting);
  const now = context.clock();
  const acceptance = { scope, actor: 'system', now, idempotency: null, lifetimes: context.config } as const;
  const decisions = waiting.map((one) => ({ one, decision: decide(one) }));
  const served = new Set(decisions.filter(({ decision }) => decision.kind === 'write').slice(0, remaining));
  const taken = decisions.filter((each) => each.decision.kind !== 'write' || served.has(each));
  const recorded = await Promise.all(
    taken.map(async ({ one, decision }): Promise<RecordedRecipient> => {
      const { email_key: key } = one.recipient;
      if (decision.kind === 'skip')
        return { changes: [recordOf(one, { state: 'skipped', reason: decision.reason })], state: 'skipped' };
      if (decision.kind === 'suppress') {
        const { plan } = planMessages(skippedDraftOf(terms, decision, newId('msg', now)), acceptance);
        const skipped = recordOf(one, { state: 'skipped', reason: decision.reason, hasMessage: true });
        return { changes: [...plan, skipped], state: 'suppressed' };
      }
      const publicId = newId('msg', now);
      const copy = await terms.renderCopy({
        contact: decision.contact,
        override: overrides.get(key) ?? null,
        unsubscribeUrl: unsubscribeUrl(context.config.publicUrl, publicId, context.tokenKey),
      });
      if (copy.kind === 'problem') {
        // These sources affect every recipient. The next run may not have the problem, so no recipient fails because of it.
        if (copy.isOverLimit && !copy.edited) throw new SlowTemplate(copy.code, copy.message);
        const reason = `${copy.code}: ${copy.message}`.slice(0, 500);
        const { variant } = copy;
        return { changes: [recordOf(one, { state: 'failed', variant, reason })], state: 'failed' };
      }
      const draft = draftOf(terms, decision.contact, { publicId, copy });
      const { plan } = planMessages(draft, acceptance);
      const { variant } = copy;
      return {
        changes: [...plan, recordOf(one, { state: 'created', variant, hasMessage: true })],
        state: 'created',
      };
    }),
  );
  const countOf = (state: RecordedRecipient['state']): number =>
    recorded.filter((one) => one.state === state).length;
  const created = countOf('created');
  const asked = { type: campaign.type, sends: created };
  const plan: Change[] = [
    // If the campaign is paused meanwhile, the whole batch is refused.
    update(campaigns, {
      set: { updated_at: now },
      where: { id: campaign.id, status: 'sending' },
      otherwise: { code: 'conflict' },
    }),
    ...context.quota.changes(scope, side.organization.plan, asked, now),
    ...recorded.flatMap((one) => one.changes),
    countRecipients({
      campaignId: campaign.id,
      total: 0,
      created,
      skipped: countOf('skipped') + countOf('suppressed'),
      suppressed: countOf('suppressed'),
      failed: countOf('failed'),
    }),
  ];
  return { plan, recorded: taken.length, created, unserved: waiting.length - taken.length };
}

async function readFacts(
  context: CampaignContext,
  { scope, campaign, side }: BatchTerms,
  waiting: readonly WaitingRecipient[],
): Promise<{ decide: (one: WaitingRecipient) => Decision; overrides: Map<string, CampaignOverride> }> {
  const { store } = context;
  const { organization } = side;
  const list = await store.lists.listFor(campaign);
  const contacts = waiting.flatMap(({ contact }) => contact ?? []);
  const numbers = contacts.map(({ number }) => number);
  const audience = list && { list, segmentTag: campaign.segment_tag };
  const [reasons, left, overrideRows] = await Promise.all([
    skipReasons(context, { scope, campaign, organization }, contacts),
    audience === null ? new Map<number, string>() : store.lists.leftAmong(audience, numbers),
    store.campaigns.overrides(
      campaign.id,
      waiting.map(({ recipient }) => recipient.email_key),
    ),
  ]);
  const decide = ({ contact }: WaitingRecipient): Decision => {
    if (contact === null) return { kind: 'skip', reason: 'contact_deleted' };
    const skipped = reasons.get(contact.number);
    if (skipped?.isSuppressed === true) return { kind: 'suppress', reason: skipped.reason, contact };
    const reason = skipped?.reason ?? left.get(contact.number);
    return reason === undefined ? { kind: 'write', contact } : { kind: 'skip', reason };
  };
  return { decide, overrides: new Map(overrideRows.map((row) => [row.email_key, row])) };
}

function recordOf(
  { recipient }: WaitingRecipient,
  became: Pick<RecordRecipient, 'state'> & Partial<RecordRecipient>,
): Change {
  const { campaign_id: campaignId, contact_number: contactNumber } = recipient;
  const nothing = { variant: null, reason: null, hasMessage: false };
  return recordRecipient({ campaignId, contactNumber, ...nothing, ...became });
}

function skippedDraftOf(
  { campaign, senders, unrendered }: BatchTerms,
  { contact, reason }: Extract<Decision, { kind: 'suppress' }>,
  publicId: string,
): Draft {
  const { type } = campaign;
  const source = { campaignId: campaign.id, variant: null };
  const { template, subject } = unrendered;
  return skippedDraft({ publicId, type, contact, template, senders, source }, subject, reason);
}

function draftOf(
  { campaign, side, senders }: BatchTerms,
  contact: Contact,
  { publicId, copy }: { publicId: string; copy: Extract<RecipientCopy, { kind: 'copy' }> },
): Draft {
  const { type, track_opens: opens, track_clicks: clicks } = campaign;
  const tracked = isTrackedByDefault(side.organization, type);
  return contactDraft({
    publicId,
    type,
    contact,
    copy,
    template: { id: copy.template.id, version: copy.template.version },
    senders,
    tracked: {
      opens: opens === null ? tracked.opens : opens === 1,
      clicks: clicks === null ? tracked.clicks : clicks === 1,
    },
    source: { campaignId: campaign.id, variant: copy.variant },
  });
}

/** Returns whether the batch must be planned again because its recipients or its campaign have changed. */
export function isStale(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'conflict';
}
