import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Asker } from '../../http/admission/fair-rate.ts'
import { createSharedCounts, type SharedCounts } from '../../http/admission/node-counts.ts'
import { askerOf, reader } from '../testing/asker.ts'
import { createStreams, type StreamLimits } from './streams.ts'

/** Opens the streams of two processes of a node, which share their counts unless they are `apart`. */
function openTwo(limits: Partial<StreamLimits>, { apart = false } = {}) {
  const shared: SharedCounts[] = [0, 1].map((from) =>
    createSharedCounts(2, (message) => {
      if (!apart) shared[1 - from]?.receive(from, message)
    }),
  )
  const processes = shared.map((counts) => {
    const metrics = { setOpenStreams() {}, recordCutStream() {} }
    return createStreams({ metrics, limits, counts })
  })
  let ended = 0
  /** Opens a stream at each process in turn, and returns the codes of rejections. */
  const open = async (count: number, askerAt: (at: number) => Asker) => {
    const codes: string[] = []
    for (let at = 0; at < count; at += 1) {
      const sink = {
        writableLength: 0,
        write() {},
        end: () => void (ended += 1),
        destroy() {},
        on() {},
      }
      const topic = { audience: 'browser', snapshotKey: 'sch/env' } as const
      try {
        const stream = { ...topic, reader, asker: askerAt(at), missed: undefined }
        processes[at % 2]?.open({ ...stream, begin: () => sink })
      } catch (error) {
        codes.push(String(Reflect.get(Object(error), 'code')))
      }
      await nextTurn()
    }
    return codes
  }
  return { processes, shared, open, countEnded: () => ended }
}

describe('the streams of a node of two processes', () => {
  it('of a key at an address are limited together', async () => {
    const { processes, open } = openTwo({ perSubject: 10 })
    expect(await open(14, () => askerOf('one'))).toEqual(Array(4).fill('too_many_streams'))
    expect(processes.map((streams) => streams.sizeOfNode())).toEqual([10, 10])
  })

  it('control: processes that share nothing let twice as many open', async () => {
    const { open } = openTwo({ perSubject: 10 }, { apart: true })
    expect(await open(14, () => askerOf('one'))).toEqual([])
  })

  it('make room for others on a full node, in whichever process they come', async () => {
    const { processes, open, countEnded } = openTwo({ perNode: 20 })
    await open(20, () => askerOf('crowd'))
    const codes = await open(6, (at) => askerOf(`honest ${at}`))
    expect([codes, countEnded()]).toEqual([[], 6])
    expect(processes.map((streams) => streams.sizeOfNode())).toEqual([20, 20])
  })

  it('of a process that has ended count no more', async () => {
    const { processes, shared, open } = openTwo({ perSubject: 10 })
    await open(10, () => askerOf('one'))
    shared[0]?.forget(1)
    expect(processes[0]?.sizeOfNode()).toBe(5)
  })
})
