// The send policy in the dialogs of an API key.
import { Checkbox, NumberInput, Select } from '@mantine/core';
import type { ApiKey, ApprovalMode } from '@mailkeel/sdk';
import { apiKeys } from '../../texts/api-keys.js';
import { useTexts } from '../../texts/texts.js';
import { TagsField } from '../../ui/tags.js';

type SendPolicy = NonNullable<ApiKey['policy']>;
type Count = number | string;

const APPROVALS: readonly ApprovalMode[] = ['never', 'outside_allowlist', 'always'];
const CONTACTS = 'contacts';
const PARTICIPANTS = 'thread_participants';
const GROUPS: readonly string[] = [CONTACTS, PARTICIPANTS];

/** The form's state of a policy. An empty list or number restricts nothing. */
export interface PolicyDraft {
  isOn: boolean;
  senders: string[];
  /** Addresses, domains and lists. */
  recipients: string[];
  toContacts: boolean;
  toParticipants: boolean;
  perHour: Count;
  perDay: Count;
  maxRecipients: Count;
  allowBcc: boolean;
  approval: ApprovalMode;
  templatesOnly: boolean;
  noAttachments: boolean;
  limitsLinks: boolean;
  linkDomains: string[];
}

/** Names of the fields, for the problems of the form. */
export const POLICY_FIELDS = [
  'policy',
  'policy.allowed_senders',
  'policy.allowed_recipients',
  'policy.max_per_hour',
  'policy.max_per_day',
  'policy.max_recipients',
  'policy.content.allowed_link_domains',
] as const;

export function draftOfPolicy(policy: SendPolicy | null): PolicyDraft {
  const recipients = policy?.allowed_recipients ?? [];
  return {
    isOn: policy !== null,
    senders: policy?.allowed_senders ?? [],
    recipients: recipients.filter((entry) => !GROUPS.includes(entry)),
    toContacts: recipients.includes(CONTACTS),
    toParticipants: recipients.includes(PARTICIPANTS),
    perHour: policy?.max_per_hour ?? '',
    perDay: policy?.max_per_day ?? '',
    maxRecipients: policy?.max_recipients ?? '',
    allowBcc: policy?.allow_bcc ?? true,
    approval: policy?.approval ?? 'never',
    templatesOnly: policy?.content.templates_only ?? false,
    noAttachments: policy?.content.no_attachments ?? false,
    limitsLinks: (policy?.content.allowed_link_domains ?? null) !== null,
    linkDomains: policy?.content.allowed_link_domains ?? [],
  };
}

export function policyOfDraft(draft: PolicyDraft): SendPolicy | null {
  if (!draft.isOn) return null;
  return {
    allowed_senders: listOf(draft.senders),
    allowed_recipients: listOf([
      ...draft.recipients,
      ...(draft.toContacts ? [CONTACTS] : []),
      ...(draft.toParticipants ? [PARTICIPANTS] : []),
    ]),
    max_per_hour: countOf(draft.perHour),
    max_per_day: countOf(draft.perDay),
    max_recipients: countOf(draft.maxRecipients),
    allow_bcc: draft.allowBcc,
    approval: draft.approval,
    content: {
      templates_only: draft.templatesOnly,
      no_attachments: draft.noAttachments,
      allowed_link_domains: draft.limitsLinks ? draft.linkDomains : null,
    },
  };
}

const listOf = (entries: string[]): string[] | null => (entries.length === 0 ? null : entries);
const countOf = (count: Count): number | null => (count === '' ? null : Number(count));

interface PolicyFieldsProps {
  draft: PolicyDraft;
  set: (changes: Partial<PolicyDraft>) => void;
  errors: Record<string, string | undefined>;
}

export function PolicyFields({ draft, set, errors }: PolicyFieldsProps) {
  const { policy: t } = useTexts(apiKeys);
  return (
    <>
      <Checkbox
        label={t.title}
        description={t.hint}
        checked={draft.isOn}
        error={errors['policy']}
        onChange={(event) => set({ isOn: event.currentTarget.checked })}
      />
      {draft.isOn ? <Restrictions draft={draft} set={set} errors={errors} /> : null}
    </>
  );
}

function Restrictions({ draft, set, errors }: PolicyFieldsProps) {
  const { policy: t } = useTexts(apiKeys);
  return (
    <>
      <TagsField
        label={t.senders}
        hint={t.sendersHint}
        tags={draft.senders}
        error={errors['policy.allowed_senders']}
        onChange={(senders) => set({ senders })}
      />
      <TagsField
        label={t.recipients}
        hint={t.recipientsHint}
        tags={draft.recipients}
        error={errors['policy.allowed_recipients']}
        onChange={(recipients) => set({ recipients })}
      />
      <Checkbox
        label={t.toContacts}
        checked={draft.toContacts}
        onChange={(event) => set({ toContacts: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.toParticipants}
        checked={draft.toParticipants}
        onChange={(event) => set({ toParticipants: event.currentTarget.checked })}
      />
      <CountField
        label={t.perHour}
        value={draft.perHour}
        error={errors['policy.max_per_hour']}
        onChange={(perHour) => set({ perHour })}
      />
      <CountField
        label={t.perDay}
        value={draft.perDay}
        error={errors['policy.max_per_day']}
        onChange={(perDay) => set({ perDay })}
      />
      <CountField
        label={t.maxRecipients}
        value={draft.maxRecipients}
        error={errors['policy.max_recipients']}
        onChange={(maxRecipients) => set({ maxRecipients })}
      />
      <Checkbox
        label={t.allowBcc}
        checked={draft.allowBcc}
        onChange={(event) => set({ allowBcc: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.templatesOnly}
        checked={draft.templatesOnly}
        onChange={(event) => set({ templatesOnly: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.noAttachments}
        checked={draft.noAttachments}
        onChange={(event) => set({ noAttachments: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.limitsLinks}
        checked={draft.limitsLinks}
        onChange={(event) => set({ limitsLinks: event.currentTarget.checked })}
      />
      {draft.limitsLinks ? (
        <TagsField
          label={t.linkDomains}
          hint={t.linkDomainsHint}
          tags={draft.linkDomains}
          error={errors['policy.content.allowed_link_domains']}
          onChange={(linkDomains) => set({ linkDomains })}
        />
      ) : null}
      <Select
        label={t.approval}
        description={t.approvalHint}
        data={APPROVALS.map((value) => ({ value, label: t.approvals[value] }))}
        value={draft.approval}
        onChange={(approval) => set({ approval: approval ?? 'never' })}
      />
    </>
  );
}

function CountField({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: Count;
  error: string | undefined;
  onChange: (value: Count) => void;
}) {
  const { policy: t } = useTexts(apiKeys);
  return (
    <NumberInput
      label={label}
      placeholder={t.unlimited}
      min={1}
      allowDecimal={false}
      hideControls
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
