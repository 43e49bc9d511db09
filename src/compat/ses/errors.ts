// Errors in the two forms of Amazon SES: JSON with the name in a header (API v2), and XML (API v1).
import type { Refusal, RefusalCode } from '../../contract/refusal.js';
import { UnknownOperation, type Asked, type CompatAnswer } from '../route.js';
import { SignatureRefusal } from './signature.js';
import { XML_TYPE, xmlElement, xmlDocument } from './xml.js';

interface AwsError {
  /** Name in API v2. */
  name: string;
  /** Name in API v1; default: that of v2. */
  code?: string;
  /** Default: that of the refusal in /v1. */
  status?: number;
}

const NO_KEY: AwsError = { name: 'UnrecognizedClientException', code: 'InvalidClientTokenId', status: 403 };
const NO_SENDER: AwsError = { name: 'MessageRejected', status: 400 };
const DENIED: AwsError = { name: 'AccessDeniedException', code: 'AccessDenied' };
const OTHER_REQUEST: AwsError = { name: 'ConflictException', code: 'InvalidParameterValue', status: 409 };
const INVALID: AwsError = { name: 'BadRequestException', code: 'InvalidParameterValue', status: 400 };

const BY_FAULT: Readonly<Record<SignatureRefusal['fault'], AwsError>> = {
  missing: { name: 'MissingAuthenticationTokenException', code: 'MissingAuthenticationToken', status: 403 },
  incomplete: { name: 'IncompleteSignatureException', code: 'IncompleteSignature', status: 400 },
  expired: { name: 'InvalidSignatureException', code: 'RequestExpired', status: 403 },
  wrong: { name: 'InvalidSignatureException', code: 'SignatureDoesNotMatch', status: 403 },
  token: NO_KEY,
};

const BY_CODE: Partial<Record<RefusalCode, AwsError>> = {
  sender_not_verified: NO_SENDER,
  sender_required: NO_SENDER,
  template_not_found: { name: 'NotFoundException', code: 'TemplateDoesNotExist', status: 404 },
  slug_taken: { name: 'AlreadyExistsException', code: 'AlreadyExists', status: 400 },
  domain_taken: { name: 'AlreadyExistsException', code: 'AlreadyExists', status: 400 },
  idempotency_key_reused: OTHER_REQUEST,
  idempotency_key_in_use: { name: 'ConcurrentModificationException', status: 409 },
};

const BY_TYPE: Partial<Record<Refusal['type'], AwsError>> = {
  unauthorized: NO_KEY,
  forbidden: DENIED,
  quota_exceeded: { name: 'LimitExceededException', code: 'LimitExceeded', status: 400 },
  rate_limited: { name: 'TooManyRequestsException', code: 'Throttling', status: 429 },
  not_found: { name: 'NotFoundException', code: 'InvalidParameterValue' },
  conflict: OTHER_REQUEST,
  payload_too_large: { ...INVALID, status: 413 },
  internal_error: { name: 'InternalServiceErrorException', code: 'InternalFailure' },
  unavailable: { name: 'ServiceUnavailableException', code: 'ServiceUnavailable' },
};

const UNKNOWN: AwsError = { name: 'UnknownOperationException', code: 'InvalidAction' };

/** Returns the name of a refusal in API v2. */
export function errorName(refusal: Refusal): string {
  return awsError(refusal).name;
}

function awsError(refusal: Refusal): AwsError {
  if (refusal instanceof SignatureRefusal) return BY_FAULT[refusal.fault];
  if (refusal instanceof UnknownOperation) return UNKNOWN;
  return BY_CODE[refusal.code] ?? BY_TYPE[refusal.type] ?? INVALID;
}

export function errorAnswer(
  refusal: Refusal,
  { status, path, requestId }: Asked,
): CompatAnswer & { status: number } {
  const { name, code = name, status: own = status } = awsError(refusal);
  const message = sentenceOf(refusal);
  if (path.startsWith('/v2/'))
    return { status: own, headers: { 'x-amzn-errortype': name }, body: { message } };
  const error = { Type: own < 500 ? 'Sender' : 'Receiver', Code: code, Message: message };
  const content = xmlElement('Error', error) + xmlElement('RequestId', requestId);
  return { status: own, type: XML_TYPE, body: xmlDocument('ErrorResponse', content) };
}

/** Returns the sentence with the name of the field, which the forms of SES have no other place for. */
function sentenceOf({ message, param }: Refusal): string {
  return param === undefined || message.includes(param) ? message : `${param}: ${message}`;
}
