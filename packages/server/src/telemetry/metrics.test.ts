import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('createMetrics', () => {
  it('counts requests by route template, jobs and streams', async () => {
    const metrics = createMetrics({ version: '1.2.3' })
    metrics.recordRequest({
      listener: 'api',
      method: 'GET',
      route: '/organizations/{org_id}',
      status: 200,
      durationMs: 12,
    })
    metrics.recordJob({ queue: 'configs.publish', outcome: 'done', durationMs: 40 })
    metrics.recordFailedJob('configs.publish')
    metrics.setOpenStreams('browser', 7)
    metrics.recordRefusedConnection('headers')
    metrics.recordRateLimited('write')
    metrics.recordCutStream()
    const text = await metrics.render()
    for (const line of [
      'signalbox_info{version="1.2.3"} 1',
      'signalbox_http_request_duration_seconds_count{listener="api",method="GET",route="/organizations/{org_id}",status="200"} 1',
      'signalbox_job_duration_seconds_count{queue="configs.publish",outcome="done"} 1',
      'signalbox_failed_jobs_total{queue="configs.publish"} 1',
      'signalbox_streams_open{audience="browser"} 7',
      'signalbox_connections_refused_total{reason="headers"} 1',
      'signalbox_rate_limited_total{class="write"} 1',
      'signalbox_streams_cut_total 1',
    ]) {
      expect(text).toContain(line)
    }
    expect(metrics.contentType).toContain('text/plain')
  })

  it('shows the figures of the delivery as they are when they are asked for', async () => {
    const metrics = createMetrics({ version: '1.2.3' })
    let count = 1
    metrics.watchDelivery(() => ({
      snapshots: 3,
      ageSeconds: undefined,
      isOnDisk: count === 1,
      answers: [{ route: 'snapshot', status: 200, count }],
    }))
    expect(await metrics.render()).toMatch(
      /^signalbox_snapshots_age_seconds -1$[^]*^signalbox_disk_cache_ok 1$/m,
    )
    count = 5
    const text = await metrics.render()
    expect(text).toContain('signalbox_snapshots 3')
    expect(text).toContain('signalbox_disk_cache_ok 0')
    expect(text).toContain('signalbox_delivery_answers_total{route="snapshot",status="200"} 5')
  })

  it('counts the failed jobs of known queues from 0 on, so that an alert sees the first', async () => {
    const metrics = createMetrics({ version: '1.2.3', queues: ['inbox.process'] })
    expect(await metrics.render()).toContain('signalbox_failed_jobs_total{queue="inbox.process"} 0')
  })

  it('keeps the metrics of two instances apart', async () => {
    const first = createMetrics({ version: 'a' })
    const second = createMetrics({ version: 'b' })
    first.recordCutStream()
    expect(await second.render()).toContain('signalbox_streams_cut_total 0')
  })
})
