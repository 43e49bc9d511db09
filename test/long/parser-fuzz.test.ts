import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { MailReader } from '../../src/inbound/classify/mail-reader.js';
import { mutatedMail, sampleMails, seededRandom } from '../support/mail-mutations.js';

const COUNT = 10_000;
const AT_ONCE = 50;
const ENVELOPE = { clientAddress: '192.0.2.1', helo: 'c.example.com', mailFrom: 'b@example.com' };

const reader = new MailReader({
  // Time limit for each mail.
  wallLimitMs: 1_000,
  replyRules: JSON.parse(
    readFileSync(new URL('../../config/reply-rules.json', import.meta.url), 'utf8'),
  ) as unknown,
  // A port without a listener, so each lookup fails immediately.
  dns: { servers: ['127.0.0.1:9'], hostName: 'mx.example', lookUpTimeoutMs: 100, totalTimeoutMs: 200 },
  onFault: (fault) => {
    throw new Error(fault);
  },
});
afterAll(() => reader.close());

describe('10,000 randomly damaged mails', () => {
  it('are parsed within a second each, end no thread, and keep their octets', async () => {
    const samples = sampleMails();
    // The packages are loaded before time counts.
    for (let tries = 0; tries < 20; tries++) {
      await Promise.all(
        ['a', 'b'].map((owner) =>
          reader.read(Buffer.from(`X: ${tries}\r\n\r\n`), { owner, splitsReply: true }),
        ),
      );
    }
    for (let seed = 0; seed < COUNT; seed += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, offset) => {
          const raw = mutatedMail(samples, seededRandom(seed + offset));
          const before = Buffer.from(raw);
          const answer = await reader.read(raw, { owner: `o${offset % 4}`, splitsReply: true });
          expect(answer.kind, `seed ${seed + offset}`).toBe('read');
          expect(raw.equals(before)).toBe(true);
        }),
      );
    }
  });

  it('are evaluated without ending a thread', async () => {
    const samples = sampleMails();
    for (let seed = 0; seed < COUNT / 10; seed++) {
      const raw = mutatedMail(samples, seededRandom(seed));
      const answer = await reader.authenticate(raw, ENVELOPE);
      expect('kind' in answer ? answer.kind : answer.authenticatedDomains, `seed ${seed}`).toEqual([]);
    }
  });
});
