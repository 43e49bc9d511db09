// Shows each recipient's copy, before and after sending, and marks edited ones.
import { Badge, Button, Group, Stack, Tabs, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Campaign, CampaignRecipient } from '@mailkeel/sdk';
import { useSearchTexts } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { MailView } from '../../ui/mail-view.js';
import { Card } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useAudienceTotal } from './audience-total.js';
import { CopyEditor } from './copy-editor.js';
import { isComplete } from './plan-state.js';

const SHOWN = 12;

interface CopiesPage {
  rows: CampaignRecipient[];
  /** Null while a large audience is counted. */
  total: number | null;
  next: string | null;
}

function useCopies(id: string, cursor: string | undefined) {
  return useRead<CopiesPage>(
    ['campaigns', id, 'copies', cursor],
    async (api, signal) => {
      const page = await api.campaigns.preview(
        id,
        { limit: SHOWN, ...(cursor ? { cursor } : {}) },
        { signal },
      );
      return { rows: page.data, total: page.total, next: page.has_more ? page.next_cursor : null };
    },
    { keepsLast: true },
  );
}

export function Copies({ campaign }: { campaign: Campaign }) {
  const isStarted = campaign.started_at !== null;
  return isStarted || isComplete(campaign) ? (
    <AllCopies campaign={campaign} />
  ) : (
    <NoCopies id={campaign.id} />
  );
}

function NoCopies({ id }: { id: string }) {
  const t = useTexts(campaigns);
  return (
    <EmptyState
      icon="mail"
      title={t.copies.none}
      action={
        <PageButton to={`/campaigns/${id}`} variant="default">
          {t.check.toPlan}
        </PageButton>
      }
    >
      {t.copies.noneHint}
    </EmptyState>
  );
}

function AllCopies({ campaign }: { campaign: Campaign }) {
  const { cursor } = useSearchTexts();
  const [recipient, setRecipient] = useSearchValue('recipient', '');
  const found = useCopies(campaign.id, cursor);
  return (
    <Shown of={found} lines={8}>
      {(page) => {
        if (page.total === 0 && recipient === '') {
          return <NoCopies id={campaign.id} />;
        }
        const chosen = recipient === '' ? (page.rows[0]?.email ?? '') : recipient;
        return (
          <div className="mk-inbox mk-copies">
            <Recipients campaign={campaign} page={page} chosen={chosen} onChoose={setRecipient} />
            <OneCopy
              key={chosen}
              campaign={campaign}
              email={chosen}
              known={page.rows.find(({ email }) => email === chosen)}
            />
          </div>
        );
      }}
    </Shown>
  );
}

function Recipients({
  campaign,
  page,
  chosen,
  onChoose,
}: {
  campaign: Campaign;
  page: CopiesPage;
  chosen: string;
  onChoose: (email: string) => void;
}) {
  const t = useTexts(campaigns).copies;
  const format = useFormat();
  const counted = useAudienceTotal(campaign.id, { isOff: page.total !== null });
  const total = page.total ?? counted.data;
  return (
    <Stack gap="sm" miw={0}>
      <FindRecipient onFind={onChoose} />
      <div className="mk-inbox-list">
        <Text size="sm" c="dimmed" px="sm" py="xs">
          {total === undefined ? t.counting : total === 1 ? t.one : t.total(format.count(total))}
        </Text>
        <ul aria-label={t.list}>
          {page.rows.map((row) => (
            <li key={row.email}>
              <UnstyledButton
                className="mk-inbox-row"
                aria-pressed={row.email === chosen}
                onClick={() => onChoose(row.email)}
              >
                <span className="mk-clip">{row.name ?? row.email}</span>
                <Text span size="xs" c="dimmed" className="mk-clip">
                  {row.name === null ? (row.subject ?? '') : row.email}
                </Text>
                <Marks recipient={row} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
        <CopiesPager campaign={campaign} next={page.next} />
      </div>
      <Text size="xs" c="dimmed">
        {t.hint}
      </Text>
      <EditedCopies campaign={campaign} onChoose={onChoose} />
    </Stack>
  );
}

const EDITED_SHOWN = 50;

/** Recipients with an edited copy, regardless of their position in the list. */
function EditedCopies({ campaign, onChoose }: { campaign: Campaign; onChoose: (email: string) => void }) {
  const t = useTexts(campaigns).copies;
  const found = useRead(['campaigns', campaign.id, 'overrides'], (api, signal) =>
    api.campaigns.listOverrides(campaign.id, { limit: EDITED_SHOWN }, { signal }),
  );
  const rows = found.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <div className="mk-inbox-list">
      <Text size="sm" c="dimmed" px="sm" py="xs">
        {t.onlyEdited} ({rows.length}
        {found.data?.has_more === true ? '+' : ''})
      </Text>
      <ul aria-label={t.onlyEdited}>
        {rows.map(({ email }) => (
          <li key={email}>
            <UnstyledButton className="mk-inbox-row" onClick={() => onChoose(email)}>
              <span className="mk-clip">{email}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function FindRecipient({ onFind }: { onFind: (email: string) => void }) {
  const t = useTexts(campaigns).copies;
  const [typed, setTyped] = useState('');
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onFind(typed.trim());
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={t.search}
          type="search"
          style={{ flex: 1 }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t.find}
        </Button>
      </Group>
    </form>
  );
}

/** Badges of a copy: edited, its variant, waiting for the winner, cannot be created. */
function Marks({ recipient }: { recipient: CampaignRecipient }) {
  const t = useTexts(campaigns).copies;
  const { edited, variant, awaits_winner: awaits, problem } = recipient;
  if (!edited && variant === null && !awaits && problem === null) return null;
  return (
    <Group gap={6} mt={4} component="span">
      {edited ? (
        <Status of="edited" tone="busy">
          {t.edited}
        </Status>
      ) : null}
      {variant === null ? null : (
        <Badge color="gray" tt="none" component="span">
          {t.variant} {variant}
        </Badge>
      )}
      {awaits ? <Status of="waiting">{t.awaits}</Status> : null}
      {problem === null ? null : <Status of="fail" />}
    </Group>
  );
}

function CopiesPager({ campaign, next }: { campaign: Campaign; next: string | null }) {
  const t = useTexts(campaigns);
  const { cursor } = useSearchTexts();
  if (next === null && cursor === undefined) return null;
  const to = `/campaigns/${campaign.id}`;
  return (
    <Group justify="space-between" p="sm">
      {cursor === undefined ? (
        <span />
      ) : (
        <PageLink to={to} search={{ tab: 'copies' }} size="sm">
          {t.copies.previous}
        </PageLink>
      )}
      {next === null ? null : (
        <PageLink to={to} search={{ tab: 'copies', cursor: next }} size="sm">
          {t.copies.next}
        </PageLink>
      )}
    </Group>
  );
}

function OneCopy({
  campaign,
  email,
  known,
}: {
  campaign: Campaign;
  email: string;
  known: CampaignRecipient | undefined;
}) {
  const t = useTexts(campaigns).copies;
  const found = useRead(
    ['campaigns', campaign.id, 'copy', email],
    async (api, signal) => (await api.campaigns.preview(campaign.id, { email }, { signal })).data[0] ?? null,
    { isOff: known !== undefined },
  );
  if (known !== undefined) return <ShownCopy campaign={campaign} recipient={known} />;
  return (
    <Shown of={found} lines={8}>
      {(recipient) =>
        recipient === null ? (
          <EmptyState icon="search" title={t.notFound}>
            {t.notFoundHint}
          </EmptyState>
        ) : (
          <ShownCopy campaign={campaign} recipient={recipient} />
        )
      }
    </Shown>
  );
}

function ShownCopy({ campaign, recipient }: { campaign: Campaign; recipient: CampaignRecipient }) {
  const t = useTexts(campaigns).copies;
  const mayEdit = useRole('member') && ['draft', 'scheduled'].includes(campaign.status);
  const [isEditing, setEditing] = useState(false);
  const { email, name, subject, html, text, problem } = recipient;
  if (isEditing) {
    return <CopyEditor campaign={campaign} recipient={recipient} onClose={() => setEditing(false)} />;
  }
  return (
    <Card>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
          <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
            {subject ?? ''}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {name === null ? email : `${name} <${email}>`} · {recipient.template_name}
          </Text>
          <Marks recipient={recipient} />
        </div>
        {mayEdit ? (
          <Group gap="xs">
            {recipient.edited ? <RemoveEdit campaign={campaign} email={email} /> : null}
            <Button
              variant="default"
              leftSection={<Icon name="edit" size={16} />}
              onClick={() => setEditing(true)}
            >
              {t.edit}
            </Button>
          </Group>
        ) : null}
      </Group>
      {recipient.awaits_winner ? (
        <Text size="sm" c="dimmed" mb="sm">
          {t.awaitsHint}
        </Text>
      ) : null}
      {problem === null ? null : (
        <Text mb="sm" role="alert" c="var(--mk-bad)">
          {problem.message}
        </Text>
      )}
      <Tabs defaultValue={html === null ? 'text' : 'html'} variant="pills" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="html">{t.html}</Tabs.Tab>
          <Tabs.Tab value="text">{t.text}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html">
          {html === null ? <Text c="dimmed">{t.noHtml}</Text> : <MailView html={html} height={560} />}
        </Tabs.Panel>
        <Tabs.Panel value="text">
          {text === null ? (
            <Text c="dimmed">{t.noText}</Text>
          ) : (
            <CodeBlock code={text} wraps label={t.text} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Card>
  );
}

function RemoveEdit({ campaign, email }: { campaign: Campaign; email: string }) {
  const t = useTexts(campaigns).copies;
  const remove = useAction((api) => api.campaigns.deleteOverride(campaign.id, { email }), {
    done: t.removed,
    changes: ['campaigns'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.removeEdit}
      title={t.removeEdit}
      action={t.removeEdit}
      call={(api) => api.campaigns.deleteOverride(campaign.id, { email })}
      onConfirm={() => remove.mutateAsync()}
    >
      {t.removeAsk}
    </ConfirmButton>
  );
}
