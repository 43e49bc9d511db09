// Cancels matching queued messages: counts and shows them first, then cancels in the background.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BulkActionOnMessages, BulkActionPreview } from '@mailkeel/sdk';
import { useState } from 'react';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Dialog } from '../../ui/dialog.js';
import { useFormat } from '../../ui/format.js';
import { useGo } from '../../ui/links.js';
import { Status, useStatusText } from '../../ui/status.js';
import { SubTenantPicker } from '../../ui/pickers.js';

const TYPES = ['transactional', 'marketing', 'sales'] as const;
/** Deferred mail is `sent` after its first attempt. */
export const WAITING = ['queued', 'sending', 'sent'] as const;
type Field = 'q' | 'tag' | 'type' | 'sub_tenant_id' | 'created_before';

export function PurgeButton({ domain }: { domain?: string }) {
  const t = useTexts(queue);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" className="mk-danger" onClick={open}>
        {t.purge}
      </Button>
      {isOpen ? <PurgeDialog q={domain === undefined ? '' : `@${domain}`} onClose={close} /> : null}
    </>
  );
}

function requestOf(given: Record<Field, string>, isDry: boolean): BulkActionOnMessages {
  const { q, tag, type, sub_tenant_id: tenant, created_before: before } = given;
  const kind = TYPES.find((one) => one === type);
  return {
    action: 'cancel',
    filter: {
      status: [...WAITING],
      ...(q === '' ? {} : { q }),
      ...(tag === '' ? {} : { tag: [tag] }),
      ...(kind === undefined ? {} : { type: [kind] }),
      ...(tenant === '' ? {} : { sub_tenant_id: tenant }),
      ...(before === '' ? {} : { created_before: new Date(before).toISOString() }),
    },
    ...(isDry ? { dry_run: true } : {}),
  };
}

function PurgeDialog({ q, onClose }: { q: string; onClose: () => void }) {
  const t = useTexts(queue);
  const frame = useTexts(common);
  const format = useFormat();
  const go = useGo();
  const [given, setGiven] = useState<Record<Field, string>>({
    ...{ q, tag: '', type: '', sub_tenant_id: '', created_before: '' },
  });
  const check = useAction((api) => api.bulkActions.createForMessages(requestOf(given, true)));
  const start = useAction((api) => api.bulkActions.createForMessages(requestOf(given, false)), {
    done: t.purgeStarted,
    changes: ['bulk-actions', 'queue', 'messages'],
    onDone: () => go('/bulk-actions'),
  });
  const found = isPreview(check.data) ? check.data : null;
  const change = (name: Field, value: string) => {
    setGiven((before) => ({ ...before, [name]: value }));
    check.reset();
  };
  return (
    <Dialog onClose={onClose} title={t.purgeTitle}>
      <Stack>
        <Text>{t.purgeAbout}</Text>
        <PurgeFields given={given} onChange={change} />
        {found === null ? null : <Found found={found} />}
        <Group justify="flex-end">
          <CallsButton calls={[(api) => api.bulkActions.createForMessages(requestOf(given, false))]} />
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          {found === null || found.count === 0 ? (
            <Button loading={check.isPending} onClick={() => check.mutate()}>
              {t.purgeCount}
            </Button>
          ) : (
            <Button color="red.9" loading={start.isPending} onClick={() => start.mutate()}>
              {t.purgeStart(format.count(found.count))}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function isPreview(answer: unknown): answer is BulkActionPreview {
  return typeof answer === 'object' && answer !== null && 'sample' in answer;
}

function PurgeFields({
  given,
  onChange,
}: {
  given: Record<Field, string>;
  onChange: (name: Field, value: string) => void;
}) {
  const t = useTexts(queue);
  const frame = useTexts(common);
  const word = useStatusText();
  const field = (name: Field) => ({
    value: given[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  });
  return (
    <>
      <TextInput label={t.purgeMatch} {...field('q')} />
      <div className="mk-fields">
        <TextInput label={t.purgeTag} {...field('tag')} />
        <Select
          label={t.purgeType}
          placeholder={frame.filter.any}
          clearable
          clearButtonProps={{ 'aria-label': frame.list.clear }}
          data={TYPES.map((value) => ({ value, label: word(value) }))}
          value={given.type === '' ? null : given.type}
          onChange={(next) => onChange('type', next ?? '')}
        />
      </div>
      <div className="mk-fields">
        <SubTenantPicker
          label={t.purgeTenant}
          value={given.sub_tenant_id === '' ? null : given.sub_tenant_id}
          onChange={(id) => onChange('sub_tenant_id', id ?? '')}
        />
        <TextInput label={t.purgeBefore} type="datetime-local" {...field('created_before')} />
      </div>
    </>
  );
}

function Found({ found }: { found: BulkActionPreview }) {
  const t = useTexts(queue);
  const format = useFormat();
  if (found.count === 0) return <Text role="status">{t.purgeNothing}</Text>;
  const count = format.count(found.count);
  return (
    <div role="status">
      <Text mb="xs">{found.count_exact ? t.purgeFound(count) : t.purgeFoundAtLeast(count)}</Text>
      <ul style={{ margin: 0, paddingLeft: '1.1rem', overflowWrap: 'anywhere' }}>
        {found.sample.map((one) => (
          <li key={one.id}>
            {one.email} {one.subject} <Status of={one.status} />
          </li>
        ))}
      </ul>
    </div>
  );
}
