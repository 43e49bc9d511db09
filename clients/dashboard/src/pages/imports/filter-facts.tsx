// A filter as it was asked for, in a line.
import { Text } from '@mantine/core';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { asText } from '../../ui/custom-fields.js';

export function FilterFacts({ of }: { of: Readonly<Record<string, unknown>> }) {
  const t = useTexts(transfers);
  const parts = Object.entries(of).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.map(asText).join(', ') : asText(value)}`,
  );
  return (
    <Text size="xs" c="dimmed" className="mk-break">
      {parts.length === 0 ? t.exports.all : parts.join(' · ')}
    </Text>
  );
}
