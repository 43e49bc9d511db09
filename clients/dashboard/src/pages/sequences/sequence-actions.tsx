// Pauses, resumes, edits and deletes a sequence, and puts somebody into it.
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Sequence } from '@posthorn/sdk';
import { useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, useGo } from '../../ui/links.js';

const CHANGES = ['sequences', 'analytics'];

export function SequenceActions({ sequence }: { sequence: Sequence }) {
  const texts = useTexts(sequences);
  const t = texts.actions;
  const frame = useTexts(common);
  const mayAct = useRole('member');
  const go = useGo();
  const [dialog, setDialog] = useState<'delete' | 'enroll' | null>(null);
  const close = () => setDialog(null);
  const { id, status } = sequence;
  const pause = useAction((api) => api.sequences.pause(id), { done: t.paused, changes: CHANGES });
  const resume = useAction((api) => api.sequences.resume(id), { done: t.resumed, changes: CHANGES });
  const remove = useAction((api) => api.sequences.delete(id), {
    done: t.deleted,
    changes: CHANGES,
    onDone: () => go('/sequences'),
    isQuiet: true,
  });
  if (!mayAct) return null;
  return (
    <>
      {status === 'active' ? (
        <Button
          variant="default"
          loading={pause.isPending}
          leftSection={<Icon name="pause" size={16} />}
          onClick={() => pause.mutate()}
        >
          {t.pause}
        </Button>
      ) : (
        <Button
          loading={resume.isPending}
          leftSection={<Icon name="play" size={16} />}
          onClick={() => resume.mutate()}
        >
          {t.resume}
        </Button>
      )}
      <PageButton to={`/sequences/${id}/edit`} variant="default" leftSection={<Icon name="edit" size={16} />}>
        {texts.edit}
      </PageButton>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label={frame.more}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="plus" />} onClick={() => setDialog('enroll')}>
            {t.enroll}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="trash" />} onClick={() => setDialog('delete')}>
            {t.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={t.delete}
        action={t.delete}
        call={(api) => api.sequences.delete(id)}
        onConfirm={() => remove.mutateAsync()}
      >
        {t.deleteAsk}
      </Confirm>
      {dialog === 'enroll' ? <Enroll id={id} onClose={close} /> : null}
    </>
  );
}

function Enroll({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(sequences).actions;
  const frame = useTexts(common);
  const form = useFormState(['email']);
  const [email, setEmail] = useState('');
  const enroll = useAction((api) => api.sequences.enroll(id, { email: email.trim() }), {
    done: t.enrolled,
    changes: CHANGES,
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.enroll}
      submit={t.enroll}
      form={form}
      extra={<CallsButton calls={[(api) => api.sequences.enroll(id, { email: email.trim() })]} />}
      act={() => enroll.mutateAsync()}
    >
      <TextInput
        label={frame.email}
        description={t.enrollHint}
        type="email"
        required
        data-autofocus
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
