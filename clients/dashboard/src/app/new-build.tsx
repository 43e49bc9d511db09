// Shows that the server has a newer build of the dashboard than this tab, which was opened before an upgrade.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

const EVERY_MS = 10 * 60_000;
/** A build is identified by the name of its first script, which contains its hash. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

const own = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

async function servedEntry(signal: AbortSignal): Promise<string | null> {
  const answer = await fetch('/sign-in', { signal });
  return answer.ok ? (ENTRY.exec(await answer.text())?.[1] ?? null) : null;
}

export function NewBuild() {
  const t = useTexts(common).newBuild;
  const { data: served } = useQuery({
    queryKey: ['session build'],
    queryFn: ({ signal }) => servedEntry(signal),
    // A tab that becomes visible after hours checks immediately.
    refetchOnWindowFocus: true,
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS / 10,
    // The page itself may come from the browser's cache.
    initialData: own,
    initialDataUpdatedAt: 0,
    retry: false,
  });
  if (own === null || served === null || served === own) return null;
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      role="status"
      style={{ position: 'fixed', right: 16, bottom: 16, zIndex: 300 }}
    >
      <Group gap="sm">
        <Text size="sm">{t.text}</Text>
        <Button size="xs" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Group>
    </Paper>
  );
}
