// Matches mail to conversations, and makes the fields by which our answers refer to them. RFC 5322 section 3.6.4 (In-Reply-To and
// References); subjects are compared after the idea of RFC 5256 section 2.1.

/** Longer ones are cut before anything else looks at them. */
const MAX_SUBJECT = 1000;
const MAX_PREFIXES = 50;
const MAX_CANDIDATES = 20;
const MAX_MESSAGE_ID = 500;
const MAX_REFERENCES = 20;
/** Octets of the References value; with more, some systems cut or refuse the field. */
const MAX_REFERENCES_LENGTH = 2000;

/**
 * Prefixes that programs write before a subject when they reply or forward, in many languages; `prefixOf` adds the
 * variants.
 */
const REPLY_PREFIXES = new Set(
  're aw antw antwort sv vs svar odp ynt cevap vá res rif r atb bls balas отв ответ σχετ απ 回复 回覆 答复 答覆 返信 회신 답장'.split(
    ' ',
  ),
);
const FORWARD_PREFIXES = new Set(
  'fw fwd wg tr rv enc vb vl doorst pd i ilt továbbítás fs пересл πρθ 转发 轉寄 转寄 轉發 転送 전달'.split(
    ' ',
  ),
);
/** Words or names unless they are written large: `R: x`, but not `r: x`. */
const CAPITALS_ONLY = new Set(['r', 'i', 'enc', 'pd', 'tr', 'vs', 'απ', 'fs']);
/** Marks of mail gateways, which come and go on the way. */
const GATEWAY_MARK =
  /^(?:\[(?:ext|extern|external|externe|externo|esterno|external email|spam|suspected spam|caution)\]|\*{2,5}spam\*{2,5}|(?:external|extern|\[?spam\]?):)\s{0,9}/i;

interface Prefix {
  kind: 'reply' | 'forward';
  /** Where the subject goes on. */
  end: number;
}

/** `Re: `, `AW:`, `RE[2]: `, `Re^3:`, `Sv：`, with the blanks behind it; null when the subject begins with none. */
function prefixOf(subject: string): Prefix | null {
  const [whole, written = ''] =
    /^([\p{L}\p{M}]{1,12})\.?(?:\s?\[\d{1,3}\]|\s?\(\d{1,3}\)|\^\d{1,3}|\d{1,2})?\s?[:：]\s{0,20}/u.exec(
      subject,
    ) ?? [];
  if (whole === undefined) return null;
  const word = written.toLowerCase();
  if (CAPITALS_ONLY.has(word) && written !== written.toUpperCase()) return null;
  if (REPLY_PREFIXES.has(word)) return { kind: 'reply', end: whole.length };
  return FORWARD_PREFIXES.has(word) ? { kind: 'forward', end: whole.length } : null;
}

/** One line, blanks as one. */
function cleanSubject(subject: string): string {
  return subject
    .slice(0, MAX_SUBJECT)
    .replace(/[\p{Cc}\p{Z}\s]/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * The subject without what answering and passing on put around it, in its own capitals. A tag such as `[Order 7]` stays,
 * since it tells one matter from another.
 */
export function baseSubject(subject: string): string {
  let base = cleanSubject(subject);
  for (let round = 0; round < MAX_PREFIXES; round++) {
    const before = base;
    base = withoutOne(base);
    if (base === before) break;
  }
  return base;
}

function withoutOne(subject: string): string {
  const bare = subject.replace(GATEWAY_MARK, '').replace(/\s?\(fwd\)$/i, '');
  const inner = /^\[fwd: ((?:[^[\]]|\[[^[\]]{0,80}\]){1,1000})\]$/i.exec(bare)?.[1] ?? bare;
  const rest = inner.slice(prefixOf(inner)?.end ?? 0);
  // Lists and ticket systems put their tag before the prefix of the answer, again and again.
  const [tag = ''] = /^\[[^[\]]{1,80}\] ?/.exec(rest) ?? [];
  const behind = rest.slice(tag.length);
  const prefix = tag === '' ? null : prefixOf(behind);
  if (!prefix) return rest.trim();
  const answered = behind.slice(prefix.end);
  return (answered.startsWith(tag.trim()) ? answered : `${tag}${answered}`).trim();
}

/** Key that two subjects of one conversation share. */
export function subjectKey(subject: string): string {
  return baseSubject(subject).normalize('NFKC').toLowerCase();
}

/** Whether the subject says that a message is passed on, rather than answered. */
export function isForwardSubject(subject: string): boolean {
  const clean = cleanSubject(subject).replace(GATEWAY_MARK, '');
  return prefixOf(clean)?.kind === 'forward' || /^\[fwd: /i.test(clean);
}

/** The subject of an answer: one `Re: `, whatever stood before. That it was passed on stays. */
export function replySubject(subject: string): string {
  let rest = cleanSubject(subject);
  for (let round = 0; round < MAX_PREFIXES; round++) {
    const prefix = prefixOf(rest);
    if (prefix?.kind !== 'reply') break;
    rest = rest.slice(prefix.end);
  }
  return `Re: ${rest}`.trim();
}

/** The id of a message that may be answered; without angle brackets. */
export interface ThreadCandidate {
  rfcMessageId: string;
}

function isUsableId(id: string): boolean {
  return id.length > 0 && id.length <= MAX_MESSAGE_ID && !/[\s<>\x00-\x1f\x7f]/.test(id);
}

/**
 * The ids to look for, the likeliest first: those of In-Reply-To, then References from the newest to the oldest. At most
 * 20; where there are more, the last is the one that began the conversation.
 */
export function threadCandidates(mail: {
  inReplyTo: readonly string[];
  references: readonly string[];
}): ThreadCandidate[] {
  const oldest = mail.references.find(isUsableId);
  const ids = new Set(
    [
      ...mail.inReplyTo.slice(0, MAX_CANDIDATES),
      ...mail.references.slice(-2 * MAX_CANDIDATES).reverse(),
    ].filter(isUsableId),
  );
  const ordered = [...ids];
  if (oldest !== undefined && !ids.has(oldest)) ordered.push(oldest);
  const found =
    ordered.length > MAX_CANDIDATES && oldest !== undefined
      ? [...ordered.filter((id) => id !== oldest).slice(0, MAX_CANDIDATES - 1), oldest]
      : ordered.slice(0, MAX_CANDIDATES);
  return found.map((rfcMessageId) => ({ rfcMessageId }));
}

/** Ids that can stand in a header field of ours: printable ascii, and short enough for a line. */
function isWritableId(id: string): boolean {
  return isUsableId(id) && !/[^\x21-\x7e]/.test(id);
}

/**
 * In-Reply-To and References of an answer to `parent` (ids without angle brackets, `references` oldest first). Of long
 * conversations the first id and the latest ones are kept. Of a parent without an id that can be written only its
 * references are left, if it has any.
 */
export function replyHeaders(parent: {
  messageId: string | null;
  references: readonly string[];
}): [name: string, value: string][] {
  const own = parent.messageId !== null && isWritableId(parent.messageId) ? [parent.messageId] : [];
  const earlier = [...new Set(parent.references.filter(isWritableId))].filter((id) => !own.includes(id));
  const [first, ...later] = earlier;
  const kept: string[] = [];
  let left = MAX_REFERENCES_LENGTH - (own[0]?.length ?? 0) - (first?.length ?? 0);
  for (const id of later.reverse()) {
    left -= id.length + 3;
    if (left < 0 || kept.length >= MAX_REFERENCES - 2) break;
    kept.unshift(id);
  }
  const written = (ids: readonly string[]): string => ids.map((id) => `<${id}>`).join(' ');
  const references = [...(first === undefined ? [] : [first]), ...kept, ...own];
  return [
    ...(own.length > 0 ? [['In-Reply-To', written(own)] satisfies [string, string]] : []),
    ...(references.length > 0 ? [['References', written(references)] satisfies [string, string]] : []),
  ];
}
