// Tests the host names that mail uses (those of its sub-tenant, of the sender domain of its From, or of the service) and the mail
// that is accepted at them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressDomain, joinMessage } from '../../src/lib/mime/index.js';
import { readReplyLocal } from '../../src/messages/mail-tokens.rules.js';
import { readReturnPathLocal } from '../../src/messages/verp.rules.js';
import { Receiver } from '../../src/inbound/receiver.js';
import { composeOutgoing, type ComposeSettings } from '../../src/outbound/deliver/compose.js';
import { startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { update } from '../../src/database/rows.js';

const SERVICE = {
  returnPath: 'bounce.example.test',
  inbound: 'in.platform.example',
  tracking: 'mail.example.test',
};
const OK = { return_path_ok: 1, inbound_ok: 1, tracking_ok: 1 } as const;
const CHOSEN = {
  return_path_domain: 'rp.acme.example',
  inbound_domain: 'inbox.acme.example',
  tracking_domain: 'go.acme.example',
} as const;

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

/** The domains of a message's bounces, replies and links. */
async function namesOf(fields: Record<string, unknown>) {
  const html = '<a href="https://shop.example/x">x</a>';
  const sent = await rig.send({ html, ...fields });
  expect(sent.status, sent.text).toBe(202);
  const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [sent.json.id]);
  const rowId = Number(row?.['id']);
  const deliverable = (await rig.store.messages.deliverables([rowId])).get(rowId);
  if (!deliverable) throw new Error('The message is gone.');
  const settings: ComposeSettings = { ...rig.config, tokenKey: TOKEN_KEY };
  const { composed, mailFrom } = composeOutgoing(deliverable, rig.clock.now(), settings);
  const text = joinMessage(composed.headerLines, composed.body)
    .toString()
    .replace(/\r\n[ \t]+/g, ' ');
  const replyTo = /^Reply-To: *<?([^>\r\n]+)/im.exec(text)?.[1] ?? '';
  const [local = '', returnPath = ''] = mailFrom.split('@');
  expect(readReturnPathLocal(local, returnPath, [TOKEN_KEY])).toBe(sent.json.id);
  const inbound = addressDomain(replyTo);
  expect(readReplyLocal(replyTo.split('@')[0] ?? '', inbound, [TOKEN_KEY])).toBe(sent.json.id);
  return { returnPath, inbound, tracking: /https?:\/\/([^/"]+)\/c\//.exec(text.replace(/=\r\n/g, ''))?.[1] };
}

describe('mail uses', () => {
  it("the platform's names until those of the sub-tenant are set up", async () => {
    const tenant = await rig.addTenant({
      sending_domain: 'waiting.example',
      return_path_domain: 'rp.waiting.example',
    });
    expect(await namesOf({ sub_tenant_id: tenant, from: 'a@waiting.example' })).toEqual(SERVICE);
  });

  it('each name below the sending domain that is set up', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'plain.example', ...OK, inbound_ok: 0 });
    expect(await namesOf({ sub_tenant_id: tenant, from: 'a@plain.example' })).toEqual({
      returnPath: 'bounce.plain.example',
      inbound: SERVICE.inbound,
      tracking: 'click.plain.example',
    });
  });

  it('the names that the sub-tenant chose', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'acme.example', ...CHOSEN, ...OK });
    expect(await namesOf({ sub_tenant_id: tenant, from: 'a@acme.example' })).toEqual({
      returnPath: 'rp.acme.example',
      inbound: 'inbox.acme.example',
      tracking: 'go.acme.example',
    });
  });

  it('the names of the closest sender domain of its From, if they are set up', async () => {
    await rig.addSender({ kind: 'domain', identity: 'shop.example', ...OK });
    await rig.addSender({ kind: 'domain', identity: 'eu.shop.example', ...OK, inbound_ok: 0 });
    expect(await namesOf({ from: 'a@shop.example' })).toEqual({
      returnPath: 'bounce.shop.example',
      inbound: 'reply.shop.example',
      tracking: 'click.shop.example',
    });
    expect(await namesOf({ from: 'a@news.eu.shop.example' })).toEqual({
      returnPath: 'bounce.eu.shop.example',
      inbound: SERVICE.inbound,
      tracking: 'click.eu.shop.example',
    });
    expect(await namesOf({ from: 'a@workshop.example' })).toEqual(SERVICE);
  });

  it("the names of a sub-tenant's own sender before those of its sending domain, so that SPF aligns, and never another tenant's", async () => {
    const tenant = await rig.addTenant({ sending_domain: 'brand.example', ...OK });
    const sender = { kind: 'domain', identity: 'line.example', sub_tenant_id: tenant } as const;
    await rig.addSender({ ...sender, return_path_ok: 1 });
    expect(await namesOf({ sub_tenant_id: tenant, from: 'a@line.example' })).toEqual({
      returnPath: 'bounce.line.example',
      inbound: 'reply.brand.example',
      tracking: 'click.brand.example',
    });
    expect(await namesOf({ from: 'a@line.example' })).toEqual(SERVICE);
  });
});

describe('mail is accepted', () => {
  const admitted = async (address: string) => {
    const { store, clock } = rig;
    const config = {
      bounceDomain: SERVICE.returnPath,
      inboundDomain: SERVICE.inbound,
      hostname: 'mx.service.example',
      feedbackAddresses: ['fbl'],
    };
    const keys = { tokenKeys: { active: TOKEN_KEY, all: [TOKEN_KEY] } };
    const receiver = new Receiver({ store, config, keys, clock: clock.now }, () => undefined);
    const found = await receiver.findRecipient(address);
    return found && { kind: found.kind, target: found.target };
  };
  const verified = { verified_at: 1 };

  it('at chosen names, and no longer at those below the sending domain', async () => {
    const id = await rig.addTenant({
      ...{
        sending_domain: 'in.example',
        return_path_domain: 'rp.in.example',
        inbound_domain: 'box.in.example',
      },
      ...{ ...OK, ...verified },
    });
    expect(await admitted('help@box.in.example')).toEqual({ kind: 'mailbox', target: id });
    expect(await admitted('help@reply.in.example')).toBeNull();
    expect(await admitted('postmaster@rp.in.example')).toEqual({ kind: 'feedback', target: '' });
    expect(await admitted('help@rp.in.example')).toBeNull();
    expect(await admitted('postmaster@bounce.in.example')).toBeNull();
    expect(await admitted('reply+made-up@box.in.example')).toBeNull();
  });

  it('at one name for bounces and replies, with reports for Mailkeel and other mail for the owner', async () => {
    const id = await rig.addTenant({
      ...{
        sending_domain: 'one.example',
        return_path_domain: 'm.one.example',
        inbound_domain: 'm.one.example',
      },
      ...{ ...OK, ...verified },
    });
    expect(await admitted('fbl@m.one.example')).toEqual({ kind: 'feedback', target: '' });
    expect(await admitted('help@m.one.example')).toEqual({ kind: 'mailbox', target: id });
  });

  it('at a previous name if it is signed, because it may be in transit', async () => {
    const id = await rig.addTenant({ sending_domain: 'old.example', ...OK, ...verified });
    const sent = await rig.send({ sub_tenant_id: id, from: 'a@old.example' });
    const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [sent.json.id]);
    const rowId = Number(row?.['id']);
    const deliverable = (await rig.store.messages.deliverables([rowId])).get(rowId);
    if (!deliverable) throw new Error('The message is gone.');
    const { mailFrom } = composeOutgoing(deliverable, rig.clock.now(), {
      ...rig.config,
      tokenKey: TOKEN_KEY,
    });
    expect(mailFrom).toContain('@bounce.old.example');
    const set = {
      return_path_domain: 'rp.old.example',
      inbound_domain: 'box.old.example',
      inbound_ok: 0,
    } as const;
    await rig.commit(update(subTenants, { set, where: { id } }));
    expect(await admitted(mailFrom)).toEqual({ kind: 'return_path', target: sent.json.id });
    expect(await admitted(mailFrom.replace('bounce.', 'rp.'))).toBeNull();
    expect(await admitted('help@reply.old.example')).toBeNull();
  });

  it('at no name of an unverified sub-tenant, or one whose MX leads elsewhere', async () => {
    await rig.addTenant({ sending_domain: 'new.example', inbound_domain: 'box.new.example', ...OK });
    await rig.addTenant({
      ...{ sending_domain: 'away.example', inbound_domain: 'box.away.example' },
      ...{ ...verified, inbound_ok: 0 },
    });
    expect(await admitted('help@box.new.example')).toBeNull();
    expect(await admitted('help@box.away.example')).toBeNull();
  });
});
