// Shows a secret once, with a button to copy it.
import { Alert, Stack, Text } from '@mantine/core';
import { Copyable } from './code-block.js';
import { Icon } from './icon.js';

export function ShownOnce({ title, hint, value }: { title: string; hint: string; value: string }) {
  return (
    <Alert color="yellow" title={title} icon={<Icon name="key" />} role="status">
      <Stack gap="xs">
        <Text size="sm">{hint}</Text>
        <Copyable value={value} label={title} />
      </Stack>
    </Alert>
  );
}
