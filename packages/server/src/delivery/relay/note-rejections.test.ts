import { expect, it } from 'vitest'
import { rejections } from '../../replica/guards.ts'
import { createRejectionNotes } from './note-rejections.ts'
import { RefusedError } from './upstream.ts'

it('counts each refusal from zero on, and logs each reason at most once a minute', () => {
  const counts = new Map<string, number>()
  const logged: unknown[] = []
  let nowMs = 0
  const notes = createRejectionNotes({
    metrics: {
      recordReplicaRefused: (reason, count = 1) =>
        void counts.set(reason, (counts.get(reason) ?? 0) + count),
    },
    log: { warn: (_message, fields) => void logged.push(fields?.['reason']) },
    host: 'upstream',
    now: () => new Date(nowMs),
  })
  expect([...counts.keys()]).toEqual([...rejections])
  for (const atMs of [0, 1_000, 59_999, 60_000]) {
    nowMs = atMs
    notes.note(new RefusedError('signature', 'mark'))
    notes.note(new RefusedError('hash', 'record a.b.c.d'))
    notes.note(new Error('away'))
  }
  expect([counts.get('signature'), counts.get('hash'), counts.get('older')]).toEqual([4, 4, 0])
  expect(logged).toEqual(['signature', 'hash', 'signature', 'hash'])
})
