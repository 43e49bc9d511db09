// The page of one contact: its data, its activity, and deleting or erasing it.
import { Alert, Button, Menu, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Contact, ContactActivity } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { contacts } from '../../texts/contacts.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Copyable } from '../../ui/code-block.js';
import { Confirm } from '../../ui/confirm.js';
import { asText, CustomFacts } from '../../ui/custom-fields.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useGo } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Tags } from '../../ui/tags.js';
import { EditContact, EraseContact } from './contact-dialogs.js';
import { RecordLink } from '../../ui/record-link.js';

type Dialog = 'edit' | 'subscription' | 'delete' | 'erase' | null;

export function ContactPage() {
  const id = usePathPart('id');
  const found = useRead(['contacts', id], (api, signal) => api.contacts.get(id, { signal }));
  return <Shown of={found}>{(contact) => <OneContact contact={contact} />}</Shown>;
}

function OneContact({ contact }: { contact: Contact }) {
  const t = useTexts(contacts);
  const [dialog, setDialog] = useState<Dialog>(null);
  const { id } = contact;
  return (
    <>
      <PageHead
        title={contact.name ?? contact.email}
        badge={<Status of={contact.status} />}
        about={contact.name === null ? null : <span className="mk-break">{contact.email}</span>}
        back={{ to: '/contacts', label: t.title }}
        actions={<ContactActions contact={contact} open={setDialog} />}
        calls={[(api) => api.contacts.get(id), (api) => api.contacts.listActivity(id)]}
      />
      <Dialogs contact={contact} dialog={dialog} close={() => setDialog(null)} />
      <Stack gap="lg">
        <Suppressed contact={contact} />
        <div className="mk-split">
          <Activity id={id} />
          <ContactFacts contact={contact} />
        </div>
      </Stack>
    </>
  );
}

function ContactActions({ contact, open }: { contact: Contact; open: (dialog: Dialog) => void }) {
  const t = useTexts(contacts);
  const mayAct = useRole('member');
  if (!mayAct) return null;
  return (
    <>
      <Button variant="default" onClick={() => open('subscription')}>
        {contact.status === 'active' ? t.unsubscribe : t.resubscribe}
      </Button>
      <Button onClick={() => open('edit')}>{t.edit}</Button>
      <MoreMenu
        danger={
          <>
            <Menu.Item onClick={() => open('delete')}>{t.remove}</Menu.Item>
            <Menu.Item onClick={() => open('erase')}>{t.erase}</Menu.Item>
          </>
        }
      />
    </>
  );
}

function Dialogs({ contact, dialog, close }: { contact: Contact; dialog: Dialog; close: () => void }) {
  const t = useTexts(contacts);
  const go = useGo();
  const { id } = contact;
  const ends = contact.status === 'active';
  const status = ends ? 'unsubscribed' : 'active';
  const change = useAction((api) => api.contacts.update(id, { status }), {
    done: ends ? t.unsubscribed : t.resubscribed,
    changes: ['contacts'],
    isQuiet: true,
  });
  const remove = useAction((api) => api.contacts.delete(id), {
    done: t.removed,
    onDone: () => go('/contacts'),
    isQuiet: true,
  });
  return (
    <>
      {dialog === 'edit' ? <EditContact contact={contact} onClose={close} /> : null}
      {dialog === 'erase' ? <EraseContact contact={contact} onClose={close} /> : null}
      <Confirm
        isOpen={dialog === 'subscription'}
        onClose={close}
        title={ends ? t.unsubscribe : t.resubscribe}
        action={ends ? t.unsubscribe : t.resubscribe}
        isDangerous={false}
        onConfirm={() => change.mutateAsync()}
        call={(api) => api.contacts.update(id, { status })}
      >
        {ends ? t.unsubscribeHint : t.resubscribeHint}
      </Confirm>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.remove}: ${contact.email}`}
        action={t.remove}
        onConfirm={() => remove.mutateAsync()}
        call={(api) => api.contacts.delete(id)}
      >
        {t.removeHint}
      </Confirm>
    </>
  );
}

function Suppressed({ contact }: { contact: Contact }) {
  const t = useTexts(contacts);
  const word = useStatusText();
  const { email, sub_tenant_id: tenant } = contact;
  const { data } = useRead(['suppressions', 'of', email, tenant], (api, signal) =>
    api.suppressions.check({ email, ...(tenant === null ? {} : { sub_tenant_id: tenant }) }, { signal }),
  );
  if (data?.suppressed !== true) return null;
  return (
    <Alert color="yellow" icon={<Icon name="suppressed" />}>
      {t.suppressed(word(data.reason ?? 'unknown'))}{' '}
      <PageLink to="/suppressions" search={{ q: email }} size="sm">
        {t.suppressedLink}
      </PageLink>
    </Alert>
  );
}

/** The metadata of an entry that is useful to people. */
const SHOWN = ['reason', 'reply', 'url', 'consent'];

function Activity({ id }: { id: string }) {
  const t = useTexts(contacts);
  const events = { ...useTexts(message).timeline, ...t.events };
  const { cursor } = useFilters([]);
  const list = useList<ContactActivity>(
    ['contacts', id, 'activity'],
    (api, from, signal) => api.contacts.listActivity(id, from ? { cursor: from } : {}, { signal }),
    { cursor },
  );
  return (
    <section style={{ minWidth: 0 }}>
      <Title order={2}>{t.activity}</Title>
      <Text c="dimmed" mb="sm">
        {t.activityHint}
      </Text>
      <DataTable
        label={t.activity}
        list={list}
        rowKey={(row) => `${row.occurred_at} ${row.event} ${row.message?.id ?? row.list?.id ?? ''}`}
        empty={{ icon: 'clock', title: t.activityNone, children: t.activityNoneHint }}
        columns={[
          {
            key: 'what',
            label: t.what,
            cell: (row) => {
              const to =
                row.message === null ? `/lists/${row.list?.id ?? ''}` : `/messages/${row.message.id}`;
              return <PageLink to={to}>{events[row.event]}</PageLink>;
            },
          },
          { key: 'where', label: t.where, cell: (row) => <Where of={row} /> },
          {
            key: 'by',
            label: t.by,
            isWide: true,
            cell: ({ actor }) => (actor === null ? '–' : t.actors[actor]),
          },
          { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.occurred_at} /> },
        ]}
      />
    </section>
  );
}

function Where({ of }: { of: ContactActivity }) {
  const shown = SHOWN.flatMap((name) => {
    const value = of.metadata[name];
    return value === undefined || value === null || value === '' ? [] : [asText(value)];
  });
  if (of.ip !== undefined) shown.push(of.ip);
  return (
    <>
      <span className="mk-clip">{of.message?.subject ?? of.list?.name}</span>
      {shown.length === 0 ? null : (
        <Text size="xs" c="dimmed" className="mk-break">
          {shown.join(' · ')}
        </Text>
      )}
    </>
  );
}

function ContactFacts({ contact }: { contact: Contact }) {
  const t = useTexts(contacts);
  const frame = useTexts(common);
  const { sub_tenant_id: tenant } = contact;
  const hasFields = Object.keys(contact.metadata).length > 0;
  return (
    <Stack gap="lg" miw={0}>
      <Card title={t.facts}>
        <Facts
          isStacked
          of={[
            [t.id, <Copyable key="id" value={contact.id} />],
            [t.email, <Copyable key="email" value={contact.email} />],
            contact.phone === null ? null : [t.phone, contact.phone],
            tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
            contact.tags.length === 0 ? null : [t.tags, <Tags key="tags" of={contact.tags} />],
            [frame.created, <Time key="at" at={contact.created_at} isFull />],
            [frame.updated, <Time key="updated" at={contact.updated_at} isFull />],
          ]}
        />
      </Card>
      <Card title={t.fields}>
        {hasFields ? <CustomFacts of={contact.metadata} isStacked /> : <Text c="dimmed">{t.noFields}</Text>}
      </Card>
    </Stack>
  );
}
