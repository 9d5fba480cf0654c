import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLog, requestMessage, type Log, type LogLevel } from './log.ts'
import { prettyLines, type PrettyOptions } from './pretty-lines.ts'

function openLog(options: PrettyOptions & { level?: LogLevel } = {}): {
  log: Log
  readonly shown: () => string
} {
  let text = ''
  const destination = prettyLines({ ...options, destination: { write: (line) => (text += line) } })
  return {
    log: createLog({ level: options.level ?? 'debug', destination }),
    shown: () => stripVTControlCharacters(text).replaceAll(/^\d\d:\d\d:\d\d/gm, 'hh:mm:ss'),
  }
}

describe('the log of a terminal', () => {
  it('says what happened in one line, with a mark where something is wrong', () => {
    const { log, shown } = openLog()
    log.info('Started the embedded database')
    log.warn('Could not write the disk cache', { path: 'snapshots', attempt: 2 })
    log.error('Could not start the embedded database', { reason: 'no space' })
    expect(shown()).toBe(
      [
        'hh:mm:ss  Started the embedded database',
        'hh:mm:ss  ! Could not write the disk cache  path: snapshots, attempt: 2',
        'hh:mm:ss  ✗ Could not start the embedded database  reason: no space',
        '',
      ].join('\n'),
    )
  })

  it('shows where an error comes from, each frame on its line', () => {
    const { log, shown } = openLog()
    log.error('A request failed', { requestId: 'req_1', error: new TypeError('secret') })
    const [first, kind, frame] = shown().split('\n')
    expect([first, kind]).toEqual([
      'hh:mm:ss  ✗ A request failed  requestId: req_1',
      '          TypeError',
    ])
    expect(frame).toMatch(/^ {10}at .*pretty-lines\.test\.ts:\d+/)
  })

  it('has no line for a request, unless it is asked for', () => {
    const quiet = openLog()
    quiet.log.info(requestMessage, { route: '/me' })
    expect(quiet.shown()).toBe('')
    const detailed = openLog({ requests: true })
    detailed.log.info(requestMessage, { route: '/me' })
    expect(detailed.shown()).toBe('hh:mm:ss  Request  route: /me\n')
  })

  it('lets no text from outside steer the terminal', () => {
    const { log, shown } = openLog()
    log.warn('The OpenID provider is not responding', { reason: 'a\u001b[2Jb\nc' })
    expect(shown()).toBe(
      'hh:mm:ss  ! The OpenID provider is not responding  reason: a\\u001b[2Jb\\u000ac\n',
    )
  })
})
