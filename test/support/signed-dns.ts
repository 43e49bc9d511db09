// A DNS server that claims what a test specifies: authentic answers, other people's answers, truncated ones, none.
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import * as packet from 'dns-packet';
import type { Answer, DecodedPacket } from 'dns-packet';

export interface ToldReply {
  answers?: Answer[];
  authorities?: Answer[];
  rcode?: number;
  /** The AD bit. */
  authentic?: boolean;
  /** The TC bit over UDP. */
  truncated?: boolean;
  /** Sent instead of a well-formed reply, each in a separate message; the query starts with the id. */
  raw?: (query: Buffer) => Buffer[];
}

export interface HeardQuery {
  name: string;
  type: string;
  transport: 'udp' | 'tcp';
  packet: DecodedPacket;
}

export interface SignedDns {
  server: string;
  queries: HeardQuery[];
  close: () => Promise<void>;
}

/** `tell` gets the question in lower case; null sends no reply. */
export async function startSignedDns(tell: (query: HeardQuery) => ToldReply | null): Promise<SignedDns> {
  const queries: HeardQuery[] = [];
  const sockets = new Set<Socket>();

  function answer(message: Buffer, transport: 'udp' | 'tcp'): Buffer[] {
    const query = packet.decode(message);
    const [question] = query.questions ?? [];
    if (question === undefined) return [];
    const heard = { name: question.name.toLowerCase(), type: question.type, transport, packet: query };
    queries.push(heard);
    const told = tell(heard);
    if (told === null) return [];
    if (told.raw) return told.raw(message);
    const flags =
      packet.RECURSION_AVAILABLE |
      (told.authentic === true ? packet.AUTHENTIC_DATA : 0) |
      (told.truncated === true && transport === 'udp' ? packet.TRUNCATED_RESPONSE : 0) |
      (told.rcode ?? 0);
    const { answers = [], authorities = [] } = told;
    return [
      packet.encode({
        type: 'response',
        id: query.id ?? 0,
        flags,
        questions: [question],
        answers,
        authorities,
      }),
    ];
  }

  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      for (const reply of answer(bytes.subarray(2), 'tcp')) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        // In chunks, as TCP permits.
        socket.write(length.subarray(0, 1));
        setImmediate(() => socket.write(Buffer.concat([length.subarray(1), reply])));
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (message, peer) => {
    for (const reply of answer(message, 'udp')) udp.send(reply, peer.port, peer.address);
  });
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', resolve);
  });
  return {
    server: `127.0.0.1:${port}`,
    queries,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}
