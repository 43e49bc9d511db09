import { describe, expect, it } from 'vitest';
import { compileMachineClients, findMachineClient } from '../../src/tracking/machine-client.rules.js';
import { DataProblems } from '../../src/lib/config/index.js';
import shipped from '../../config/machine-clients.json' with { type: 'json' };

const clients = compileMachineClients(shipped);
const who = (userAgent: string | null, address = '192.0.2.1'): string | null =>
  findMachineClient({ address, userAgent }, clients);

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe('a machine', () => {
  it.each([
    ['Mozilla/5.0', 'apple-mail-privacy'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
      'gmail-prefetch',
    ],
    ['Barracuda Sentinel (EE)', 'barracuda'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'slack'],
    ['Slack-ImgProxy (+https://api.slack.com/robots)', 'slack'],
    ['Twitterbot/1.0', 'twitter'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebook'],
    ['WhatsApp/2.23.20.0 A', 'whatsapp'],
    ['TelegramBot (like TwitterBot)', 'telegram'],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'discord'],
    ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', 'linkedin'],
    [`${CHROME} BingPreview/1.0b`, 'microsoft'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', 'microsoft'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'google'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'self-named-robot'],
    ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'self-named-robot'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@example.com)',
      'self-named-robot',
    ],
    ['Baiduspider+(+http://www.baidu.com/search/spider.htm)', 'self-named-robot'],
    ['Example link checker', 'self-named-robot'],
    [CHROME.replace('Chrome/', 'HeadlessChrome/'), 'self-named-robot'],
  ])('is recognized by its user agent: %s', (userAgent, name) => {
    expect(who(userAgent)).toBe(name);
  });

  it.each([
    ['209.222.82.12', 'barracuda-network'],
    ['::ffff:209.222.82.12', 'barracuda-network'],
    ['205.139.110.61', 'mimecast-network'],
    ['148.163.150.1', 'proofpoint-network'],
  ])('is recognized by its address: %s', (address, name) => {
    expect(who(CHROME, address)).toBe(name);
    expect(who(null, address)).toBe(name);
  });
});

describe('a person', () => {
  it.each([
    CHROME,
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 10; CUBOT) AppleWebKit/537.36',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17628; Pro)',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; ms-office; MSOffice 16)',
    'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.9.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]',
    'Mozilla/5.0 (Windows NT 10.0) Edge/12.246',
    'curl/8.5.0',
    '',
    null,
  ])('is any other client: %s', (userAgent) => {
    expect(who(userAgent)).toBeNull();
  });

  it('is a client whose user agent is recognized only beyond the length limit', () => {
    expect(who(`${'x'.repeat(600)} Twitterbot/1.0`)).toBeNull();
  });
});

describe('the data', () => {
  it('with both lists requires both to match', () => {
    const own = compileMachineClients({
      clients: [{ name: 'a', user_agents: ['^A$'], networks: ['192.0.2.0/24', '2001:db8::/32'] }],
    });
    expect(findMachineClient({ address: '192.0.2.9', userAgent: 'A' }, own)).toBe('a');
    expect(findMachineClient({ address: '2001:db8::9', userAgent: 'a' }, own)).toBe('a');
    expect(findMachineClient({ address: '192.0.3.9', userAgent: 'A' }, own)).toBeNull();
    expect(findMachineClient({ address: '192.0.2.9', userAgent: 'B' }, own)).toBeNull();
  });

  it.each([
    ['no object', [], 'the file must be an object'],
    ['no list', { clients: {} }, 'clients must be a list'],
    ['another key', { clients: [], x: 1 }, 'has an unknown field: "x"'],
    ['no name', { clients: [{ user_agents: ['a'] }] }, 'clients[0].name must be a name'],
    [
      'a name twice',
      {
        clients: [
          { name: 'a', user_agents: ['a'] },
          { name: 'a', user_agents: ['b'] },
        ],
      },
      'has the name of another entry: "a"',
    ],
    ['neither list', { clients: [{ name: 'a' }] }, 'must have user_agents or networks'],
    ['an empty list', { clients: [{ name: 'a', user_agents: [] }] }, 'must have at least one pattern'],
    [
      'a pattern that may run long',
      { clients: [{ name: 'a', user_agents: ['a*'] }] },
      'must not repeat without an upper bound',
    ],
    ['a broken pattern', { clients: [{ name: 'a', user_agents: ['('] }] }, 'must be a regular expression'],
    ['a pattern that is no text', { clients: [{ name: 'a', user_agents: [1] }] }, 'must be a string'],
    ['no network', { clients: [{ name: 'a', networks: ['192.0.2.0/33'] }] }, 'must be an IP address'],
    [
      'an empty list of networks',
      { clients: [{ name: 'a', networks: [] }] },
      'must have at least one network',
    ],
  ])('is refused with %s', (_what, json, words) => {
    expect(() => compileMachineClients(json)).toThrow(DataProblems);
    expect(() => compileMachineClients(json)).toThrow(words);
  });
});
