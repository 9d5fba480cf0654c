import { Problem } from '@signalbox/contract'
import { afterEach, describe, expect, it } from 'vitest'
import type { LiveChange } from './change.ts'
import { createLiveStreams, type LiveStreams, type LiveStreamsOptions } from './live-streams.ts'

let streams: LiveStreams
afterEach(() => streams.close())

interface Reader {
  readonly events: () => string[]
  readonly text: () => string
  isOpen: boolean
  /** Counts the bytes that it has not read yet. */
  unread: number
}

const open = (options?: LiveStreamsOptions) => {
  streams = createLiveStreams({ windowMs: 1, ...options })
  streams.receiveGap({ xmin: 100n, xmax: 100n })
}

function read(orgId: string, lastEventId?: string, userId = 'usr_ada'): Reader {
  let text = ''
  const reader: Reader = {
    text: () => text,
    events: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data),
    isOpen: true,
    unread: 0,
  }
  const listeners: (() => void)[] = []
  const close = () => {
    reader.isOpen = false
    for (const listener of listeners) listener()
  }
  streams.open({
    orgId,
    userId,
    credentialId: 'session_1',
    lastEventId,
    begin: () => ({
      get writableLength() {
        return reader.unread
      },
      write: (more: string) => void (text += more),
      end(more: string) {
        text += more
        close()
      },
      destroy: close,
      on: (_event, listener) => void listeners.push(listener),
    }),
  })
  return reader
}

const change = (id: string, changedIn: bigint, orgId = 'org_1'): LiveChange => ({
  orgId,
  topic: 'deployment',
  id,
  changedIn,
})

describe('the streams of dashboards', () => {
  it('send the changes of an organization to its readers, and to no others', () => {
    open()
    const [own, foreign] = [read('org_1'), read('org_2')]
    streams.receive([change('dep_1', 100n)], 101n)
    expect(own.events()).toEqual(['{"topic":"deployment","id":"dep_1"}'])
    expect(foreign.events()).toEqual([])
  })

  it('give each event the position before all waiting ones, so that a reconnect misses none', () => {
    open()
    const reader = read('org_1')
    streams.receive([change('dep_1', 100n), change('dep_1', 100n)], 150n)
    expect(reader.text()).toContain('id: 100\ndata: {"topic":"deployment","id":"dep_1"}')
  })

  it('repeat the changes since the last position to a reconnecting reader, each once', () => {
    open()
    streams.receive([change('dep_1', 100n), change('dep_2', 105n)], 106n)
    streams.receive([change('dep_2', 106n), change('dep_3', 107n, 'org_2')], 108n)
    expect(read('org_1', '105').events()).toEqual(['{"topic":"deployment","id":"dep_2"}'])
    expect(read('org_1', '108').events()).toEqual([])
  })

  it('send a new reader the changes since the position it opened with, and no more', () => {
    open()
    streams.receive([change('dep_1', 100n)], 101n)
    const position = streams.position()
    expect(read('org_1', position).events()).toEqual([])
    streams.receive([change('dep_2', 101n)], 102n)
    expect(read('org_1', position).events()).toEqual(['{"topic":"deployment","id":"dep_2"}'])
  })

  it.each(['99', '109', 'abc', '-1'])(
    'say that everything may have changed to who comes back with the position %s, which is not known',
    (position) => {
      open()
      streams.receive([], 108n)
      expect(read('org_1', position).events()).toEqual(['{"topic":"all"}'])
    },
  )

  it('send every reader a change of everything after a gap, and forget earlier changes', () => {
    open()
    const reader = read('org_1')
    streams.receive([change('dep_1', 100n)], 101n)
    streams.receiveGap({ xmin: 300n, xmax: 300n })
    expect(reader.events().at(-1)).toBe('{"topic":"all"}')
    expect(read('org_1', '101').events()).toEqual(['{"topic":"all"}'])
  })

  it('send a change of everything to a reader below the highest transaction before a gap', () => {
    open()
    // 100 was still open; 103 was committed before, and is told to nobody.
    streams.receiveGap({ xmin: 100n, xmax: 104n })
    const position = streams.position()
    expect(read('org_1', position).events()).toEqual(['{"topic":"all"}'])
    streams.receive([], 104n)
    expect(read('org_1', position).events()).toEqual(['{"topic":"all"}'])
    expect(read('org_1', streams.position()).events()).toEqual([])
  })

  it('send a change of everything instead of more than a hundred', () => {
    open()
    const many = Array.from({ length: 101 }, (_, n) => change(`dep_${n}`, 100n))
    streams.receive(many, 101n)
    expect(read('org_1', '100').events()).toEqual(['{"topic":"all"}'])
  })

  it('send a bounded number of events in a storm', async () => {
    open({ windowMs: 5 })
    const reader = read('org_1')
    for (let n = 0; n < 1_000; n += 1) streams.receive([change(`dep_${n}`, 100n)], 101n)
    await expect.poll(() => reader.events().at(-1)).toBe('{"topic":"deployment"}')
    expect(reader.events().length).toBeLessThanOrEqual(20)
  })

  it('cut a slow reader', () => {
    open()
    const reader = read('org_1')
    reader.unread = 300 * 1024
    streams.receive([change('dep_1', 100n)], 101n)
    expect(reader.isOpen).toBe(false)
    expect(streams.size).toBe(0)
  })

  it('are limited for one person over all organizations, however many there are', () => {
    open({ perPerson: 2, perNode: 100 })
    const organizations = ['org_1', 'org_2', 'org_3', 'org_4', 'org_5']
    for (const orgId of [...organizations, ...organizations]) read(orgId)
    expect(() => read('org_6')).toThrow(expect.objectContaining({ code: 'too_many_streams' }))
    read('org_6', undefined, 'usr_grace')
  })

  it('are bounded for each person, and for the node', () => {
    open({ perPerson: 2, perNode: 3 })
    read('org_1')
    const second = read('org_1')
    expect(() => read('org_1')).toThrow(expect.objectContaining({ code: 'too_many_streams' }))
    read('org_1', undefined, 'usr_bob')
    expect(() => read('org_1', undefined, 'usr_eve')).toThrow(Problem)
    for (const stream of streams.all()) streams.end(stream)
    expect(second.isOpen).toBe(false)
    expect(second.text()).toMatch(/retry: \d{4}\n\n$/)
    expect(streams.size).toBe(0)
  })

  it('keep a silent connection busy with its position', async () => {
    open({ heartbeatMs: 2 })
    const reader = read('org_1')
    await expect.poll(() => reader.text().match(/id: 100\n\n/g)?.length).toBeGreaterThan(2)
  })

  it('end over the pause before a stop, also those that open meanwhile', async () => {
    open()
    const readers = [read('org_1'), read('org_1'), read('org_2')]
    streams.drain(150)
    readers.push(read('org_2'))
    expect(readers.every(({ isOpen }) => isOpen)).toBe(true)
    await expect.poll(() => readers.some(({ isOpen }) => isOpen)).toBe(false)
    for (const reader of readers) expect(reader.text()).toMatch(/retry: [1-5]\d{3}\n\n$/)
    expect(streams.size).toBe(0)
  })

  it('open no more once they are closed', () => {
    open()
    const reader = read('org_1')
    streams.close()
    expect(reader.isOpen).toBe(false)
    expect(() => read('org_1')).toThrow(expect.objectContaining({ code: 'draining' }))
  })
})
