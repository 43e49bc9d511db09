// Signs requests to services of AWS, or to stores with the same interface, by AWS Signature Version 4.
import { AwsV4Signer } from 'aws4fetch';

interface AwsRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  region: string;
  service: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Returns the address and the headers to send. The body is signed unless a header has its hash. */
export async function signAwsRequest(
  request: AwsRequest,
): Promise<{ url: URL; headers: Record<string, string> }> {
  const signed = await new AwsV4Signer(request).sign();
  return {
    url: signed.url,
    headers: Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>),
  };
}
