// Opens the TCP connection of a session from a local source address to one address of the peer.

import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';

interface SocketTarget {
  /**
   * IPv4 or IPv6. An IPv6 address may have brackets and the tag of an address literal (RFC 5321
   * section 4.1.3).
   */
  address: string;
  port: number;
  /** Source address, of the same family. */
  localAddress?: string;
  /** Aborts the connection attempt. */
  signal?: AbortSignal;
}

interface SocketFailure {
  error: string;
  /** The system's code, such as `ECONNREFUSED`; `ETIMEDOUT` also if `timeoutMs` is over. */
  errorCode: string | null;
  /** The source address cannot be used, which says nothing about the peer. */
  isOurs: boolean;
}

/** The error of a session whose opening the caller aborted. */
export const GIVEN_UP = 'given up while it was being opened';

/**
 * Connects and resolves to the socket, or to the reason why there is none. Throws if `localAddress` is not an
 * IP address.
 */
export function openSocket(target: SocketTarget, timeoutMs: number): Promise<Socket | SocketFailure> {
  return new Promise((resolve) => {
    const options: TcpNetConnectOpts = {
      host: bareAddress(target.address),
      port: target.port,
      noDelay: true,
    };
    if (target.localAddress !== undefined) options.localAddress = bareAddress(target.localAddress);
    const socket = connect(options);
    const finish = (result: Socket | SocketFailure): void => {
      clearTimeout(timer);
      target.signal?.removeEventListener('abort', giveUp);
      socket.removeListener('error', fail);
      if (!('readyState' in result)) socket.destroy();
      resolve(result);
    };
    const fail = (error: NodeJS.ErrnoException): void =>
      finish({
        error: error.message,
        errorCode: error.code ?? null,
        isOurs: error.syscall === 'bind' || error.code === 'EADDRNOTAVAIL',
      });
    const giveUp = (): void => finish({ error: GIVEN_UP, errorCode: null, isOurs: false });
    const timer = setTimeout(
      () => finish({ error: `no connection within ${timeoutMs} ms`, errorCode: 'ETIMEDOUT', isOurs: false }),
      timeoutMs,
    );
    socket.once('error', fail);
    socket.once('connect', () => finish(socket));
    target.signal?.addEventListener('abort', giveUp);
    if (target.signal?.aborted === true) giveUp();
  });
}

/** Strips brackets and tag: `[IPv6:2001:db8::1]`, `[2001:db8::1]` and `2001:db8::1` are the same address. */
export function bareAddress(text: string): string {
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return /^ipv6:/i.test(inner) ? inner.slice('ipv6:'.length) : inner;
}
