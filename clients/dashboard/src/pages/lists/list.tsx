// The page of one list or segment: members, growth, tags and sign-up.
import { Button, Menu, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { MailingList } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Copyable } from '../../ui/code-block.js';
import { Confirm } from '../../ui/confirm.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useGo } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { FilterSentence } from './filter-sentence.js';
import { AddMember, EditList } from './list-dialogs.js';
import { SignUpForm } from './list-form.js';
import { Growth } from './list-growth.js';
import { ListTags, Members } from './list-members.js';
import { RecordLink } from '../../ui/record-link.js';

type Dialog = 'edit' | 'add' | 'delete' | null;

export function ListPage() {
  const id = usePathPart('id');
  const found = useRead(['lists', id], (api, signal) => api.lists.get(id, { signal }));
  return <Shown of={found}>{(list) => <OneList list={list} />}</Shown>;
}

function OneList({ list }: { list: MailingList }) {
  const t = useTexts(lists);
  const format = useFormat();
  const [tab, setTab] = useSearchValue('tab', 'members');
  const [dialog, setDialog] = useState<Dialog>(null);
  const { id } = list;
  const isSegment = list.filter !== null;
  return (
    <>
      <PageHead
        title={list.name}
        badge={
          <span className="mk-status">
            {isSegment ? t.segment : t.list} · {format.count(list.contacts)}
          </span>
        }
        about={list.description}
        back={{ to: '/lists', label: t.title }}
        actions={<ListActions list={list} open={setDialog} />}
        calls={[(api) => api.lists.get(id), (api) => api.lists.listContacts(id)]}
      />
      <Dialogs list={list} dialog={dialog} close={() => setDialog(null)} />
      <div className="mk-split">
        <Tabs value={tab} onChange={(next) => setTab(next ?? 'members')} keepMounted={false} miw={0}>
          <Tabs.List mb="md">
            <Tabs.Tab value="members">{t.tabs.members}</Tabs.Tab>
            <Tabs.Tab value="growth">{t.tabs.growth}</Tabs.Tab>
            <Tabs.Tab value="tags">{t.tabs.tags}</Tabs.Tab>
            {isSegment ? null : <Tabs.Tab value="form">{t.tabs.form}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="members">
            <Members list={list} />
          </Tabs.Panel>
          <Tabs.Panel value="growth">
            <Growth id={id} isSegment={isSegment} />
          </Tabs.Panel>
          <Tabs.Panel value="tags">
            <ListTags id={id} />
          </Tabs.Panel>
          <Tabs.Panel value="form">
            <SignUpForm list={list} />
          </Tabs.Panel>
        </Tabs>
        <ListFacts list={list} />
      </div>
    </>
  );
}

function ListActions({ list, open }: { list: MailingList; open: (dialog: Dialog) => void }) {
  const t = useTexts(lists);
  const mayAct = useRole('member');
  const go = useGo();
  const take = useAction((api) => api.exports.create({ kind: 'contacts', list_id: list.id }), {
    changes: ['exports'],
    onDone: () => go('/exports'),
  });
  if (!mayAct) return null;
  return (
    <>
      {list.filter === null ? (
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open('add')}>
          {t.addMember}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => open('edit')}>
        {list.filter === null ? t.edit : t.filterEdit}
      </Button>
      <MoreMenu danger={<Menu.Item onClick={() => open('delete')}>{t.remove}</Menu.Item>}>
        <Menu.Item onClick={() => take.mutate()}>{t.export}</Menu.Item>
      </MoreMenu>
    </>
  );
}

function Dialogs({ list, dialog, close }: { list: MailingList; dialog: Dialog; close: () => void }) {
  const t = useTexts(lists);
  const go = useGo();
  const remove = useAction((api) => api.lists.delete(list.id), {
    done: t.removed,
    onDone: () => go('/lists'),
    isQuiet: true,
  });
  return (
    <>
      {dialog === 'edit' ? <EditList list={list} onClose={close} /> : null}
      {dialog === 'add' ? <AddMember id={list.id} onClose={close} /> : null}
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.remove}: ${list.name}`}
        action={t.remove}
        onConfirm={() => remove.mutateAsync()}
        call={(api) => api.lists.delete(list.id)}
      >
        {t.removeHint}
      </Confirm>
    </>
  );
}

function ListFacts({ list }: { list: MailingList }) {
  const t = useTexts(lists);
  const frame = useTexts(common);
  const { sub_tenant_id: tenant, confirmation_template_id: template } = list;
  const isSegment = list.filter !== null;
  return (
    <Stack gap="lg" miw={0}>
      {isSegment ? (
        <Card title={t.filter}>
          <FilterSentence filter={list.filter} />
        </Card>
      ) : null}
      <Card title={t.facts}>
        <Facts
          isStacked
          of={[
            [t.id, <Copyable key="id" value={list.id} />],
            isSegment ? null : [t.doubleOptIn, list.double_opt_in ? frame.yes : frame.no],
            template === null
              ? null
              : [
                  t.template,
                  <PageLink key="template" to={`/templates/${template}`}>
                    {template}
                  </PageLink>,
                ],
            tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
            list.counted_at === null ? null : [t.countedAt, <Time key="counted" at={list.counted_at} />],
            [frame.created, <Time key="at" at={list.created_at} isFull />],
            [frame.updated, <Time key="updated" at={list.updated_at} isFull />],
          ]}
        />
        {list.form_origins.length === 0 ? null : (
          <>
            <Text size="xs" c="dimmed">
              {t.origins}
            </Text>
            {list.form_origins.map((origin) => (
              <Text key={origin} className="mk-break">
                {origin}
              </Text>
            ))}
          </>
        )}
      </Card>
    </Stack>
  );
}
