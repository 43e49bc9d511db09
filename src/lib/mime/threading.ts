// Matches mail to conversations and builds the header fields of replies (In-Reply-To and References, RFC 5322
// section 3.6.4). Comparison of subjects follows RFC 5256 section 2.1.

/** Longer subjects are cut first. */
const MAX_SUBJECT = 1000;
const MAX_PREFIXES = 50;
const MAX_CANDIDATES = 20;
const MAX_MESSAGE_ID = 500;
const MAX_REFERENCES = 20;
/** Octets of the References value; some systems truncate or refuse longer fields. */
const MAX_REFERENCES_LENGTH = 2000;

/**
 * Prefixes that mailers add to replies and forwards in many languages; `readPrefix` accepts their variants.
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
/** Words or names unless capitalized: `R: x`, but not `r: x`. */
const CAPITALS_ONLY = new Set(['r', 'i', 'enc', 'pd', 'tr', 'vs', 'απ', 'fs']);
/** Marks that mail gateways add, which vary along the way. */
const GATEWAY_MARK =
  /^(?:\[(?:ext|extern|external|externe|externo|esterno|external email|spam|suspected spam|caution)\]|\*{2,5}spam\*{2,5}|(?:external|extern|\[?spam\]?):)\s{0,9}/i;

interface Prefix {
  kind: 'reply' | 'forward';
  /** Offset of the rest of the subject. */
  end: number;
}

/**
 * Reads a prefix such as `Re: `, `AW:`, `RE[2]: `, `Re^3:` or `Sv：` with the blanks after it; `null` if there
 * is none.
 */
function readPrefix(subject: string): Prefix | null {
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

/** Collapses the subject to one line with single blanks. */
function cleanSubject(subject: string): string {
  return subject
    .slice(0, MAX_SUBJECT)
    .replace(/[\p{Cc}\p{Z}\s]/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * Removes everything that replying and forwarding adds to a subject; keeps its case. A tag such as `[Order
 * 7]` stays, because it distinguishes conversations.
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
  const rest = inner.slice(readPrefix(inner)?.end ?? 0);
  // Lists and ticket systems insert their tag before the reply prefix repeatedly.
  const [tag = ''] = /^\[[^[\]]{1,80}\] ?/.exec(rest) ?? [];
  const behind = rest.slice(tag.length);
  const prefix = tag === '' ? null : readPrefix(behind);
  if (!prefix) return rest.trim();
  const answered = behind.slice(prefix.end);
  return (answered.startsWith(tag.trim()) ? answered : `${tag}${answered}`).trim();
}

/** Returns the key that subjects of one conversation share. */
export function subjectKey(subject: string): string {
  return baseSubject(subject).normalize('NFKC').toLowerCase();
}

/** Returns whether the subject announces a forwarded message rather than a reply. */
export function isForwardSubject(subject: string): boolean {
  const clean = cleanSubject(subject).replace(GATEWAY_MARK, '');
  return readPrefix(clean)?.kind === 'forward' || /^\[fwd: /i.test(clean);
}

/** Returns the subject of a reply, with a single `Re: `. Forward prefixes stay. */
export function replySubject(subject: string): string {
  let rest = cleanSubject(subject);
  for (let round = 0; round < MAX_PREFIXES; round++) {
    const prefix = readPrefix(rest);
    if (prefix?.kind !== 'reply') break;
    rest = rest.slice(prefix.end);
  }
  return `Re: ${rest}`.trim();
}

/** The id of a message that may be the parent, without angle brackets. */
interface ThreadCandidate {
  rfcMessageId: string;
}

function isUsableId(id: string): boolean {
  return id.length > 0 && id.length <= MAX_MESSAGE_ID && !/[\s<>\x00-\x1f\x7f]/.test(id);
}

/**
 * Returns the ids to look for, likeliest first: those of In-Reply-To, then References from newest to oldest.
 * At most 20; if there are more, the last one is the id that began the conversation.
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

/** Returns whether an id can be written into a header field: printable ASCII, and short enough for a line. */
function isWritableId(id: string): boolean {
  return isUsableId(id) && !/[^\x21-\x7e]/.test(id);
}

/**
 * Builds In-Reply-To and References for a reply to `parent` (ids without angle brackets, `references` oldest
 * first). Long conversations keep the first id and the latest ones. If the id of the parent cannot be
 * written, only its references remain.
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
