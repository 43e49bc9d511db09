// Tests that contact files of other programs never bring back people who opted out there.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const NDJSON = 'application/x-ndjson';

/** The reasons by address. */
async function reasons(): Promise<Record<string, string>> {
  const { json } = await rig.program.ask('GET', '/v1/suppressions');
  const rows = json.data as { email: string; reason: string }[];
  return Object.fromEntries(rows.map(({ email, reason }) => [email, reason]));
}

describe('an export of', () => {
  it.each<[string, string, string, string]>([
    [
      'Resend',
      'text/csv',
      'id,email,first_name,last_name,unsubscribed,created_at\n1,out@x.example,A,B,true,2026-01-01\n2,in@x.example,A,B,false,2026-01-01\n',
      'unsubscribe',
    ],
    [
      'Plunk',
      'text/csv',
      'email,subscribed,plan\nout@x.example,false,pro\nin@x.example,TRUE,pro\n',
      'unsubscribe',
    ],
    [
      'Mailchimp, unsubscribed',
      'text/csv',
      '"Email Address","First Name",UNSUB_TIME,UNSUB_CAMPAIGN_TITLE\nout@x.example,A,"2026-01-02 03:04:05",News\nin@x.example,B,,\n',
      'unsubscribe',
    ],
    [
      'Mailchimp, cleaned',
      'text/csv',
      '"Email Address",CLEAN_TIME,CLEAN_CAMPAIGN_TITLE\nout@x.example,"2026-01-02 03:04:05",News\nin@x.example,,\n',
      'bounce',
    ],
    [
      'listmonk',
      'text/csv',
      'uuid,email,name,attributes,status\n1,out@x.example,A,{},blocklisted\n2,in@x.example,B,{},enabled\n',
      'unsubscribe',
    ],
    [
      'HubSpot',
      'text/csv',
      'Email,"Unsubscribed from all email",Opted Out,Bounced\nout@x.example,Yes,Yes,No\nin@x.example,No,No,No\n',
      'unsubscribe',
    ],
    [
      'Klaviyo',
      'text/csv',
      'Email,Email Marketing Consent\nout@x.example,UNSUBSCRIBED\nin@x.example,SUBSCRIBED\n',
      'unsubscribe',
    ],
    [
      'a shop',
      'text/csv',
      'Email;Accepts Email Marketing\nout@x.example;no\nin@x.example;yes\n',
      'unsubscribe',
    ],
    [
      'a German program',
      'text/csv',
      'email;Abgemeldet\nout@x.example;ja\nin@x.example;nein\n',
      'unsubscribe',
    ],
    [
      'a program that counts bounces',
      'text/csv',
      'email,status\nout@x.example,Hard Bounced\nin@x.example,Active\n',
      'bounce',
    ],
    [
      'a program that keeps complaints',
      'text/csv',
      'email,status\nout@x.example,Spam Complaint\nin@x.example,ok\n',
      'complaint',
    ],
    [
      'Resend as JSON',
      NDJSON,
      '{"email":"out@x.example","unsubscribed":true}\n{"email":"in@x.example","unsubscribed":false}',
      'unsubscribe',
    ],
    [
      'Plunk as JSON',
      NDJSON,
      '{"email":"out@x.example","subscribed":false}\n{"email":"in@x.example","subscribed":true}',
      'unsubscribe',
    ],
    [
      'someone who complained and whose status is active',
      NDJSON,
      '{"email":"out@x.example","status":"active","bounced":1,"complained":"yes"}\n{"email":"in@x.example","status":"active","bounced":0}',
      'complaint',
    ],
  ])('%s suppresses contacts who opted out and no others', async (_name, type, body, reason) => {
    const dry = await rig.importFile(body, { type, query: '?dry_run=true' });
    expect(dry).toMatchObject({ status: 'completed', created: 2, opted_out: 1, failed: 0, warnings: [] });
    expect(await reasons()).toEqual({});
    const done = await rig.importFile(body, { type });
    expect(done).toMatchObject({ status: 'completed', created: 2, opted_out: 1, failed: 0 });
    expect(await reasons()).toEqual({ 'out@x.example': reason });
    const [out, stays] = [await rig.contact('out@x.example'), await rig.contact('in@x.example')];
    expect([out.status === 'active', stays.status]).toEqual([false, 'active']);
    expect(Object.keys(stays.metadata as object).map((key) => key.toLowerCase())).not.toContain(
      'unsubscribed',
    );
    expect(await rig.importFile(body, { type })).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });
});

describe('a column whose name looks like a status', () => {
  const body = 'email,Mailing Status 2,Order Status\na@x.example,left,paid\n';

  it('is refused by name before anything is imported', async () => {
    const refused = await rig.postImport(body);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_error']);
    expect(refused.json.error.details.fields).toMatchObject([
      { path: 'columns', message: expect.stringContaining('Mailing Status 2') as string },
      { path: 'columns', message: expect.stringContaining('Order Status') as string },
    ]);
    expect((await rig.program.ask('GET', '/v1/contacts')).json.data).toEqual([]);
  });

  it('is a warning in a dry run', async () => {
    const done = await rig.importFile(body, { query: '?dry_run=true' });
    expect(done.warnings).toHaveLength(2);
    expect(done).toMatchObject({ created: 1, failed: 0 });
  });

  it('is a custom field if it is confirmed', async () => {
    const query =
      '?columns[Mailing Status 2]=metadata.Mailing Status 2&columns[Order Status]=metadata.Order Status';
    expect(await rig.importFile(body, { query })).toMatchObject({ created: 1, failed: 0, warnings: [] });
    expect((await rig.contact('a@x.example')).metadata).toEqual({
      'Mailing Status 2': 'left',
      'Order Status': 'paid',
    });
  });

  it('is a status, or ignored, if it is mapped that way', async () => {
    const query = '?columns[Mailing Status 2]=status&columns[Order Status]=ignore';
    const done = await rig.importFile(
      'email,Mailing Status 2,Order Status\na@x.example,unsubscribed,paid\n',
      {
        query,
      },
    );
    expect(done).toMatchObject({ created: 1, opted_out: 1 });
    expect(await rig.contact('a@x.example')).toMatchObject({ status: 'unsubscribed', metadata: {} });
  });

  it('refuses the row of a JSON file unless it is confirmed', async () => {
    const row = '{"email":"a@x.example","order_status":"paid"}';
    expect(await rig.importFile(row, { type: NDJSON })).toMatchObject({ created: 0, failed: 1 });
    const query = '?columns[order_status]=metadata.order_status';
    expect(await rig.importFile(row, { type: NDJSON, query })).toMatchObject({ created: 1, failed: 0 });
  });

  it('inside metadata is a custom field', async () => {
    const row = '{"email":"a@x.example","metadata":{"unsubscribed":true,"order_status":"paid"}}';
    expect(await rig.importFile(row, { type: NDJSON })).toMatchObject({ created: 1, opted_out: 0 });
    expect((await rig.contact('a@x.example')).metadata).toEqual({ unsubscribed: true, order_status: 'paid' });
  });
});

it('a status that is neither yes nor no refuses its row', async () => {
  const done = await rig.importFile('email,unsubscribed\na@x.example,perhaps\nb@x.example,no\n');
  expect(done).toMatchObject({ created: 1, failed: 1 });
  const { text } = await rig.download(`/v1/imports/${String(done.id)}/rejected`);
  expect(text).toContain('which does not show whether the contact can receive mail');
});
