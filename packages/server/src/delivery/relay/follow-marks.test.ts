import { expect, it } from 'vitest'
import type { Egress } from '../../egress/create-egress.ts'
import { createEventReader, followMarks } from './follow-marks.ts'

it('wakes with the beginning of a stream and with each mark, however its bytes are cut', () => {
  const text = 'retry: 1000\n\n:\n\nevent: mark\ndata: {}\n\nevent: other\ndata: {}\n\n'
  for (let size = 1; size <= text.length; size += 1) {
    let woken = 0
    const read = createEventReader(() => (woken += 1))
    for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size))
    expect([size, woken]).toEqual([size, 2])
  }
})

it('opens the stream again after it has failed, was refused or has ended, until it is stopped', async () => {
  const stop = new AbortController()
  const outcomes = [() => Promise.reject(new Error('cut')), async () => 503, async () => 200]
  let opened = 0
  let woken = 0
  const follow: Egress['follow'] = async (_url, { onText }) => {
    const outcome = outcomes[opened]
    opened += 1
    if (outcome !== undefined) return outcome()
    onText('event: mark\n\n')
    stop.abort()
    return 200
  }
  await followMarks({
    egress: { follow },
    url: 'https://config.example.com/replica/stream',
    headers: {},
    wake: () => (woken += 1),
    signal: stop.signal,
    pauseMs: { ended: 1, refused: 1 },
  })
  expect([opened, woken]).toEqual([4, 2])
})
