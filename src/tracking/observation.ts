// What an open or a click of a message changes: its status and its first time, and an entry in the trail.
import { canonicalAddress } from '../lib/addresses/address-range.rules.js';
import { machineClientOf, type MachineClients } from './machine-client.rules.js';
import { statusesThatMayBecome } from '../messages/state.rules.js';
import type { SignedLinkTarget } from '../messages/messages.store.js';
import type { Change, EventDetail } from '../store/plan.js';
import { trailEntry, trailSubject } from '../events/audit-trail-entry.store.js';

const MAX_USER_AGENT = 500;

export interface Observation {
  event: 'opened' | 'clicked';
  /** `msg_…` */
  messageId: string;
  /** Epoch ms. */
  at: number;
  address: string;
  userAgent: string | null;
  /** Of a click: where it led. */
  link: { index: number; url: string } | null;
}

/** The changes by the observations of one message, in their order; none while it waits for its time to be sent. */
export function observationPlan(
  target: SignedLinkTarget,
  observations: readonly Observation[],
  clients: MachineClients,
): Change[] {
  // Its links are known already to whoever looks at its raw form.
  const { status, scheduled_at: scheduledAt } = target.message;
  if (status === 'queued' && scheduledAt !== null && observations.every(({ at }) => at < scheduledAt))
    return [];
  const first = (event: Observation['event']): Observation | undefined =>
    observations.find((one) => one.event === event);
  return [
    ...firstTime(target, 'opened', first('opened')),
    ...firstTime(target, 'clicked', first('clicked')),
    ...observations.map((one) =>
      trailEntry(trailSubject(target.message, target.scope), {
        event: one.event,
        actor: 'recipient',
        at: one.at,
        detail: detailOf(one, clients),
      }),
    ),
  ];
}

/** The status moves and the time is set by the first of its kind only. */
function firstTime(
  { message }: SignedLinkTarget,
  event: Observation['event'],
  first: Observation | undefined,
): Change[] {
  const column = event === 'opened' ? 'opened_at' : 'clicked_at';
  if (first === undefined || message[column] !== null) return [];
  const { id: messageId } = message;
  return [
    {
      kind: 'advance',
      messageId,
      to: event,
      from: statusesThatMayBecome(event),
      set: { updated_at: first.at },
    },
    // Guarded: another may have set it since the row was read.
    {
      kind: 'update',
      table: 'messages',
      set: { [column]: first.at },
      where: { id: messageId, [column]: null },
    },
  ];
}

function detailOf({ address, userAgent, link }: Observation, clients: MachineClients): EventDetail {
  const machine = machineClientOf({ address, userAgent }, clients);
  const metadata = {
    ...(link === null ? {} : { url: link.url, link: link.index }),
    ...(machine === null ? {} : { machine: true, client: machine }),
  };
  const shown = userAgent === null ? '' : cleanUserAgent(userAgent);
  return {
    ip: canonicalAddress(address),
    ...(shown === '' ? {} : { user_agent: shown }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function cleanUserAgent(text: string): string {
  return text
    .slice(0, MAX_USER_AGENT)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim();
}
