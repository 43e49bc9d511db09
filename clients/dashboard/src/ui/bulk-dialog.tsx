// An action on everything that the filters of a list find: counted and shown first, then done in the background.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { BulkActionName, BulkActionPreview } from '@mailkeel/sdk';
import { useAction } from '../data/read.js';
import { bulk } from '../texts/bulk.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton } from './calls.js';
import { Dialog } from './dialog.js';
import { useFormat } from './format.js';
import { useGo } from './links.js';
import { PlainListPicker } from './pickers.js';
import { Status } from './status.js';
import type { Mailkeel } from '@mailkeel/sdk';

export interface BulkRequest {
  action: BulkActionName;
  tags?: string[];
  list_id?: string;
  dry_run: boolean;
}

export interface BulkDialogProps {
  actions: readonly BulkActionName[];
  /** Sends the request with the filters of the page. */
  act: (api: Mailkeel, request: BulkRequest) => PromiseLike<unknown>;
}

export function BulkButton({ actions, act }: BulkDialogProps) {
  const t = useTexts(bulk);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.button}
      </Button>
      {isOpen ? <BulkDialog actions={actions} act={act} onClose={close} /> : null}
    </>
  );
}

function BulkDialog({ actions, act, onClose }: BulkDialogProps & { onClose: () => void }) {
  const t = useTexts(bulk);
  const frame = useTexts(common);
  const format = useFormat();
  const go = useGo();
  const [action, setAction] = useState<BulkActionName>(actions[0] ?? 'tag');
  const [tags, setTags] = useState('');
  const [listId, setListId] = useState<string | null>(null);
  const takesTags = action === 'tag' || action === 'untag';
  const takesList = action === 'add_to_list' || action === 'remove_from_list';
  const request = (isDry: boolean): BulkRequest => ({
    action,
    ...(takesTags
      ? {
          tags: tags
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
        }
      : {}),
    ...(takesList && listId !== null ? { list_id: listId } : {}),
    dry_run: isDry,
  });
  const check = useAction((api) => act(api, request(true)) as PromiseLike<BulkActionPreview>);
  const start = useAction((api) => act(api, request(false)), {
    done: t.started,
    changes: ['bulk-actions'],
    onDone: () => go('/bulk-actions'),
  });
  const found = check.data;
  return (
    <Dialog onClose={onClose} title={t.title}>
      <Stack>
        <Select
          label={t.action}
          data={actions.map((value) => ({ value, label: t.actions[value] }))}
          value={action}
          onChange={(value) => {
            setAction(value as BulkActionName);
            check.reset();
          }}
        />
        {takesTags ? (
          <TextInput label={t.tags} value={tags} onChange={(event) => setTags(event.currentTarget.value)} />
        ) : null}
        {takesList ? <PlainListPicker label={t.list} value={listId} onChange={setListId} required /> : null}
        {found === undefined ? null : <Found found={found} />}
        <Group justify="flex-end">
          <CallsButton calls={[(api) => act(api, request(false))]} />
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          {found === undefined || found.count === 0 ? (
            <Button loading={check.isPending} onClick={() => check.mutate()}>
              {t.check}
            </Button>
          ) : (
            <Button color="red.9" loading={start.isPending} onClick={() => start.mutate()}>
              {t.start(t.actions[action], format.count(found.count))}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Found({ found }: { found: BulkActionPreview }) {
  const t = useTexts(bulk);
  const format = useFormat();
  if (found.count === 0) return <Text role="status">{t.nothing}</Text>;
  const count = format.count(found.count);
  return (
    <div role="status">
      <Text mb="xs">{found.count_exact ? t.found(count) : t.foundAtLeast(count)}</Text>
      <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
        {found.sample.map((one) => (
          <li key={one.id}>
            {one.email} {one.subject} <Status of={one.status} />
          </li>
        ))}
      </ul>
    </div>
  );
}
