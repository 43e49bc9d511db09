// Lists a person's sessions.
import { Button, Group, Text, Title } from '@mantine/core';
import type { Session } from '@mailkeel/sdk';
import { useAction, useRead } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { Time } from '../../ui/format.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

const BROWSERS = /\b(Firefox|Edg|OPR|Chrome|Safari|curl|node)\b/;
const SYSTEMS = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/;

/** Chrome on Linux; the whole text of others. */
function deviceOf(agent: string): string {
  const browser = BROWSERS.exec(agent)?.[1];
  const system = SYSTEMS.exec(agent)?.[1];
  if (browser === undefined) return agent;
  const name = browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser;
  return system === undefined ? name : `${name}, ${system}`;
}

export function Sessions() {
  const t = useTexts(account);
  const sessions = useRead(['sessions'], (api, signal) => api.auth.listSessions({ signal }));
  const endOthers = useAction((api) => api.auth.endOtherSessions(), {
    done: t.endedOthers,
    changes: ['sessions'],
    isQuiet: true,
  });
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t.sessions}</Title>
        <ConfirmButton
          label={t.endOthers}
          title={t.endOthers}
          action={t.endOthers}
          onConfirm={() => endOthers.mutateAsync()}
          call={(api) => api.auth.endOtherSessions()}
        >
          {t.endOthersHint}
        </ConfirmButton>
      </Group>
      <Shown of={sessions}>{({ data }) => <SessionTable sessions={data} />}</Shown>
    </section>
  );
}

function SessionTable({ sessions }: { sessions: readonly Session[] }) {
  const t = useTexts(account);
  return (
    <div className="mk-table-frame" role="region" aria-label={t.sessions} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.device}</th>
            <th scope="col" className="mk-wide">
              {t.address}
            </th>
            <th scope="col" data-align="right">
              {t.lastUsed}
            </th>
            <th scope="col" data-align="right">
              {t.end}
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useTexts(account);
  const { id, user_agent: agent, ip, is_current: isCurrent } = session;
  const device = agent === null ? t.unknownDevice : deviceOf(agent);
  const end = useAction((api) => api.auth.endSession(id), { done: t.ended, changes: ['sessions'] });
  return (
    <tr>
      <td>
        <Text span className="mk-clip" title={agent ?? ''}>
          {device}
        </Text>
      </td>
      <td className="mk-wide">{ip ?? '–'}</td>
      <td data-align="right">
        <Time at={session.last_used_at} />
      </td>
      <td data-align="right">
        {isCurrent ? (
          <Status of="active">{t.thisOne}</Status>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            loading={end.isPending}
            aria-label={`${t.end}: ${device}, ${ip ?? ''}`}
            onClick={() => end.mutate()}
          >
            {t.end}
          </Button>
        )}
      </td>
    </tr>
  );
}
