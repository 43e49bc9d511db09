// Campaigns: one email to an audience, with a personalized copy for each recipient.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Campaign,
  CampaignAnalytics,
  CampaignCreate,
  CampaignDeleted,
  CampaignDelivery,
  CampaignDeliveryList,
  CampaignDuplicate,
  CampaignOverride,
  CampaignOverrideDeleted,
  CampaignOverrideList,
  CampaignOverridePut,
  CampaignPreflight,
  CampaignPreview,
  CampaignRecipient,
  CampaignResendInDoubt,
  CampaignSend,
  CampaignSummary,
  CampaignTest,
  CampaignTestResult,
  CampaignUpdate,
  ListView,
} from '../types.js';

export class Campaigns extends Resource {
  /**
   * Lists campaigns. Use `view: 'summary'` for compact objects.
   *
   * @example
   * for await (const campaign of mailkeel.campaigns.list({ status: ['scheduled'] })) console.log(campaign.name);
   */
  list<V extends ListView = 'full'>(
    params: Query<'campaigns.list'> & { view?: V } = {},
    options?: RequestOptions,
  ): List<V extends 'summary' ? CampaignSummary : Campaign> {
    return this.pages<V extends 'summary' ? CampaignSummary : Campaign>('GET /v1/campaigns', {
      query: params,
      options,
    });
  }

  /**
   * Creates a campaign as a draft, or as a scheduled campaign if you set a time. Fails with `list_not_found`,
   * `template_not_found`, or `variant_limit` for more than 4 variants.
   *
   * @example
   * const campaign = await mailkeel.campaigns.create({ name: 'March news', list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7', template_id: 'tpl_01kdyak3se4w5amvgkazjzkvb7' });
   */
  create(params: CampaignCreate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns', { body: params, options });
  }

  /**
   * Returns a campaign with its current statistics.
   *
   * @example
   * const { status, stats } = await mailkeel.campaigns.get('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('GET /v1/campaigns/{id}', { path: [id], options });
  }

  /**
   * Updates a draft or scheduled campaign. Fails with `campaign_already_sent` once sending has started.
   *
   * @example
   * await mailkeel.campaigns.update('cmp_01kdyak3se4w5amvgkazjzkvb7', { subject: 'News of March' });
   */
  update(id: string, params: CampaignUpdate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('PATCH /v1/campaigns/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a campaign that is not being sent. Its messages are not deleted.
   *
   * @example
   * await mailkeel.campaigns.delete('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<CampaignDeleted> {
    return this.call('DELETE /v1/campaigns/{id}', { path: [id], options });
  }

  /**
   * Sends a campaign now or schedules it. Fails with `postal_address_required` if the organization has no postal
   * address.
   *
   * @example
   * await mailkeel.campaigns.send('cmp_01kdyak3se4w5amvgkazjzkvb7', { scheduled_at: '2027-03-01T09:00:00+01:00' });
   */
  send(id: string, params?: CampaignSend, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/send', { path: [id], body: params ?? {}, options });
  }

  /**
   * Pauses a campaign that is being sent. No more copies are sent until you resume it.
   *
   * @example
   * await mailkeel.campaigns.pause('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/pause', { path: [id], options });
  }

  /**
   * Resumes a paused campaign. No one receives a duplicate.
   *
   * @example
   * await mailkeel.campaigns.resume('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/resume', { path: [id], options });
  }

  /**
   * Cancels a draft, scheduled or paused campaign. You can't undo this.
   *
   * @example
   * await mailkeel.campaigns.cancel('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/cancel', { path: [id], options });
  }

  /**
   * Creates a draft with the list, content, variants and settings of another campaign in any state. The schedule and
   * results are not copied.
   *
   * @example
   * const draft = await mailkeel.campaigns.duplicate('cmp_01kdyak3se4w5amvgkazjzkvb7', { name: 'April news' });
   */
  duplicate(id: string, params?: CampaignDuplicate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/duplicate', { path: [id], body: params ?? {}, options });
  }

  /**
   * Sends a test copy of a recipient's message to other addresses, tagged `campaign_test`.
   *
   * @example
   * await mailkeel.campaigns.test('cmp_01kdyak3se4w5amvgkazjzkvb7', { to: ['me@example.com'] });
   */
  test(id: string, params: CampaignTest, options?: RequestOptions): ApiPromise<CampaignTestResult> {
    return this.call('POST /v1/campaigns/{id}/test', { path: [id], body: params, options });
  }

  /**
   * Resends copies whose delivery is unknown. Recipients who already received a copy may get a duplicate.
   *
   * @example
   * await mailkeel.campaigns.resendInDoubt('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  resendInDoubt(id: string, options?: RequestOptions): ApiPromise<CampaignResendInDoubt> {
    return this.call('POST /v1/campaigns/{id}/resend-in-doubt', { path: [id], options });
  }

  /**
   * Lists each recipient's copy as it would be sent. `total` on the page is the number of recipients, or null
   * while a large audience is counted.
   *
   * @example
   * for await (const copy of mailkeel.campaigns.preview('cmp_01kdyak3se4w5amvgkazjzkvb7')) console.log(copy.email, copy.subject);
   */
  preview(
    id: string,
    params: Query<'campaigns.preview'> = {},
    options?: RequestOptions,
  ): List<CampaignRecipient, CampaignPreview> {
    return this.pages('GET /v1/campaigns/{id}/preview', { path: [id], query: params, options });
  }

  /**
   * Checks a campaign for content, link and audience problems before you send it.
   *
   * @example
   * const { checks } = await mailkeel.campaigns.preflight('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  preflight(id: string, options?: RequestOptions): ApiPromise<CampaignPreflight> {
    return this.call('GET /v1/campaigns/{id}/preflight', { path: [id], options });
  }

  /**
   * Lists the recipients of a campaign and the state of each copy, newest contact first. Empty until sending starts.
   *
   * @example
   * for await (const recipient of mailkeel.campaigns.listRecipients('cmp_01kdyak3se4w5amvgkazjzkvb7')) console.log(recipient.email, recipient.state);
   */
  listRecipients(
    id: string,
    params: Query<'campaigns.listRecipients'> = {},
    options?: RequestOptions,
  ): List<CampaignDelivery, CampaignDeliveryList> {
    return this.pages('GET /v1/campaigns/{id}/recipients', { path: [id], query: params, options });
  }

  /**
   * Lists edited copies, sorted by address.
   *
   * @example
   * const overrides = await mailkeel.campaigns.listOverrides('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  listOverrides(
    id: string,
    params: Query<'campaigns.listOverrides'> = {},
    options?: RequestOptions,
  ): List<CampaignOverride, CampaignOverrideList> {
    return this.pages('GET /v1/campaigns/{id}/overrides', { path: [id], query: params, options });
  }

  /**
   * Edits the copy of one recipient. Fails with `campaign_already_sent` if the campaign has been sent, or
   * `recipient_not_in_audience`.
   *
   * @example
   * await mailkeel.campaigns.putOverride('cmp_01kdyak3se4w5amvgkazjzkvb7', { email: 'ann@example.com', subject: 'Ann, one more thing' });
   */
  putOverride(
    id: string,
    params: CampaignOverridePut,
    options?: RequestOptions,
  ): ApiPromise<CampaignOverride> {
    return this.call('PUT /v1/campaigns/{id}/overrides', { path: [id], body: params, options });
  }

  /**
   * Discards the edit of a recipient's copy.
   *
   * @example
   * await mailkeel.campaigns.deleteOverride('cmp_01kdyak3se4w5amvgkazjzkvb7', { email: 'ann@example.com' });
   */
  deleteOverride(
    id: string,
    params: Query<'campaigns.deleteOverride'>,
    options?: RequestOptions,
  ): ApiPromise<CampaignOverrideDeleted> {
    return this.call('DELETE /v1/campaigns/{id}/overrides', { path: [id], query: params, options });
  }

  /**
   * Returns rates, variant results, link clicks and a time series for a campaign.
   *
   * @example
   * const { rates } = await mailkeel.campaigns.getAnalytics('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAnalytics(id: string, options?: RequestOptions): ApiPromise<CampaignAnalytics> {
    return this.call('GET /v1/campaigns/{id}/analytics', { path: [id], options });
  }
}
