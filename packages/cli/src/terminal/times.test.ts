import { expect, it } from 'vitest'
import { toCommandLine } from './command-line.ts'
import { parseDuration, parseInstant } from './times.ts'

it.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['', Number.POSITIVE_INFINITY],
])('the duration "%s" is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

it.each(['soon', '30', '1.5h', '-1m', '1w', '1m30s', '9999999d'])('"%s" is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow('Use a duration')
})

it.each([
  ['2026-12-01T08:00+01:00', '2026-12-01T07:00:00.000Z'],
  ['2026-12-01 08:00:30Z', '2026-12-01T08:00:30.000Z'],
  ['2026-12-01T08:00+0100', '2026-12-01T07:00:00.000Z'],
])('%s is the moment %s', (text, moment) => {
  expect(parseInstant(text).toISOString()).toBe(moment)
})

it.each(['2026-12-01T08:00', '2026-12-01', 'tomorrow', '2026-13-01T08:00Z', '1764576000'])(
  '"%s" names no moment',
  (text) => {
    expect(() => parseInstant(text)).toThrow('with its offset')
  },
)

it('a command is repeated with one more flag, before the program that it runs', () => {
  expect(toCommandLine(['set', 'title', "Ada's sale", '--env=live'], '--request')).toBe(
    String.raw`signalbox set title 'Ada'\''s sale' --env=live --request`,
  )
  expect(toCommandLine(['run', '--', 'node', 'a b'], '--x')).toBe("signalbox run --x -- node 'a b'")
})
