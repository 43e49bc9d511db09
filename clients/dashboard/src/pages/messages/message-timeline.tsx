// The audit trail of a message.
import { Text, Timeline as Line } from '@mantine/core';
import type { MessageAuditEntry } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Shown } from '../../ui/states.js';
import { useFactWord } from './fact-words.js';

const SIGNS: Record<MessageAuditEntry['event'], IconName> = {
  queued: 'mail',
  sending: 'send',
  sent: 'right',
  deferred: 'clock',
  delivered: 'check',
  opened: 'eye',
  clicked: 'click',
  bounced: 'bounce',
  complained: 'warning',
  failed: 'cross',
  suppressed: 'suppressed',
  canceled: 'stop',
  unsubscribed: 'signOut',
  received: 'reply',
  auto_replied: 'reply',
  rescheduled: 'clock',
  approval_requested: 'approval',
  approval_changed: 'edit',
  approved: 'check',
  rejected: 'cross',
  approval_expired: 'clock',
};

export function Timeline({ id }: { id: string }) {
  const t = useTexts(message);
  const audit = useRead(['messages', id, 'audit'], (api, signal) => api.messages.getAudit(id, { signal }));
  return (
    <Shown of={audit} lines={5}>
      {({ trail }) => (
        <Line bulletSize={26} lineWidth={2} color="gray" active={trail.length}>
          {trail.map((entry, place) => (
            <Line.Item
              key={`${entry.timestamp} ${place}`}
              title={t.timeline[entry.event]}
              bullet={<Icon name={SIGNS[entry.event]} size={14} />}
            >
              <Text size="sm" c="dimmed">
                <Time at={entry.timestamp} isFull /> · {t.timeline.by(t.timeline.actors[entry.actor])}
              </Text>
              <Entry entry={entry} />
            </Line.Item>
          ))}
        </Line>
      )}
    </Shown>
  );
}

function Entry({ entry }: { entry: MessageAuditEntry }) {
  const names: Readonly<Record<string, string>> = useTexts(message).entryFields;
  const rest = Object.entries(entry.metadata).filter(([, value]) => value !== null && value !== '');
  const { ip, user_agent: agent } = entry;
  return (
    <>
      {entry.explanation === undefined ? null : <Text size="sm">{entry.explanation}</Text>}
      {rest.map(([name, value]) => (
        <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed" size="sm">
            {names[name] ?? name.replaceAll('_', ' ')}:
          </Text>{' '}
          <EntryValue name={name} value={value} />
        </Text>
      ))}
      {ip === undefined && agent === undefined ? null : (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[ip, agent].filter((part) => part !== undefined).join(' · ')}
        </Text>
      )}
    </>
  );
}

function EntryValue({ name, value }: { name: string; value: unknown }) {
  const { yes, no } = useTexts(common);
  const word = useFactWord();
  const format = useFormat();
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value !== 'string') return JSON.stringify(value);
  return format.timesIn(word(name, value));
}
