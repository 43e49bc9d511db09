// Fills Mailgun's placeholders in percent signs: recipient variables and the vendor's own names.
import type { MessageRequest } from '../../messages/message.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import type { Values } from '../../lib/templating/index.js';
import type { Expand } from '../expansion.js';
import { given, mailboxText, plainMailbox } from '../fields.js';

/** Most recipients of one request with recipient variables. */
const MAX_RECIPIENTS = 1000;

const NO_LINK =
  'is not filled in. Use unsubscribe_url in a template, or rely on the List-Unsubscribe header of marketing mail';
const NO_NAME = 'is not filled in. Pass the name in recipient-variables and write %recipient.name%';
/** Vendor placeholders that are not supported and would be mailed literally. */
const REFUSED: Readonly<Record<string, string>> = {
  '%unsubscribe_url%': NO_LINK,
  '%tag_unsubscribe_url%': NO_LINK,
  '%mailing_list_unsubscribe_url%': NO_LINK,
  '%recipient_name%': NO_NAME,
  '%recipient_fname%': NO_NAME,
  '%recipient_lname%': NO_NAME,
};
const FILLED_FIELD = /^(?:from|subject|html|text|t:variables|[hv]:.*)$/s;

type Common = Omit<MessageRequest, 'to'>;

/** Returns the unsupported vendor placeholders in the content, each with an alternative. */
export function vendorTextProblems(
  fields: ReadonlyMap<string, string[]>,
): { path: string; message: string }[] {
  return [...fields].flatMap(([name, values]) =>
    FILLED_FIELD.test(name)
      ? Object.entries(REFUSED)
          .filter(([own]) => values.some((value) => value.includes(own)))
          .map(([own, sentence]) => ({ path: name.slice(0, 80), message: `${own} ${sentence}` }))
      : [],
  );
}

/** Creates one message to all recipients. A single recipient may be named in the content. */
export async function onlyOne(common: Common, to: string[], expand: Expand): Promise<MessageRequest> {
  const [mailbox = ''] = to;
  const isAlone = to.length === 1 && common.cc === undefined && common.bcc === undefined;
  if (!isAlone) {
    refuseOwn(filledParts(common));
    return { ...common, to };
  }
  const [filled] = await expand({ common: filledParts(common), copies: [{ values: ownValues(mailbox) }] });
  return { ...common, ...filled, to };
}

/** Creates a message per recipient, who does not see the others, with `%recipient.name%` filled. */
export async function splitByRecipient(
  common: Common,
  to: readonly string[],
  { variables, expand }: { variables: Record<string, unknown>; expand: Expand },
): Promise<MessageRequest[]> {
  if (common.cc !== undefined || common.bcc !== undefined) {
    const message =
      'cannot be used with recipient-variables, because every recipient gets a separate message. Put all recipients in to';
    throw invalidFields([{ path: common.cc === undefined ? 'bcc' : 'cc', message }]);
  }
  if (to.length > MAX_RECIPIENTS) {
    throw invalidFields([
      { path: 'to', message: `has ${to.length} recipients, but the limit is ${MAX_RECIPIENTS}` },
    ]);
  }
  const filled = await expand({
    common: filledParts(common),
    copies: to.map((mailbox) => ({ values: [...ownValues(mailbox), ...variablesOf(mailbox, variables)] })),
    ...given('files', common.attachments),
  });
  return to.map((mailbox, at) => ({ ...common, ...filled[at], to: mailbox }));
}

function ownValues(mailbox: string): Values {
  const plain = plainMailbox(mailbox);
  return [
    ['%recipient%', typeof plain === 'string' ? plain : mailboxText(plain)],
    ['%recipient_email%', addressOf(mailbox)],
  ];
}

function variablesOf(mailbox: string, variables: Record<string, unknown>): Values {
  const address = addressOf(mailbox);
  const values = variables[address] ?? variables[address.toLowerCase()] ?? {};
  return Object.entries(values).map(([name, value]) => [`%recipient.${name}%`, textOf(value)]);
}

function addressOf(mailbox: string): string {
  return /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
}

/** Refuses recipient placeholders, because a message to several people cannot name one of them. */
function refuseOwn(value: unknown): void {
  if (typeof value === 'string') {
    const own = /%recipient(?:_email)?%/.exec(value)?.[0];
    if (own === undefined) return;
    const message = `${own} in the content differs per recipient. Pass recipient-variables, even if it is {}`;
    throw invalidFields([{ path: 'recipient-variables', message }]);
  }
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(refuseOwn);
}

/** Returns the parts whose placeholders are filled; template variables may contain placeholders. */
function filledParts({
  from,
  subject,
  html,
  text,
  reply_to,
  headers,
  metadata,
  variables,
}: Common): Partial<Common> {
  return {
    ...given('from', from),
    ...given('subject', subject),
    ...given('html', html),
    ...given('text', text),
    ...given('reply_to', reply_to),
    ...given('headers', headers),
    ...given('metadata', metadata),
    ...given('variables', variables),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
