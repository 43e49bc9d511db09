// What only the operator of the appliance may see: shown, or explained to everybody else.
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from '@posthorn/sdk';
import type { ReactNode } from 'react';
import { EmptyState, Shown } from './states.js';

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

export function ForOperator<T>({
  of,
  title,
  hint,
  children,
}: {
  of: UseQueryResult<T>;
  title: string;
  hint: string;
  children: (data: T) => ReactNode;
}) {
  if (isForbidden(of.error)) {
    return (
      <EmptyState icon="lock" title={title}>
        {hint}
      </EmptyState>
    );
  }
  return (
    <Shown of={of} lines={6}>
      {children}
    </Shown>
  );
}
