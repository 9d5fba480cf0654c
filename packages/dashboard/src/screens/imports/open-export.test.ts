import { describe, expect, it } from 'vitest'
import { guessEnvironment, openExport, readFile, readMapped } from './open-export.ts'

const flag = (key: string, environments: readonly string[]) => ({
  key,
  variations: [{ value: true }, { value: false }],
  environments: Object.fromEntries(
    environments.map((name) => [
      name,
      { on: true, salt: 's', fallthrough: { variation: 0 }, offVariation: 1 },
    ]),
  ),
})
const launchdarkly = JSON.stringify({
  items: [flag('checkout', ['prod', 'stage']), flag('banner', ['stage'])],
})
const unleash = JSON.stringify({
  features: [{ name: 'search', enabled: true, strategies: [{ name: 'default' }] }],
})

function open(...[source, text]: Parameters<typeof openExport>) {
  const opened = openExport(source, text)
  if ('violation' in opened) throw new Error(opened.violation)
  return opened
}

describe('an export', () => {
  it('says which environments it has, or that it is about one', () => {
    expect(open('launchdarkly', launchdarkly)).toMatchObject({
      environments: ['prod', 'stage'],
      keys: 2,
      leftOut: 0,
    })
    expect(open('unleash', unleash)).toMatchObject({ environments: [''], keys: 1 })
  })

  it('of another product says whose it looks like, and a broken one where', () => {
    expect(openExport('unleash', launchdarkly)).toMatchObject({
      violation: expect.stringContaining('This is no export of Unleash'),
      looksLike: 'launchdarkly',
    })
    expect(openExport('unleash', '{\n  "features": [,]\n}')).toEqual({
      violation: "This is no JSON: line 2 can't be read.",
      looksLike: undefined,
    })
    expect(openExport('launchdarkly', '{"items":[{}]}')).toMatchObject({
      violation: 'items[0].key is missing.',
    })
  })

  it('is read under our names, without the environments that are left out', () => {
    const opened = open('launchdarkly', launchdarkly)
    const map = new Map([
      ['prod', 'production'],
      ['stage', null],
    ])
    const read = readMapped(opened, map, undefined)
    expect(read).toMatchObject({
      keys: [{ key: 'checkout', values: [{ environment: 'production', value: true }] }],
    })
    expect(JSON.stringify(read)).not.toContain('banner')
    const one = readMapped(open('unleash', unleash), new Map([['', 'staging']]), undefined)
    expect(one).toMatchObject({ keys: [{ values: [{ environment: 'staging' }] }] })
  })

  it('of variables takes the types of the keys that exist', () => {
    const opened = open('dotenv', 'CHECKOUT_TIMEOUT=20\n')
    const map = new Map([['', 'production']])
    const stored = { checkoutTimeout: { type: 'string', tier: 'public' } } as const
    expect(readMapped(opened, map, stored)).toMatchObject({
      keys: [{ key: 'checkoutTimeout', type: 'string', values: [{ value: '20' }] }],
    })
    expect(readMapped(opened, map, undefined)).toMatchObject({
      keys: [{ type: 'number', values: [{ value: 20 }] }],
    })
  })

  it('is read from a file of a Windows shell too', async () => {
    const utf16 = new Blob([Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x3d, 0, 0x31, 0)])
    expect(await readFile(utf16)).toBe('A=1')
    expect(await readFile(new Blob(['\uFEFFA=1']))).toBe('A=1')
  })
})

it.each([
  ['Production', 'production'],
  ['prod', 'production'],
  ['stage', 'staging'],
  ['qa', undefined],
  ['', undefined],
])('the environment %j is most likely %s', (theirs, ours) => {
  expect(guessEnvironment(theirs, ['development', 'staging', 'production'])).toBe(ours)
})
