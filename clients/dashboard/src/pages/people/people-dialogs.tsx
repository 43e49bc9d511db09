// Dialogs that invite and remove members.
import { List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InvitationCreated, Member, Role } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { ShownOnce } from '../../ui/secret.js';
import { useStatusText } from '../../ui/status.js';

const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

export function Invite({ onClose }: { onClose: () => void }) {
  const t = useTexts(organization).people;
  const isOwner = useRole('owner');
  const form = useFormState(['email', 'role']);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [made, setMade] = useState<InvitationCreated | null>(null);
  const params = { email: email.trim(), role };
  const invite = useAction((api) => api.invitations.create(params), {
    changes: ['invitations'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.invite}
      submit={t.sendInvitation}
      form={form}
      extra={<CallsButton calls={[(api) => api.invitations.create(params)]} />}
      act={async () => setMade(await invite.mutateAsync())}
      result={
        made !== null && (
          <Stack>
            <ShownOnce
              title={t.linkTitle}
              hint={made.mailed ? t.linkMailed : t.linkNotMailed}
              value={made.link}
            />
          </Stack>
        )
      }
    >
      <TextInput
        label={t.email}
        type="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label={t.role}
        data={ROLES.filter((one) => isOwner || one !== 'owner').map((value) => ({
          value,
          label: t.roles[value],
        }))}
        value={role}
        error={form.errors['role']}
        onChange={(value) => setRole(value ?? 'member')}
      />
    </FormDialog>
  );
}

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts(organization).people;
  const remove = useAction((api) => api.members.remove(member.id), {
    done: t.removed,
    changes: ['members', 'api-keys', 'invitations'],
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.removeTitle(member.name ?? member.email)}
      action={t.remove}
      onConfirm={() => remove.mutateAsync()}
      call={(api) => api.members.remove(member.id)}
    >
      <Text>{t.removeHint}</Text>
      <KeysOf member={member} />
    </Confirm>
  );
}

/** Lists the API keys that the removal revokes. */
function KeysOf({ member }: { member: Member }) {
  const t = useTexts(organization).people;
  const frame = useTexts(common);
  const word = useStatusText();
  const keys = useRead(['member-keys', member.id], (api, signal) =>
    api.members.listApiKeys(member.id, { limit: 100 }, { signal }),
  );
  if (keys.data === undefined) return <Text c="dimmed">{keys.isError ? t.keysUnknown : t.keysLoading}</Text>;
  const { data, has_more: hasMore } = keys.data;
  if (data.length === 0) return <Text>{t.keysNone}</Text>;
  return (
    <Stack gap="xs" mt="sm">
      <Text>{t.keysRevoked}</Text>
      <List size="sm">
        {data.map(({ id, name, key_prefix: prefix, mode, permission }) => (
          <List.Item key={id}>
            {name} ({mode === 'live' ? frame.live : frame.sandbox}, {word(permission)}){' '}
            <span className="mk-mono">{prefix}…</span>
          </List.Item>
        ))}
        {hasMore ? <List.Item>{t.keysMore}</List.Item> : null}
      </List>
    </Stack>
  );
}
