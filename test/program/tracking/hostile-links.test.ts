// Tests misuse of links: tokens of one page used on another, tokens of another server, truncated and extended tokens, and HTML
// whose links would mislead a browser or a header field.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { waitFor } from '../../support/wait.js';
import { linksIn } from '../../support/newsletters.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

let rig: SinkRig;
beforeAll(async () => {
  rig = await startMailRigWithSink({ campaigns: true, process: 'shared' });
});
afterAll(() => rig.close());

const tokenOf = (url: string): string =>
  new URL(url).pathname.split('/').filter((part) => part.length > 20)[0] ?? '';

it('a token is valid only for its page, message, link and server', async () => {
  const list = await rig.addList();
  for (const name of ['ann', 'bea']) await rig.join(list, name);
  const campaign = await rig.sendCampaign(list);
  const ann = await rig.receivedCopy('ann', campaign);
  const bea = await rig.receivedCopy('bea', campaign);
  const signUp = (await rig.appliance.api('GET', `/v1/lists/${list}`)).json as { sign_up_url: string };
  const [first = '', second = '', pixel = ''] = linksIn(ann.html).filter((url) => /\/[oc]\//.test(url));
  const tokens = {
    open: tokenOf(pixel),
    click: tokenOf(first),
    unsubscribe: tokenOf(ann.oneClick),
    signUp: tokenOf(signUp.sign_up_url),
    mailto: /\+([0-9a-z]+)@/.exec(ann.mailto)?.[1] ?? '',
    message: ann.id.slice(4),
  };
  const own: Record<string, readonly string[]> = {
    u: ['unsubscribe'],
    preferences: ['unsubscribe'],
    s: ['signUp'],
  };
  await waitFor(
    'the campaign to be sent',
    () => rig.appliance.api('GET', `/v1/campaigns/${campaign}`),
    ({ json }) => (json as { status: string }).status === 'sent',
  );
  const before = await state();
  for (const [kind, token] of Object.entries(tokens)) {
    expect(token.length).toBeGreaterThan(20);
    for (const page of ['u', 'preferences', 's', 's/confirm']) {
      if (own[page]?.includes(kind)) continue;
      const form = {
        'List-Unsubscribe': 'One-Click',
        leave: 'list',
        save: 'none',
        email: 'x@receiver.example',
      };
      expect([kind, page, (await rig.fetched(`/${page}/${token}`)).status]).toEqual([kind, page, 404]);
      expect([kind, page, (await rig.fetched(`/${page}/${token}`, { form })).status]).toEqual([
        kind,
        page,
        404,
      ]);
    }
    for (const index of [
      '1',
      '00',
      '0x0',
      '-1',
      '0%00',
      '999999',
      '1e3',
      ...(kind === 'click' ? [] : ['0']),
    ]) {
      const { status, headers } = await rig.fetched(`/c/${token}/${index}`);
      expect([kind, index, status, headers['location']]).toEqual([kind, index, 404, undefined]);
    }
  }
  // Mixed from one message's id and another's signature, and from one link's place and another's.
  const mixed = tokenOf(ann.oneClick).slice(0, 26) + tokenOf(bea.oneClick).slice(26);
  expect((await rig.fetched(`/u/${mixed}`, { form: { 'List-Unsubscribe': 'One-Click' } })).status).toBe(404);
  expect((await rig.fetched(`/c/${tokenOf(second)}/0`)).status).toBe(404);
  for (const suffix of ['x', '%20', '%0d%0aSet-Cookie:a=b', '%E2%84%AA', 'a'.repeat(400)]) {
    expect((await rig.fetched(`/u/${tokens.unsubscribe}${suffix}`)).status).toBe(404);
  }
  for (const long of ['a'.repeat(501), 'a'.repeat(8_000)]) {
    for (const path of [`/u/${long}`, `/o/${long}`, `/c/${long}/0`, `/c/${tokens.click}/${long}`]) {
      expect((await rig.fetched(path)).status).toBeGreaterThanOrEqual(400);
    }
  }
  expect(await state()).toEqual(before);

  const other = await startMailRigWithSink({ campaigns: true, process: 'shared' });
  try {
    for (const url of [
      ann.oneClick,
      ann.oneClick.replace('/u/', '/preferences/'),
      first,
      signUp.sign_up_url,
    ]) {
      expect((await other.fetched(url)).status).toBe(404);
    }
  } finally {
    await other.close();
  }
});

it('links without HTTP are not tracked, and no link leads to a target outside the mail', async () => {
  const html = [
    '<a href="javascript:alert(1)">a</a>',
    '<a href="&#106;avascript:alert(1)">b</a>',
    '<a href="java\tscript:alert(1)">c</a>',
    '<a href="data:text/html,<script>1</script>">d</a>',
    '<a href="vbscript:x">e</a>',
    '<a href="//evil.example/">f</a>',
    '<a href="/relative">g</a>',
    '<a href="mailto:a@shop.example">h</a>',
    '<a href="https://shop.example/x&#13;&#10;Set-Cookie: a=b">i</a>',
    '<a href="https://shop.example/käse?q=日本">j</a>',
    '<a href="https://käse.example/">k</a>',
    '<a href="https:\\\\evil.example">l</a>',
    '<a href="https://shop.example/%0d%0aX-Evil: 1">m</a>',
    '<a href="https://user@shop.example/?u=https://evil.example&amp;v=&quot;&gt;">n</a>',
    '<a href="HTTPS://shop.example/\u2028next">o</a>',
  ];
  const list = await rig.addList();
  await rig.join(list, 'carl');
  const copy = await rig.receivedCopy(
    'carl',
    await rig.sendCampaign(list, { html: `<p>${html.join('\n')}</p>` }),
  );
  const links = linksIn(copy.html);
  const inMail = links.slice(0, html.length);
  expect(inMail.map((link) => link.includes('/c/'))).toEqual(
    Array.from('abcdefghijklmno', (letter) => 'ijkmno'.includes(letter)),
  );
  const led: string[] = [];
  for (const link of inMail.filter((one) => one.includes('/c/'))) {
    const { status, headers } = await rig.fetched(link);
    expect(status).toBe(302);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-evil']).toBeUndefined();
    led.push(String(headers['location']));
  }
  expect(led).toEqual([
    'https://shop.example/xSet-Cookie:%20a=b',
    'https://shop.example/k%C3%A4se?q=%E6%97%A5%E6%9C%AC',
    'https://xn--kse-qla.example/',
    'https://shop.example/%0d%0aX-Evil:%201',
    'https://user@shop.example/?u=https://evil.example&v=">',
    'https://shop.example/%E2%80%A8next',
  ]);
});

it.each([
  '?url=https://evil.example',
  '?u=//evil.example',
  '//evil.example',
  '/%2F%2Fevil.example',
  '@evil.example',
])('additions to a link change nothing: %s', async (suffix) => {
  const list = await rig.addList();
  await rig.join(list, `dora${suffix.length}`);
  const copy = await rig.receivedCopy(`dora${suffix.length}`, await rig.sendCampaign(list));
  const [link = ''] = linksIn(copy.html);
  const { status, headers } = await rig.fetched(`${link}${suffix}`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-original-url': '/v1/messages' },
  });
  if (status === 302) expect(headers['location']).toBe('https://shop.example/a?x=1&y=2');
  else expect([status, headers['location']]).toEqual([404, undefined]);
});

/** The members of lists, suppressions and contacts. */
async function state(): Promise<string> {
  const tables = ['contacts', 'list_members', 'list_unsubscribes', 'suppressions', 'events'];
  const rows = await Promise.all(tables.map((table) => rig.appliance.query(`SELECT * FROM ${table}`)));
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
