// Sign-in, for programs that act for a person: pass the result of `signIn` as the `session` option. None of these methods accepts
// an idempotency key.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  AlertNotice,
  AlertNoticeList,
  AlertSettings,
  AlertSettingsUpdate,
  AlertTest,
  AlertTested,
  DeviceSignIn,
  DeviceSignInApprove,
  DeviceSignInDecided,
  DeviceSignInPoll,
  DeviceSignInPolled,
  DeviceSignInStart,
  DeviceSignInStarted,
  PasswordChange,
  PasswordResetConfirm,
  PasswordResetDone,
  PasswordResetRequest,
  PasswordResetRequested,
  RecoveryCodes,
  SessionDeleted,
  SessionList,
  SessionsRevoked,
  SignIn,
  SignedIn,
  SignedOut,
  TotpBegin,
  TotpBegun,
  TotpConfirm,
  TotpDisable,
  User,
  UserUpdate,
} from '../types.js';

export class Auth extends Resource {
  /**
   * Signs a user in. The response cookie contains the session token, and the response body contains `csrf_token`.
   * Fails with `sign_in_failed` if the credentials are wrong, or `totp_required` if the password is correct and a
   * two-factor code is missing.
   *
   * @example
   * const { data, response } = await mailkeel.auth.signIn({ email: 'ann@example.com', password: 'four words of your own' }).withResponse();
   * const cookies = response.headers.getSetCookie();
   */
  signIn(params: SignIn, options?: RequestOptions): ApiPromise<SignedIn> {
    return this.call('POST /v1/auth/sign-in', { body: params, options, isKeyless: true, isPublic: true });
  }

  /**
   * Ends the current session.
   *
   * @example
   * await mailkeel.auth.signOut();
   */
  signOut(options?: RequestOptions): ApiPromise<SignedOut> {
    return this.call('POST /v1/auth/sign-out', { options, isKeyless: true });
  }

  /**
   * Returns the signed-in user with organization, role and workspaces.
   *
   * @example
   * const { user } = await mailkeel.auth.getSession();
   */
  getSession(options?: RequestOptions): ApiPromise<SignedIn> {
    return this.call('GET /v1/auth/session', { options });
  }

  /**
   * Lists your sessions, newest first.
   *
   * @example
   * const sessions = await mailkeel.auth.listSessions();
   */
  listSessions(options?: RequestOptions): ApiPromise<SessionList> {
    return this.call('GET /v1/auth/sessions', { options });
  }

  /**
   * Ends all your sessions except the current one.
   *
   * @example
   * await mailkeel.auth.endOtherSessions();
   */
  endOtherSessions(options?: RequestOptions): ApiPromise<SessionsRevoked> {
    return this.call('DELETE /v1/auth/sessions', { options, isKeyless: true });
  }

  /**
   * Ends one of your sessions.
   *
   * @example
   * await mailkeel.auth.endSession('ses_01kdyak3se4w5amvgkazjzkvb7');
   */
  endSession(id: string, options?: RequestOptions): ApiPromise<SessionDeleted> {
    return this.call('DELETE /v1/auth/sessions/{id}', { path: [id], options, isKeyless: true });
  }

  /**
   * Updates your name.
   *
   * @example
   * await mailkeel.auth.updateUser({ name: 'Ann Smith' });
   */
  updateUser(params: UserUpdate, options?: RequestOptions): ApiPromise<User> {
    return this.call('PATCH /v1/auth/user', { body: params, options, isKeyless: true });
  }

  /**
   * Returns your alert subscriptions and how each alert is delivered.
   *
   * @example
   * const { mail_alerts } = await mailkeel.auth.getAlerts();
   */
  getAlerts(options?: RequestOptions): ApiPromise<AlertSettings> {
    return this.call('GET /v1/auth/alerts', { options });
  }

  /**
   * Sets which alerts you receive and how they are delivered. The secret of a new URL is only returned by this call.
   *
   * @example
   * await mailkeel.auth.putAlerts({ mail_alerts: ['host_check_failed', 'backup_failed'] });
   */
  putAlerts(params: AlertSettingsUpdate, options?: RequestOptions): ApiPromise<AlertSettings> {
    return this.call('PUT /v1/auth/alerts', { body: params, options, isKeyless: true });
  }

  /**
   * Sends you a test alert.
   *
   * @example
   * await mailkeel.auth.testAlerts({ way: 'mail' });
   */
  testAlerts(params: AlertTest, options?: RequestOptions): ApiPromise<AlertTested> {
    return this.call('POST /v1/auth/alerts/test', { body: params, options, isKeyless: true });
  }

  /**
   * Lists the alerts sent to you, with their delivery status.
   *
   * @example
   * for await (const notice of mailkeel.auth.listAlertNotices()) console.log(notice.title, notice.status);
   */
  listAlertNotices(
    params: Query<'auth.listAlertNotices'> = {},
    options?: RequestOptions,
  ): List<AlertNotice, AlertNoticeList> {
    return this.pages('GET /v1/auth/alerts/notices', { query: params, options });
  }

  /**
   * Changes your password and ends your other sessions.
   *
   * @example
   * await mailkeel.auth.changePassword({ current: 'four words of before', new: 'four words of your own' });
   */
  changePassword(params: PasswordChange, options?: RequestOptions): ApiPromise<User> {
    return this.call('POST /v1/auth/password', { body: params, options, isKeyless: true });
  }

  /**
   * Starts two-factor setup and returns the secret for an authenticator app. Call `confirmTotp` with a code to
   * enable it.
   *
   * @example
   * const { secret } = await mailkeel.auth.beginTotp({ password: 'four words of your own' });
   */
  beginTotp(params: TotpBegin, options?: RequestOptions): ApiPromise<TotpBegun> {
    return this.call('POST /v1/auth/totp', { body: params, options, isKeyless: true });
  }

  /**
   * Enables two-factor authentication and returns the recovery codes. They are only returned by this call.
   *
   * @example
   * const { recovery_codes } = await mailkeel.auth.confirmTotp({ code: '123456' });
   */
  confirmTotp(params: TotpConfirm, options?: RequestOptions): ApiPromise<RecoveryCodes> {
    return this.call('POST /v1/auth/totp/confirm', { body: params, options, isKeyless: true });
  }

  /**
   * Disables two-factor authentication. Requires the password and a current code.
   *
   * @example
   * await mailkeel.auth.disableTotp({ password: 'four words of your own', code: '123456' });
   */
  disableTotp(params: TotpDisable, options?: RequestOptions): ApiPromise<User> {
    return this.call('POST /v1/auth/totp/disable', { body: params, options, isKeyless: true });
  }

  /**
   * Emails a password reset link. No key required. The response does not reveal whether the account exists.
   *
   * @example
   * await mailkeel.auth.requestPasswordReset({ email: 'ann@example.com' });
   */
  requestPasswordReset(
    params: PasswordResetRequest,
    options?: RequestOptions,
  ): ApiPromise<PasswordResetRequested> {
    return this.call('POST /v1/auth/password-reset', {
      body: params,
      options,
      isKeyless: true,
      isPublic: true,
    });
  }

  /**
   * Sets a new password using the token from a reset link and ends all sessions. No key required.
   *
   * @example
   * await mailkeel.auth.confirmPasswordReset({ token: 'kJ3v…', password: 'four words of your own' });
   */
  confirmPasswordReset(
    params: PasswordResetConfirm,
    options?: RequestOptions,
  ): ApiPromise<PasswordResetDone> {
    return this.call('POST /v1/auth/password-reset/confirm', {
      body: params,
      options,
      isKeyless: true,
      isPublic: true,
    });
  }

  /**
   * Starts sign-in for a program without a browser (RFC 8628). No key required. Show `user_code` and
   * `verification_uri` to the user, then call `pollDevice` every `interval` seconds.
   *
   * @example
   * const started = await mailkeel.auth.startDevice({ client_name: 'Nightly import' });
   * console.log(started.verification_uri, started.user_code);
   */
  startDevice(params: DeviceSignInStart, options?: RequestOptions): ApiPromise<DeviceSignInStarted> {
    return this.call('POST /v1/auth/device', { body: params, options, isKeyless: true, isPublic: true });
  }

  /**
   * Checks whether the user has approved the device sign-in. No key required. The API key is returned only once.
   *
   * @example
   * const polled = await mailkeel.auth.pollDevice({ device_code: 'kJ3v…' });
   */
  pollDevice(params: DeviceSignInPoll, options?: RequestOptions): ApiPromise<DeviceSignInPolled> {
    return this.call('POST /v1/auth/device/token', {
      body: params,
      options,
      isKeyless: true,
      isPublic: true,
    });
  }

  /**
   * Returns the device sign-in request for a user code.
   *
   * @example
   * const { client_name } = await mailkeel.auth.getDevice('BCDF-GHJK');
   */
  getDevice(userCode: string, options?: RequestOptions): ApiPromise<DeviceSignIn> {
    return this.call('GET /v1/auth/device/{user_code}', { path: [userCode], options });
  }

  /**
   * Approves a device sign-in. The program receives an API key with the given settings.
   *
   * @example
   * await mailkeel.auth.approveDevice('BCDF-GHJK');
   */
  approveDevice(
    userCode: string,
    params?: DeviceSignInApprove,
    options?: RequestOptions,
  ): ApiPromise<DeviceSignInDecided> {
    return this.call('POST /v1/auth/device/{user_code}/approve', {
      path: [userCode],
      body: params ?? {},
      options,
      isKeyless: true,
    });
  }

  /**
   * Denies a device sign-in.
   *
   * @example
   * await mailkeel.auth.denyDevice('BCDF-GHJK');
   */
  denyDevice(userCode: string, options?: RequestOptions): ApiPromise<DeviceSignInDecided> {
    return this.call('POST /v1/auth/device/{user_code}/deny', { path: [userCode], options, isKeyless: true });
  }
}
