// Sends a campaign's copy to people who review it. It is transactional mail, because they need not be contacts, and their opens
// and clicks are not counted.
import type { CampaignContext } from '../context.js';
import { Refusal, REFUSALS, type RefusalCode } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/index.js';
import type { Scope } from '../../database/scope.js';
import type { SubmissionContext } from '../../messages/accept/accept.js';
import type { MessageRow } from '../../messages/accept/plan-message.js';
import { givenSenders } from '../../messages/accept/sender.js';
import { findInAudience, type PreviewedRecipient, type Previews } from './preview.js';
import type { Campaign } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';

/** Tag by which such messages are found. It is not a contact's tag. */
const TAG = 'campaign_test';

interface TestSend {
  /** The recipient of the copy. */
  email: string;
  messages: MessageRow[];
}

interface TestRequest {
  to: readonly string[];
  asEmailKey: string | null;
  by: Pick<SubmissionContext, 'actor' | 'keyId' | 'policy'>;
}

/**
 * `to` are validated addresses. `asEmailKey` selects the recipient whose copy is sent. If it is null, the newest recipient's copy
 * is sent, or that of an unknown contact if the audience is empty. Refuses with `recipient_not_in_audience`, with the reason why
 * the copy cannot be rendered, and like any message.
 */
export type SendTest = (scope: Scope, campaign: Campaign, request: TestRequest) => Promise<TestSend>;

export function createTestSend(
  { store, submission }: CampaignContext,
  previews: Pick<Previews, 'forContact'>,
): SendTest {
  async function recipientOf(
    scope: Scope,
    campaign: Campaign,
    { to, asEmailKey }: TestRequest,
  ): Promise<PreviewedRecipient> {
    if (asEmailKey !== null) {
      const contact = await findInAudience({ store }, scope, campaign, asEmailKey);
      if (!contact) throw new Refusal('recipient_not_in_audience', undefined, { param: 'email' });
      return previews.forContact(scope, campaign, contact);
    }
    const list = await store.lists.listFor(campaign);
    const [newest] = list
      ? await store.lists.audiencePage({
          list,
          segmentTag: campaign.segment_tag,
          beforeNumber: null,
          limit: 1,
        })
      : [];
    return previews.forContact(scope, campaign, newest ?? unknownContact(scope, campaign, to[0] ?? ''));
  }

  return async (scope, campaign, request) => {
    const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
    const { email, copy, problem } = await recipientOf(scope, campaign, request);
    if (copy === null) throw refusalOf(problem);
    const { from, replyTo } = givenSenders(campaign);
    const messages: MessageRow[] = [];
    for (const to of request.to) {
      const accepted = await submission.accept(
        owned,
        {
          to,
          subject: copy.subject,
          ...(copy.html === null ? {} : { html: copy.html }),
          ...(copy.text === null ? {} : { text: copy.text }),
          ...(from === null ? {} : { from }),
          ...(replyTo.length === 0 ? {} : { reply_to: replyTo }),
          type: 'transactional',
          tags: [TAG],
          metadata: { campaign_id: campaign.id },
          track_opens: false,
          track_clicks: false,
        },
        { ...request.by, idempotencyHeader: null },
      );
      messages.push(accepted.message);
    }
    return { email, messages };
  };
}

/** Returns a contact with only an address. */
function unknownContact(scope: Scope, campaign: Campaign, email: string): Contact {
  return {
    number: 0,
    id: '',
    environment_id: scope.environmentId,
    sub_tenant_id: campaign.sub_tenant_id,
    email,
    email_key: addressKey(email),
    name: null,
    phone: null,
    tags: '[]',
    metadata: '{}',
    status: 'active',
    created_at: 0,
    updated_at: 0,
  };
}

function refusalOf(problem: PreviewedRecipient['problem']): Refusal {
  const code = problem?.code ?? '';
  const known: RefusalCode = Object.hasOwn(REFUSALS, code) ? (code as RefusalCode) : 'template_invalid';
  return new Refusal(known, problem?.message);
}
