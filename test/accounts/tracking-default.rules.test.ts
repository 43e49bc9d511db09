import { expect, it } from 'vitest';
import { isTrackedByDefault } from '../../src/accounts/tracking-default.rules.js';

it.each([
  [1, 1, null, 'marketing', true, true],
  [1, 0, null, 'sales', true, false],
  [0, 1, '[]', 'marketing', false, true],
  [1, 1, '["transactional"]', 'transactional', false, false],
  [1, 1, '["transactional"]', 'marketing', true, true],
] as const)(
  'tracks opens %i and clicks %i without %s in a %s message',
  (track_opens, track_clicks, untracked_types, type, opens, clicks) => {
    expect(isTrackedByDefault({ track_opens, track_clicks, untracked_types }, type)).toEqual({
      opens,
      clicks,
    });
  },
);
