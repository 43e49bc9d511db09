// Creates the objects that requests to the vendors' interfaces name, through /v1 with a test key, whose mail is simulated.
import type { Appliance } from '../appliance.js';
import { waitFor } from '../wait.js';

export type VendorWorld = Awaited<ReturnType<typeof createVendorWorld>>;

interface Made {
  id: string;
  [field: string]: unknown;
}

export async function createVendorWorld(appliance: Appliance) {
  const { test_key: key } = appliance.keys;
  let templates = 1_000_000;
  const startedAt = Date.now();

  async function ask(method: string, path: string, body?: unknown): Promise<Made> {
    const { status, text, json } = await appliance.api(method, path, {
      key,
      ...(body === undefined ? {} : { body }),
    });
    if (status >= 400 && !(status === 404 && method === 'DELETE'))
      throw new Error(`${method} ${path}: ${text}`);
    return json as Made;
  }
  const post = (path: string, body: unknown) => ask('POST', path, body);
  const send = (more: object = {}) =>
    post('/v1/messages', {
      from: 'news@shop.example',
      to: 'ann@example.com',
      subject: 'Hello',
      text: 'Hello',
      ...more,
    });

  const template = (slug: string) =>
    post('/v1/templates', { name: slug, slug, subject: `${slug} {{name}}`, html: `<p>${slug} {{name}}</p>` });
  const [welcome, goodbye] = [await template('welcome'), await template('goodbye')];
  const [listOne, listTwo] = [
    await post('/v1/lists', { name: 'One' }),
    await post('/v1/lists', { name: 'Two' }),
  ];
  const [ann, bob] = [
    await post('/v1/contacts', { email: 'ann@contacts.example', name: 'Ann' }),
    await post('/v1/contacts', { email: 'bob@contacts.example', name: 'Bob' }),
  ];
  for (const { id } of [listOne, listTwo]) {
    await post(`/v1/lists/${id}/contacts`, { contact_ids: [ann.id, bob.id] });
  }
  const sender = (domain: string) => post('/v1/senders', { domain });
  const [senderOne, senderTwo] = [await sender('one.example'), await sender('two.example')];
  for (const format of ['resend', 'postmark', 'mailgun']) {
    for (const [place, events] of [['message.delivered'], ['message.opened']].entries()) {
      await post('/v1/webhook-endpoints', {
        url: `https://hooks.example/${format}/${place}`,
        format,
        events,
      });
    }
  }
  const endpoints = (await ask('GET', '/v1/webhook-endpoints')) as unknown as {
    data: (Made & { format: string })[];
  };
  for (const reason of ['bounce', 'complaint', 'unsubscribe', 'manual']) {
    for (const name of ['carl', 'dora'])
      await post('/v1/suppressions', { email: `${name}@${reason}.example`, reason });
  }
  const suppressions = (await ask('GET', '/v1/suppressions?limit=100')) as unknown as { data: Made[] };
  await post('/v1/api-keys', { name: 'One' });
  const keys = (await ask('GET', '/v1/api-keys')) as unknown as { data: Made[] };
  const hard = await send({ to: 'bounced@simulator.example', subject: 'First', tags: ['first'] });
  const soft = await send({
    to: 'soft-bounced@simulator.example',
    subject: 'Second',
    from: 'other@shop.example',
  });
  const complained = await send({ to: 'complained@simulator.example', subject: 'Third', tags: ['third'] });
  const read = {
    html: '<p><a href="https://shop.example/">Read</a></p>',
    track_opens: true,
    track_clicks: true,
  };
  const clicked = await send({ ...read, to: 'clicked@simulator.example', subject: 'Fourth' });
  await send({ to: 'replied+one@simulator.example', subject: 'Fifth' });
  await send({ to: 'replied+two@simulator.example', subject: 'Sixth', from: 'other@shop.example' });
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = await send({ subject: 'Later', send_at: later });
  for (const [id, wanted] of [
    [hard.id, 'bounced'],
    [soft.id, 'bounced'],
    [complained.id, 'complained'],
  ] as const) {
    await waitFor(
      `the message to be ${wanted}`,
      () => ask('GET', `/v1/messages/${id}`),
      ({ status }) => status === wanted,
    );
  }
  const { data: received } = await waitFor(
    'the replies to be received',
    async () => (await ask('GET', '/v1/messages?status=received')) as unknown as { data: Made[] },
    ({ data }) => data.length === 2,
  );
  const isCounted = ({ totals }: Made): boolean => {
    const { bounced, complained, clicks } = totals as Record<string, number>;
    return bounced === 2 && complained === 1 && clicks === 1;
  };
  await waitFor('the outcomes to be counted', () => ask('GET', '/v1/analytics'), isCounted);
  for (const event of ['opened', 'clicked']) await post(`/v1/messages/${clicked.id}/simulate`, { event });
  const hookOf = (format: string): string => endpoints.data.find((one) => one.format === format)?.id ?? '';
  const suppressed = (reason: string): string =>
    suppressions.data.find((one) => one['reason'] === reason)?.id ?? '';
  return {
    ask,
    post,
    send,
    startedAt,
    /** Creates a new template; returns its id. */
    newTemplate: async (html = '<p>New</p>'): Promise<string> => {
      const name = `u${++templates}x`;
      return (await post('/v1/templates', { name, subject: 'New', html })).id;
    },
    /** Values that remain recognizable in the compared output, by name. */
    names: {
      ...{ TEMPLATE_ONE: welcome.id, TEMPLATE_TWO: goodbye.id, LIST_ONE: listOne.id, LIST_TWO: listTwo.id },
      ...{ ANN: ann.id, BOB: bob.id, SENDER_ONE: senderOne.id, SENDER_TWO: senderTwo.id },
      ...{
        HARD: hard.id,
        SOFT: soft.id,
        COMPLAINED: complained.id,
        CLICKED: clicked.id,
        SCHEDULED: scheduled.id,
      },
      ...{
        RESEND_HOOK: hookOf('resend'),
        POSTMARK_HOOK: hookOf('postmark'),
        SUPPRESSION: suppressed('manual'),
        RECEIVED: received[0]?.id ?? '',
        KEY: keys.data[0]?.id ?? '',
      },
    },
  };
}
