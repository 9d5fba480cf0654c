import { describe, expect, it } from 'vitest'
import { createEventParser, type ServerEvent } from './event-parser.ts'

function parse(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const feed = createEventParser((event) => events.push(event))
  for (const piece of pieces) feed(piece)
  return events
}

describe('createEventParser', () => {
  it('dispatches an event at its blank line and not before', () => {
    expect(parse('event: config\ndata: {"version":1}\n')).toEqual([])
    expect(parse('event: config\ndata: {"version":1}\n', '\n')).toEqual([
      { type: 'config', data: '{"version":1}' },
    ])
  })

  it('puts an event together from pieces cut anywhere', () => {
    const text = 'retry: 10\r\n\r\n: beat\r\nid: 7\r\nevent: config\r\ndata: a\r\ndata:b\r\n\r\n'
    expect(parse(...text.split(''))).toEqual([{ type: 'config', data: 'a\nb' }])
  })

  it('ignores comments, unknown fields and events without data', () => {
    expect(parse(': heartbeat\n\n', 'event: config\n\n', 'other: x\ndata\n\n')).toEqual([
      { type: 'message', data: '' },
    ])
  })
})
