// Content for the operator of the server, with an explanation for everyone else.
import type { ReactNode } from 'react';
import { useRead } from '../data/read.js';
import { EmptyState, Shown } from './states.js';

/** Whether the person is in the operator's own workspace; undefined until it is known. */
export function useIsOperator(): boolean | undefined {
  const { data } = useSystem();
  return data === undefined ? undefined : data.ports !== null;
}

/** The appliance: only the operator sees its ports. */
export function useSystem() {
  return useRead(['system'], (api, signal) => api.system.get({ signal }));
}

export function ForOperator({
  title,
  hint,
  children,
}: {
  title: string;
  hint: string;
  /** Reads only if permitted. */
  children: ReactNode;
}) {
  const system = useSystem();
  return (
    <Shown of={system} lines={6}>
      {({ ports }) =>
        ports === null ? (
          <EmptyState icon="lock" title={title}>
            {hint}
          </EmptyState>
        ) : (
          children
        )
      }
    </Shown>
  );
}
