// Tests that each recipient receives what the campaign's preview shows, with generated campaigns and a new seed for each run.
import { simpleParser } from 'mailparser';
import { expect, it } from 'vitest';
import { comparePreviews } from '../../support/preview-equals-send.js';
import { sized } from '../../support/run-size.js';

it('each recipient gets the previewed copy', { timeout: 120_000 }, async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.info(`seed ${seed}`);
  const { faults, ...figures } = await comparePreviews({
    seed,
    campaigns: Number(process.env['CAMPAIGNS'] ?? sized({ small: 10, full: 25 })),
    atOnce: 5,
    decode: async (raw) => {
      const {
        subject = '',
        html,
        text,
      } = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true });
      return { subject, html: html || null, text: text ?? null };
    },
  });
  console.info(JSON.stringify(figures));
  expect(faults).toEqual([]);
  expect(figures.copies).toBeGreaterThan(figures.campaigns);
});
