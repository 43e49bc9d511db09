// An HTTP server on loopback that responds as a test specifies and records its requests.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Reply = (response: ServerResponse, asked: Asked) => void;

/** Sends each request the next reply, and repeats the last one. */
export async function startScriptedServer(...replies: Reply[]) {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      asked.push(one);
      (replies[asked.length - 1] ?? replies.at(-1))?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** An error response of the API. */
export const refusing = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  answering(
    status,
    { error: { type: code, code, message: `The server says ${code}.`, request_id: 'req_1' } },
    headers,
  );

export const hangingUp: Reply = (response) => void response.destroy();
