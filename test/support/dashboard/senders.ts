// Creates the company's senders: a verified domain, one with wrong records, a pending one, and addresses.
import { COMPANY } from './company.js';
import type { Ground } from './ground.js';

export interface SenderIds {
  verified: string;
  wrong: string;
  pending: string;
  address: string;
}

export async function addSenders({ live, program }: Ground): Promise<SenderIds> {
  const verified = await live.senders.create({ domain: COMPANY.domain });
  program.publish(verified.dns_records);
  const { status } = await live.senders.verify(verified.id);
  if (status !== 'verified') throw new Error(`the sender is ${status}`);
  const address = await live.senders.create(COMPANY.from);
  await live.senders.makeDefault(address.id);
  const wrong = await live.senders.create({ domain: 'fernhill-events.example' });
  for (const { type, host } of wrong.dns_records) {
    if (type === 'TXT') program.dns.set(host, 'TXT', ['v=spf1 include:_spf.somewhere.example ~all']);
  }
  await live.senders.verify(wrong.id);
  const pending = await live.senders.create({ domain: 'fernhill-courses.example' });
  return { verified: verified.id, wrong: wrong.id, pending: pending.id, address: address.id };
}
