// Creates single messages in every state, threads with replies, and templates with versions.
import type { MessageCreateParams, Mailkeel, SimulateRequest } from '../../../clients/sdk/src/index.js';
import { waitFor } from '../wait.js';
import {
  bookingHtml,
  BUSY_PERSON,
  COMPANY,
  DAILY_MAIL,
  LONG_SUBJECT,
  person,
  TEMPLATES,
  type TemplateText,
} from './company.js';
import { settled, type Ground } from './ground.js';
import { GUARDED_DOMAIN, LOST_DOMAIN, MAILBOXES } from './program.js';

const DAY_MS = 86_400_000;

export type TemplateIds = Record<keyof typeof TEMPLATES, string>;

/** Messages by outcome. */
export interface MailIds {
  messages: Record<string, string>;
  threadId: string;
}

/** Adds templates to the live environment, which the sandbox uses as well. */
export async function addTemplates({ live }: Pick<Ground, 'live'>): Promise<TemplateIds> {
  const ids: [string, string][] = [];
  for (const [key, template] of Object.entries<TemplateText>(TEMPLATES)) {
    ids.push([key, (await live.templates.create(template)).id]);
  }
  const made = Object.fromEntries(ids) as TemplateIds;
  const { html } = TEMPLATES.letter;
  await live.templates.update(made.letter, { subject: 'What is on in {{city}} this month' });
  await live.templates.update(made.letter, {
    subject: TEMPLATES.letter.subject,
    html: html.replace('Twelve new courses', 'Fourteen new courses, three of them for beginners,'),
  });
  return made;
}

const booking = (
  to: MessageCreateParams['to'],
  more: Partial<MessageCreateParams> = {},
): MessageCreateParams => ({
  from: COMPANY.bookings,
  to,
  subject: 'Your place in “Raku for beginners” is booked',
  html: bookingHtml('there', 'Raku for beginners'),
  text: 'Your place in “Raku for beginners” is booked.\n',
  tags: ['booking'],
  metadata: { booking_id: 'b_4711', studio: 'Quay Street' },
  ...more,
});

/** Every state of a message, by its name. */
export async function addSandboxMail({ sandbox }: Ground): Promise<MailIds> {
  const at = (outcome: string): string => `${outcome}@sandbox.example`;
  const simulated: Record<string, [outcome: string, status: string]> = {
    ...{ delivered: ['delivered', 'delivered'], bounced: ['bounced', 'bounced'] },
    ...{ complained: ['complained', 'complained'], opened: ['opened', 'opened'] },
    ...{ clicked: ['clicked', 'clicked'], suppressed: ['suppressed', 'suppressed'] },
    ...{ softBounced: ['soft-bounced', 'bounced'], replied: ['replied', 'delivered'] },
  };
  const messages: Record<string, string> = {};
  for (const [name, [outcome]] of Object.entries(simulated)) {
    messages[name] = await send(sandbox, booking(at(outcome), { subject: `Your booking is confirmed` }));
  }
  messages['deferred'] = await send(sandbox, booking(at('deferred')));
  messages['long'] = await send(sandbox, booking(at('delivered+long'), { subject: LONG_SUBJECT }));
  messages['emoji'] = await send(
    sandbox,
    booking(
      { email: at('delivered+maya'), name: person(26).name },
      { subject: '🎉 נתראה בשבת — see you on Saturday 🏺' },
    ),
  );
  messages['scheduled'] = await send(
    sandbox,
    booking(at('delivered+later'), { send_at: new Date(Date.now() + 2 * DAY_MS).toISOString() }),
  );
  messages['canceled'] = await send(
    sandbox,
    booking(at('delivered+never'), { send_at: new Date(Date.now() + 3 * DAY_MS).toISOString() }),
  );
  await sandbox.messages.cancel(messages['canceled']);
  for (const [name, [, status]] of Object.entries(simulated)) {
    await settled(sandbox, messages[name] ?? '', [status]);
  }
  const events: SimulateRequest['event'][] = ['opened', 'clicked', 'replied'];
  await settled(sandbox, messages['emoji'], ['delivered']);
  for (const event of events) await sandbox.messages.simulate(messages['emoji'], { event });
  return { messages, threadId: await threadOf(sandbox, messages['emoji']) };
}

/** A thread with a reply to the recipient's mail. */
async function threadOf(mailkeel: Mailkeel, messageId: string): Promise<string> {
  const { thread_id: id } = await waitFor(
    'the thread of the reply',
    () => mailkeel.messages.get(messageId),
    ({ thread_id: thread }) => thread !== null,
  );
  if (id === null) throw new Error('unreachable: waited for it');
  await waitFor(
    'the reply',
    () => mailkeel.threads.get(id),
    (thread) => JSON.stringify(thread).includes('"received"'),
  );
  const text = 'Yes, the studio opens at half past nine. Come in by the yard.';
  await mailkeel.threads.reply(id, { text, from: COMPANY.bookings });
  return id;
}

async function send(mailkeel: Mailkeel, message: MessageCreateParams): Promise<string> {
  return (await mailkeel.messages.create(message)).id;
}

/** Adds mail that is delivered, refused, deferred and lost on real connections. */
export async function addLiveMail({ live }: Ground, templates: TemplateIds): Promise<MailIds['messages']> {
  const [first = ''] = MAILBOXES;
  const messages: Record<string, string> = {};
  const to = (index: number) => ({ email: person(index).email, name: person(index).name });
  const daily = Array.from({ length: 40 }, (_one, i) => {
    const { subject, tags } = DAILY_MAIL[i % DAILY_MAIL.length] ?? DAILY_MAIL[0];
    const course = subject.replace(/^[^“]*|[^”]*$/g, '') || 'your course';
    return booking(to(i + 10), {
      subject,
      html: bookingHtml(person(i + 10).firstName, course),
      tags: [...tags],
    });
  });
  await live.messages.createBatch({ messages: daily });
  messages['delivered'] = await send(
    live,
    booking(to(0), {
      attachments: [
        { filename: 'booking.ics', content: Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n') },
      ],
    }),
  );
  const variables = {
    ...{ first_name: 'Björn', course: 'Slow pasta', day: 'Friday', time: '18:30' },
    ...{ studio: 'Quay Street', booking_id: '4712' },
  };
  messages['templated'] = await send(live, {
    from: COMPANY.bookings,
    to: to(1),
    template_id: templates.confirmation,
    variables,
    tags: ['booking', 'cooking'],
  });
  messages['bounced'] = await send(live, booking(`gone.guest@${first}`));
  messages['blocked'] = await send(live, booking(`marit.holm@${GUARDED_DOMAIN}`));
  messages['full'] = await send(live, booking(`full.mailbox@${first}`));
  messages['deferred'] = await send(live, booking(BUSY_PERSON));
  messages['lost'] = await send(live, booking(`somebody@${LOST_DOMAIN}`));
  messages['long'] = await send(live, booking(to(27), { subject: LONG_SUBJECT }));
  messages['withCopies'] = await send(
    live,
    booking(to(2), { cc: [person(3).email], bcc: ['archive@inbox.example'], priority: 'high' }),
  );
  messages['scheduled'] = await send(
    live,
    booking(to(4), { send_at: new Date(Date.now() + DAY_MS).toISOString() }),
  );
  await settled(live, messages['delivered'], ['delivered']);
  await settled(live, messages['bounced'], ['bounced']);
  await settled(live, messages['blocked'], ['bounced']);
  return messages;
}
