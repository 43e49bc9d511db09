// Errors of OAuth (RFC 6749 section 5.2, RFC 7591 section 3.2.2), which have a different body.

type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

export class OauthError extends Error {
  readonly code: OauthErrorCode;

  /** `message` is for the client's developer. */
  constructor(code: OauthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
