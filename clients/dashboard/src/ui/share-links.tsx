// Share links of a domain's DNS records: creates, shows once, lists and revokes them.
import { Alert, Button, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Mailkeel, ShareLink, ShareLinkCreated } from '@mailkeel/sdk';
import { useState } from 'react';
import { useList, useRead, useRefresh } from '../data/read.js';
import { usePlace, useRole } from '../data/place.js';
import { common } from '../texts/common.js';
import { dns } from '../texts/dns.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton } from './calls.js';
import { CodeBlock } from './code-block.js';
import { ConfirmButton } from './confirm.js';
import { Dialog } from './dialog.js';
import { FormDialog, useFormState } from './form.js';
import { Time, useFormat } from './format.js';
import { Icon } from './icon.js';
import { Card } from './page.js';
import { Shown } from './states.js';
import { Status } from './status.js';

const DEFAULT_DAYS = 7;

export interface ShareLinksProps {
  targetId: string;
  make: (api: Mailkeel, days: number) => PromiseLike<ShareLinkCreated>;
}

export function ShareLinksCard({ targetId, make }: ShareLinksProps) {
  const t = useTexts(dns);
  const mayChange = useRole('member');
  const links = useList<ShareLink>(['share-links', targetId], (api, _cursor, signal) =>
    api.shareLinks.list({ target_id: targetId, limit: 20 }, { signal }),
  );
  return (
    <Card title={t.share} actions={mayChange ? <NewLink make={make} /> : null}>
      <Text c="dimmed" size="sm" mb="sm">
        {t.shareAbout}
      </Text>
      <Shown of={links}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text size="sm">{t.shareNone}</Text>
          ) : (
            <Links rows={rows} mayChange={mayChange} />
          )
        }
      </Shown>
    </Card>
  );
}

function Links({ rows, mayChange }: { rows: readonly ShareLink[]; mayChange: boolean }) {
  const t = useTexts(dns);
  const frame = useTexts(common);
  return (
    <div className="mk-table-frame" role="region" aria-label={t.share} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{frame.created}</th>
            <th scope="col">{frame.status}</th>
            <th scope="col">{t.shareExpires}</th>
            <th scope="col">{t.shareDelete}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((link) => (
            <LinkRow key={link.id} link={link} mayChange={mayChange} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LinkRow({ link, mayChange }: { link: ShareLink; mayChange: boolean }) {
  const t = useTexts(dns);
  const format = useFormat();
  const { api } = usePlace();
  const refresh = useRefresh();
  const [readAt] = useState(() => Date.now());
  const isExpired = new Date(link.expires_at).getTime() <= readAt;
  const state = link.revoked_at !== null ? 'ended' : isExpired ? 'expired' : 'works';
  const texts = { ended: t.shareEnded, expired: t.shareExpired, works: t.shareWorks };
  return (
    <tr>
      <td>
        <Time at={link.created_at} />
      </td>
      <td>
        <Status of={state} tone={state === 'works' ? 'good' : 'quiet'}>
          {texts[state]}
        </Status>
      </td>
      <td>
        <Time at={link.revoked_at ?? link.expires_at} />
      </td>
      <td data-align="right">
        {state === 'works' && mayChange ? (
          <ConfirmButton
            label={t.shareDelete}
            title={t.shareOf(format.time(link.created_at))}
            action={t.shareDelete}
            call={(to) => to.shareLinks.delete(link.id)}
            onConfirm={async () => {
              await api.shareLinks.delete(link.id);
              await refresh('share-links');
            }}
          >
            {t.shareDeleteAbout}
          </ConfirmButton>
        ) : null}
      </td>
    </tr>
  );
}

function NewLink({ make }: Pick<ShareLinksProps, 'make'>) {
  const t = useTexts(dns);
  const { api } = usePlace();
  const refresh = useRefresh();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<ShareLinkCreated | null>(null);
  const system = useRead(['system'], (to) => to.system.get());
  const isLocal = system.data?.missing_settings.includes('MAILKEEL_PUBLIC_URL') === true;
  const [days, setDays] = useState(DEFAULT_DAYS);
  const form = useFormState(['expires_in_days']);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="share" size={16} />} onClick={open}>
        {t.shareNew}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={t.shareNew}
        submit={t.shareMake}
        form={form}
        extra={<CallsButton calls={[(to) => make(to, days)]} />}
        act={async () => {
          setMade(await make(api, days));
          await refresh('share-links');
        }}
      >
        <Text c="dimmed">{t.shareAbout}</Text>
        {isLocal ? <Alert color="yellow">{t.shareLocal}</Alert> : null}
        <NumberInput
          label={t.shareDays}
          value={days}
          min={1}
          max={90}
          allowDecimal={false}
          onChange={(next) => setDays(Number(next))}
          error={form.errors['expires_in_days']}
        />
      </FormDialog>
      <Dialog isOpen={made !== null} onClose={() => setMade(null)} title={t.shareMade}>
        {made === null ? null : (
          <Stack>
            <Alert color="yellow" icon={<Icon name="warning" />}>
              {t.shareMadeHint}
            </Alert>
            <CodeBlock code={made.url} wraps label={t.shareNew} />
            <Text size="sm" c="dimmed">
              {t.shareExpires} <Time at={made.expires_at} isFull />
            </Text>
          </Stack>
        )}
      </Dialog>
    </>
  );
}
