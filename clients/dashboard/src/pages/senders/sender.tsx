// The page of one sender: its status, a domain's DNS records and keys, or an address's confirmation.
import { Button, Stack, Text } from '@mantine/core';

import type { Sender } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { senders, type SendersTexts } from '../../texts/senders.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { DeleteMenu } from '../../ui/confirm.js';
import { DkimKeys } from '../../ui/dkim-keys.js';
import { areAllRight, DnsRecords, DriftNotice } from '../../ui/dns-records.js';
import { Time } from '../../ui/format.js';
import { Notice } from '../../ui/notice.js';
import { useGo } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import '../../ui/rate-meter.css';
import { ShareLinksCard } from '../../ui/share-links.js';
import { Shown } from '../../ui/states.js';
import { Status, type Tone } from '../../ui/status.js';
import { NewSender } from './new-sender.js';
import { RecordLink } from '../../ui/record-link.js';

/** The server checks unverified domains automatically. */
const LOOK_MS = 30_000;

export function SenderPage() {
  const id = usePathPart('id');
  const read = useRead(['senders', id], (api, signal) => api.senders.get(id, { signal }), { every: LOOK_MS });
  return (
    <Shown of={read} lines={8}>
      {(sender) => <Loaded sender={sender} />}
    </Shown>
  );
}

function stateOf(
  { kind, status }: Sender,
  t: SendersTexts | Translated<SendersTexts>,
): { tone: Tone; sentence: string } {
  const isDomain = kind === 'domain';
  switch (status) {
    case 'verified':
      return { tone: 'good', sentence: t.state.verified };
    case 'pending_verification':
      return { tone: 'warn', sentence: isDomain ? t.state.pendingDomain : t.state.pendingAddress };
    case 'failed':
      return { tone: 'bad', sentence: isDomain ? t.state.failedDomain : t.state.failedAddress };
    case 'suspended':
      return { tone: 'bad', sentence: t.state.suspended };
  }
}

function Loaded({ sender }: { sender: Sender }) {
  const t = useTexts(senders);
  const { id } = sender;
  const { tone, sentence } = stateOf(sender, t);
  return (
    <>
      <PageHead
        title={sender.email ?? sender.domain}
        {...(sender.name === null ? {} : { about: <bdi>{sender.name}</bdi> })}
        badge={
          <>
            <Status of={sender.status} />
            {sender.is_default ? <Status of="default">{t.isDefault}</Status> : null}
          </>
        }
        back={{ to: '/senders', label: t.back }}
        calls={[(api) => api.senders.get(id), (api) => api.senders.getAuthentication(id)]}
        actions={<SenderActions sender={sender} />}
      />
      <Notice tone={tone}>
        <p>
          <strong>{sentence}</strong>
        </p>
      </Notice>
      {sender.kind === 'domain' ? (
        <SenderDns sender={sender} />
      ) : (
        <div className="mk-grid">
          <SenderFacts sender={sender} />
          <Card title={t.instead}>
            <Stack align="start">
              <Text>{t.addressAbout}</Text>
              <Text c="dimmed">{t.useDomain}</Text>
              <NewSender domain={sender.domain} />
            </Stack>
          </Card>
        </div>
      )}
    </>
  );
}

function SenderFacts({ sender }: { sender: Sender }) {
  const t = useTexts(senders);
  const frame = useTexts(common);
  const tenant = sender.sub_tenant_id;
  return (
    <Card title={t.facts}>
      <Facts
        of={[
          [t.id, <Copyable key="id" value={sender.id} label={t.id} />],
          [t.kind, t.kinds[sender.kind]],
          [t.domain, sender.domain],
          tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
          [t.verifiedAt, <Time key="verified" at={sender.verified_at} isFull />],
          sender.confirmation_expires_at === null
            ? null
            : [t.confirmUntil, <Time key="until" at={sender.confirmation_expires_at} isFull />],
          [frame.created, <Time key="created" at={sender.created_at} isFull />],
        ]}
      />
    </Card>
  );
}

function SenderDns({ sender }: { sender: Sender }) {
  const { id } = sender;
  const verify = useAction((api) => api.senders.verify(id), { changes: ['senders'] });
  const mayChange = useRole('member');
  const read = useRead(
    ['senders', id, 'authentication'],
    (to, signal) => to.senders.getAuthentication(id, { signal }),
    { every: LOOK_MS },
  );
  const check = async () => {
    const { dns_records: records } = await verify.mutateAsync();
    return areAllRight(records);
  };
  return (
    <Shown of={read} lines={8}>
      {(found) => (
        <Stack>
          <DriftNotice of={found.dns} />
          <DnsRecords
            domain={found.domain}
            records={found.records}
            lastCheckedAt={found.last_checked_at}
            {...(mayChange ? { check } : {})}
          />
          <DkimKeys keys={found.keys} />
          <div className="mk-grid">
            <ShareLinksCard
              targetId={id}
              make={(to, days) => to.shareLinks.createForSender(id, { expires_in_days: days })}
            />
            <SenderFacts sender={sender} />
          </div>
        </Stack>
      )}
    </Shown>
  );
}

function SenderActions({ sender }: { sender: Sender }) {
  const t = useTexts(senders);
  const mayChange = useRole('member');
  const { id, kind, status, is_default: isDefault } = sender;
  const resend = useAction((api) => api.senders.verify(id), { done: t.resent, changes: ['senders'] });
  const makeDefault = useAction((api) => api.senders.makeDefault(id), {
    done: t.madeDefault,
    changes: ['senders'],
  });
  if (!mayChange) return null;
  return (
    <>
      {kind === 'address' && status !== 'verified' ? (
        <Button loading={resend.isPending} onClick={() => resend.mutate()}>
          {t.resend}
        </Button>
      ) : null}
      {kind === 'address' && status === 'verified' && !isDefault ? (
        <Button variant="default" loading={makeDefault.isPending} onClick={() => makeDefault.mutate()}>
          {t.makeDefault}
        </Button>
      ) : null}
      <DeleteButton sender={sender} />
    </>
  );
}

function DeleteButton({ sender }: { sender: Sender }) {
  const t = useTexts(senders);
  const go = useGo();
  const { id, kind, is_default: isDefault } = sender;
  const name = sender.email ?? sender.domain;
  const remove = useAction((api) => api.senders.delete(id), {
    done: t.removed,
    isQuiet: true,
    onDone: () => go('/senders'),
    changes: ['senders'],
  });
  return (
    <DeleteMenu
      label={t.remove}
      title={t.removeTitle(name)}
      action={t.remove}
      {...(kind === 'domain' ? { word: name } : {})}
      onConfirm={() => remove.mutateAsync()}
      call={(api) => api.senders.delete(id)}
    >
      {kind === 'domain' ? t.removeDomain : t.removeAddress} {isDefault ? t.removeDefault : null}
    </DeleteMenu>
  );
}
