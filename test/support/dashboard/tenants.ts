// Creates customers of the platform: with a good reputation, warned and throttled for complaints, paused, and with missing or
// wrong DNS records.
import type { SubTenant } from '../../../clients/sdk/src/index.js';
import { postMail } from '../post-mail.js';
import { waitFor } from '../wait.js';
import { feedbackReport, headerOf } from '../returned-mail.js';
import { person } from './company.js';
import type { Ground } from './ground.js';
import { PLATFORM_HOST } from './program.js';

export interface TenantIds {
  good: string;
  warned: string;
  throttled: string;
  paused: string;
  pending: string;
  wrong: string;
}

const TENANTS = {
  good: { name: 'Kiln & Clay Studio', sending_domain: 'kilnandclay.example', external_id: 'cus_1001' },
  warned: { name: 'Bäckerei Kern', sending_domain: 'kern-kurse.example', external_id: 'cus_1002' },
  throttled: { name: 'Velo Werkstatt Süd', sending_domain: 'velo-sued.example', external_id: 'cus_1003' },
  paused: { name: 'أتولييه نور', sending_domain: 'atelier-nour.example', external_id: 'cus_1004' },
  pending: { name: 'Harbour Yoga', sending_domain: 'harbouryoga.example', external_id: 'cus_1005' },
  wrong: {
    name: 'Choir of the old town and its friends, registered association',
    sending_domain: 'choir.example',
  },
};

/** Mail of a customer with one complaint: 1 in 360 is above 0.10 %, 1 in 40 above 0.30 %. */
const SENT = { good: 30, warned: 360, throttled: 40, paused: 5 };

export async function addTenants(ground: Ground): Promise<TenantIds> {
  const { live, program } = ground;
  const made = new Map<string, SubTenant>();
  for (const [name, fields] of Object.entries(TENANTS)) made.set(name, await live.subTenants.create(fields));
  const of = (name: keyof TenantIds): SubTenant => {
    const tenant = made.get(name);
    if (tenant === undefined) throw new Error(`there is no ${name}`);
    return tenant;
  };
  for (const name of ['good', 'warned', 'throttled', 'paused'] as const) {
    program.publish(of(name).dns_records);
    const { status } = await live.subTenants.verify(of(name).id);
    if (status !== 'verified') throw new Error(`${name} is ${status}`);
  }
  for (const { type, host, value } of of('wrong').dns_records) {
    if (type === 'TXT' && value !== null) program.dns.set(host, 'TXT', [`"${value.slice(0, 60)}`]);
  }
  await live.subTenants.verify(of('wrong').id);
  await Promise.all(
    (['good', 'warned', 'throttled', 'paused'] as const).map((name) => sendFor(ground, of(name), SENT[name])),
  );
  for (const name of ['warned', 'throttled'] as const) await complain(ground, of(name).sending_domain);
  for (const [name, state] of [
    ['warned', 'warned'],
    ['throttled', 'throttled'],
  ] as const) {
    await waitFor(
      `${name} to be judged`,
      () => live.subTenants.getReputation(of(name).id),
      (found) => found.state === state,
    );
  }
  await live.subTenants.pause(of('paused').id);
  await sendFor(ground, of('throttled'), 10, false);
  return {
    ...{ good: of('good').id, warned: of('warned').id, throttled: of('throttled').id },
    ...{ paused: of('paused').id, pending: of('pending').id, wrong: of('wrong').id },
  };
}

async function sendFor({ live }: Ground, tenant: SubTenant, count: number, isAwaited = true): Promise<void> {
  const messages = Array.from({ length: count }, (_one, i) => ({
    sub_tenant_id: tenant.id,
    from: { email: `post@${tenant.sending_domain}`, name: tenant.name },
    to: { email: person(i % 200).email, name: person(i % 200).name },
    subject: `Your course at ${tenant.name}`,
    text: 'We look forward to seeing you on Thursday.\n',
    tags: ['course'],
  }));
  for (let at = 0; at < messages.length; at += 100) {
    await live.messages.createBatch({ messages: messages.slice(at, at + 100) });
  }
  if (!isAwaited) return;
  await waitFor(
    `the mail of ${tenant.name} to be counted`,
    () => live.subTenants.getReputation(tenant.id),
    ({ delivered }) => delivered >= count,
  );
}

/** Through the feedback loop of the recipients' provider. */
async function complain({ program }: Ground, domain: string): Promise<void> {
  const mail = program.sink.messages.find(({ raw }) => raw.includes(`From: `) && raw.includes(`@${domain}`));
  if (mail === undefined) throw new Error(`nothing came from ${domain}`);
  const to = `fbl@${PLATFORM_HOST}`;
  const raw = feedbackReport(to, { original: headerOf(mail) });
  const port = program.appliance.mailPort('Inbound');
  const { code, text } = await postMail({ port, from: 'fbl@provider.example', to, raw });
  if (code !== 250) throw new Error(`the report was not taken: ${text}`);
}
