// Examines received mail for signs of fraud, and removes hidden text from the extracted text. It returns facts without a score. Run
// it in a worker thread with limits on time and memory.
import {
  type HiddenText,
  invisibleCharacters,
  MAX_HTML_CHARS,
  misleadingLinks,
  readHiddenText,
} from '../../lib/html/index.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import type { ExaminedRisk, Findings } from '../../messages/received.tables.js';
import { executableAttachments } from './executables.js';

/** Findings of one kind that are kept with a message. */
const MAX_FINDINGS = 20;
const MAX_TEXT = 200;

/** Facts that the message alone shows. */
export type MailRisk = Omit<ExaminedRisk, 'first_time_sender'>;

interface ExaminedMail {
  risk: MailRisk;
  /** The bodies without hidden text. `text` is `null` if it repeats text that the HTML hides. */
  shown: Pick<ParsedMail, 'text' | 'html'>;
}

/** Reads the first 256 KiB of the HTML, like everything that is extracted from it. */
export async function examineMail({ text, html, parts }: ExaminedMailParts): Promise<ExaminedMail> {
  const source = html?.slice(0, MAX_HTML_CHARS) ?? null;
  const read = source === null ? null : readHiddenText(source);
  const plain = text === null ? null : invisibleCharacters(text);
  const hidden = distinct([
    ...(read?.hidden ?? []),
    ...(plain?.found ?? []).map((one): HiddenText => ({ kind: 'invisible_characters', text: one })),
  ]);
  const repeats =
    plain !== null && read !== null && read.html.trim() !== '' && hasAny(plain.text, read.hidden);
  const links = source === null ? [] : misleadingLinks(source);
  return {
    risk: {
      hidden_text: firstOf(hidden),
      link_mismatch: firstOf(
        links.map(({ text: label, textDomain, targetDomain }) => ({
          text: label,
          text_domain: textDomain,
          target_domain: targetDomain,
        })),
      ),
      executable_attachments: firstOf(await executableAttachments(parts)),
    },
    shown: { text: plain === null || repeats ? null : plain.text, html: read?.html ?? null },
  };
}

type ExaminedMailParts = Pick<ParsedMail, 'text' | 'html' | 'parts'>;

function firstOf<Finding>(all: readonly Finding[]): Findings<Finding> {
  return { count: all.length, findings: all.slice(0, MAX_FINDINGS) };
}

/** The same characters are often in both bodies. */
function distinct(found: readonly HiddenText[]): HiddenText[] {
  const cut = found.map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_TEXT).toWellFormed() }));
  return [...new Map(cut.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

/** Returns whether a text part, which programs often derive from the HTML, has text that the HTML hides. */
function hasAny(text: string, hidden: readonly HiddenText[]): boolean {
  const words = squeezed(text);
  return hidden.some(
    ({ kind, text: found }) => kind !== 'invisible_characters' && words.includes(squeezed(found)),
  );
}

function squeezed(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
