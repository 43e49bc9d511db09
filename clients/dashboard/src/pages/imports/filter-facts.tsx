// Shows a requested filter in one line.
import { Text } from '@mantine/core';
import { events as eventTexts } from '../../texts/events.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { asText } from '../../ui/custom-fields.js';
import { RecordLink } from '../../ui/record-link.js';
import { useStatusText } from '../../ui/status.js';

/** Filters whose values are statuses or names of the API. Other values are what people typed. */
const WORDS = ['status', 'type', 'reason', 'events'];
const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;

export function FilterFacts({ of }: { of: Readonly<Record<string, unknown>> }) {
  const t = useTexts(transfers);
  const names: Readonly<Record<string, string>> = t.filterNames;
  const parts = Object.entries(of);
  return (
    <Text size="xs" c="dimmed" className="mk-break">
      {parts.length === 0 ? t.exports.all : null}
      {parts.map(([name, value], at) => (
        <span key={name}>
          {at === 0 ? '' : ' · '}
          {names[name] ?? name.replaceAll('_', ' ')}: <Value of={value} isWord={WORDS.includes(name)} />
        </span>
      ))}
    </Text>
  );
}

/** Records go by their names. */
function Value({ of, isWord }: { of: unknown; isWord: boolean }) {
  const word = useStatusText();
  const names: Readonly<Record<string, string>> = useTexts(eventTexts).names;
  if (typeof of === 'string' && ID.test(of)) return <RecordLink id={of} />;
  const textOf = (value: unknown) => {
    const text = asText(value);
    return isWord ? (names[text] ?? word(text)) : text;
  };
  return Array.isArray(of) ? of.map(textOf).join(', ') : textOf(of);
}
