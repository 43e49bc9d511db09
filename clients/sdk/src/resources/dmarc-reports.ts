// DMARC reports: what receivers report about mail in the name of your domains, whether you sent it or not.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { DmarcReport, DmarcReportList, DmarcSummary } from '../types.js';

export class DmarcReports extends Resource {
  /**
   * Lists the DMARC reports of the last 90 days, without their records.
   *
   * @example
   * for await (const report of mailkeel.dmarcReports.list({ domain: 'shop.example' })) console.log(report.reporter, report.not_ours);
   */
  list(
    params: Query<'dmarcReports.list'> = {},
    options?: RequestOptions,
  ): List<DmarcReport, DmarcReportList> {
    return this.pages('GET /v1/dmarc-reports', { query: params, options });
  }

  /**
   * Returns a DMARC report with its records.
   *
   * @example
   * const { records } = await mailkeel.dmarcReports.get('rpt_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<DmarcReport> {
    return this.call('GET /v1/dmarc-reports/{id}', { path: [id], options });
  }

  /**
   * Summarizes the DMARC reports of a period, including plain-language findings.
   *
   * @example
   * const { sentences } = await mailkeel.dmarcReports.summary({ domain: 'shop.example', group_by: 'source' });
   */
  summary(params: Query<'dmarcReports.summary'> = {}, options?: RequestOptions): ApiPromise<DmarcSummary> {
    return this.call('GET /v1/dmarc-reports/summary', { query: params, options });
  }
}
