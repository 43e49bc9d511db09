// The actions available for a campaign in its status.
import { Button, Checkbox, Menu, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Campaign } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { useGo } from '../../ui/links.js';

const CHANGES = ['campaigns', 'analytics', 'messages', 'queue'];

export function CampaignActions({
  campaign,
  onSend,
  tab,
}: {
  campaign: Campaign;
  onSend: () => void;
  tab: string;
}) {
  const t = useTexts(campaigns).actions;
  const mayAct = useRole('member');
  const go = useGo();
  const [dialog, setDialog] = useState<'cancel' | 'delete' | 'duplicate' | 'test' | null>(null);
  const close = () => setDialog(null);
  const { id, status } = campaign;
  const pause = useAction((api) => api.campaigns.pause(id), { done: t.paused, changes: CHANGES });
  const resume = useAction((api) => api.campaigns.resume(id), { done: t.resumed, changes: CHANGES });
  const cancel = useAction((api) => api.campaigns.cancel(id), {
    done: t.canceled,
    changes: CHANGES,
    isQuiet: true,
  });
  const remove = useAction((api) => api.campaigns.delete(id), {
    done: t.deleted,
    changes: ['campaigns'],
    onDone: () => go('/campaigns'),
    isQuiet: true,
  });
  if (!mayAct) return null;
  const mayCancel = status === 'draft' || status === 'scheduled' || status === 'paused';
  const mayDelete = status !== 'sending' && status !== 'paused';
  return (
    <>
      {(status === 'draft' || status === 'scheduled') && tab !== 'send' ? (
        <Button onClick={onSend} leftSection={<Icon name="send" size={16} />}>
          {t.send}
        </Button>
      ) : null}
      {status === 'sending' ? (
        <Button
          variant="default"
          loading={pause.isPending}
          onClick={() => pause.mutate()}
          leftSection={<Icon name="pause" size={16} />}
        >
          {t.pause}
        </Button>
      ) : null}
      {status === 'paused' ? (
        <Button
          loading={resume.isPending}
          onClick={() => resume.mutate()}
          leftSection={<Icon name="play" size={16} />}
        >
          {t.resume}
        </Button>
      ) : null}
      <MoreMenu
        danger={
          mayCancel || mayDelete ? (
            <>
              {mayCancel ? (
                <Menu.Item leftSection={<Icon name="stop" />} onClick={() => setDialog('cancel')}>
                  {t.cancel}
                </Menu.Item>
              ) : null}
              {mayDelete ? (
                <Menu.Item leftSection={<Icon name="trash" />} onClick={() => setDialog('delete')}>
                  {t.delete}
                </Menu.Item>
              ) : null}
            </>
          ) : null
        }
      >
        <Menu.Item leftSection={<Icon name="mail" />} onClick={() => setDialog('test')}>
          {t.test}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => setDialog('duplicate')}>
          {t.duplicate}
        </Menu.Item>
      </MoreMenu>
      <Confirm
        isOpen={dialog === 'cancel'}
        onClose={close}
        title={`${t.cancel}: ${campaign.name}`}
        action={t.cancel}
        call={(api) => api.campaigns.cancel(id)}
        onConfirm={() => cancel.mutateAsync()}
      >
        {t.cancelAsk}
      </Confirm>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.delete}: ${campaign.name}`}
        action={t.delete}
        call={(api) => api.campaigns.delete(id)}
        onConfirm={() => remove.mutateAsync()}
      >
        {t.deleteAsk}
      </Confirm>
      {dialog === 'duplicate' ? <Duplicate campaign={campaign} onClose={close} /> : null}
      {dialog === 'test' ? <SendTest campaign={campaign} onClose={close} /> : null}
    </>
  );
}

function Duplicate({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(campaigns);
  const go = useGo();
  const form = useFormState(['name']);
  const [name, setName] = useState('');
  const [hasOverrides, setOverrides] = useState(false);
  const params = { ...(name.trim() === '' ? {} : { name: name.trim() }), include_overrides: hasOverrides };
  const make = useAction((api) => api.campaigns.duplicate(campaign.id, params), {
    done: t.actions.duplicated,
    changes: ['campaigns'],
    onDone: ({ id }) => go(`/campaigns/${id}`),
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.actions.duplicate}
      submit={t.actions.duplicate}
      form={form}
      extra={<CallsButton calls={[(api) => api.campaigns.duplicate(campaign.id, params)]} />}
      act={() => make.mutateAsync()}
    >
      <Text c="dimmed">{t.actions.duplicateHint}</Text>
      <TextInput
        label={t.name}
        placeholder={campaign.name}
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        label={t.actions.withOverrides}
        checked={hasOverrides}
        onChange={(event) => setOverrides(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

function SendTest({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(campaigns).actions;
  const { session } = usePlace();
  const form = useFormState(['to', 'email']);
  const [to, setTo] = useState(session.user.email);
  const [email, setEmail] = useState('');
  const params = {
    to: to
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    ...(email.trim() === '' ? {} : { email: email.trim() }),
  };
  const send = useAction((api) => api.campaigns.test(campaign.id, params), {
    done: (answer) => t.tested(answer.email),
    changes: ['messages'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.test}
      submit={t.test}
      form={form}
      extra={<CallsButton calls={[(api) => api.campaigns.test(campaign.id, params)]} />}
      act={() => send.mutateAsync()}
    >
      <TextInput
        label={t.testTo}
        description={t.testToHint}
        required
        value={to}
        error={form.errors['to']}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <TextInput
        label={t.testOf}
        description={t.testOfHint}
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
