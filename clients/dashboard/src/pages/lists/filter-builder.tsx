// Builds the filter of a segment from conditions and groups, and counts whom it finds while it is built.
import {
  ActionIcon,
  Button,
  Group as Row,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../../data/read.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { PlainListPicker } from '../../ui/pickers.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { useStatusText } from '../../ui/status.js';
import { CONTACT_STATUSES } from '../contacts/contact-statuses.js';
import {
  CUSTOM,
  filterOf,
  isWhole,
  MOST_LEVELS,
  newCondition,
  newGroup,
  OPS,
  takesSeveral,
  takesValue,
  withField,
  type Condition,
  type FieldName,
  type Group,
  type OpName,
  type Rule,
} from './filter-rules.js';

const COUNT_AFTER_MS = 400;

export function FilterBuilder({
  group,
  onChange,
  level = 1,
}: {
  group: Group;
  onChange: (group: Group) => void;
  level?: number;
}) {
  const t = useTexts(lists);
  const change = (rules: readonly Rule[]) => onChange({ ...group, rules });
  const replace = (key: number, rule: Rule) =>
    change(group.rules.map((one) => (one.key === key ? rule : one)));
  const remove = (key: number) => change(group.rules.filter((one) => one.key !== key));
  return (
    <div className="mk-rules" role="group" aria-label={t.group}>
      <SegmentedControl
        size="xs"
        aria-label={t.match}
        value={group.match}
        onChange={(match) => onChange({ ...group, match: match === 'any' ? 'any' : 'all' })}
        data={[
          { value: 'all', label: t.matchAll },
          { value: 'any', label: t.matchAny },
        ]}
      />
      {group.rules.map((rule) =>
        rule.kind === 'condition' ? (
          <ConditionRow
            key={rule.key}
            condition={rule}
            onChange={(next) => replace(rule.key, next)}
            onRemove={() => remove(rule.key)}
          />
        ) : (
          <Row key={rule.key} wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              <FilterBuilder group={rule} onChange={(next) => replace(rule.key, next)} level={level + 1} />
            </div>
            <Remove label={t.removeGroup} onClick={() => remove(rule.key)} />
          </Row>
        ),
      )}
      <Row gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => change([...group.rules, newCondition()])}>
          {t.addCondition}
        </Button>
        {level < MOST_LEVELS ? (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => change([...group.rules, newGroup(group.match === 'all' ? 'any' : 'all')])}
          >
            {t.addGroup}
          </Button>
        ) : null}
      </Row>
    </div>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size={34} aria-label={label} onClick={onClick}>
      <Icon name="trash" size={16} />
    </ActionIcon>
  );
}

function ConditionRow({
  condition,
  onChange,
  onRemove,
}: {
  condition: Condition;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}) {
  const t = useTexts(lists);
  const names: Record<string, string> = t.filterFields;
  const fields: { value: FieldName; label: string }[] = (Object.keys(OPS) as FieldName[]).map((value) => ({
    value,
    label: value === CUSTOM ? t.customField : (names[value] ?? value),
  }));
  return (
    <div className="mk-rule">
      <Select
        aria-label={t.field}
        data={fields}
        value={condition.field}
        onChange={(field) => onChange(withField(condition, field ?? condition.field))}
      />
      {condition.field === CUSTOM ? (
        <TextInput
          aria-label={t.customName}
          placeholder={t.customName}
          value={condition.custom}
          onChange={(event) => onChange({ ...condition, custom: event.currentTarget.value })}
        />
      ) : null}
      <Select
        aria-label={t.op}
        data={OPS[condition.field].map((value) => ({ value, label: t.ops[value] }))}
        value={condition.op}
        onChange={(op: OpName | null) => onChange({ ...condition, op: op ?? condition.op })}
      />
      {takesValue(condition.op) ? (
        <ValueField condition={condition} onChange={(value) => onChange({ ...condition, value })} />
      ) : null}
      <Remove label={t.removeCondition} onClick={onRemove} />
    </div>
  );
}

function ValueField({ condition, onChange }: { condition: Condition; onChange: (value: string) => void }) {
  const t = useTexts(lists);
  const word = useStatusText();
  const { field, op, value } = condition;
  const isSeveral = takesSeveral(op);
  const choice = {
    'aria-label': t.value,
    value: value === '' ? null : value,
    onChange: (chosen: string | null) => onChange(chosen ?? ''),
  };
  // A segment cannot be part of one.
  if (!isSeveral && field === 'list') return <PlainListPicker {...choice} />;
  if (!isSeveral && field === 'status')
    return <Select {...choice} data={CONTACT_STATUSES.map((one) => ({ value: one, label: word(one) }))} />;
  const isDay = op === 'before' || op === 'after';
  return (
    <TextInput
      aria-label={t.value}
      type={isDay ? 'date' : 'text'}
      placeholder={isSeveral ? t.valuesHint : ''}
      value={isDay ? value.slice(0, 10) : value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The number of matches, requested again when the person stops typing. */
export function FilterCount({ group }: { group: Group }) {
  const t = useTexts(lists);
  const format = useFormat();
  const [asked] = useDebouncedValue(group, COUNT_AFTER_MS);
  const filter = filterOf(asked);
  const preview = useRead(
    ['lists', 'preview', filter],
    (api, signal) => api.lists.preview({ filter }, { signal }),
    {
      isOff: !isWhole(asked),
      keepsLast: true,
    },
  );
  if (!isWhole(asked)) return null;
  if (preview.isError) return <Text role="alert">{preview.error.message}</Text>;
  const { data } = preview;
  if (data === undefined) return <Text c="dimmed">…</Text>;
  if (data.contacts === 0) return <Text role="status">{t.matchesNone}</Text>;
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>{t.matches(format.count(data.contacts))}</Text>
      <Text size="sm" c="dimmed" className="mk-break">
        {t.matchesSome}{' '}
        {data.sample
          .slice(0, 5)
          .map(({ email }) => email)
          .join(', ')}
      </Text>
    </Stack>
  );
}
