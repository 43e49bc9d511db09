// The inboxes of the environment in a side dialog: listed, created and deleted.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Inbox } from '@mailkeel/sdk';
import { useState } from 'react';
import { useAction, useList, useRead, useRefresh } from '../../data/read.js';
import { usePlace, useRole } from '../../data/place.js';
import { common } from '../../texts/common.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { PageButtons } from '../../ui/data-table.js';
import { SideDialog } from '../../ui/dialog.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { SearchSelect } from '../../ui/search-select.js';
import { Shown } from '../../ui/states.js';
import { RoutesButton } from './inbox-routes.js';

export function InboxesButton() {
  const t = useTexts(threads).inboxes;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.title}
      </Button>
      <SideDialog isOpen={isOpen} onClose={close} title={t.title}>
        <Inboxes onLeave={close} />
      </SideDialog>
    </>
  );
}

function Inboxes({ onLeave }: { onLeave: () => void }) {
  const t = useTexts(threads).inboxes;
  const { list: texts } = useTexts(common);
  const mayAct = useRole('member');
  const [cursor, setCursor] = useState<string>();
  const list = useList<Inbox>(
    ['inboxes'],
    (api, from, signal) => api.inboxes.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {t.about}
      </Text>
      {mayAct ? <NewInbox /> : null}
      <Shown of={list}>
        {({ rows, nextCursor }) =>
          rows.length === 0 ? (
            <Text size="sm">{t.none}</Text>
          ) : (
            <>
              {rows.map((inbox) => (
                <OneInbox key={inbox.id} inbox={inbox} mayAct={mayAct} onLeave={onLeave} />
              ))}
              <PageButtons
                isFirst={cursor === undefined}
                next={nextCursor}
                label={texts.next}
                go={setCursor}
              />
            </>
          )
        }
      </Shown>
    </Stack>
  );
}

function OneInbox({ inbox, mayAct, onLeave }: { inbox: Inbox; mayAct: boolean; onLeave: () => void }) {
  const t = useTexts(threads).inboxes;
  const { id, address, name } = inbox;
  const { api } = usePlace();
  const refresh = useRefresh();
  return (
    <section className="mk-card">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name ?? address}
      </Text>
      {name === null ? null : (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
      )}
      <PolicyKey inbox={inbox} />
      <Group mt="xs" justify="space-between">
        <PageLink to="/threads" search={{ inbox_id: id }} onClick={onLeave}>
          {t.threads}
        </PageLink>
        <RoutesButton inbox={inbox} onLeave={onLeave} />
        {mayAct ? (
          <ConfirmButton
            label={t.remove}
            title={t.removeTitle(address)}
            action={t.remove}
            call={(to) => to.inboxes.delete(id)}
            onConfirm={async () => {
              await api.inboxes.delete(id);
              await refresh('inboxes');
            }}
          >
            {t.removeAbout}
          </ConfirmButton>
        ) : null}
      </Group>
    </section>
  );
}

/** Only admins see API keys, so only they choose one. */
function PolicyKey({ inbox: { id, policy_key: key } }: { inbox: Inbox }) {
  const t = useTexts(threads).inboxes;
  const { clear } = useTexts(common).list;
  const { environment } = usePlace();
  const isAdmin = useRole('admin');
  const keys = useRead(
    ['api-keys', 'of-inboxes'],
    async (api, signal) => (await api.apiKeys.list({ limit: 100 }, { signal })).data,
    { isOff: !isAdmin },
  );
  const change = useAction((api, to: string | null) => api.inboxes.update(id, { policy_key: to }), {
    done: t.policyKeySaved,
    changes: ['inboxes'],
  });
  if (!isAdmin) {
    return key === null ? null : (
      <Text size="sm">
        {t.policyKey}: {key}
      </Text>
    );
  }
  const usable = (keys.data ?? [])
    .filter(({ mode, permission }) => mode === environment && permission === 'send')
    .map(({ id: value, name }) => ({ value, label: name }));
  const isKnown = key === null || usable.some(({ value }) => value === key);
  return (
    <SearchSelect
      mt="xs"
      label={t.policyKey}
      description={t.policyKeyHint}
      placeholder={t.noPolicyKey}
      data={isKnown ? usable : [...usable, { value: key, label: key }]}
      value={key}
      disabled={change.isPending}
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      onChange={(to) => change.mutate(to)}
    />
  );
}

function NewInbox() {
  const t = useTexts(threads).inboxes;
  const form = useFormState(['address', 'name']);
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const wanted = { address, client_id: address, ...(name === '' ? {} : { name }) };
  const create = useAction((api) => api.inboxes.create(wanted), {
    done: t.made,
    changes: ['inboxes'],
    onDone: () => {
      setAddress('');
      setName('');
    },
    isQuiet: true,
  });
  return (
    <form onSubmit={form.onSubmit(() => create.mutateAsync())} className="mk-card">
      <Stack>
        <FormProblem form={form} />
        <TextInput
          label={t.address}
          description={t.addressHint}
          required
          value={address}
          error={form.errors['address']}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <TextInput
          label={t.name}
          value={name}
          error={form.errors['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={form.isBusy}>
            {t.create}
          </Button>
          <CallsButton calls={[(api) => api.inboxes.create(wanted)]} />
        </Group>
      </Stack>
    </form>
  );
}
