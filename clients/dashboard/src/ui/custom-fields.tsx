// Shows and edits the custom fields of a record. Values that are not text are written as JSON.
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { Icon } from './icon.js';
import { Facts } from './page.js';

export interface CustomField {
  name: string;
  value: string;
  /** The previous name; undefined for a new field. */
  before?: unknown;
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function fieldsOf(data: Readonly<Record<string, unknown>>): CustomField[] {
  return Object.entries(data).map(([name, value]) => ({ name, value: asText(value), before: value }));
}

/** A number or list keeps its type as long as it is valid JSON; everything else is text. */
export function dataOf(fields: readonly CustomField[]): Record<string, unknown> {
  const named = fields.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(
    named.map(({ name, value, before }) => [
      name.trim(),
      before === undefined || typeof before === 'string' ? value : jsonOr(value),
    ]),
  );
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function CustomFacts({
  of,
  isStacked = false,
}: {
  of: Readonly<Record<string, unknown>>;
  isStacked?: boolean;
}) {
  return (
    <Facts isStacked={isStacked} of={Object.entries(of).map(([name, value]) => [name, asText(value)])} />
  );
}

export function CustomFieldsInput({
  texts: t,
  fields,
  onChange,
  error,
}: {
  texts: {
    fields: string;
    fieldsHint: string;
    fieldName: string;
    fieldValue: string;
    addField: string;
    removeField: string;
  };
  fields: readonly CustomField[];
  onChange: (fields: CustomField[]) => void;
  error?: string | undefined;
}) {
  const change = (place: number, changes: Partial<CustomField>) =>
    onChange(fields.map((field, at) => (at === place ? { ...field, ...changes } : field)));
  return (
    <Input.Wrapper label={t.fields} description={t.fieldsHint} error={error}>
      <Stack gap="xs" mt="xs" align="stretch">
        {fields.map((field, place) => (
          <Group key={place} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t.fieldName}
              placeholder={t.fieldName}
              className="mk-mono"
              flex="1 1 40%"
              value={field.name}
              onChange={(event) => change(place, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={field.name === '' ? t.fieldValue : `${t.fieldValue}: ${field.name}`}
              placeholder={t.fieldValue}
              flex="1 1 60%"
              value={field.value}
              onChange={(event) => change(place, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${t.removeField}: ${field.name}`}
              onClick={() => onChange(fields.filter((_field, at) => at !== place))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onChange([...fields, { name: '', value: '' }])}
          >
            {t.addField}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
