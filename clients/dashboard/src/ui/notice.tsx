// Shows the state of the page's object in a sentence or two.
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import { SIGNS, type Tone } from './status.js';

const COLORS: Record<Tone, string> = {
  ...{ good: 'green', bad: 'red', warn: 'yellow', busy: 'post', quiet: 'gray' },
};

export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Alert color={COLORS[tone]} icon={<Icon name={SIGNS[tone]} />} role="status" className="mk-notice">
      {children}
    </Alert>
  );
}
