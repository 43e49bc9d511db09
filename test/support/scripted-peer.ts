// An SMTP peer that follows a script, for faults that no real server commits on demand. One step a line:
//
//   > 220 peer ready      send the line; consecutive lines are sent in one packet
//   < MAIL FROM           wait for a line with this beginning (any case)
//   body                  wait for a message up to its final dot
//   raw text              send the text without a line end
//   bytes                 from here on, send each byte in a separate packet
//   starttls              start TLS (after the reply)
//   wait 20               pause, in milliseconds
//   deaf                  read nothing more
//   stall                 send nothing more, and keep the connection open
//   close                 close the connection gracefully (FIN)
//   reset                 reset the connection (RST)
//
// `< *` matches any line. A script that ends keeps the connection open and silent.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket, type SecureContextOptions } from 'node:tls';

interface ScriptedConnection {
  /** Everything that the client sent, as latin1, the TLS part decrypted. */
  received: string;
  /** The name in the client's TLS hello (SNI); null before it, and if there is none. */
  servername: string | null;
  /** Lines that did not match the script; a test expects none. */
  surprises: string[];
  /** Resolves when the connection has ended, from either side. */
  closed: Promise<void>;
}

export interface ScriptedPeer {
  port: number;
  host: string;
  connections: ScriptedConnection[];
  /** The connection that was opened first. */
  first: () => ScriptedConnection;
  close: () => Promise<void>;
}

export interface ScriptedPeerOptions {
  tls?: SecureContextOptions & { key: string; cert: string };
  /** Its address; any port of 127.0.0.1 by default. */
  host?: string;
  port?: number;
}

/** The n-th connection follows the n-th script, and further ones the last. */
export async function startScriptedPeer(
  scripts: string | string[],
  options: ScriptedPeerOptions = {},
): Promise<ScriptedPeer> {
  const sockets = new Set<Socket>();
  const connections: ScriptedConnection[] = [];
  const all = typeof scripts === 'string' ? [scripts] : scripts;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
    const connection: ScriptedConnection = { received: '', servername: null, surprises: [], closed };
    const script = all[Math.min(connections.length, all.length - 1)] ?? '';
    connections.push(connection);
    follow(script, socket, connection, options).catch((fault: unknown) => {
      connection.surprises.push(String(fault));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) =>
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve),
  );
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    connections,
    first: () => {
      const connection = connections[0];
      if (connection === undefined) throw new Error('nobody connected');
      return connection;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function follow(
  script: string,
  plain: Socket,
  connection: ScriptedConnection,
  options: ScriptedPeerOptions,
): Promise<void> {
  const steps = script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  let inbox = watch(plain, connection);
  let socket = plain;
  let inBytes = false;

  for (let at = 0; at < steps.length; at += 1) {
    const [verb = '', ...words] = (steps[at] ?? '').split(' ');
    const argument = words.join(' ');
    if (verb === '>') {
      let text = `${argument}\r\n`;
      while (steps[at + 1]?.startsWith('> ')) text += `${steps[++at]?.slice(2) ?? ''}\r\n`;
      await send(socket, text, inBytes);
    } else if (verb === '<') {
      const line = await inbox.line();
      if (line === null) return;
      if (argument !== '*' && !line.toUpperCase().startsWith(argument.toUpperCase())) {
        connection.surprises.push(`expected "${argument}", got "${line}"`);
        socket.destroy();
        return;
      }
    } else if (verb === 'body') {
      for (let line = await inbox.line(); line !== '.'; line = await inbox.line()) if (line === null) return;
    } else if (verb === 'starttls') {
      if (options.tls === undefined) throw new Error('the script needs a certificate');
      inbox.stop();
      const secured = new TLSSocket(plain, { isServer: true, ...options.tls });
      secured.on('error', () => secured.destroy());
      // Node sets the name on a server's socket, as a string or false, but its types omit it.
      secured.on('secure', () => {
        const { servername } = secured as { servername?: string | false };
        connection.servername = typeof servername === 'string' ? servername : null;
      });
      inbox = watch(secured, connection);
      socket = secured;
    } else if (verb === 'raw') await send(socket, argument, inBytes);
    else if (verb === 'bytes') inBytes = true;
    else if (verb === 'wait') await pause(Number(argument));
    else if (verb === 'deaf') socket.pause();
    else if (verb === 'stall') return;
    else if (verb === 'close') socket.end();
    else if (verb === 'reset') plain.resetAndDestroy();
    else throw new Error(`unknown step "${verb}"`);
  }
}

async function send(socket: Socket, text: string, inBytes: boolean): Promise<void> {
  if (!inBytes) {
    socket.write(text);
    return;
  }
  for (const octet of Buffer.from(text, 'utf8')) {
    await new Promise((resolve) => socket.write(Buffer.from([octet]), resolve));
    await pause(0);
  }
}

/** The client's lines one after another, null after it has disconnected. */
function watch(
  socket: Socket,
  connection: ScriptedConnection,
): { line: () => Promise<string | null>; stop: () => void } {
  let rest = '';
  let isOver = false;
  let wake: (() => void) | null = null;
  const take = (bytes: Buffer): void => {
    const text = bytes.toString('latin1');
    connection.received += text;
    rest += text;
    wake?.();
  };
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  socket.on('data', take);
  socket.on('close', end);
  return {
    async line() {
      for (;;) {
        const at = rest.indexOf('\r\n');
        if (at !== -1) {
          const line = rest.slice(0, at);
          rest = rest.slice(at + 2);
          return line;
        }
        if (isOver) return null;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    stop: () => socket.removeListener('data', take),
  };
}
