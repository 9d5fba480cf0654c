import { describe, expect, it } from 'vitest'
import type { Asker } from '../../http/admission/fair-rate.ts'
import { askerOf, reader } from '../testing/asker.ts'
import { createStreams } from './streams.ts'

/** A node with room for a hundred streams. */
function open() {
  const streams = createStreams({
    metrics: { setOpenStreams() {}, recordCutStream() {} },
    limits: { perNode: 100 },
  })
  const held: string[] = []
  const codes: string[] = []
  const begin = (name: string) => ({
    writableLength: 0,
    write() {},
    end: () => void held.splice(held.indexOf(name), 1),
    destroy() {},
    on() {},
  })
  /** Opens `count` streams under a name. */
  const openMany = (name: string, count: number, askerAt: (at: number) => Asker) => {
    for (let at = 0; at < count; at += 1) {
      const asker = askerAt(at)
      const topic = { audience: 'browser', snapshotKey: 'sch/env' } as const
      try {
        streams.open({ ...topic, reader, asker, missed: undefined, begin: () => begin(name) })
        held.push(name)
      } catch (error) {
        codes.push(String(Reflect.get(Object(error), 'code')))
      }
    }
  }
  const countOf = (name: string) => held.filter((each) => each === name).length
  return { streams, openMany, countOf, codes }
}

const atAddress = (site: string, address: string | number) =>
  askerOf(site, { credentialAtAddress: `${site} at ${address}` })

describe('a full node', () => {
  it('refuses nobody while it has room', () => {
    const { openMany, countOf, codes } = open()
    openMany('site', 100, () => askerOf('site'))
    expect([countOf('site'), codes]).toEqual([100, []])
  })

  it('makes room for other organizations, down to the share of the one that has most', () => {
    const { streams, openMany, countOf, codes } = open()
    openMany('attacker', 100, (at) => atAddress('site', at % 5))
    openMany('honest', 70, (at) => atAddress(`another ${at % 7}`, at))
    expect([countOf('attacker'), countOf('honest'), streams.size]).toEqual([30, 70, 100])
    expect(codes).toEqual([])
  })

  it('makes room for visitors of the same key from addresses that have less', () => {
    const { openMany, countOf, codes } = open()
    openMany('attacker', 100, (at) => atAddress('site', at % 5))
    openMany('honest', 70, (at) => atAddress('site', `honest ${at}`))
    expect([countOf('attacker'), countOf('honest'), codes]).toEqual([30, 70, []])
  })

  it('makes room for other networks, whatever addresses one of IPv6 uses', () => {
    const { openMany, countOf } = open()
    const network = '2001:db8:1::/48'
    openMany('attacker', 100, (at) => ({ ...atAddress('site', at), network }))
    openMany('honest', 60, (at) => atAddress('site', `honest ${at}`))
    expect([countOf('attacker'), countOf('honest')]).toEqual([40, 60])
  })

  it('takes nothing from others for who has most', () => {
    const { openMany, countOf, codes } = open()
    openMany('honest', 50, (at) => atAddress(`another ${at % 5}`, at))
    openMany('attacker', 200, () => askerOf('attacker'))
    expect([countOf('honest'), countOf('attacker')]).toEqual([50, 50])
    expect(new Set(codes)).toEqual(new Set(['overloaded']))
  })

  it('refuses a new stream when every caller holds equally many', () => {
    const { openMany, codes } = open()
    openMany('honest', 100, (at) => atAddress(`another ${at % 10}`, at))
    openMany('late', 1, () => askerOf('late'))
    expect(codes).toEqual(['overloaded'])
  })

  it('has right counts after streams have ended', () => {
    const { streams, openMany, countOf } = open()
    for (let round = 0; round < 20; round += 1) {
      openMany('attacker', 40, () => askerOf('attacker'))
      openMany('honest', 40, (at) => atAddress(`another ${at % 4}`, at))
    }
    expect(streams.size).toBe(100)
    expect(countOf('attacker') + countOf('honest')).toBe(100)
    // One address, and forty others: each has as many as the others, but for one.
    expect(countOf('attacker')).toBeLessThanOrEqual(4)
  })
})
