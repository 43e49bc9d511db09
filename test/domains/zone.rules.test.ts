import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFromZone, type ZoneQuestionType, type ZoneRecord } from '../../src/lib/dns-answers/index.js';
import { sendingRanges, zoneFacts, type ZoneSettings } from '../../src/domains/zone/zone-facts.rules.js';
import { placeInZone, zoneDomainProblem } from '../../src/domains/zone/zone-names.rules.js';
import {
  aliasedKeyRecords,
  ownZoneRecords,
  buildSoa,
  tenantZoneRecords,
  type ZoneKey,
  type ZoneTenant,
} from '../../src/domains/zone/zone-records.rules.js';

const ZONE = 'mail.platform.example';
const SETTINGS: ZoneSettings = {
  dnsZone: ZONE,
  dnsNameServers: null,
  dnsAddresses: ['198.51.100.7', '2001:db8:1::7', '198.51.100.64/28'],
  dnsTtlMs: 300_000,
  dnsDmarc: 'v=DMARC1; p=quarantine',
  spfMechanisms: null,
  hostname: `mx.${ZONE}`,
  publicUrl: `https://go.${ZONE}:8443`,
  bounceDomain: `mx.${ZONE}`,
  inboundDomain: `in.${ZONE}`,
  platformDomain: null,
  tlsReportAddress: null,
};

function factsOf(settings: Partial<ZoneSettings> = {}, sources: Parameters<typeof zoneFacts>[1] = []) {
  const facts = zoneFacts({ ...SETTINGS, ...settings }, sources);
  if (facts === null) throw new Error('There is no zone.');
  return facts;
}

const key = (selector: string, state: ZoneKey['state'], created_at = 1): ZoneKey => ({
  selector,
  state,
  created_at,
  record_value: `v=DKIM1; k=rsa; p=${selector}${created_at}`,
});
const TENANT: ZoneTenant = {
  id: 'tnt_01j0000000000000000000000a',
  sending_domain: `acme.${ZONE}`,
  return_path_domain: null,
  inbound_domain: null,
  tracking_domain: null,
  keys: [key('svc1', 'active')],
};

const FACTS = factsOf();
const CONTENTS = {
  soa: buildSoa(FACTS, 1_750_000_000_000),
  records: [...ownZoneRecords(FACTS, [], null), ...tenantZoneRecords(TENANT, FACTS, null)],
};
const ask = (name: string, type: ZoneQuestionType, contents = CONTENTS) =>
  answerFromZone({ name, type }, contents);
const shown = (records: readonly ZoneRecord[]): string[] =>
  records.map((record) => {
    if (record.type === 'MX') return `${record.name} MX ${record.preference} ${record.exchange}`;
    if (record.type === 'SOA') return `${record.name} SOA`;
    return `${record.name} ${record.type} ${record.type === 'HINFO' ? record.cpu : record.value}`;
  });

describe('the zone', () => {
  const spf = 'ip4:198.51.100.7 ip6:2001:db8:1::7 ip4:198.51.100.64/28';
  const mx = [`mx.${ZONE} A 198.51.100.7`, `mx.${ZONE} AAAA 2001:db8:1::7`];

  it.each<[string, ZoneQuestionType, string[], string[]?]>([
    [ZONE, 'NS', [`${ZONE} NS mx.${ZONE}`], mx],
    [ZONE, 'SOA', [`${ZONE} SOA`]],
    [ZONE, 'TXT', [`${ZONE} TXT v=spf1 -all`]],
    [`mx.${ZONE}`, 'A', [`mx.${ZONE} A 198.51.100.7`]],
    [`mx.${ZONE}`, 'AAAA', [`mx.${ZONE} AAAA 2001:db8:1::7`]],
    [`mx.${ZONE}`, 'TXT', [`mx.${ZONE} TXT v=spf1 ${spf} -all`]],
    [`in.${ZONE}`, 'MX', [`in.${ZONE} MX 10 mx.${ZONE}`], mx],
    [`go.${ZONE}`, 'A', [`go.${ZONE} A 198.51.100.7`]],
    [`acme.${ZONE}`, 'MX', [`acme.${ZONE} MX 10 mx.${ZONE}`], mx],
    [`acme.${ZONE}`, 'TXT', [`acme.${ZONE} TXT v=spf1 ${spf} ~all`]],
    [`AcMe.${ZONE.toUpperCase()}.`, 'TXT', [`acme.${ZONE} TXT v=spf1 ${spf} ~all`]],
    [`bounce.acme.${ZONE}`, 'MX', [`bounce.acme.${ZONE} MX 10 mx.${ZONE}`], mx],
    [`bounce.acme.${ZONE}`, 'TXT', [`bounce.acme.${ZONE} TXT v=spf1 ${spf} -all`]],
    [`reply.acme.${ZONE}`, 'MX', [`reply.acme.${ZONE} MX 10 mx.${ZONE}`], mx],
    [`_dmarc.acme.${ZONE}`, 'TXT', [`_dmarc.acme.${ZONE} TXT v=DMARC1; p=quarantine`]],
    [`svc1._domainkey.acme.${ZONE}`, 'TXT', [`svc1._domainkey.acme.${ZONE} TXT v=DKIM1; k=rsa; p=svc11`]],
    [`click.acme.${ZONE}`, 'CNAME', [`click.acme.${ZONE} CNAME go.${ZONE}`]],
    [`click.acme.${ZONE}`, 'A', [`click.acme.${ZONE} CNAME go.${ZONE}`, `go.${ZONE} A 198.51.100.7`]],
    [`click.acme.${ZONE}`, 'MX', [`click.acme.${ZONE} CNAME go.${ZONE}`]],
    [`acme.${ZONE}`, 'ANY', [`acme.${ZONE} HINFO RFC8482`]],
  ])('answers %s %s', (name, type, answers, additionals = []) => {
    expect(ask(name, type)).toMatchObject({ code: 'no_error', authorities: [] });
    expect(shown(ask(name, type).answers)).toEqual(answers);
    expect(shown(ask(name, type).additionals)).toEqual(additionals);
  });

  it.each<[string, ZoneQuestionType, 'no_error' | 'no_name']>([
    [`acme.${ZONE}`, 'A', 'no_error'],
    [`acme.${ZONE}`, 'other', 'no_error'],
    [`_domainkey.acme.${ZONE}`, 'TXT', 'no_error'],
    [`dkim.${ZONE}`, 'A', 'no_error'],
    [`svc2._domainkey.acme.${ZONE}`, 'TXT', 'no_name'],
    [`nobody.${ZONE}`, 'MX', 'no_name'],
    [`xacme.${ZONE}`, 'MX', 'no_name'],
    [`www.acme.${ZONE}`, 'ANY', 'no_name'],
  ])('answers that there is no %s %s, with a TTL of one minute', (name, type, code) => {
    expect(ask(name, type)).toEqual({ code, answers: [], authorities: [CONTENTS.soa], additionals: [] });
    expect(CONTENTS.soa).toMatchObject({ ttlS: 60, negativeS: 60, serial: 1_750_000_000 });
  });

  it.each<[string, ZoneQuestionType]>([
    ['platform.example', 'A'],
    ['', 'NS'],
    [`x${ZONE}`, 'A'],
    [ZONE, 'transfer'],
  ])('refuses %j %s', (name, type) => {
    expect(ask(name, type)).toMatchObject({ code: 'refused', answers: [], authorities: [] });
  });

  it('never throws, and is authoritative only for itself', () => {
    const types = fc.constantFrom<ZoneQuestionType>(
      'A',
      'TXT',
      'MX',
      'NS',
      'ANY',
      'CNAME',
      'other',
      'transfer',
    );
    fc.assert(
      fc.property(fc.string(), fc.boolean(), types, (text, isInside, type) => {
        const { code, answers, authorities } = ask(isInside ? `${text}.${ZONE}` : text, type);
        expect(code === 'refused' ? [] : [...answers, ...authorities]).toHaveLength(
          code === 'refused' ? 0 : Math.max(1, answers.length + authorities.length),
        );
      }),
    );
  });
});

describe('the keys of a sub-tenant', () => {
  const texts = (keys: ZoneKey[], selector: string): string[] => {
    const records = tenantZoneRecords({ ...TENANT, keys }, FACTS, null);
    const name = `${selector}._domainkey.acme.${ZONE}`;
    return shown(answerFromZone({ name, type: 'TXT' }, { ...CONTENTS, records }).answers).map((text) =>
      text.slice(name.length + 5),
    );
  };

  it.each<[ZoneKey['state'], string[]]>([
    ['pending', ['v=DKIM1; k=rsa; p=svc11']],
    ['published', ['v=DKIM1; k=rsa; p=svc11']],
    ['active', ['v=DKIM1; k=rsa; p=svc11']],
    ['retiring', ['v=DKIM1; k=rsa; p=svc11']],
    ['revoked', ['v=DKIM1; p=']],
    ['retired', []],
  ])('in state %s', (state, expected) => {
    expect(texts([key('svc1', state)], 'svc1')).toEqual(expected);
  });

  it('have one record per name, that of the new key', () => {
    const keys = [key('svc1', 'pending', 2), key('svc1', 'revoked', 1)];
    expect(texts(keys, 'svc1')).toEqual(['v=DKIM1; k=rsa; p=svc12']);
    expect(texts([...keys].reverse(), 'svc1')).toEqual(['v=DKIM1; k=rsa; p=svc12']);
  });

  it('are the targets of the aliases of its own domain', () => {
    const name = `svc1.01j0000000000000000000000a.dkim.${ZONE}`;
    expect(placeInZone(name, ZONE)).toEqual({ kind: 'keys', tenantId: TENANT.id });
    const records = [...ownZoneRecords(FACTS, [], null), ...aliasedKeyRecords(TENANT, FACTS)];
    const { answers } = answerFromZone({ name, type: 'TXT' }, { ...CONTENTS, records });
    expect(shown(answers)).toEqual([`${name} TXT v=DKIM1; k=rsa; p=svc11`]);
  });
});

describe('shared names', () => {
  it('have one SPF record, no duplicate records, and no alias with other records', () => {
    const tenant = {
      ...TENANT,
      return_path_domain: `acme.${ZONE}`,
      inbound_domain: `acme.${ZONE}`,
      tracking_domain: `acme.${ZONE}`,
    };
    const records = tenantZoneRecords(tenant, FACTS, null).filter(({ name }) => name === `acme.${ZONE}`);
    expect(shown(records)).toEqual([
      `acme.${ZONE} MX 10 mx.${ZONE}`,
      `acme.${ZONE} TXT v=spf1 ${FACTS.spfMechanisms} -all`,
    ]);
  });

  it('never leave the domain of the sub-tenant', () => {
    const tenant = {
      ...TENANT,
      inbound_domain: `other.${ZONE}`,
      return_path_domain: 'bounce.platform.example',
    };
    const names = tenantZoneRecords(tenant, FACTS, null).map(({ name }) => name);
    expect(names.filter((name) => !`.${name}`.endsWith(`.acme.${ZONE}`))).toEqual([]);
  });
});

describe('TLS records for others', () => {
  it('exist where the policy can be fetched and reports are requested', () => {
    const facts = factsOf({ tlsReportAddress: 'tls@platform.example' });
    const policy = {
      policyText: 'version: STSv1\r\n',
      isServedFor: (domain: string) => domain === `reply.acme.${ZONE}`,
    };
    const lines = shown(tenantZoneRecords(TENANT, facts, policy)).filter((line) => /sts|_tls/.test(line));
    expect(lines).toEqual([
      `_smtp._tls.acme.${ZONE} TXT v=TLSRPTv1; rua=mailto:tls@platform.example`,
      `_smtp._tls.bounce.acme.${ZONE} TXT v=TLSRPTv1; rua=mailto:tls@platform.example`,
      expect.stringMatching(/^_mta-sts\.reply\.acme\.\S+ TXT v=STSv1; id=[0-9a-f]+;$/) as string,
      `mta-sts.reply.acme.${ZONE} CNAME go.${ZONE}`,
      `_smtp._tls.reply.acme.${ZONE} TXT v=TLSRPTv1; rua=mailto:tls@platform.example`,
    ]);
  });
});

describe("the server's own names", () => {
  const sources = [
    { address4: '203.0.113.1', address6: null, ehloName: `out1.${ZONE}` },
    { address4: '203.0.113.2', address6: '2001:db8::2', ehloName: `out2.${ZONE}` },
    { address4: '10.0.0.5', address6: null, ehloName: 'out3.elsewhere.example' },
  ];

  it('map each source name to its source, and the others to all sources', () => {
    // Documentation networks count as special, so this test uses public ones.
    const real = sources.map((source, i) => ({ ...source, address4: `8.8.${i}.1`, address6: null }));
    const facts = factsOf({ dnsAddresses: null }, real);
    expect([...facts.hosts]).toEqual([
      [`mx.${ZONE}`, ['8.8.0.1', '8.8.1.1', '8.8.2.1']],
      [`go.${ZONE}`, ['8.8.0.1', '8.8.1.1', '8.8.2.1']],
      [`out1.${ZONE}`, ['8.8.0.1']],
      [`out2.${ZONE}`, ['8.8.1.1']],
    ]);
    expect(facts.spfMechanisms).toBe('ip4:8.8.0.1 ip4:8.8.1.1 ip4:8.8.2.1');
  });

  it('omit private addresses unless the operator configures them', () => {
    expect(sendingRanges(null, sources)).toEqual([]);
    expect(factsOf({ dnsAddresses: null }, sources)).toMatchObject({
      hosts: new Map(),
      spfMechanisms: `a:mx.${ZONE}`,
    });
    expect(factsOf({ spfMechanisms: 'include:_spf.x.example' }).spfMechanisms).toBe('include:_spf.x.example');
    expect(factsOf({ dnsAddresses: ['127.0.0.1'] }).hosts.get(`mx.${ZONE}`)).toEqual(['127.0.0.1']);
  });

  it('include the records of a platform domain in the zone', () => {
    const facts = factsOf({ platformDomain: ZONE });
    const records = ownZoneRecords(facts, [key('rsa-1', 'active')], null);
    const lines = shown(records);
    expect(lines).toContain(`rsa-1._domainkey.${ZONE} TXT v=DKIM1; k=rsa; p=rsa-11`);
    expect(lines).toContain(`_dmarc.${ZONE} TXT v=DMARC1; p=quarantine`);
    expect(lines.filter((line) => line.startsWith(`${ZONE} TXT v=spf1`))).toEqual([
      `${ZONE} TXT v=spf1 ${facts.spfMechanisms} ~all`,
    ]);
  });

  it('outside the zone are left to others', () => {
    const facts = factsOf({
      hostname: 'mx.elsewhere.example',
      bounceDomain: 'mx.elsewhere.example',
      inboundDomain: 'mx.elsewhere.example',
      publicUrl: 'http://localhost:8080',
      dnsNameServers: ['ns1.elsewhere.example', 'NS2.elsewhere.example.', 'not a name'],
    });
    expect(shown(ownZoneRecords(facts, [], null))).toEqual([
      `${ZONE} NS ns1.elsewhere.example`,
      `${ZONE} NS ns2.elsewhere.example`,
      `${ZONE} TXT v=spf1 -all`,
      `dkim.${ZONE} TXT v=spf1 -all`,
    ]);
    expect(tenantZoneRecords(TENANT, facts, null).some(({ type }) => type === 'CNAME')).toBe(false);
  });
});

it('contains no host that is missing from public DNS', () => {
  const settings = { hostname: 'vm', bounceDomain: 'vm', dnsAddresses: null };
  const nameless = {
    ...settings,
    publicUrl: 'http://localhost:8080',
    dnsDmarc: 'v=DMARC1; p=none; rua=mailto:dmarc@vm',
  };
  const facts = factsOf({ ...nameless, tlsReportAddress: 'tls-rpt@vm' });
  const policy = { policyText: '', isServedFor: () => true };
  const lines = shown([
    buildSoa(facts, 1_750_000_000_000),
    ...ownZoneRecords(facts, [], policy),
    ...tenantZoneRecords(TENANT, facts, policy),
  ]);
  expect(lines.filter((line) => /\bvm\b|localhost/.test(line))).toEqual([]);
  expect(lines).toContain(`svc1._domainkey.acme.${ZONE} TXT v=DKIM1; k=rsa; p=svc11`);
});

describe('a sending domain in the zone', () => {
  const serverNames = [`mx.${ZONE}`, `a.deep.${ZONE}`, ZONE];
  it.each<[string, RegExp | null]>([
    [`acme.${ZONE}`, null],
    [`xn--mller-kva.${ZONE}`, null],
    [ZONE, /DNS zone of this server/],
    [`a.b.${ZONE}`, /one label/],
    [`www.${ZONE}`, /reserved/],
    [`ns1.${ZONE}`, /reserved/],
    [`dkim.${ZONE}`, /reserved/],
    [`mx.${ZONE}`, /reserved/],
    [`deep.${ZONE}`, /reserved/],
  ])('%s', (domain, problem) => {
    const said = zoneDomainProblem(domain, ZONE, serverNames);
    if (problem === null) expect(said).toBeNull();
    else expect(said).toMatch(problem);
  });
});
