// TLS reports: how the sessions of others with your mail servers went.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { TlsReport, TlsReportList, TlsSummary } from '../types.js';

export class TlsReports extends Resource {
  /**
   * Lists the TLS reports of the last 90 days, without their records.
   *
   * @example
   * for await (const report of mailkeel.tlsReports.list({ domain: 'shop.example' })) console.log(report.reporter, report.failures);
   */
  list(params: Query<'tlsReports.list'> = {}, options?: RequestOptions): List<TlsReport, TlsReportList> {
    return this.pages('GET /v1/tls-reports', { query: params, options });
  }

  /**
   * Returns a TLS report with its records.
   *
   * @example
   * const { records } = await mailkeel.tlsReports.get('rpt_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<TlsReport> {
    return this.call('GET /v1/tls-reports/{id}', { path: [id], options });
  }

  /**
   * Summarizes the TLS reports of a period, including plain-language findings.
   *
   * @example
   * const { sentences } = await mailkeel.tlsReports.summary({ domain: 'shop.example', group_by: 'result' });
   */
  summary(params: Query<'tlsReports.summary'> = {}, options?: RequestOptions): ApiPromise<TlsSummary> {
    return this.call('GET /v1/tls-reports/summary', { query: params, options });
  }
}
