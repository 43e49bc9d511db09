// A filter as it was asked for, in a line.
import { Text } from '@mantine/core';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { asText } from '../../ui/custom-fields.js';
import { RecordLink } from '../../ui/record-link.js';

const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;

export function FilterFacts({ of }: { of: Readonly<Record<string, unknown>> }) {
  const t = useTexts(transfers);
  const parts = Object.entries(of);
  return (
    <Text size="xs" c="dimmed" className="mk-break">
      {parts.length === 0 ? t.exports.all : null}
      {parts.map(([name, value], at) => (
        <span key={name}>
          {at === 0 ? '' : ' · '}
          {name}: <Value of={value} />
        </span>
      ))}
    </Text>
  );
}

/** Records go by their names. */
function Value({ of }: { of: unknown }) {
  if (typeof of === 'string' && ID.test(of)) return <RecordLink id={of} />;
  return Array.isArray(of) ? of.map(asText).join(', ') : asText(of);
}
