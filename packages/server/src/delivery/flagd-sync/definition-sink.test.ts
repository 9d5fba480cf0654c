import { EventEmitter } from 'node:events'
import type { ServerHttp2Stream } from 'node:http2'
import { describe, expect, it } from 'vitest'
import { createDefinitionSink } from './definition-sink.ts'
import { frame, parseRequest, renderConfiguration, unframe } from './grpc-frames.ts'
import { grpcCodes } from './grpc-status.ts'

/** A call whose connection takes one message, and the next when it is told that there is room. */
function openFullCall() {
  const written: Buffer[] = []
  const call = Object.assign(new EventEmitter(), {
    respond() {},
    write(bytes: Buffer) {
      written.push(bytes)
      return false
    },
  })
  const endStatus = () => ({ code: grpcCodes.unavailable, message: '' })
  const sink = createDefinitionSink(call as unknown as ServerHttp2Stream, endStatus)
  return { call, sink, written }
}

const message = (text: string) => frame(renderConfiguration(Buffer.from(text)))

describe('a slow reader of definitions', () => {
  it('gets the newest one alone, and none twice', () => {
    const { call, sink, written } = openFullCall()
    for (const text of ['first', 'second', 'third']) sink.send(Buffer.from(text))
    expect(written).toEqual([message('first')])
    call.emit('drain')
    expect(written).toEqual([message('first'), message('third')])
    call.emit('drain')
    sink.send(Buffer.from('third'))
    expect(written).toHaveLength(2)
  })
})

describe('frames', () => {
  it('hold a message of any length', () => {
    for (const length of [0, 1, 127, 128, 16_383, 16_384, 3_000_000]) {
      const definition = Buffer.alloc(length, 'x')
      const inside = unframe(frame(renderConfiguration(definition)))
      expect(inside?.subarray(inside.length - length).equals(definition)).toBe(true)
    }
  })

  it('are refused when they are compressed, cut, or two', () => {
    const whole = message('x')
    for (const bytes of [
      Buffer.alloc(0),
      whole.subarray(0, -1),
      Buffer.concat([whole, whole]),
      Buffer.concat([Buffer.from([1]), whole.subarray(1)]),
    ]) {
      expect(unframe(bytes)).toBeUndefined()
    }
  })

  it('carry a provider, a selector, or members that are not known yet', () => {
    const text = (field: number, value: string) =>
      Buffer.concat([Buffer.from([field * 8 + 2, value.length]), Buffer.from(value)])
    const both = Buffer.concat([text(1, 'a-provider'), text(2, 'web/production'), text(3, 'new')])
    expect(parseRequest(both)).toEqual({ selector: 'web/production' })
    expect(parseRequest(Buffer.alloc(0))).toEqual({ selector: undefined })
    for (const bytes of [[0x12], [0x12, 5, 0x61], [0x08, 1], [0x12, 0x80, 0x80, 0x80, 0x80, 1]]) {
      expect(parseRequest(Buffer.from(bytes))).toBeUndefined()
    }
  })
})
