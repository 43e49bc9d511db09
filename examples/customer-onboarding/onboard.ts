// Sets up a customer who sends from their own domain: creates the sub-tenant and sends the first message.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NotFoundError, Mailkeel, MailkeelError, type SubTenant } from '@mailkeel/sdk';

const EXIT = { done: 0, failed: 1, usage: 2, notVerified: 3 } as const;
const USAGE = `Usage: node onboard.ts --id ID --name NAME --domain DOMAIN --webhook URL --to ADDRESS
         [--wait SECONDS] [--every SECONDS]`;

interface Customer {
  /** Your own ID of this customer. The API accepts `external:ID` wherever it accepts its own ID. */
  id: string;
  name: string;
  domain: string;
  webhookUrl: string;
  firstRecipient: string;
}

const mailkeel = new Mailkeel();

/** Finds the sub-tenant of an earlier run, or creates it. */
async function ensureSubTenant(customer: Customer): Promise<SubTenant> {
  try {
    return await mailkeel.subTenants.get(`external:${customer.id}`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  return mailkeel.subTenants.create({
    name: customer.name,
    sending_domain: customer.domain,
    external_id: customer.id,
  });
}

/** Prints the records that are missing or wrong. On your page, show a table with a button to copy. */
function showRecords({ dns_records: records }: SubTenant): void {
  for (const { type, host, priority, value, required, status, found } of records) {
    if (status === 'ok') continue;
    const need = required ? 'required' : 'recommended';
    const whole = priority === undefined ? value : `${priority} ${value}`;
    console.log(`  ${type} ${host} ${whole} (${need}, ${status})`);
    if (found.length > 0) console.log(`    found there: ${found.join(', ')}`);
  }
}

/**
 * Polls until the required records are published. Returns null after `waitMs`. In a web application, use a job or a "check now"
 * button: the appliance also checks new domains itself, and `subTenants.get` returns the result.
 */
async function untilVerified(
  id: string,
  { waitMs, everyMs }: { waitMs: number; everyMs: number },
): Promise<SubTenant | null> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const customer = await mailkeel.subTenants.verify(id);
    if (customer.status === 'verified') return customer;
    if (Date.now() + everyMs > deadline) return null;
    console.log(`${customer.sending_domain} is not verified yet. To publish:`);
    showRecords(customer);
    await wait(everyMs);
  }
}

/**
 * Creates the customer's own key and webhook. Another run within 24 hours uses the same idempotency keys and gets the same key and
 * webhook.
 */
async function makeAccess(customer: Customer, subTenantId: string): Promise<void> {
  const key = await mailkeel.apiKeys.create(
    { name: `${customer.name}: sending`, permission: 'send', sub_tenant_id: subTenantId },
    { idempotencyKey: `onboard-${subTenantId}-key` },
  );
  const endpoint = await mailkeel.webhookEndpoints.create(
    { url: customer.webhookUrl, sub_tenant_id: subTenantId },
    { idempotencyKey: `onboard-${subTenantId}-webhook` },
  );
  // The API returns these secrets only once. Store them like passwords, and show them only to this customer.
  console.log(`Key of the customer: ${key.secret}`);
  console.log(`Webhook secret of the customer: ${endpoint.secret}`);
}

/** Sends the first message with the key of the platform, restricted to the customer. */
async function sendFirst(customer: Customer): Promise<string> {
  const theirs = mailkeel.withSubTenant(`external:${customer.id}`);
  const { id } = await theirs.messages.create(
    {
      from: { email: `hello@${customer.domain}`, name: customer.name },
      to: customer.firstRecipient,
      subject: `${customer.domain} is ready`,
      text: `Mail of ${customer.name} now goes out from ${customer.domain}.\n`,
    },
    { idempotencyKey: `onboard-${customer.id}-first` },
  );
  return id;
}

async function onboard(customer: Customer, times: { waitMs: number; everyMs: number }): Promise<number> {
  const made = await ensureSubTenant(customer);
  console.log(`${customer.name} is ${made.id}. DNS records of ${made.sending_domain}:`);
  showRecords(made);
  if ((await untilVerified(made.id, times)) === null) {
    console.error(`${made.sending_domain} is not verified. Publish the records, and run this again.`);
    return EXIT.notVerified;
  }
  console.log(`${made.sending_domain} is verified.`);
  await makeAccess(customer, made.id);
  console.log(`First message: ${await sendFirst(customer)}`);
  return EXIT.done;
}

function readArguments(): { customer: Customer; times: { waitMs: number; everyMs: number } } | null {
  const text = { type: 'string' } as const;
  const options = { id: text, name: text, domain: text, webhook: text, to: text, wait: text, every: text };
  const { values } = parseArgs({ options });
  const { id, name, domain, webhook: webhookUrl, to: firstRecipient, wait = '3600', every = '30' } = values;
  const times = { waitMs: Number(wait) * 1000, everyMs: Number(every) * 1000 };
  if (!id || !name || !domain || !webhookUrl || !firstRecipient) return null;
  if (!(times.waitMs >= 0) || !(times.everyMs > 0)) return null;
  return { customer: { id, name, domain, webhookUrl, firstRecipient }, times };
}

try {
  const given = readArguments();
  if (given === null) console.error(USAGE);
  process.exitCode = given === null ? EXIT.usage : await onboard(given.customer, given.times);
} catch (error) {
  if (error instanceof TypeError && 'code' in error) {
    // parseArgs throws this error for an unknown option.
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = EXIT.usage;
  } else if (error instanceof MailkeelError) {
    // The message explains the error and how to fix it.
    console.error(error.message);
    process.exitCode = EXIT.failed;
  } else {
    throw error;
  }
}
