import { describe, expect, it } from 'vitest'
import { addCounts } from './join-figures.ts'
import { createMetrics, type Metrics } from './metrics.ts'

function countAnswers(metrics: Metrics, count: number, ageSeconds: number): void {
  metrics.watchDelivery(() => ({
    snapshots: 3,
    ageSeconds,
    isOnDisk: ageSeconds < 5,
    answers: [{ route: 'snapshot', status: 200, count }],
  }))
}

/** Returns the value of a metric, labels included in its name. */
async function read(metrics: Metrics, name: string): Promise<number> {
  const line = (await metrics.render()).split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const answers = 'signalbox_delivery_answers_total{route="snapshot",status="200"}'

describe('the metrics of several processes', () => {
  it('are one sum, and what each of them has is there once', async () => {
    const [parent, one, other] = [
      createMetrics({ version: '1' }),
      createMetrics({ version: '1' }),
      createMetrics({ version: '1' }),
    ] as const
    countAnswers(one, 40, 2)
    countAnswers(other, 2, 7)
    one.setOpenStreams('browser', 5)
    other.setOpenStreams('browser', 6)
    parent.joinProcesses(async () => [await one.listFigures(), await other.listFigures()])
    expect(await read(parent, answers)).toBe(42)
    expect(await read(parent, 'signalbox_streams_open{audience="browser"}')).toBe(11)
    expect(await read(parent, 'signalbox_snapshots')).toBe(3)
    expect(await read(parent, 'signalbox_snapshots_age_seconds')).toBe(7)
    expect(await read(parent, 'signalbox_disk_cache_ok')).toBe(0)
    expect(await read(parent, 'signalbox_info{version="1"}')).toBe(1)
  })

  it('keep the counts of processes that have ended, and forget what they held', async () => {
    const [parent, one, next, last] = [
      createMetrics({ version: '1' }),
      createMetrics({ version: '1' }),
      createMetrics({ version: '1' }),
      createMetrics({ version: '1' }),
    ] as const
    countAnswers(one, 40, 2)
    countAnswers(next, 30, 2)
    countAnswers(last, 1, 2)
    one.setOpenStreams('browser', 5)
    const first = await addCounts([], await one.listFigures())
    const ended = await addCounts(first, await next.listFigures())
    parent.joinProcesses(async () => [await last.listFigures(), ended])
    expect(await read(parent, answers)).toBe(71)
    expect(await read(parent, 'signalbox_streams_open{audience="browser"}')).toBeNaN()
  })
})
