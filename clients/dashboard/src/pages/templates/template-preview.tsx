// Previews content with sample values, and lists placeholders without a value.
import { Button, Group, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RenderedContent } from '@mailkeel/sdk';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { CodeEditor } from '../../ui/code-editor.js';
import { MailView } from '../../ui/mail-view.js';
import { Card } from '../../ui/page.js';
import { Loading } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

interface PreviewProps {
  rendered: { data: RenderedContent | undefined; isLoading: boolean };
  isEmpty: boolean;
  names: readonly string[];
  variables: Record<string, unknown>;
  onVariables: (variables: Record<string, unknown>) => void;
  contact: string;
  onContact: (email: string) => void;
  footer: boolean;
  onFooter: (footer: boolean) => void;
}

type View = 'html' | 'text' | 'source';

export function TemplatePreview(props: PreviewProps) {
  const t = useTexts(templates).preview;
  const { rendered, isEmpty, footer, onFooter } = props;
  const [view, setView] = useState<View>('html');
  const views: readonly View[] = ['html', 'text', 'source'];
  return (
    <Stack miw={0}>
      <Card title={t.title}>
        <Group mb="sm" justify="space-between">
          <SegmentedControl
            size="xs"
            aria-label={t.title}
            value={view}
            onChange={setView}
            data={views.map((value) => ({ value, label: t[value] }))}
          />
          <Switch
            size="sm"
            label={t.footer}
            checked={footer}
            onChange={(event) => onFooter(event.currentTarget.checked)}
          />
        </Group>
        {isEmpty ? (
          <Text c="dimmed">{t.nothing}</Text>
        ) : rendered.data === undefined ? (
          rendered.isLoading ? (
            <Loading lines={6} />
          ) : (
            <Text c="dimmed">{t.nothing}</Text>
          )
        ) : (
          <Filled of={rendered.data} view={view} />
        )}
      </Card>
      <Values {...props} />
    </Stack>
  );
}

function Filled({ of: { subject, html, text }, view }: { of: RenderedContent; view: View }) {
  const t = useTexts(templates).preview;
  return (
    <>
      <Text fw={600} mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {subject ?? ''}
      </Text>
      {view === 'html' ? (
        html === null ? (
          <Text c="dimmed">{t.noHtml}</Text>
        ) : (
          <MailView html={html} height={420} />
        )
      ) : (
        <CodeBlock code={(view === 'text' ? text : html) ?? ''} wraps label={t[view]} />
      )}
    </>
  );
}

/** Returns the value of a dotted name; undefined if there is none. */
function valueAt(variables: Record<string, unknown>, name: string): unknown {
  let value: unknown = variables;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Returns the object with the value of a dotted name changed; an empty value is removed. */
function withValue(variables: Record<string, unknown>, name: string, value: string): Record<string, unknown> {
  const [first = '', ...rest] = name.split('.');
  const others = Object.fromEntries(Object.entries(variables).filter(([key]) => key !== first));
  if (rest.length === 0) return value === '' ? others : { ...others, [first]: value };
  const below = Object.hasOwn(variables, first) ? variables[first] : {};
  const inner = typeof below === 'object' && below !== null ? (below as Record<string, unknown>) : {};
  const next = withValue(inner, rest.join('.'), value);
  return Object.keys(next).length === 0 ? others : { ...others, [first]: next };
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function Values({ rendered, names, variables, onVariables, contact, onContact }: PreviewProps) {
  const t = useTexts(templates).preview;
  /** `null` to edit the values as fields. */
  const [json, setJson] = useState<string | null>(null);
  const missing = rendered.data?.missing ?? [];
  return (
    <Card
      title={t.values}
      actions={
        <Button
          variant="subtle"
          size="xs"
          onClick={() => setJson(json === null ? JSON.stringify(variables, null, 2) : null)}
        >
          {json === null ? t.asJson : t.asFields}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.valuesHint}
        </Text>
        <TextInput
          label={t.contact}
          description={t.contactHint}
          inputMode="email"
          value={contact}
          onChange={(event) => onContact(event.currentTarget.value)}
        />
        {json === null ? (
          names.length === 0 ? (
            <Text size="sm">{t.noVariables}</Text>
          ) : (
            names.map((name) => {
              const value = valueAt(variables, name);
              return (
                <TextInput
                  key={name}
                  label={
                    <Group component="span" gap="xs" display="inline-flex">
                      <span className="mk-mono">{name}</span>
                      {missing.includes(name) ? (
                        <Status of="missing">{t.missing}</Status>
                      ) : value === undefined ? null : (
                        <Status of="ok">{t.filled}</Status>
                      )}
                    </Group>
                  }
                  // Lists and objects are written as JSON.
                  readOnly={typeof value === 'object'}
                  value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)}
                  onChange={(event) => onVariables(withValue(variables, name, event.currentTarget.value))}
                />
              );
            })
          )
        ) : (
          <CodeEditor
            label={t.json}
            kind="json"
            height={200}
            value={json}
            error={readObject(json) === null ? t.jsonWrong : undefined}
            onChange={(text) => {
              setJson(text);
              const read = readObject(text);
              if (read !== null) onVariables(read);
            }}
          />
        )}
      </Stack>
    </Card>
  );
}
