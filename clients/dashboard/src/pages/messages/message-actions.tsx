// The actions available for a message in its status.
import { Alert, Button, Checkbox, Menu, NumberInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Message, SimulatedOutcome } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { message as messageTexts } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Copyable } from '../../ui/code-block.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { useGo } from '../../ui/links.js';

const OUTCOMES: readonly SimulatedOutcome[] = [
  ...([
    'delivered',
    'bounced',
    'soft_bounced',
    'complained',
    'opened',
    'clicked',
    'replied',
    'unsubscribed',
  ] as const),
];
const WAITING = ['queued', 'sending', 'sent'];

export function MessageActions({ message }: { message: Message }) {
  const t = useTexts(messageTexts).actions;
  const mayAct = useRole('member');
  const go = useGo();
  const [dialog, setDialog] = useState<'resend' | 'cancel' | 'share' | null>(null);
  const close = () => setDialog(null);
  const { id } = message;
  const retry = useAction((api) => api.messages.retry(id), { done: t.retried, changes: ['messages'] });
  const resend = useAction((api) => api.messages.resend(id), {
    done: t.resent,
    changes: ['messages'],
    onDone: (again) => go(`/messages/${again.id}`),
    isQuiet: true,
  });
  const cancel = useAction((api) => api.messages.cancel(id), {
    done: t.canceled,
    changes: ['messages'],
    isQuiet: true,
  });
  if (!mayAct || message.direction === 'inbound') return null;
  const isWaiting = WAITING.includes(message.status);
  return (
    <>
      {message.sandbox ? <Simulate message={message} /> : null}
      {isWaiting && message.scheduled_at === null ? (
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {t.retry}
        </Button>
      ) : null}
      {message.status === 'queued' ? (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {t.cancel}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setDialog('resend')}>
          {t.resend}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="share" size={16} />}
        onClick={() => setDialog('share')}
      >
        {t.share}
      </Button>
      <Confirm
        isOpen={dialog === 'resend'}
        onClose={close}
        title={t.resend}
        action={t.resend}
        isDangerous={false}
        call={(api) => api.messages.resend(id)}
        onConfirm={() => resend.mutateAsync()}
      >
        {t.resendAsk}
      </Confirm>
      <Confirm
        isOpen={dialog === 'cancel'}
        onClose={close}
        title={t.cancel}
        action={t.cancel}
        call={(api) => api.messages.cancel(id)}
        onConfirm={() => cancel.mutateAsync()}
      >
        {t.cancelAsk}
      </Confirm>
      {dialog === 'share' ? <ShareDialog id={id} onClose={close} /> : null}
    </>
  );
}

/** Simulates the outcome of a sandbox message or an action of its recipient. */
export function Simulate({ message, size = 'sm' }: { message: Message; size?: 'xs' | 'sm' }) {
  const t = useTexts(messageTexts);
  const { isSandbox } = usePlace();
  const simulate = useAction((api, event: SimulatedOutcome) => api.messages.simulate(message.id, { event }), {
    done: t.actions.simulated,
    changes: ['messages', 'threads'],
  });
  if (!isSandbox) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button size={size} loading={simulate.isPending} rightSection={<Icon name="down" size={14} />}>
          {t.actions.simulate}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {OUTCOMES.map((outcome) => (
          <Menu.Item key={outcome} onClick={() => simulate.mutate(outcome)}>
            {t.simulate[outcome]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const DEFAULT_DAYS = 7;
const LONGEST_DAYS = 90;

function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(messageTexts).actions;
  const form = useFormState(['expires_in_days']);
  const [days, setDays] = useState<number | string>(DEFAULT_DAYS);
  const [showsContent, content] = useDisclosure(false);
  const [url, setUrl] = useState<string | null>(null);
  const params = { expires_in_days: Number(days), include_content: showsContent };
  const make = useAction((api) => api.shareLinks.createForMessage(id, params), { isQuiet: true });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      result={
        url !== null && (
          <Alert color="green" title={t.shareOnce} role="status">
            <Copyable value={url} label={t.share} />
          </Alert>
        )
      }
      title={t.shareTitle}
      submit={t.shareMake}
      form={form}
      extra={<CallsButton calls={[(api) => api.shareLinks.createForMessage(id, params)]} />}
      act={async () => setUrl((await make.mutateAsync()).url)}
    >
      <Text c="dimmed">{t.shareHint}</Text>
      <NumberInput
        label={t.shareDays}
        min={1}
        max={LONGEST_DAYS}
        value={days}
        onChange={setDays}
        error={form.errors['expires_in_days']}
      />
      <Checkbox
        label={t.shareContent}
        checked={showsContent}
        onChange={(event) => (event.currentTarget.checked ? content.open() : content.close())}
      />
    </FormDialog>
  );
}
