// Shows a status as a badge. Its color and icon show whether it is good, and its text names it.
import type { ReactNode } from 'react';
import { statuses } from '../texts/statuses.js';
import { useTexts } from '../texts/texts.js';
import { Icon, type IconName } from './icon.js';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

/** The sign of a tone. */
export const SIGNS: Record<Tone, IconName> = {
  good: 'check',
  bad: 'cross',
  warn: 'warning',
  busy: 'clock',
  quiet: 'info',
};

const TONES: Record<Tone, readonly string[]> = {
  good: [
    ...[
      'delivered',
      'opened',
      'clicked',
      'received',
      'verified',
      'pass',
      'ok',
      'enabled',
      'active',
      'succeeded',
      'completed',
    ],
    ...['flowing', 'open', 'subscribed', 'sent', 'created', 'accepted', 'approved', 'finished'],
  ],
  bad: [
    ...[
      'bounced',
      'failed',
      'complained',
      'complaint',
      'bounce',
      'fail',
      'mismatch',
      'suspended',
      'throttled',
      'disabled',
    ],
    ...['expired', 'revoked', 'denied', 'rejected', 'hard'],
  ],
  warn: [
    ...[
      'deferred',
      'suppressed',
      'warned',
      'warn',
      'paused',
      'unsubscribed',
      'unsubscribe',
      'missing',
      'limited',
      'held',
    ],
    ...['unknown', 'ambiguous', 'suspected', 'soft', 'soft_bounced', 'waiting'],
  ],
  busy: ['queued', 'sending', 'scheduled', 'running', 'pending', 'pending_verification', 'published'],
  quiet: [],
};

export function toneOf(status: string): Tone {
  const found = (Object.keys(TONES) as Tone[]).find((tone) => TONES[tone].includes(status));
  return found ?? 'quiet';
}

/** The status in the chosen language; one that has no text is shown as the API has it. */
export function useStatusText(): (status: string) => string {
  const t: Record<string, string> = useTexts(statuses);
  return (status) => t[status] ?? status.replaceAll('_', ' ');
}

export function Status({ of, tone, children }: { of: string; tone?: Tone; children?: ReactNode }) {
  const text = useStatusText();
  const shown = tone ?? toneOf(of);
  return (
    <span className="mk-status" data-tone={shown}>
      <Icon name={SIGNS[shown]} size={12} />
      {children ?? text(of)}
    </span>
  );
}
