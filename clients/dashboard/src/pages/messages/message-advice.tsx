// Advice about a message: a sentence, and a button or link for each call that it suggests.
import { Button, Group, List, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AdviceCall, ExplanationAdvice } from '@mailkeel/sdk';
import { useState } from 'react';
import { timeOf } from '../../data/local-time.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useNotify, useRead, useRefresh } from '../../data/read.js';
import { useSentence } from '../../data/sentences.js';
import { message as messageTexts, type MessageTexts } from '../../texts/message.js';
import { queue as queueTexts } from '../../texts/queue.js';
import { suppressions as suppressionTexts } from '../../texts/suppressions.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { PageButton, useGo } from '../../ui/links.js';

export function AdviceList({
  id,
  email,
  advice,
}: {
  id: string;
  email: string;
  advice: readonly ExplanationAdvice[];
}) {
  const mayAct = useRole('member');
  return (
    <List size="sm" spacing={8}>
      {advice.map(({ code, text, calls }) => (
        <List.Item key={code}>
          {text}
          {calls.length === 0 ? null : (
            <Group gap="xs" mt={4}>
              {mayAct ? <AdviceAction id={id} email={email} calls={calls} /> : null}
              {linksOf(calls).map(({ to, label }) => (
                <DoorLink key={to} to={to} label={label} />
              ))}
            </Group>
          )}
        </List.Item>
      ))}
    </List>
  );
}

interface AdviceActionProps {
  id: string;
  email: string;
  calls: readonly AdviceCall[];
}

/** The button for a call that this page can make. Other calls are links to their pages. */
function AdviceAction(props: AdviceActionProps) {
  const asked = new Set(props.calls.map(({ operation }) => operation));
  if (asked.has('messages.retry')) return <RetryButton id={props.id} />;
  const resume = props.calls.find(({ operation }) => operation === 'queue.resumeDestination');
  if (resume !== undefined) return <ResumeButton call={resume} />;
  if (asked.has('messages.update')) return <RescheduleButton id={props.id} />;
  const isSending = asked.has('messages.resend') || asked.has('suppressions.delete');
  return isSending ? <SendAgainButton {...props} /> : null;
}

function RetryButton({ id }: { id: string }) {
  const t = useTexts(messageTexts).actions;
  const retry = useAction((api) => api.messages.retry(id), { done: t.retried, changes: ['messages'] });
  return (
    <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t.retry}
    </Button>
  );
}

function RescheduleButton({ id }: { id: string }) {
  const t = useTexts(messageTexts).actions;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [at, setAt] = useState('');
  const form = useFormState(['send_at']);
  const params = () => ({ send_at: timeOf(at) ?? new Date().toISOString() });
  const reschedule = useAction((api) => api.messages.update(id, params()), {
    done: t.rescheduled,
    changes: ['messages'],
    isQuiet: true,
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t.reschedule}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={t.reschedule}
        submit={t.reschedule}
        form={form}
        act={() => reschedule.mutateAsync()}
        extra={<CallsButton calls={[(api) => api.messages.update(id, params())]} />}
      >
        <TextInput
          type="datetime-local"
          label={t.sendAt}
          description={t.sendAtHint}
          value={at}
          error={form.errors['send_at']}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
      </FormDialog>
    </>
  );
}

/** For the owner of the pause, which may be one sub-tenant. */
function ResumeButton({ call: { path, sub_tenant_id: subTenant } }: { call: AdviceCall }) {
  const t = useTexts(queueTexts);
  const domain = partsOf(path)[3] ?? '';
  const resume = useAction(
    (api) => api.queue.resumeDestination(domain, subTenant === null ? {} : { subTenant }),
    { done: t.resumed, changes: ['messages', 'queue'] },
  );
  return (
    <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate()}>
      {t.resume}
    </Button>
  );
}

/** Resends the message, or first removes the suppressions that block it. A message that still waits is then sent automatically. */
function SendAgainButton({ id, email, calls }: AdviceActionProps) {
  const t = useTexts(messageTexts);
  const go = useGo();
  const { api } = usePlace();
  const notify = useNotify();
  const refresh = useRefresh();
  const sentenceOf = useSentence();
  const lifts = calls
    .filter(({ operation }) => operation === 'suppressions.delete')
    .map(({ path }) => partsOf(path)[2] ?? '');
  const isLifting = lifts.length > 0;
  const isResending = calls.some(({ operation }) => operation === 'messages.resend');
  const lift = isResending ? t.remedies.liftAndResend : t.remedies.lift;
  const liftAsk = isResending ? t.remedies.liftAsk(email) : t.remedies.liftPendingAsk(email);
  const label = isLifting ? lift : t.actions.resend;
  const resend = async () => {
    try {
      const again = await api.messages.resend(id);
      notify(t.actions.resent, 'done');
      await go(`/messages/${again.id}`);
    } catch (error) {
      if (!isLifting) throw error;
      // This advice and its dialog disappear once the suppressions are removed.
      notify(t.remedies.liftedOnly(email, sentenceOf(error)), 'problem');
    }
  };
  return (
    <ConfirmButton
      label={label}
      title={label}
      action={label}
      isDangerous={false}
      size="xs"
      call={(to) => (isResending ? to.messages.resend(id) : to.suppressions.delete(lifts[0] ?? ''))}
      onConfirm={async () => {
        try {
          for (const suppression of lifts) await api.suppressions.delete(suppression);
          if (isResending) await resend();
          else notify(t.remedies.lifted, 'done');
        } finally {
          await refresh('messages', 'suppressions');
        }
      }}
    >
      {isLifting ? <LiftWarnings email={email} ids={lifts} /> : null}
      {isLifting ? liftAsk : t.actions.resendAsk}
    </ConfirmButton>
  );
}

/** Reasons for the suppressions that are lifted, and whether each applies to all sub-tenants. */
function LiftWarnings({ email, ids }: { email: string; ids: readonly string[] }) {
  const t = useTexts(suppressionTexts);
  const { data } = useRead(['suppressions', 'of', email], (api, signal) =>
    api.suppressions.list({ q: email }, { signal }),
  );
  const lifted = (data?.data ?? []).filter(({ id }) => ids.includes(id));
  return lifted.map(({ id, reason, sub_tenant_id: subTenant }) => (
    <Text key={id} mb="xs">
      {t.removeWarnings[reason]} {t.checkScope[subTenant === null ? 'workspace' : 'sub_tenant']}
    </Text>
  ));
}

/** The parts of `/v1/…` behind the version, decoded. */
function partsOf(path: string): string[] {
  return path.split('/').slice(1).map(decodeURIComponent);
}

type Door = keyof MessageTexts['remedies']['doors'];

function DoorLink({ to, label }: { to: string; label: Door }) {
  const t = useTexts(messageTexts).remedies.doors;
  return (
    <PageButton to={to} size="xs" variant="subtle">
      {t[label]}
    </PageButton>
  );
}

function linksOf(calls: readonly AdviceCall[]): { to: string; label: Door }[] {
  const links = calls.flatMap((call) => linkOf(call) ?? []);
  return links.filter(({ to }, at) => links.findIndex((one) => one.to === to) === at);
}

function linkOf({ operation, path }: AdviceCall): { to: string; label: Door } | null {
  const [, , id = '', idBelow = ''] = partsOf(path);
  switch (operation) {
    case 'messages.retry':
    case 'messages.resend':
    case 'messages.update':
    case 'messages.cancel':
    case 'messages.listAttempts':
    case 'suppressions.delete':
    case 'queue.resumeDestination':
      return null;
    case 'organization.update':
      return { to: '/settings', label: 'settings' };
    case 'queue.listOverrides':
    case 'queue.deleteOverride':
    case 'sources.list':
    case 'sources.resume':
      return { to: '/queue', label: 'queue' };
    case 'queue.retryDestination':
      return { to: `/queue/${encodeURIComponent(idBelow)}`, label: 'destination' };
    case 'senders.list':
      return { to: '/senders', label: 'senders' };
    case 'senders.getAuthentication':
    case 'senders.verify':
      return { to: `/senders/${id}`, label: 'sender' };
    case 'subTenants.getAuthentication':
    case 'subTenants.verify':
    case 'subTenants.getAudit':
    case 'subTenants.getReputation':
    case 'subTenants.update':
      return { to: `/sub-tenants/${id}`, label: 'subTenant' };
    case 'campaigns.resume':
      return { to: `/campaigns/${id}`, label: 'campaign' };
  }
}
