// Several hosts on one machine: network namespaces with their own addresses on a bridge, which is in a namespace as well, so that
// nothing appears in the machine's own network and no route leads out. Relays make servers of this process reachable there on any
// address and port, including 25 and 53, because sockets in the file system cross namespaces.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait.js';

const ip = (...args: string[]): { status: number | null; stderr: string } =>
  spawnSync('ip', args, { encoding: 'utf8' });

/** Returns null if network namespaces can be created, otherwise the reason. */
export function ensureNetworks(): string | null {
  if (process.getuid?.() !== 0) return 'needs root, for network namespaces';
  const name = `ph${process.pid}-try`;
  const made = ip('netns', 'add', name);
  if (made.status !== 0) return `needs network namespaces: ${made.stderr || 'there is no ip command'}`.trim();
  const linked = ip('-n', name, 'link', 'add', 'br0', 'type', 'bridge');
  ip('netns', 'del', name);
  return linked.status === 0 ? null : `needs bridges in network namespaces: ${linked.stderr}`.trim();
}

/** Listens on the given address, forwards every connection to the given socket in the file system, and reports the clients. */
const RELAY = `
const { createServer, connect } = require('node:net');
const { createSocket } = require('node:dgram');
const [kind, address, port, path] = process.argv.slice(1);
const pipe = (a, b) => {
  for (const [from, to] of [[a, b], [b, a]]) { from.on('error', () => to.destroy()); from.on('close', () => to.destroy()); from.pipe(to); }
};
if (kind === 'tcp') {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    console.log('from ' + socket.remoteAddress);
    socket.on('close', () => console.log('gone'));
    pipe(socket, connect({ path, allowHalfOpen: true }));
  });
  server.listen({ host: address, port: Number(port) }, () => console.log('ready'));
} else if (kind === 'out') {
  const server = createServer({ allowHalfOpen: true }, (socket) => pipe(socket, connect({ host: address, port: Number(port), allowHalfOpen: true })));
  server.listen({ path }, () => console.log('ready'));
} else {
  const udp = createSocket('udp4');
  udp.on('message', (message, peer) => {
    const stream = connect({ path });
    let answer = Buffer.alloc(0);
    const head = Buffer.alloc(2);
    head.writeUInt16BE(message.length);
    stream.write(Buffer.concat([head, message]));
    stream.on('error', () => stream.destroy());
    stream.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length < 2 || answer.length < 2 + answer.readUInt16BE(0)) return;
      udp.send(answer.subarray(2, 2 + answer.readUInt16BE(0)), peer.port, peer.address);
      stream.destroy();
    });
  });
  udp.bind(Number(port), address, () => console.log('ready'));
}
`;

export interface Served {
  /** The addresses of all clients so far. */
  clients: () => string[];
  /** Connections that are open. */
  open: () => number;
}

export type TestNetwork = Awaited<ReturnType<typeof startNetwork>>;

/** `hosts`: the IPv4 addresses of each, all in one /24. */
export async function startNetwork(hosts: Readonly<Record<string, readonly string[]>>) {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-network-'));
  const prefix = `ph${process.pid}`;
  const nameOf = (host: string): string => `${prefix}-${host}`;
  const bridge = nameOf('bridge');
  const made: string[] = [];
  const children: ChildProcess[] = [];
  const servers: Server[] = [];
  let relays = 0;

  const must = (...args: string[]): void => {
    const { status, stderr } = ip(...args);
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
  };
  const add = (name: string): void => {
    must('netns', 'add', name);
    made.push(name);
    must('-n', name, 'link', 'set', 'lo', 'up');
  };

  async function close(): Promise<void> {
    for (const child of children) await ended(child);
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    for (const name of made) ip('netns', 'del', name);
    await rm(folder, { recursive: true, force: true });
  }

  async function relay(host: string, args: string[], path: string): Promise<string[]> {
    const said: string[] = [];
    const child = spawn('ip', ['netns', 'exec', nameOf(host), process.execPath, '-e', RELAY, ...args, path]);
    children.push(child);
    let errors = '';
    child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
    child.stdout.on('data', (bytes: Buffer) =>
      said.push(
        ...bytes
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      ),
    );
    await waitFor('the relay is ready', () => {
      if (child.exitCode !== null) throw new Error(`the relay ended: ${errors}`);
      return said.includes('ready');
    });
    return said;
  }

  async function pass(
    listen: { path: string } | { host: string; port: number },
    to: { path: string } | { host: string; port: number },
  ): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      const other = connect({ ...to, allowHalfOpen: true });
      for (const [from, into] of [
        [socket, other],
        [other, socket],
      ] as const) {
        from.on('error', () => into.destroy());
        from.on('close', () => into.destroy());
        from.pipe(into);
      }
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(listen, resolve);
    });
  }

  const newPath = (): string => join(folder, `relay-${(relays += 1)}`);

  try {
    add(bridge);
    must('-n', bridge, 'link', 'add', 'br0', 'type', 'bridge', 'forward_delay', '0');
    must('-n', bridge, 'link', 'set', 'br0', 'up');
    for (const [host, addresses] of Object.entries(hosts)) {
      const name = nameOf(host);
      add(name);
      must('link', 'add', 'eth0', 'netns', name, 'type', 'veth', 'peer', 'name', host, 'netns', bridge);
      must('-n', bridge, 'link', 'set', host, 'master', 'br0', 'up');
      for (const address of addresses) must('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      must('-n', name, 'link', 'set', 'eth0', 'up');
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    /** The command that runs a program on a host and is replaced by it. */
    within: (host: string): string[] => ['ip', 'netns', 'exec', nameOf(host)],
    /** Maps a port of a host's loopback to the same local port. */
    async reach(host: string, port: number): Promise<void> {
      const path = newPath();
      await relay(host, ['out', '127.0.0.1', String(port)], path);
      await pass({ host: '127.0.0.1', port }, { path });
    },
    /** Makes a server of this process listen on a host. */
    async serve(host: string, at: { address: string; port: number }, port: number): Promise<Served> {
      const path = newPath();
      await pass({ path }, { host: '127.0.0.1', port });
      const said = await relay(host, ['tcp', at.address, String(at.port)], path);
      const clients = (): string[] =>
        said.flatMap((line) => (line.startsWith('from ') ? [line.slice(5)] : []));
      return { clients, open: () => clients().length - said.filter((line) => line === 'gone').length };
    },
    /** The same for a DNS server, over UDP and TCP. */
    async serveDns(host: string, address: string, port: number): Promise<void> {
      const path = newPath();
      await pass({ path }, { host: '127.0.0.1', port });
      await relay(host, ['udp', address, '53'], path);
      await relay(host, ['tcp', address, '53'], path);
    },
    /** Pulls a host's cable out, or puts it back. */
    link(host: string, state: 'up' | 'down'): void {
      must('-n', bridge, 'link', 'set', host, state);
    },
    close,
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
