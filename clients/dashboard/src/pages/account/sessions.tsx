// Where one is signed in, with a way to end it.
import { Text, VisuallyHidden } from '@mantine/core';
import type { Session } from '@posthorn/sdk';
import { usePlace } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { Time } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { deviceOf } from './device.js';

export function Sessions() {
  const { sessions: t } = useTexts(account);
  const read = useRead(['sessions'], (api, signal) => api.auth.listSessions({ signal }));
  const endOthers = useAction((api) => api.auth.endOtherSessions(), {
    done: t.endedOthers,
    changes: ['sessions'],
    isQuiet: true,
  });
  const hasOthers = (read.data?.data.length ?? 0) > 1;
  return (
    <Card
      title={t.title}
      actions={
        hasOthers ? (
          <ConfirmButton
            label={t.endOthers}
            title={t.endOthersTitle}
            action={t.endOthers}
            call={(api) => api.auth.endOtherSessions()}
            onConfirm={() => endOthers.mutateAsync()}
          >
            {t.endOthersHint}
          </ConfirmButton>
        ) : null
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t.hint}
      </Text>
      <Shown of={read}>{({ data }) => <SessionTable rows={data} />}</Shown>
    </Card>
  );
}

function SessionTable({ rows }: { rows: readonly Session[] }) {
  const { sessions: t } = useTexts(account);
  return (
    <div className="ph-table-frame" role="region" aria-label={t.title} tabIndex={0}>
      <table className="ph-table">
        <thead>
          <tr>
            <th scope="col">{t.device}</th>
            <th scope="col">{t.place}</th>
            <th scope="col">{t.used}</th>
            <th scope="col" className="ph-wide">
              {t.begun}
            </th>
            <th scope="col" data-align="right">
              <VisuallyHidden>{t.end}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { sessions: t } = useTexts(account);
  const { api } = usePlace();
  const { id, ip, user_agent: agent } = session;
  const device = useDeviceName(agent);
  const end = useAction(() => api.auth.endSession(id), {
    done: t.ended,
    changes: ['sessions'],
    isQuiet: true,
  });
  return (
    <tr>
      <td>
        <span className="ph-clip" title={agent ?? ''}>
          {device}
        </span>
      </td>
      <td className="ph-mono">{ip}</td>
      <td>
        <Time at={session.last_used_at} />
      </td>
      <td className="ph-wide">
        <Time at={session.created_at} />
      </td>
      <td data-align="right">
        {session.is_current ? (
          <Status of="active">{t.current}</Status>
        ) : (
          <ConfirmButton
            label={t.end}
            title={t.endOf(device)}
            action={t.end}
            call={(to) => to.auth.endSession(id)}
            onConfirm={() => end.mutateAsync()}
          >
            {t.endHint}
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}

function useDeviceName(agent: string | null): string {
  const { sessions: t } = useTexts(account);
  if (agent === null) return t.unknown;
  const { browser, system } = deviceOf(agent);
  if (browser === null) return agent;
  return system === null ? browser : t.on(browser, system);
}
