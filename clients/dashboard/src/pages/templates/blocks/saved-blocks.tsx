// Blocks saved for other templates: reads, saves, renames and deletes them.
import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { SavedBlock } from '@mailkeel/sdk';
import { useAction, useRead } from '../../../data/read.js';
import { blocks as blockTexts } from '../../../texts/blocks.js';
import { useTexts } from '../../../texts/texts.js';
import { Confirm } from '../../../ui/confirm.js';
import { Dialog } from '../../../ui/dialog.js';
import { FormDialog, useFormState } from '../../../ui/form.js';
import { Icon } from '../../../ui/icon.js';
import { blockOf, type Block } from './design.js';

export type UsableBlock = Pick<SavedBlock, 'id' | 'name'> & { block: Block };
export type SavedBlockTask =
  | { kind: 'save'; block: Block }
  | { kind: 'manage' }
  | { kind: 'rename' | 'delete'; saved: UsableBlock };

/** Reads the blocks that a template of this owner can use, except those that the editor cannot read. */
export function useSavedBlocks(subTenantId: string | null, isOff: boolean): readonly UsableBlock[] {
  const { data } = useRead(
    ['saved-blocks', subTenantId ?? ''],
    async (api, signal) => {
      const query = subTenantId === null ? {} : { sub_tenant_id: subTenantId };
      const all: SavedBlock[] = [];
      for await (const one of api.savedBlocks.list({ ...query, limit: 100 }, { signal })) all.push(one);
      return all;
    },
    { isOff },
  );
  return useMemo(
    () =>
      (data ?? []).flatMap(({ id, name, block: stored }) => {
        const block = blockOf(stored);
        return block === null ? [] : [{ id, name, block }];
      }),
    [data],
  );
}

export function SavedBlockDialogs({
  task,
  onTask,
  saved,
  subTenantId,
}: {
  task: SavedBlockTask | null;
  onTask: (task: SavedBlockTask | null) => void;
  saved: readonly UsableBlock[];
  subTenantId: string | null;
}) {
  const t = useTexts(blockTexts);
  const back = () => onTask({ kind: 'manage' });
  const remove = useAction((api, id: string) => api.savedBlocks.delete(id), {
    done: t.deleted,
    changes: ['saved-blocks'],
    isQuiet: true,
  });
  return (
    <>
      {task?.kind === 'save' ? (
        <SaveDialog block={task.block} subTenantId={subTenantId} onClose={() => onTask(null)} />
      ) : null}
      {task?.kind === 'rename' ? <RenameDialog saved={task.saved} onClose={back} /> : null}
      {task?.kind === 'delete' ? (
        <Confirm
          isOpen
          onClose={back}
          title={t.deleteTitle(task.saved.name)}
          action={t.delete}
          call={(api) => api.savedBlocks.delete(task.saved.id)}
          onConfirm={() => remove.mutateAsync(task.saved.id)}
        >
          {t.deleteAsk}
        </Confirm>
      ) : null}
      <Dialog isOpen={task?.kind === 'manage'} onClose={() => onTask(null)} title={t.saved}>
        <Stack gap="xs">
          {saved.length === 0 ? <Text c="dimmed">{t.noneSaved}</Text> : null}
          {saved.map((one) => (
            <Group key={one.id} justify="space-between" wrap="nowrap">
              <Text style={{ overflowWrap: 'anywhere' }}>{one.name}</Text>
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.renameOne(one.name)}
                  onClick={() => onTask({ kind: 'rename', saved: one })}
                >
                  <Icon name="edit" size={15} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.deleteOne(one.name)}
                  onClick={() => onTask({ kind: 'delete', saved: one })}
                >
                  <Icon name="trash" size={15} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
        </Stack>
      </Dialog>
    </>
  );
}

function SaveDialog({
  block,
  subTenantId,
  onClose,
}: {
  block: Block;
  subTenantId: string | null;
  onClose: () => void;
}) {
  const t = useTexts(blockTexts);
  const form = useFormState(['name']);
  const [name, setName] = useState('');
  const save = useAction(
    (api) => api.savedBlocks.create({ name, block: { ...block }, sub_tenant_id: subTenantId }),
    { done: t.saveDone(name), changes: ['saved-blocks'], isQuiet: true },
  );
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.saveTitle}
      submit={t.saveTitle}
      form={form}
      act={() => save.mutateAsync()}
    >
      <NameField value={name} onChange={setName} description={t.saveHint} error={form.errors['name']} />
    </FormDialog>
  );
}

function RenameDialog({ saved, onClose }: { saved: UsableBlock; onClose: () => void }) {
  const t = useTexts(blockTexts);
  const form = useFormState(['name']);
  const [name, setName] = useState(saved.name);
  const rename = useAction((api) => api.savedBlocks.update(saved.id, { name }), {
    done: t.renamed,
    changes: ['saved-blocks'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.renameOne(saved.name)}
      submit={t.rename}
      form={form}
      act={() => rename.mutateAsync()}
    >
      <NameField value={name} onChange={setName} error={form.errors['name']} />
    </FormDialog>
  );
}

function NameField({
  value,
  onChange,
  description,
  error,
}: {
  value: string;
  onChange: (name: string) => void;
  description?: string;
  error: string | undefined;
}) {
  const t = useTexts(blockTexts);
  return (
    <TextInput
      label={t.name}
      description={description}
      required
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
