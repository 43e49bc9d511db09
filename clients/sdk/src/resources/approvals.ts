// Messages sent with API keys that need a person’s approval.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Approval,
  ApprovalApprove,
  ApprovalCount,
  ApprovalDetail,
  ApprovalList,
  ApprovalReject,
  ApprovalUpdate,
} from '../types.js';

export class Approvals extends Resource {
  /**
   * Lists messages that wait for approval or were decided.
   *
   * @example
   * const waiting = await mailkeel.approvals.list({ status: ['pending'] });
   */
  list(params: Query<'approvals.list'> = {}, options?: RequestOptions): List<Approval, ApprovalList> {
    return this.pages('GET /v1/approvals', { query: params, options });
  }

  /**
   * Returns the number of messages that wait for approval.
   *
   * @example
   * const { pending } = await mailkeel.approvals.count();
   */
  count(options?: RequestOptions): ApiPromise<ApprovalCount> {
    return this.call('GET /v1/approvals/count', { options });
  }

  /**
   * Returns an approval with the content and the recipients of its message.
   *
   * @example
   * const { status, differences } = await mailkeel.approvals.get('apr_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<ApprovalDetail> {
    return this.call('GET /v1/approvals/{id}', { path: [id], options });
  }

  /**
   * Approves a message. Fails with `session_required` for API keys, because only signed-in people can approve.
   *
   * @example
   * await mailkeel.approvals.approve('apr_01kdyak3se4w5amvgkazjzkvb7', {
   *   content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
   * });
   */
  approve(id: string, body: ApprovalApprove, options?: RequestOptions): ApiPromise<ApprovalDetail> {
    return this.call('POST /v1/approvals/{id}/approve', { path: [id], body, options });
  }

  /**
   * Rejects a message, which is then canceled. Fails with `session_required` for API keys.
   *
   * @example
   * await mailkeel.approvals.reject('apr_01kdyak3se4w5amvgkazjzkvb7', { note: 'Wrong customer' });
   */
  reject(id: string, body: ApprovalReject = {}, options?: RequestOptions): ApiPromise<ApprovalDetail> {
    return this.call('POST /v1/approvals/{id}/reject', { path: [id], body, options });
  }

  /**
   * Edits the subject or body of a message that waits. Fails with `session_required` for API keys.
   *
   * @example
   * await mailkeel.approvals.update('apr_01kdyak3se4w5amvgkazjzkvb7', { subject: 'Your invoice of March' });
   */
  update(id: string, body: ApprovalUpdate, options?: RequestOptions): ApiPromise<ApprovalDetail> {
    return this.call('PATCH /v1/approvals/{id}', { path: [id], body, options });
  }
}
