// Sending by Mailgun of whole MIME messages, as Symfony's and Laravel's drivers do.
import { Type } from 'typebox';
import { lineProblem } from '../../contract/plain-text.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { parseMailbox } from '../../lib/mime/index.js';
import { splitMailboxes } from '../fields.js';
import { readSingle, toForm, type Form, type TakenFields } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { lengthProblems, OPTION_FIELDS, optionProblems, readOptions } from './options.js';

const OF_MESSAGE = 'is in the MIME message. Omit it';
const ONE_CONTENT = 'the MIME message is sent unchanged. Use messages instead of messages.mime';
const ALL_IN_TO = 'is not an envelope field. Put all recipients into to';
const FIELDS: TakenFields = {
  to: true,
  message: true,
  from: OF_MESSAGE,
  subject: OF_MESSAGE,
  text: OF_MESSAGE,
  html: OF_MESSAGE,
  'amp-html': OF_MESSAGE,
  attachment: OF_MESSAGE,
  inline: OF_MESSAGE,
  cc: ALL_IN_TO,
  bcc: ALL_IN_TO,
  template: ONE_CONTENT,
  't:variables': ONE_CONTENT,
  't:text': ONE_CONTENT,
  't:version': ONE_CONTENT,
  'recipient-variables': ONE_CONTENT,
  ...OPTION_FIELDS,
};

export const MIME_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/:domain/messages.mime',
    permission: 'send',
    isLarge: true,
    body: Type.Unknown(),
    form: FIELDS,
    example: {
      to: 'ann@example.com',
      message: 'From: news@customer.example\r\nTo: ann@example.com\r\nSubject: Welcome\r\n\r\nHello.\r\n',
    },
    async handle({ body, v1, mode, jsonMembers }) {
      const form = toForm(body);
      const problems = [
        ...lengthProblems(form, ['message']),
        ...optionProblems(form, mode),
        ...form.files.flatMap(({ field }) =>
          field === 'message' ? [] : [{ path: field.slice(0, 80), message: 'does not accept files' }],
        ),
      ];
      if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
      const { options, headers, replyTo } = readOptions(form, jsonMembers);
      if (replyTo.length > 0) headers.set('Reply-To', replyTo.join(', '));
      const { internet_message_id: id } = await v1.messages.createRaw({
        raw: Buffer.concat([headerLines(headers), messageOf(form)]).toString('base64'),
        to: recipientsOf(form),
        ...options,
      });
      return { body: { id, message: 'Queued. Thank you.' } };
    },
  }),
];

/** The message is a file, or a field of text. */
function messageOf(form: Form): Buffer {
  const refused = (message: string): Error => invalidFields([{ path: 'message', message }]);
  const text = readSingle(form, 'message');
  const octets = [
    ...form.files.map((file) => file.octets),
    ...(text === undefined ? [] : [Buffer.from(text)]),
  ];
  const [only] = octets;
  if (only === undefined) throw refused('is required');
  if (octets.length > 1) throw refused('is set more than once. Set it once');
  // The form's reader replaces octets that are not UTF-8.
  if (text?.includes('\ufffd') === true) throw refused('is not valid UTF-8. Send it as a file');
  return only;
}

/** Names are omitted, because the header of the message shows them. */
function recipientsOf({ fields }: Form): string[] {
  const to = (fields.get('to') ?? []).flatMap(splitMailboxes);
  if (to.length === 0) throw invalidFields([{ path: 'to', message: 'is required' }]);
  return to.map((mailbox) => parseMailbox(mailbox)?.email ?? mailbox);
}

/** The `h:` fields, which precede the header of the message. */
function headerLines(headers: ReadonlyMap<string, string>): Buffer {
  const problems = [...headers].flatMap(([name, value]): FieldProblem[] => {
    const message = /^[!-9;-~]{1,76}$/.test(name) ? lineProblem(value) : 'is not the name of a header field';
    return message === null ? [] : [{ path: `h:${name.slice(0, 76)}`, message }];
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
  return Buffer.from([...headers].map(([name, value]) => `${name}: ${value}\r\n`).join(''));
}
