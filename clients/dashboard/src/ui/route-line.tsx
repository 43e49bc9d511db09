// Shows the progress of a message as stations: completed ones, the current one, and the one at which it stopped.
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

export interface Stop {
  key: string;
  label: string;
  state: 'done' | 'now' | 'bad' | 'warn' | 'ahead';
  detail?: ReactNode;
}

const SIGNS: Record<Stop['state'], IconName | null> = {
  done: 'check',
  now: null,
  bad: 'cross',
  warn: 'warning',
  ahead: null,
};

export function RouteLine({ label, stops }: { label: string; stops: readonly Stop[] }) {
  return (
    <ol className="mk-route" aria-label={label} tabIndex={0}>
      {stops.map(({ key, label: name, state, detail }) => {
        const sign = SIGNS[state];
        return (
          <li key={key} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="mk-route-stop">{sign === null ? null : <Icon name={sign} size={12} />}</span>
            <strong>{name}</strong>
            {detail}
          </li>
        );
      })}
    </ol>
  );
}
