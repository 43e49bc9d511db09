// The start-up banner for the operator: addresses, what works, and the first commands.
import { RETENTION_HEADING, retentionLines } from '../operations/retention/retention-periods.rules.js';
import type { Config } from '../settings/settings.js';
import { productVersion } from '../lib/runtime/index.js';
import type { MailPort } from './inbound.js';
import type { RunningServer } from './appliance.js';

/**
 * Returns lines of text without a final line end. Contains the secret of the first test key, shown once, and a one-time set-up
 * link.
 */
export function startUpBanner(server: RunningServer, config: Config): string {
  const { firstStart, address, dataFolder } = server;
  const base = config.httpPort === 0 ? `http://localhost:${address.port}` : config.publicUrl;
  const local = `http://localhost:${address.port}`;
  const key = firstStart.testKey ?? '$KEY';
  const lines = [
    `Mailkeel ${productVersion()}`,
    config.roles.includes('api')
      ? `  API           http://${hostOf(address.address)}:${address.port}   (reference: ${base}/docs)`
      : `  Probes        http://${hostOf(address.address)}:${address.port}   (API disabled by MAILKEEL_ROLES)`,
    `  Data          ${dataFolder}`,
    `  Outbound      ${egressText(config)}, as ${config.hostname}`,
    ...server.mailPorts.map(mailPortLine),
    ...nameServerLines(server.nameServer, config.dnsZone),
    ...metricsLines(server.metrics),
    '  CLI           npm run mailkeel -- --help   (in a container: mailkeel --help)',
  ];
  if (config.https) lines.splice(2, 0, `  API over TLS  ${overTls(server.overTls)}`);
  if (config.platformDomain !== null) {
    lines.push(`  Own domain    ${config.platformDomain}   (DNS records: mailkeel admin dns)`);
  }
  if (firstStart.setupToken !== null) {
    lines.push(
      `  Setup         ${base}/setup#${firstStart.setupToken}`,
      ...(isLocal(base) ? [] : [`                or locally: ${local}/setup#${firstStart.setupToken}`]),
      '                (works once, expires in 24 hours; creates the owner account and two API keys)',
    );
  }
  if (firstStart.testKey !== null) {
    lines.push('', `${RETENTION_HEADING}:`, '', ...retentionLines(config).map((line) => `  ${line}`));
  }
  lines.push(
    '',
    firstStart.testKey === null
      ? 'Send a sandbox message (create a test key with: mailkeel admin keys create --mode test):'
      : 'Send your first sandbox message. This test key is shown only once:',
    '',
    `  curl -s ${base}/v1/messages -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' \\`,
    `    -d '{"from":"me@example.com","to":"delivered@example.com","subject":"Hello","text":"It works."}'`,
    '',
    'Or use the SDK, in any directory:',
    '',
    `  npm install ${base}/sdk.tgz`,
    `  MAILKEEL_URL=${base} MAILKEEL_API_KEY=${key} node -e 'new (require("@mailkeel/sdk").Mailkeel)().messages.create(`,
    `    {from:"me@example.com",to:"delivered@example.com",subject:"Hello",text:"It works."}).then(({id})=>console.log(id))'`,
    '',
    'Or use the CLI, on any machine with Node:',
    '',
    `  npm install -g ${base}/cli.tgz`,
    `  mailkeel login --url ${base}`,
    '',
    'Check the delivery status with the message ID:',
    '',
    `  curl -s ${base}/v1/messages/ID/audit -H "Authorization: Bearer ${key}"`,
    '',
  );
  return lines.join('\n');
}

/** Whether the URL reaches this machine without DNS, certificate or proxy. */
function isLocal(url: string): boolean {
  return /^http:\/\/(?:localhost|127\.0\.0\.1)(?::|\/|$)/.test(url);
}

function overTls(listening: RunningServer['overTls']): string {
  if (!listening.ok) return `unavailable: ${listening.reason}`;
  return `https://${hostOf(listening.address.address)}:${listening.address.port}`;
}

function mailPortLine({ what, at, note }: MailPort): string {
  const name = { inbound: 'Inbound', relay: 'Relay', 'relay with TLS': 'Relay, TLS' }[what].padEnd(13);
  if (at === null) return `  ${name} unavailable: ${note ?? 'the port could not be opened'}`;
  return `  ${name} ${at}${note === null ? '' : `   (${note})`}`;
}

function nameServerLines(nameServer: RunningServer['nameServer'], zone: string | null): string[] {
  if (nameServer === null || zone === null) return [];
  if (!nameServer.ok) return [`  Name server   unavailable: ${nameServer.reason}   (MAILKEEL_DNS_PORT)`];
  const { address, port } = nameServer.address;
  return [`  Name server   ${hostOf(address)}:${port}, for ${zone}`];
}

function metricsLines(metrics: RunningServer['metrics']): string[] {
  return metrics === null ? [] : [`  Metrics       http://${hostOf(metrics.host)}:${metrics.port}/metrics`];
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function egressText({ smarthost, outbound, mxPort }: Config): string {
  if (outbound !== null) return 'configured by MAILKEEL_OUTBOUND (see: mailkeel admin shaping)';
  return smarthost === null ? `direct delivery on port ${mxPort}` : 'via smarthost';
}
