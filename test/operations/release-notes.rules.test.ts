import { expect, test } from 'vitest';
import { newestRelease } from '../../src/operations/release-notes.rules.js';

test('returns the newest entry, with multi-line items, and nothing of the previous one', () => {
  const text = [
    ...['# Changes', '', 'By hand.', '', '## 0.2.0', '', 'All of it.', '', '### Added', ''],
    ...['- One thing', '  that takes two lines.', '- Another.', '', '### Fixed', '- A fault.', ''],
    ...['## 0.1.0', '### Added', '- Everything.'],
  ].join('\n');
  expect(newestRelease(text)).toEqual({
    heading: '0.2.0',
    sections: [
      { title: 'Added', items: ['One thing that takes two lines.', 'Another.'] },
      { title: 'Fixed', items: ['A fault.'] },
    ],
  });
});

test('a text without headings has no entry, and a very long entry is truncated', () => {
  expect(newestRelease('')).toBeNull();
  expect(newestRelease('- An item of nothing')).toBeNull();
  const long = `## 1\n### Added\n${'- More.\n'.repeat(1000)}`;
  expect(newestRelease(long)?.sections[0]?.items).toHaveLength(200);
});
