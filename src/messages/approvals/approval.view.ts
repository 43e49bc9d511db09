// Approvals as the objects of the API.
import { wireOf } from '../../contract/codec.js';
import { isoOrNull } from '../../contract/time.js';
import { shownFields } from '../relayed/submitted-mail.rules.js';
import { presentContent, presentMessage } from '../message.view.js';
import type { Content, ShownContent } from '../rows.store.js';
import type { Message } from '../messages.tables.js';
import type { Mode } from '../../contract/names.js';
import { approval, approvalDetail } from './approval.schema.js';
import type { ShownApproval } from './approvals.store.js';

const NAMED = {
  message_id: 'message_public_id',
  from: 'from_email',
  to: 'to_email',
  api_key: ({ api_key_id: id, key_name: name, owner_id, owner_email: email }: ShownApproval) => ({
    id,
    name,
    owner: owner_id === null ? null : { id: owner_id, email },
  }),
  decided_by: ({ decided_by: id, decided_by_email: email }: ShownApproval) =>
    id === null ? null : { id, email },
} as const;

export const presentApproval = wireOf(approval).from<ShownApproval>(NAMED);

interface DetailContext {
  copies: readonly Message[];
  content: Content;
  /** Octets of a message that was submitted as MIME. */
  raw: Uint8Array | null;
  shown: ShownContent;
  mode: Mode;
  restoredAt: number | null;
  problem: string | null;
}

export const presentApprovalDetail = wireOf(approvalDetail).from<ShownApproval, DetailContext>({
  ...NAMED,
  messages: (_row, { copies }) =>
    copies.map(({ public_id: message_id, to_email: to, recipient_role, status }) => ({
      ...{ message_id, to, recipient_role, status },
    })),
  content: (_row, { copies: [first], content, raw, shown, mode }) => {
    if (first === undefined) throw new Error('An approval has no message.');
    const { html, text, to, cc, headers } = presentContent(content, first);
    const { attachments } = presentMessage(first, shown, mode);
    return {
      html,
      text,
      to,
      cc,
      headers: raw === null ? headers : shownFields(Buffer.from(raw)),
      attachments,
    };
  },
  editable: ({ status }, { content }) => status === 'pending' && content.raw_id === null,
  restored_at: (_row, { restoredAt }) => isoOrNull(restoredAt),
  problem: (_row, { problem }) => problem,
});
