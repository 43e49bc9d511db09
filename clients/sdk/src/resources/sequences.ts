// Sequences: a series of messages, which a contact's activity starts.
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
   * Creates a sequence. Enrollment starts immediately unless you create it paused.
   *
   * @example
   * const sequence = await mailkeel.sequences.create({ name: 'Welcome', trigger: { type: 'contact_created' }, steps: [{ type: 'send', template: 'welcome' }] });
   */
  create(params: SequenceCreate, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences', { body: params, options });
  }

  /**
   * Returns a sequence.
   *
   * @example
   * const sequence = await mailkeel.sequences.get('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('GET /v1/sequences/{id}', { path: [id], options });
  }

  /**
   * Updates a sequence. `steps` replaces the whole list; contacts keep their place at steps with the same ID.
   *
   * @example
   * await mailkeel.sequences.update('seq_01kdyak3se4w5amvgkazjzkvb7', { name: 'Welcome, new' });
   */
  update(id: string, params: SequenceUpdate, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('PATCH /v1/sequences/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a sequence. Its contacts receive no further steps.
   *
   * @example
   * await mailkeel.sequences.delete('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SequenceDeleted> {
    return this.call('DELETE /v1/sequences/{id}', { path: [id], options });
  }

  /**
   * Pauses a sequence. No steps run and no contacts are enrolled. Messages already queued are still sent.
   *
   * @example
   * await mailkeel.sequences.pause('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences/{id}/pause', { path: [id], options });
  }

  /**
   * Resumes a paused sequence. Steps that became due while it was paused run immediately.
   *
   * @example
   * await mailkeel.sequences.resume('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<Sequence> {
    return this.call('POST /v1/sequences/{id}/resume', { path: [id], options });
  }

  /**
   * Resends messages whose delivery is unknown. Recipients may get a duplicate.
   *
   * @example
   * await mailkeel.sequences.resendInDoubt('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  resendInDoubt(id: string, options?: RequestOptions): ApiPromise<SequenceResendInDoubt> {
    return this.call('POST /v1/sequences/{id}/resend-in-doubt', { path: [id], options });
  }

  /**
   * Retries failed enrollments at the step where they failed. Fix the cause first.
   *
   * @example
   * const { enrollments } = await mailkeel.sequences.retryFailed('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  retryFailed(id: string, options?: RequestOptions): ApiPromise<SequenceRetryFailed> {
    return this.call('POST /v1/sequences/{id}/retry-failed', { path: [id], options });
  }

  /**
   * Enrolls a contact in a sequence, regardless of its trigger. Fails with `already_enrolled`.
   *
   * @example
   * await mailkeel.sequences.enroll('seq_01kdyak3se4w5amvgkazjzkvb7', { email: 'ann@example.com' });
   */
  enroll(id: string, params: EnrollmentCreate, options?: RequestOptions): ApiPromise<Enrollment> {
    return this.call('POST /v1/sequences/{id}/enroll', { path: [id], body: params, options });
  }

  /**
   * Lists current and past enrollments of a sequence.
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
   * Removes a contact from a sequence. Messages already queued are still sent.
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
   * Returns statistics about enrollments and the messages of each step.
   *
   * @example
   * const analytics = await mailkeel.sequences.getAnalytics('seq_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAnalytics(id: string, options?: RequestOptions): ApiPromise<SequenceAnalytics> {
    return this.call('GET /v1/sequences/{id}/analytics', { path: [id], options });
  }
}
