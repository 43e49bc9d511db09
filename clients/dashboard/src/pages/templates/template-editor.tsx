// Edits the content of a template with a preview, before saving.
import { Alert, Button, Group, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { Template } from '@mailkeel/sdk';
import { useAction, useRead } from '../../data/read.js';
import { useSentence } from '../../data/sentences.js';
import { useVersion } from '../../data/versions.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { CodeEditor } from '../../ui/code-editor.js';
import { Confirm } from '../../ui/confirm.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { LeaveGuard, SaveBar } from '../../ui/leave-guard.js';
import { BlockCanvas } from './blocks/block-canvas.js';
import { BlockEditor } from './blocks/block-editor.js';
import { newDesign } from './blocks/design.js';
import { htmlOf } from './blocks/render.js';
import { contentOf, draftOf, markOf, updateOf, type TemplateDraft } from './template-draft.js';
import { TemplatePreview } from './template-preview.js';

const TYPING_MS = 350;

export interface EditorProps {
  template: Template;
  isFixed: boolean;
  /** Whether its tab is shown. */
  isOpen: boolean;
  onDirty: (isDirty: boolean) => void;
  variables: Record<string, unknown>;
  onVariables: (variables: Record<string, unknown>) => void;
}

/** The rendered content of a draft, requested when the person stops typing. */
function useRendered(
  draft: TemplateDraft,
  {
    variables,
    contact,
    footer,
    isOff,
  }: { variables: Record<string, unknown>; contact: string; footer: boolean; isOff: boolean },
) {
  const asked = {
    ...contentOf(draft),
    variables,
    footer,
    ...(contact.trim() === '' ? {} : { contact: contact.trim() }),
  };
  const [settled] = useDebouncedValue(JSON.stringify(asked), TYPING_MS);
  return useRead(
    ['templates', 'render', settled],
    (api, signal) => api.templates.renderContent(JSON.parse(settled) as typeof asked, { signal }),
    { keepsLast: true, isOff },
  );
}

export function TemplateEditor({ template, isFixed, isOpen, onDirty, variables, onVariables }: EditorProps) {
  const t = useTexts(templates).editor;
  const form = useFormState([]);
  const saved = draftOf(template);
  const [changed, setChanged] = useState<TemplateDraft | null>(null);
  const [contact, setContact] = useState('');
  const [footer, setFooter] = useState(false);
  const draft = changed ?? saved;
  const isDirty = changed !== null && JSON.stringify(changed) !== JSON.stringify(saved);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const isEmpty = (draft.html ?? '') === '' && (draft.text ?? '') === '' && draft.design === null;
  const rendered = useRendered(draft, { variables, contact, footer, isOff: !isOpen || isEmpty });
  const set = (changes: Partial<TemplateDraft>) => setChanged((last) => ({ ...(last ?? saved), ...changes }));
  const versioned = useVersion(template, isDirty);
  const save = useAction(
    (api) => versioned((options) => api.templates.update(template.id, updateOf(draft), options)),
    {
      done: (made) => t.saved(made.version),
      changes: ['templates'],
      isQuiet: true,
    },
  );
  const act = async () => {
    await save.mutateAsync();
    setChanged(null);
  };
  const names = [...new Set([...template.variables, ...(rendered.data?.missing ?? [])])];
  return (
    <>
      <LeaveGuard isDirty={isDirty} />
      <div className="mk-workbench">
        <Stack miw={0}>
          <FormProblem form={form} />
          <TextInput
            label={useTexts(templates).subject}
            description={t.subjectHint}
            readOnly={isFixed}
            value={draft.subject}
            error={markOf(rendered.error, 'subject')?.message}
            onChange={(event) => set({ subject: event.currentTarget.value })}
          />
          <Body
            subTenantId={template.sub_tenant_id}
            draft={draft}
            set={set}
            isFixed={isFixed}
            names={names}
            error={rendered.error}
          />
        </Stack>
        <TemplatePreview
          rendered={rendered}
          isEmpty={isEmpty}
          names={names}
          variables={variables}
          onVariables={onVariables}
          contact={contact}
          onContact={setContact}
          footer={footer}
          onFooter={setFooter}
        />
      </div>
      <SaveBar
        isShown={isDirty && !isFixed}
        isBusy={form.isBusy}
        label={t.save}
        call={(api) => api.templates.update(template.id, updateOf(draft))}
        onSave={() => void form.submit(act)}
        onDiscard={() => setChanged(null)}
      />
    </>
  );
}

function Body({
  subTenantId,
  draft,
  set,
  isFixed,
  names,
  error,
}: {
  subTenantId: string | null;
  draft: TemplateDraft;
  set: (changes: Partial<TemplateDraft>) => void;
  isFixed: boolean;
  names: readonly string[];
  error: unknown;
}) {
  const t = useTexts(templates).editor;
  const sentenceOf = useSentence();
  const hasHtml = draft.html !== null || draft.design !== null;
  const [shown, setPart] = useState<'html' | 'canvas' | 'text'>(hasHtml ? 'html' : 'text');
  // The canvas is removed when the blocks are converted to HTML.
  const part = shown === 'canvas' && (draft.design === null || isFixed) ? 'html' : shown;
  const mark = markOf(error, part === 'canvas' ? 'html' : part);
  const isOther = error !== null && markOf(error, 'html') === null && markOf(error, 'text') === null;
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t.parts}
          value={part}
          onChange={setPart}
          data={[
            { value: 'html', label: draft.design === null ? t.html : t.blocks },
            ...(draft.design === null || isFixed ? [] : [{ value: 'canvas', label: t.canvas } as const]),
            { value: 'text', label: t.text },
          ]}
        />
        {isFixed || part === 'text' ? null : <SwitchKind draft={draft} set={set} />}
      </Group>
      {isOther && markOf(error, 'subject') === null ? (
        <Alert color="red" role="alert">
          {sentenceOf(error)}
        </Alert>
      ) : null}
      {part === 'canvas' && draft.design !== null ? (
        <BlockCanvas design={draft.design} onChange={(design) => set({ design })} />
      ) : part === 'html' ? (
        draft.design === null ? (
          <>
            <CodeEditor
              label={t.html}
              kind="html"
              height={440}
              names={names}
              value={draft.html ?? ''}
              mark={mark}
              isReadOnly={isFixed}
              error={mark === null ? undefined : t.line(mark.line, mark.message)}
              onChange={(html) => set({ html: html === '' ? null : html })}
            />
            <Switch
              label={t.inlineCss}
              description={t.inlineCssHint}
              disabled={isFixed}
              checked={draft.inlineCss}
              onChange={(event) => set({ inlineCss: event.currentTarget.checked })}
            />
          </>
        ) : (
          <BlockEditor
            design={draft.design}
            onChange={(design) => set({ design })}
            isFixed={isFixed}
            subTenantId={subTenantId}
          />
        )
      ) : (
        <>
          {hasHtml ? (
            <Switch
              label={t.ownText}
              description={t.ownTextHint}
              disabled={isFixed}
              checked={draft.text !== null}
              onChange={(event) => set({ text: event.currentTarget.checked ? '' : null })}
            />
          ) : null}
          {draft.text === null && hasHtml ? null : (
            <CodeEditor
              label={t.text}
              kind="text"
              height={440}
              names={names}
              value={draft.text ?? ''}
              mark={mark}
              isReadOnly={isFixed}
              error={mark === null ? undefined : t.line(mark.line, mark.message)}
              onChange={(text) => set({ text })}
            />
          )}
        </>
      )}
    </>
  );
}

/** Switches between blocks and HTML. Both directions replace the content, so they ask first. */
function SwitchKind({
  draft,
  set,
}: {
  draft: TemplateDraft;
  set: (changes: Partial<TemplateDraft>) => void;
}) {
  const texts = useTexts(templates);
  const t = texts.editor;
  const [isAsking, setAsking] = useState(false);
  const { design } = draft;
  const label = design === null ? t.toBlocks : t.toHtml;
  return (
    <>
      <Button variant="subtle" size="xs" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={label}
        action={label}
        isDangerous={design === null && (draft.html ?? '').trim() !== ''}
        onConfirm={() => {
          if (design === null) set({ design: newDesign(texts.starter.heading, texts.starter.text) });
          else set({ design: null, html: htmlOf(design) });
          return Promise.resolve();
        }}
      >
        {design === null ? t.toBlocksAsk : t.toHtmlAsk}
      </Confirm>
    </>
  );
}
