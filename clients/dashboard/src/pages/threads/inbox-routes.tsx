// The routes of an inbox in a side dialog: the addresses that its mail is forwarded to, with their state, and its webhooks.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Inbox, InboxForward } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRead, useRefresh } from '../../data/read.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { SideDialog } from '../../ui/dialog.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

export function RoutesButton({ inbox, onLeave }: { inbox: Inbox; onLeave: () => void }) {
  const t = useTexts(threads).routes;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="sm" onClick={open}>
        {t.title}
      </Button>
      <SideDialog isOpen={isOpen} onClose={close} title={t.titleOf(inbox.name ?? inbox.address)}>
        <Routes inbox={inbox} onLeave={onLeave} />
      </SideDialog>
    </>
  );
}

function Routes({ inbox: { id, address }, onLeave }: { inbox: Inbox; onLeave: () => void }) {
  const t = useTexts(threads).routes;
  const mayAct = useRole('member');
  const found = useRead(['inboxes', id, 'forwards'], (api, signal) =>
    api.inboxes.listForwards(id, { signal }),
  );
  return (
    <Stack>
      <Text fw={600}>{t.forwarding}</Text>
      <Text c="dimmed" size="sm">
        {t.about(address)}
      </Text>
      <Shown of={found}>
        {({ data: rows }) => (
          <>
            {rows.length === 0 ? <Text size="sm">{t.none}</Text> : null}
            {rows.map((forward) => (
              <OneForward key={forward.id} forward={forward} mayAct={mayAct} />
            ))}
          </>
        )}
      </Shown>
      {mayAct ? <NewForward id={id} /> : null}
      <Text fw={600}>{t.webhooks}</Text>
      <Text c="dimmed" size="sm">
        {t.webhooksAbout}
      </Text>
      <PageLink to="/webhooks" onClick={onLeave}>
        {t.toWebhooks}
      </PageLink>
    </Stack>
  );
}

function OneForward({
  forward: { id, inbox_id: inboxId, address, state, reason },
  mayAct,
}: {
  forward: InboxForward;
  mayAct: boolean;
}) {
  const t = useTexts(threads).routes;
  const { api } = usePlace();
  const refresh = useRefresh();
  const confirm = useAction((to) => to.inboxes.confirmForward(inboxId, id), {
    done: t.mailed,
    changes: ['inboxes'],
  });
  return (
    <section className="mk-card">
      <Group justify="space-between">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
        <Status of={state} />
      </Group>
      {reason === null ? null : (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
      {mayAct ? (
        <Group mt="xs">
          {state === 'pending' ? (
            <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
              {t.resend}
            </Button>
          ) : null}
          <ConfirmButton
            label={t.remove}
            title={t.removeTitle(address)}
            action={t.remove}
            call={(to) => to.inboxes.deleteForward(inboxId, id)}
            onConfirm={async () => {
              await api.inboxes.deleteForward(inboxId, id);
              await refresh('inboxes');
            }}
          >
            {t.removeAbout}
          </ConfirmButton>
        </Group>
      ) : null}
    </section>
  );
}

function NewForward({ id }: { id: string }) {
  const t = useTexts(threads).routes;
  const form = useFormState(['address']);
  const [address, setAddress] = useState('');
  const create = useAction((api) => api.inboxes.createForward(id, { address }), {
    done: t.mailed,
    changes: ['inboxes'],
    onDone: () => setAddress(''),
    isQuiet: true,
  });
  return (
    <form onSubmit={form.onSubmit(() => create.mutateAsync())} className="mk-card">
      <Stack>
        <FormProblem form={form} />
        <TextInput
          label={t.address}
          description={t.addressHint}
          type="email"
          required
          value={address}
          error={form.errors['address']}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={form.isBusy}>
            {t.add}
          </Button>
          <CallsButton calls={[(api) => api.inboxes.createForward(id, { address })]} />
        </Group>
      </Stack>
    </form>
  );
}
