// Tests randomly broken submitted mail: it is either refused immediately or can be sent. Nothing is accepted that cannot be
// composed later.
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { signMessage } from '../../src/lib/dkim/index.js';
import { hasLongLine, joinMessage, mendLineEnds, toSevenBit } from '../../src/lib/mime/index.js';
import { relayedForm } from '../../src/messages/relayed/relayed-form.rules.js';
import { fieldTexts, readSubmitted } from '../../src/messages/relayed/submitted-mail.rules.js';
import { dotStuff } from '../../src/lib/smtp/index.js';
import { readRelayHeaders } from '../../src/relay/relay-headers.rules.js';
import { verifyDkim } from '../support/dkim-messages.js';
import { mutatedMail, sampleMails, seededRandom } from '../support/mail-mutations.js';
import { sized } from '../support/run-size.js';

const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? sized({ small: 150, full: 1_000 }));
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const SIGNERS = [{ domain: 'example.com', selector: 'e', algorithm: 'ed25519-sha256', privateKey }] as const;

it('any input is refused with an explanation or sent signed, in lines of valid length', () => {
  const samples = sampleMails();
  const random = seededRandom(20_261_121);
  const counts = { refused: 0, taken: 0, encoded: 0 };
  for (let i = 0; i < ROUNDS; i++) {
    const mutated = mutatedMail(samples, random);
    // Occasionally a line that is too long.
    const long =
      random() < 0.3
        ? Buffer.from(mutated.toString('latin1').replace('\r\n\r\n', `\r\n\r\n${'x '.repeat(600)}`), 'latin1')
        : mutated;
    const read = readSubmitted(mendLineEnds(long, { afterSmtp: true }));
    if (read.kind === 'refused') {
      counts.refused += 1;
      expect(read.problem.text).toMatch(/^[A-Z][^\r\n]*\.$/);
      continue;
    }
    counts.taken += 1;
    if (read.mail.hasLongLines) counts.encoded += 1;
    readRelayHeaders(fieldTexts(read.mail.fields));
    const form = relayedForm(read.mail, {
      headers: [['Feedback-ID', 'a:b:c']],
      messageId: 'x@example.com',
      date: 0,
      isDateStale: false,
      received: 'by mx.example.com with ESMTPSA id 1; Sat, 21 Nov 2026 10:00:00 +0000',
      hostname: 'mx.example.com',
      replyTo: null,
    });
    for (const one of [form, toSevenBit(form)]) {
      if (one === null) continue;
      const signatures = signMessage({ ...one, signers: SIGNERS, signedAt: 1_763_700_000 });
      const message = joinMessage([...signatures, ...one.headerLines], one.body);
      expect(hasLongLine(message)).toBe(false);
      expect(() => dotStuff([message])).not.toThrow();
      // An older signature of the mail itself may follow below.
      expect(verifyDkim(message, { e: publicKey })[0]).toBe(true);
    }
  }
  if (process.env['FUZZ_ROUNDS']) console.log(counts);
  expect(counts.taken).toBeGreaterThan(ROUNDS / 20);
  expect(counts.encoded).toBeGreaterThan(0);
});
