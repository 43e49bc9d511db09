// Compares the cost of a message in Mailkeel's SMTP client and in nodemailer's SMTPConnection, alternating in one process,
// against a sink in another. Messages and peer are the same, and pipelining is offered to both. Loopback: the figures contain no
// network time. "nodemailer_held" is fed a stream that ends only when a promise allows it, which is the minimum that holding back
// the dot requires.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { connectSmtp } from '../../src/lib/smtp/index.js';

const MAIL_FROM = 'bounce+token@from.example';
const RCPT_TO = 'someone@example.com';

const CLIENTS = ['ours', 'nodemailer', 'nodemailer_held'] as const;
export type Client = (typeof CLIENTS)[number];

export interface ClientCost {
  client: Client;
  connections: number;
  messages: number;
  cpuMsPerMessage: number;
  messagesPerSecond: number;
}

interface Sender {
  send: () => Promise<void>;
  close: () => void;
}

interface Peer {
  host: string;
  port: number;
}

/** Rounds alternate between the clients; each result is the median round of its client by CPU. */
export async function measureSmtpClients(options: {
  rounds: number;
  messages: number;
  sizeBytes: number;
  connections: number[];
}): Promise<ClientCost[]> {
  const sink = fork(new URL('../support/smtp-sink.js', import.meta.url));
  try {
    const [peer] = (await once(sink, 'message')) as [Peer];
    const message = messageOf(options.sizeBytes);
    const costs: ClientCost[] = [];
    for (const connections of options.connections) {
      const rounds: ClientCost[] = [];
      // The first round of each warms the compiler and is not counted.
      for (let round = 0; round <= options.rounds; round += 1) {
        for (const client of CLIENTS) {
          const cost = await measure(client, peer, message, connections, options.messages);
          if (round > 0) rounds.push(cost);
        }
      }
      costs.push(...CLIENTS.map((client) => median(rounds, client)));
    }
    await assertTaken(
      sink,
      CLIENTS.length * (options.rounds + 1) * options.messages * options.connections.length,
    );
    return costs;
  } finally {
    sink.kill();
  }
}

async function measure(
  client: Client,
  peer: Peer,
  message: Buffer,
  connections: number,
  messages: number,
): Promise<ClientCost> {
  const senders = await Promise.all(
    Array.from({ length: connections }, () =>
      client === 'ours'
        ? openOurs(peer, message)
        : openNodemailer(peer, message, client === 'nodemailer_held'),
    ),
  );
  const share = messages / connections;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    senders.map(async (sender) => {
      for (let sent = 0; sent < share; sent += 1) await sender.send();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  for (const sender of senders) sender.close();
  const cpuMsPerMessage = (cpu.user + cpu.system) / 1_000 / messages;
  return { client, connections, messages, cpuMsPerMessage, messagesPerSecond: messages / seconds };
}

async function openOurs(peer: Peer, message: Buffer): Promise<Sender> {
  const opened = await connectSmtp({
    host: 'sink.example',
    address: peer.host,
    port: peer.port,
    ehloName: 'bench.example',
    tls: { mode: 'none', verify: false },
  });
  if (opened.kind === 'failed') throw new Error(opened.error);
  const { session } = opened;
  const job = {
    mailFrom: MAIL_FROM,
    rcptTo: RCPT_TO,
    size: message.length,
    chunks: [message],
    beforeDot: () => Promise.resolve(true),
  };
  return {
    async send() {
      const outcome = await session.deliver(job);
      if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    },
    close: () => session.destroy(),
  };
}

async function openNodemailer(peer: Peer, message: Buffer, isHeld: boolean): Promise<Sender> {
  const connection = new SMTPConnection({
    host: peer.host,
    port: peer.port,
    name: 'bench.example',
    ignoreTLS: true,
  });
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject);
    connection.connect(() => resolve());
  });
  const envelope = { from: MAIL_FROM, to: [RCPT_TO], size: message.length };
  return {
    send: () =>
      new Promise((resolve, reject) => {
        connection.send(envelope, isHeld ? heldStream(message) : message, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => connection.close(),
  };
}

function heldStream(message: Buffer): Readable {
  let isAsked = false;
  return new Readable({
    read() {
      if (isAsked) return;
      isAsked = true;
      this.push(message);
      void Promise.resolve(true).then(() => this.push(null));
    },
  });
}

function messageOf(sizeBytes: number): Buffer {
  const line = `${'mailkeel '.repeat(8).trimEnd()}\r\n`;
  return Buffer.from(`Subject: bench\r\n\r\n${line.repeat(Math.ceil(sizeBytes / line.length))}`);
}

function median(rounds: ClientCost[], client: Client): ClientCost {
  const own = rounds.filter((cost) => cost.client === client);
  own.sort((a, b) => a.cpuMsPerMessage - b.cpuMsPerMessage);
  const middle = own[Math.floor(own.length / 2)];
  if (middle === undefined) throw new Error('no round was measured');
  return middle;
}

async function assertTaken(sink: ChildProcess, expected: number): Promise<void> {
  sink.send('count');
  const [{ accepted }] = (await once(sink, 'message')) as [{ accepted: number }];
  if (accepted !== expected) throw new Error(`the sink took ${accepted} of ${expected} messages`);
}

/** `npm run bench -- smtp-client`. */
export async function printSmtpClients(): Promise<void> {
  const costs = await measureSmtpClients({
    rounds: 5,
    messages: 10_000,
    sizeBytes: 10_240,
    connections: [1, 10],
  });
  for (const cost of costs) {
    const figures = `${cost.cpuMsPerMessage.toFixed(4)} CPU-ms/message, ${cost.messagesPerSecond.toFixed(0)} messages/s`;
    process.stdout.write(`${cost.client}, ${cost.connections} connection(s): ${figures}\n`);
  }
}
