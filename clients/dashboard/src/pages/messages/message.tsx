// The page of one message: status, explanation, server replies, content, webhook deliveries and proof.
import { Badge, Group, Stack, Tabs, Text } from '@mantine/core';
import type { Message } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRead } from '../../data/read.js';
import { message as messageTexts, type MessageTexts } from '../../texts/message.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { ForwardedCopies } from '../../ui/forwarded-copies.js';
import { PageLink } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { RouteLine } from '../../ui/route-line.js';
import { Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { useStatusText } from '../../ui/status.js';
import { MessageActions } from './message-actions.js';
import { Attempts } from './message-attempts.js';
import { Content } from './message-content.js';
import { Deliveries } from './message-deliveries.js';
import { Why } from './message-explain.js';
import { ProofTab } from './message-proof.js';
import { stopsOf } from './message-stops.js';
import { Timeline } from './message-timeline.js';
import { mailbox } from '../../ui/mailbox.js';
import { RecordLink } from '../../ui/record-link.js';

export function MessagePage() {
  const id = usePathPart('id');
  const found = useRead(['messages', id], (api, signal) => api.messages.get(id, { signal }));
  return <Shown of={found}>{(message) => <OneMessage message={message} />}</Shown>;
}

function OneMessage({ message }: { message: Message }) {
  const t = useTexts(messageTexts);
  const { id } = message;
  return (
    <>
      <PageHead
        title={message.subject === '' ? t.noSubject : message.subject}
        badge={<MessageStatus of={message} />}
        about={
          <>
            {t.facts.to} {message.to}
          </>
        }
        back={{ to: '/messages', label: t.back }}
        actions={<MessageActions message={message} />}
        calls={[
          (api) => api.messages.get(id),
          (api) => api.messages.explain(id),
          (api) => api.messages.getAudit(id),
          (api) => api.messages.listAttempts(id),
        ]}
      />
      <Stack gap="lg">
        <Way message={message} />
        <div className="mk-split">
          <Stack gap="lg" miw={0}>
            <Why id={id} email={message.to} />
            <Details message={message} />
          </Stack>
          <MessageFacts message={message} />
        </div>
      </Stack>
    </>
  );
}

function Way({ message }: { message: Message }) {
  const t = useTexts(messageTexts);
  const audit = useRead(['messages', message.id, 'audit'], (api, signal) =>
    api.messages.getAudit(message.id, { signal }),
  );
  const stops = stopsOf(message, audit.data?.trail ?? []);
  return (
    <Card>
      <RouteLine
        label={t.route}
        stops={stops.map(({ key, state, at }) => ({
          key,
          state,
          label: t.stops[key],
          detail: at === null ? null : <Time at={at} />,
        }))}
      />
    </Card>
  );
}

function Details({ message }: { message: Message }) {
  const t = useTexts(messageTexts);
  const [tab, setTab] = useSearchValue('tab', message.direction === 'inbound' ? 'content' : 'timeline');
  const isOutbound = message.direction === 'outbound';
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? 'timeline')} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="timeline">{t.tabs.timeline}</Tabs.Tab>
        {isOutbound ? <Tabs.Tab value="attempts">{t.tabs.attempts}</Tabs.Tab> : null}
        <Tabs.Tab value="content">{t.tabs.content}</Tabs.Tab>
        <Tabs.Tab value="deliveries">{t.tabs.deliveries}</Tabs.Tab>
        {isOutbound ? <Tabs.Tab value="proof">{t.tabs.proof}</Tabs.Tab> : null}
      </Tabs.List>
      <Tabs.Panel value="timeline">
        <Timeline id={message.id} />
      </Tabs.Panel>
      <Tabs.Panel value="attempts">
        <Attempts id={message.id} />
      </Tabs.Panel>
      <Tabs.Panel value="content">
        <Content message={message} />
      </Tabs.Panel>
      <Tabs.Panel value="deliveries">
        <Deliveries id={message.id} />
      </Tabs.Panel>
      <Tabs.Panel value="proof">
        <ProofTab id={message.id} />
      </Tabs.Panel>
    </Tabs>
  );
}

function MessageFacts({ message }: { message: Message }) {
  const t = useTexts(messageTexts);
  const word = useStatusText();
  const { facts } = t;
  const { routes } = useTexts(threads);
  const link = (id: string | null) => (id === null ? null : <RecordLink id={id} />);
  const row = (name: string, value: React.ReactNode) => (value === null ? null : ([name, value] as const));
  const tracking = [message.track_opens ? facts.opens : null, message.track_clicks ? facts.clicks : null];
  return (
    <Card title={facts.title}>
      <Facts
        isStacked
        of={[
          [facts.id, <Copyable key="id" value={message.id} label={facts.id} />],
          [facts.from, mailbox(message.from)],
          row(facts.replyTo, message.reply_to === null ? null : mailbox(message.reply_to)),
          ...peopleRows(facts, message),
          [facts.type, word(message.type)],
          [facts.priority, word(message.priority)],
          [facts.created, <Time key="at" at={message.created_at} isFull />],
          row(
            facts.scheduled,
            message.scheduled_at === null ? null : <Time at={message.scheduled_at} isFull />,
          ),
          row(facts.subTenant, link(message.sub_tenant_id)),
          row(facts.template, link(message.template_id)),
          row(facts.campaign, link(message.campaign_id)),
          row(facts.sequence, link(message.sequence_id)),
          row(t.tabs.thread, link(message.thread_id)),
          row(routes.from, link(message.forwarded_from ?? null)),
          row(
            routes.copies,
            message.received === undefined || message.received.forwards.length === 0 ? null : (
              <ForwardedCopies of={message.received.forwards} />
            ),
          ),
          row(facts.variant, message.variant),
          row(facts.provider, message.provider === null ? null : word(message.provider)),
          row(facts.providerId, message.provider_message_id),
          row(
            facts.tracking,
            message.direction === 'inbound'
              ? null
              : tracking.filter((one) => one !== null).join(', ') || null,
          ),
          row(facts.idempotencyKey, message.idempotency_key),
          row(facts.tags, message.tags.length === 0 ? null : <Tags of={message.tags} />),
          row(
            facts.metadata,
            Object.keys(message.metadata).length === 0 ? null : <Metadata of={message.metadata} />,
          ),
        ]}
      />
    </Card>
  );
}

/** Links to the recipient's contact and suppressions, and to the destination's queue. */
function peopleRows(facts: MessageTexts['facts'], { to, direction }: Message) {
  if (direction === 'inbound') return [];
  const domain = to.slice(to.lastIndexOf('@') + 1).toLowerCase();
  const door = (path: string, text: string, search: Record<string, string> = {}) => (
    <PageLink key={path} to={path} search={search}>
      {text}
    </PageLink>
  );
  return [
    [facts.contact, door('/contacts', to, { q: to })],
    [facts.suppression, door('/suppressions', facts.suppressionLink, { q: to })],
    [facts.destination, door(`/queue/${encodeURIComponent(domain)}`, domain)],
  ] as const;
}

function Tags({ of }: { of: readonly string[] }) {
  return (
    <Group gap={4}>
      {of.map((tag) => (
        <Badge key={tag} color="gray" tt="none" component="span">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

function Metadata({ of }: { of: Record<string, unknown> }) {
  return (
    <>
      {Object.entries(of).map(([name, value]) => (
        <Text key={name} className="mk-mono" size="xs">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </Text>
      ))}
    </>
  );
}
