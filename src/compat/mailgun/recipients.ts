// Texts between percent signs in Mailgun's content: the variables of each recipient, and the vendor's own names.
import type { MessageRequest } from '../../messages/message.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import { createFiller, spendCopies, type Spend } from '../expansion.js';
import { given } from '../fields.js';

/** Recipients of one request with variables for each. */
const MAX_RECIPIENTS = 1000;

const NO_LINK =
  'is not filled in; use a template, whose unsubscribe_url is the link, or the List-Unsubscribe that marketing mail gets';
const NO_NAME = 'is not filled in; give the name in recipient-variables, and write %recipient.name%';
/** The vendor's own names that cannot be had: they would be mailed as they stand. */
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
type Fill = (text: string) => string;

/** The vendor's own names in the content, with what to do instead. */
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

/** One message to all. Who alone gets it may be named in the content. */
export function onlyOne(common: Common, to: string[], spend: Spend): MessageRequest {
  const [mailbox = ''] = to;
  const isAlone = to.length === 1 && common.cc === undefined && common.bcc === undefined;
  const message = filled(common, isAlone ? createFiller(ownValues(mailbox), spend) : refuseOwn);
  return { ...message, to };
}

/** One message to each, who sees nobody else, with `%recipient.name%` filled. */
export function eachOf(
  common: Common,
  to: readonly string[],
  { variables, spend }: { variables: Record<string, unknown>; spend: Spend },
): MessageRequest[] {
  if (common.cc !== undefined || common.bcc !== undefined) {
    const message = 'with recipient-variables everybody gets a mail of their own: name all recipients in to';
    throw invalidFields([{ path: common.cc === undefined ? 'bcc' : 'cc', message }]);
  }
  if (to.length > MAX_RECIPIENTS) {
    throw invalidFields([
      { path: 'to', message: `names ${to.length} recipients; ${MAX_RECIPIENTS} are allowed` },
    ]);
  }
  const { html, text, attachments = [] } = common;
  spendCopies([html, text, ...attachments.map(({ content }) => content)], to.length, spend);
  return to.map((mailbox) => {
    const address = addressOf(mailbox);
    const values = variables[address] ?? variables[address.toLowerCase()] ?? {};
    const entries = Object.entries(values).map(([name, value]) => [`%recipient.${name}%`, textOf(value)]);
    const own = Object.fromEntries(entries) as Record<string, string>;
    return { ...filled(common, createFiller({ ...ownValues(mailbox), ...own }, spend)), to: mailbox };
  });
}

function ownValues(mailbox: string): Record<string, string> {
  return { '%recipient%': mailbox, '%recipient_email%': addressOf(mailbox) };
}

function addressOf(mailbox: string): string {
  return /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
}

/** A mail that several people get cannot name one of them. */
function refuseOwn(text: string): string {
  const own = /%recipient(?:_email)?%/.exec(text)?.[0];
  if (own === undefined) return text;
  const message = `${own} in the content differs for each recipient; give recipient-variables, if only {}`;
  throw invalidFields([{ path: 'recipient-variables', message }]);
}

function filled(common: Common, fill: Fill): Common {
  const { from, subject, html, text, reply_to: replyTo, headers, metadata, variables } = common;
  return {
    ...common,
    ...given('from', textFilled(from, fill)),
    ...given('subject', textFilled(subject, fill)),
    ...given('html', textFilled(html, fill)),
    ...given('text', textFilled(text, fill)),
    ...given('reply_to', textFilled(replyTo, fill)),
    ...given('headers', membersFilled(headers, fill)),
    ...given('metadata', membersFilled(metadata, fill)),
    // Template variables may name recipient variables.
    ...given('variables', membersFilled(variables, fill)),
  };
}

/** A text, or each text of a list; anything else stays. */
function textFilled<T>(value: T, fill: Fill): T {
  if (typeof value === 'string') return fill(value) as T;
  return Array.isArray(value) ? (value.map((one: unknown) => textFilled(one, fill)) as T) : value;
}

function membersFilled<T extends object>(members: T | undefined, fill: Fill): T | undefined {
  if (members === undefined) return undefined;
  const entries = Object.entries(members).map(([name, value]) => [name, textFilled<unknown>(value, fill)]);
  return Object.fromEntries(entries) as T;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
