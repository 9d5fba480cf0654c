import { describe, expect, it } from 'vitest'
import { createPublisherKey } from '../crypto/publisher-key.ts'
import { nameByHash, renderListing } from '../replica/listing.ts'
import { renderMark } from '../replica/mark.ts'
import { nowBytes } from '../replica/nats-subjects.ts'
import { parseNow, renderNow } from '../replica/now-message.ts'
import { signAs } from '../replica/signed.ts'
import { createHearing } from './hearing.ts'
import { createUnnamedKeys } from './unnamed-keys.ts'

const key = createPublisherKey(Buffer.alloc(32, 1))
const stranger = createPublisherKey(Buffer.alloc(32, 2))
const listing = (name: string) => renderListing(new Map([[`org_1.${name}`, 'h'.repeat(43)]]))

const message = (counter: number, objects: readonly string[] = [], by = key) => {
  const text = renderMark({ epoch: 1, counter, index: 'i'.repeat(43), atMs: counter })
  return renderNow(signAs([by], text), objects) ?? ''
}

const open = () => {
  let elapsedMs = 0
  const hearing = createHearing({ publicKeys: [key.publicKey], elapsedMs: () => elapsedMs })
  return { ...hearing, pass: (ms: number) => void (elapsedMs += ms) }
}

describe('what a node hears', () => {
  it('is new once, and then again with another object', () => {
    const hearing = open()
    expect(hearing.hear(message(1, [listing('a')]))).toBe(true)
    expect(hearing.hear(message(1, [listing('a')]))).toBe(false)
    expect(hearing.hear(message(1, [listing('b')]))).toBe(true)
    expect(hearing.find(nameByHash(listing('a')))).toBe(listing('a'))
    hearing.pass(2_999)
    expect(hearing.isRecent()).toBe(true)
    hearing.pass(1)
    expect(hearing.isRecent()).toBe(false)
  })

  it('counts for nothing where it is older, made up, or signed by a stranger', () => {
    const hearing = open()
    hearing.hear(message(5))
    for (const said of [
      message(4, [listing('a')]),
      message(9, [listing('a')], stranger),
      '{}',
      '',
    ]) {
      expect(hearing.hear(said)).toBe(false)
    }
    expect(hearing.newest()?.mark.counter).toBe(5)
    expect(hearing.find(nameByHash(listing('a')))).toBeUndefined()
  })

  it('has a name only where it is what the name says', () => {
    const record = JSON.stringify({ header: 'signalbox-record 1', signatures: '', content: 'x' })
    const said = parseNow(message(1, ['anything', record, listing('a')]))
    expect([...(said?.objects.keys() ?? [])]).toEqual([nameByHash(listing('a'))])
  })

  it('stays within one message, and within a limit of memory', () => {
    expect(message(1, ['x'.repeat(nowBytes)])).toBe('')
    const hearing = open()
    const long = (number: number) =>
      renderListing(new Map([[`org_1.${'n'.repeat(200_000)}${number}`, 'h'.repeat(43)]]))
    for (let number = 0; number < 30; number += 1) hearing.hear(message(number + 1, [long(number)]))
    expect(hearing.find(nameByHash(long(29)))).toBeDefined()
    expect(hearing.find(nameByHash(long(0)))).toBeUndefined()
  })
})

describe('what no mark names', () => {
  it('is removed after an hour, and nothing of another group is', () => {
    const unnamed = createUnnamedKeys()
    const listed = new Set([
      'org_1.a',
      'org_1.b',
      'org_1.b.0',
      '_g.all.c',
      '_g.eu.d',
      '_g.all.mark',
    ])
    const look = (nowMs: number, required = new Set(['org_1.a'])) =>
      unnamed.take({ listed, required, groups: new Set(['all']), nowMs })
    expect(look(0)).toEqual([])
    expect(look(3_599_999)).toEqual([])
    expect(look(3_600_000)).toEqual(['org_1.b', 'org_1.b.0', '_g.all.c'])
    // It is named again: an hour begins anew once it is not.
    expect(look(3_600_001, new Set(['org_1.a', 'org_1.b']))).toEqual(['_g.all.c'])
    expect(look(3_600_002)).toEqual(['_g.all.c'])
  })
})
