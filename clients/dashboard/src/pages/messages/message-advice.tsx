// Advice about a message: a sentence, and a button or link for each call that it suggests.
import { Button, Group, List } from '@mantine/core';
import type { AdviceCall, ExplanationAdvice } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRefresh } from '../../data/read.js';
import { message as messageTexts, type MessageTexts } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
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
          <Group gap="xs" mt={calls.length === 0 ? 0 : 4}>
            {mayAct ? <Deed id={id} email={email} calls={calls} /> : null}
            {linksOf(calls).map(({ to, label }) => (
              <DoorLink key={to} to={to} label={label} />
            ))}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

/** The call that is made here; the others lead to the page where they are made. */
function Deed({ id, email, calls }: { id: string; email: string; calls: readonly AdviceCall[] }) {
  const t = useTexts(messageTexts);
  const go = useGo();
  const { api } = usePlace();
  const refresh = useRefresh();
  const retry = useAction((to) => to.messages.retry(id), { done: t.actions.retried, changes: ['messages'] });
  const asked = new Set(calls.map(({ operation }) => operation));
  if (asked.has('messages.retry')) {
    return (
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        {t.actions.retry}
      </Button>
    );
  }
  if (!asked.has('messages.resend')) return null;
  const isLifting = asked.has('suppressions.delete');
  const label = isLifting ? t.remedies.liftAndResend : t.actions.resend;
  return (
    <ConfirmButton
      label={label}
      title={label}
      action={label}
      isDangerous={false}
      size="xs"
      call={(to) => to.messages.resend(id)}
      onConfirm={async () => {
        if (isLifting) await api.suppressions.delete(email);
        const again = await api.messages.resend(id);
        await refresh('messages', 'suppressions');
        await go(`/messages/${again.id}`);
      }}
    >
      {isLifting ? t.remedies.liftAsk(email) : t.actions.resendAsk}
    </ConfirmButton>
  );
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
  const [, , , id = '', idBelow = ''] = path.split('/');
  switch (operation) {
    case 'messages.retry':
    case 'messages.resend':
    case 'messages.update':
    case 'messages.cancel':
    case 'messages.listAttempts':
    case 'suppressions.delete':
      return null;
    case 'organization.update':
      return { to: '/settings', label: 'settings' };
    case 'queue.listOverrides':
    case 'queue.deleteOverride':
    case 'sources.list':
    case 'sources.resume':
      return { to: '/queue', label: 'queue' };
    case 'queue.resumeDestination':
    case 'queue.retryDestination':
      return { to: `/queue/${idBelow}`, label: 'destination' };
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
