import { describe, expect, it } from 'vitest'
import { describeReadiness } from './describe-readiness.ts'

const now = new Date('2026-11-21T06:00:00.000Z')
const status = {
  source: 'upstream',
  snapshots: 0,
  streams: 0,
  readAt: undefined,
  isOnDisk: true,
} as const

describe('the readiness of a delivery', () => {
  it('is missing while there is nothing to serve, with the reason', () => {
    const failure = 'NATS cannot be reached.'
    expect(
      describeReadiness({ ...status, loadedFrom: 'nothing', asOf: undefined, failure }, now),
    ).toEqual({ ok: false, detail: `0 snapshots from nothing, of unknown age; ${failure}` })
  })

  it('is there with what the disk had, whose age it says', () => {
    const asOf = new Date(now.getTime() - 90_000)
    expect(
      describeReadiness(
        { ...status, loadedFrom: 'disk', snapshots: 1, asOf, failure: undefined },
        now,
      ),
    ).toEqual({ ok: true, detail: '1 snapshot from disk, 90 s old' })
  })
})
