// Sequences: mail in steps, begun by what a contact does.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Enrollment,
  EnrollmentCreate,
  EnrollmentList,
  Sequence,
  SequenceAnalytics,
  SequenceCreate,
  SequenceDeleted,
  SequenceList,
  SequenceResendInDoubt,
  SequenceRetryFailed,
  SequenceUpdate,
} from '../types.js';

export class Sequences extends Resource {
  /**
   * Lists the sequences of the environment.
   *
   * @example
   * const sequences = await mailkeel.sequences.list();
   */
  list(params: Query<'sequences.list'> = {}, options?: RequestOptions): List<Sequence, SequenceList> {
    return this.pages('GET /v1/sequences', { query: params, options });
  }

  /**
   * Creates a sequence; it begins to enrol at once, unless it is created paused.
   *
   * @example
   * const sequence = await mailkeel.sequences.create({ name: 'Welcome', trigger: { type: 'contact_created' }, steps: [{ type: 'send', template: 'welcome' }] });
   */
  create(params: SequenceCreate, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences', { body: params, options });
  }

  /**
   * Reads a sequence.
   *
   * @example
   * const sequence = await mailkeel.sequences.get('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('GET /v1/sequences/{id}', { path: [id], options });
  }

  /**
   * Changes a sequence; steps are given whole, and keep who stands at them by their ids.
   *
   * @example
   * await mailkeel.sequences.update('seq_01kdyak3se4w5amvgkazjzkvb7', { name: 'Welcome, new' });
   */
  update(id: string, params: SequenceUpdate, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('PATCH /v1/sequences/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a sequence; nobody gets another step of it.
   *
   * @example
   * await mailkeel.sequences.delete('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SequenceDeleted> {
    return this.call('DELETE /v1/sequences/{id}', { path: [id], options });
  }

  /**
   * Takes no more steps and enrols nobody; mail that is in the queue already goes on.
   *
   * @example
   * await mailkeel.sequences.pause('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences/{id}/pause', { path: [id], options });
  }

  /**
   * Goes on; steps whose time came meanwhile are taken at once.
   *
   * @example
   * await mailkeel.sequences.resume('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences/{id}/resume', { path: [id], options });
  }

  /**
   * Sends again the messages of which nobody can know whether they arrived.
   *
   * @example
   * await mailkeel.sequences.resendInDoubt('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  resendInDoubt(id: string, options?: RequestOptions): ApiPromise<SequenceResendInDoubt> {
    return this.call('POST /v1/sequences/{id}/resend-in-doubt', { path: [id], options });
  }

  /**
   * Retries the failed enrollments at the steps where they failed, once their cause is repaired.
   *
   * @example
   * const { enrollments } = await mailkeel.sequences.retryFailed('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  retryFailed(id: string, options?: RequestOptions): ApiPromise<SequenceRetryFailed> {
    return this.call('POST /v1/sequences/{id}/retry-failed', { path: [id], options });
  }

  /**
   * Puts a contact into a sequence, whatever its trigger. Refused with `already_enrolled`.
   *
   * @example
   * await mailkeel.sequences.enroll('seq_01kdyak3se4w5amvgkazjzkvb7', { email: 'ann@example.com' });
   */
  enroll(id: string, params: EnrollmentCreate, options?: RequestOptions): ApiPromise<Enrollment> {
    return this.call('POST /v1/sequences/{id}/enroll', { path: [id], body: params, options });
  }

  /**
   * Lists who is or was in a sequence.
   *
   * @example
   * for await (const enrollment of mailkeel.sequences.listEnrollments('seq_01kdyak3se4w5amvgkazjzkvb7')) console.log(enrollment.id);
   */
  listEnrollments(
    id: string,
    params: Query<'sequences.listEnrollments'> = {},
    options?: RequestOptions,
  ): List<Enrollment, EnrollmentList> {
    return this.pages('GET /v1/sequences/{id}/enrollments', { path: [id], query: params, options });
  }

  /**
   * Takes a contact out of a sequence; mail that is in the queue already goes on.
   *
   * @example
   * await mailkeel.sequences.cancelEnrollment('seq_01kdyak3se4w5amvgkazjzkvb7', 'enr_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancelEnrollment(id: string, enrollmentId: string, options?: RequestOptions): ApiPromise<Enrollment> {
    return this.call('POST /v1/sequences/{id}/enrollments/{enrollment_id}/cancel', {
      path: [id, enrollmentId],
      options,
    });
  }

  /**
   * Reads what became of the enrolments, and of the mail of each step.
   *
   * @example
   * const analytics = await mailkeel.sequences.getAnalytics('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAnalytics(id: string, options?: RequestOptions): ApiPromise<SequenceAnalytics> {
    return this.call('GET /v1/sequences/{id}/analytics', { path: [id], options });
  }
}
