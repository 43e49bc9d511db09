// Dialogs that invite a person, change a role, and remove somebody.
import { Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InvitationCreated, Member, Role } from '@posthorn/sdk';
import { useSessionRefresh } from '../../app/session.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { people } from '../../texts/people.js';
import { useTexts } from '../../texts/texts.js';
import { common } from '../../texts/common.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { ShownOnce } from '../../ui/secret.js';
import { useStatusText } from '../../ui/status.js';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

function RoleField({
  role,
  set,
  error,
}: {
  role: Role;
  set: (role: Role) => void;
  error: string | undefined;
}) {
  const t = useTexts(people);
  const word = useStatusText();
  const isOwner = useRole('owner');
  return (
    <Select
      label={t.role}
      description={t.roles[role]}
      // Only an owner makes owners.
      data={ROLES.filter((one) => isOwner || one !== 'owner').map((value) => ({ value, label: word(value) }))}
      value={role}
      error={error}
      onChange={(value) => set(value ?? 'member')}
    />
  );
}

export function Invite({ onClose, email: given = '' }: { onClose: () => void; email?: string }) {
  const t = useTexts(people);
  const form = useFormState(['email', 'role']);
  const [email, setEmail] = useState(given);
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
      submit={t.send}
      form={form}
      extra={<CallsButton calls={[(api) => api.invitations.create(params)]} />}
      act={async () => setMade(await invite.mutateAsync())}
      result={made !== null && <Invited made={made} />}
    >
      <Text c="dimmed">{t.inviteHint}</Text>
      <TextInput
        label={t.email}
        type="email"
        required
        data-autofocus
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleField role={role} set={setRole} error={form.errors['role']} />
    </FormDialog>
  );
}

function Invited({ made }: { made: InvitationCreated }) {
  const t = useTexts(people);
  return (
    <Stack>
      {made.mailed ? <Text role="status">{t.mailed(made.email)}</Text> : null}
      <ShownOnce title={t.link} hint={made.mailed ? t.linkMailed : t.linkNotMailed} value={made.link} />
    </Stack>
  );
}

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts(people);
  const frame = useTexts(common);
  const form = useFormState(['role']);
  const [role, setRole] = useState<Role>(member.role);
  const refresh = useSessionRefresh();
  const change = useAction((api) => api.members.update(member.id, { role }), {
    done: t.roleChanged,
    changes: ['members'],
    onDone: refresh,
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.changeRoleOf(member.name ?? member.email)}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.members.update(member.id, { role })]} />}
      act={() => change.mutateAsync()}
    >
      <RoleField role={role} set={setRole} error={form.errors['role']} />
    </FormDialog>
  );
}

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts(people);
  const { session } = usePlace();
  const refresh = useSessionRefresh();
  const isSelf = member.id === session.user.id;
  const remove = useAction((api) => api.members.remove(member.id), {
    done: t.removed,
    changes: ['members'],
    onDone: isSelf ? refresh : () => undefined,
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={isSelf ? t.leaveTitle : t.removeOf(member.name ?? member.email)}
      action={isSelf ? t.leave : t.remove}
      call={(api) => api.members.remove(member.id)}
      onConfirm={() => remove.mutateAsync()}
    >
      {isSelf ? t.leaveHint : t.removeHint}
    </Confirm>
  );
}
