// The "</>" button: shows the requests of a page or action as curl, SDK and CLI calls.
import { ActionIcon, Stack, Tabs, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ApiCall } from '../data/call-samples.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { CodeBlock } from './code-block.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { Shown } from './states.js';

export type { ApiCall };

export function CallsButton({ calls, label }: { calls: readonly ApiCall[]; label?: string }) {
  const t = useTexts(common);
  const [isOpen, { open, close }] = useDisclosure(false);
  const text = label ?? t.calls.button;
  return (
    <>
      <Tooltip label={text}>
        <ActionIcon variant="default" size={34} onClick={open} aria-label={text}>
          <Icon name="code" />
        </ActionIcon>
      </Tooltip>
      <Dialog isOpen={isOpen} onClose={close} title={t.calls.title}>
        <Calls calls={calls} />
      </Dialog>
    </>
  );
}

const { origin } = window.location;
/** The lines that install a client from this server; curl is there already. */
const INSTALL = {
  curl: null,
  sdk: `npm install ${origin}/sdk.tgz`,
  cli: `npm install -g ${origin}/cli.tgz\nmailkeel login --url ${origin}`,
} as const;

function Calls({ calls }: { calls: readonly ApiCall[] }) {
  const t = useTexts(common);
  const samples = useQuery({
    queryKey: ['calls', calls.map(String)],
    // The table of operations is loaded when the first person asks for it.
    queryFn: async () => {
      const { samplesOf } = await import('../data/call-samples.js');
      return Promise.all(calls.map((call) => samplesOf(call)));
    },
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Stack>
      <Text c="dimmed">{t.calls.hint}</Text>
      <Shown of={samples}>
        {(all) => (
          <Tabs defaultValue="curl">
            <Tabs.List mb="sm">
              <Tabs.Tab value="curl">curl</Tabs.Tab>
              <Tabs.Tab value="sdk">TypeScript</Tabs.Tab>
              <Tabs.Tab value="cli">CLI</Tabs.Tab>
            </Tabs.List>
            {(['curl', 'sdk', 'cli'] as const).map((kind) => (
              <Tabs.Panel key={kind} value={kind}>
                <Stack>
                  {INSTALL[kind] !== null && (
                    <>
                      <Text size="sm">{t.calls.install}</Text>
                      <CodeBlock code={INSTALL[kind]} wraps />
                    </>
                  )}
                  {all.map((sample) => (
                    <CodeBlock key={sample.curl} code={sample[kind]} wraps />
                  ))}
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Shown>
    </Stack>
  );
}
