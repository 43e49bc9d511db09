// Tags: shown, and as a field.
import { Badge, Group, TagsInput, Text } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

/** `most`: so many are shown, the rest is counted. */
export function Tags({ of, most = of.length }: { of: readonly string[]; most?: number }) {
  return (
    <Group gap={4}>
      {of.slice(0, most).map((tag) => (
        <Badge key={tag} color="gray" tt="none" component="span" maw="100%">
          {tag}
        </Badge>
      ))}
      {of.length > most ? (
        <Text size="xs" c="dimmed">
          +{of.length - most}
        </Text>
      ) : null}
    </Group>
  );
}

export function TagsField({
  label,
  hint,
  tags,
  onChange,
  error,
}: {
  label: string;
  hint?: string;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | undefined;
}) {
  const t = useTexts(common);
  return (
    <TagsInput
      label={label}
      description={hint}
      value={[...tags]}
      onChange={onChange}
      splitChars={[',']}
      acceptValueOnBlur
      error={error}
      clearButtonProps={{ 'aria-label': t.list.clear }}
    />
  );
}
