// Campaigns: one email to an audience, each recipient with a copy of their own.
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
   * Lists campaigns. With `view: 'summary'` the rows are small.
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
   * Creates a campaign: a draft, or a scheduled one when a time is given. Refused with `list_not_found`,
   * `template_not_found` and, beyond 4 variants, `variant_limit`.
   *
   * @example
   * const campaign = await mailkeel.campaigns.create({ name: 'March news', list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7', template_id: 'tpl_01kdyak3se4w5amvgkazjzkvb7' });
   */
  create(params: CampaignCreate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns', { body: params, options });
  }

  /**
   * Reads a campaign, with its numbers so far.
   *
   * @example
   * const { status, stats } = await mailkeel.campaigns.get('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('GET /v1/campaigns/{id}', { path: [id], options });
  }

  /**
   * Changes a draft or a scheduled campaign. Refused with `campaign_already_sent` afterwards.
   *
   * @example
   * await mailkeel.campaigns.update('cmp_01kdyak3se4w5amvgkazjzkvb7', { subject: 'News of March' });
   */
  update(id: string, params: CampaignUpdate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('PATCH /v1/campaigns/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a campaign that is not being sent; its messages stay.
   *
   * @example
   * await mailkeel.campaigns.delete('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<CampaignDeleted> {
    return this.call('DELETE /v1/campaigns/{id}', { path: [id], options });
  }

  /**
   * Sends a campaign now, or at a time. Refused with `postal_address_required` while the organization has
   * none.
   *
   * @example
   * await mailkeel.campaigns.send('cmp_01kdyak3se4w5amvgkazjzkvb7', { scheduled_at: '2027-03-01T09:00:00+01:00' });
   */
  send(id: string, params?: CampaignSend, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/send', { path: [id], body: params ?? {}, options });
  }

  /**
   * Stops a campaign that is being sent: nothing more of it leaves until it is resumed.
   *
   * @example
   * await mailkeel.campaigns.pause('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/pause', { path: [id], options });
  }

  /**
   * Goes on with a paused campaign. Nobody gets a second copy.
   *
   * @example
   * await mailkeel.campaigns.resume('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/resume', { path: [id], options });
  }

  /**
   * Gives up a draft, a scheduled or a paused campaign. There is no way back.
   *
   * @example
   * await mailkeel.campaigns.cancel('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/cancel', { path: [id], options });
  }

  /**
   * Makes a new draft from a campaign, whatever its state: its list, content, variants and settings, without
   * time and results.
   *
   * @example
   * const draft = await mailkeel.campaigns.duplicate('cmp_01kdyak3se4w5amvgkazjzkvb7', { name: 'April news' });
   */
  duplicate(id: string, params?: CampaignDuplicate, options?: RequestOptions): ApiPromise<Campaign> {
    return this.call('POST /v1/campaigns/{id}/duplicate', { path: [id], body: params ?? {}, options });
  }

  /**
   * Sends a recipient's copy to people who try it out, with the tag `campaign_test`.
   *
   * @example
   * await mailkeel.campaigns.test('cmp_01kdyak3se4w5amvgkazjzkvb7', { to: ['me@example.com'] });
   */
  test(id: string, params: CampaignTest, options?: RequestOptions): ApiPromise<CampaignTestResult> {
    return this.call('POST /v1/campaigns/{id}/test', { path: [id], body: params, options });
  }

  /**
   * Sends again the copies of which nobody can know whether they arrived; whoever has one already may get it
   * twice.
   *
   * @example
   * await mailkeel.campaigns.resendInDoubt('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  resendInDoubt(id: string, options?: RequestOptions): ApiPromise<CampaignResendInDoubt> {
    return this.call('POST /v1/campaigns/{id}/resend-in-doubt', { path: [id], options });
  }

  /**
   * Lists each recipient's copy as it would be sent; `total` on the page says how many there are.
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
   * Looks for what is wrong with a campaign before it is sent: content, links, audience.
   *
   * @example
   * const { checks } = await mailkeel.campaigns.preflight('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  preflight(id: string, options?: RequestOptions): ApiPromise<CampaignPreflight> {
    return this.call('GET /v1/campaigns/{id}/preflight', { path: [id], options });
  }

  /**
   * Lists who got what, newest contact first; empty until the campaign is being sent.
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
   * Lists the copies that were edited, by address.
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
   * Edits one recipient's copy. Refused with `campaign_already_sent` on a campaign that already went out,
   * and `recipient_not_in_audience`.
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
   * Takes back the edit of one recipient's copy.
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
   * Reads what became of a campaign: rates, variants, links and a series.
   *
   * @example
   * const { rates } = await mailkeel.campaigns.getAnalytics('cmp_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAnalytics(id: string, options?: RequestOptions): ApiPromise<CampaignAnalytics> {
    return this.call('GET /v1/campaigns/{id}/analytics', { path: [id], options });
  }
}
