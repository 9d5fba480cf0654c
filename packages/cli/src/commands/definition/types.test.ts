import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  compilers,
  compileTypes,
  forNode,
  importedPaths,
} from '../../../../config/src/testing/compile-types.ts'
import { addSchema } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const { server, place } = withStandIn()

const file = (name = 'signalbox.d.ts') => join(place.directory, name)
const read = (name?: string) => readFileSync(file(name), 'utf8')

const shop = {
  timeoutMs: { type: 'number', tier: 'public', default: 3000 },
  apiUrl: { type: 'string', tier: 'public', description: 'Where the API is.\n*/ alert(1) /*' },
  theme: {
    type: 'string',
    tier: 'public',
    constraints: { enum: ['light', "it's", 'a"b', 'back\\slash'] },
  },
  'retry.max-count': { type: 'number', tier: 'public', constraints: { enum: [1, 2.5] } },
  stripeKey: { type: 'string', tier: 'secret' },
  newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
} as const

/** Returns what a compiler says about a program with the written file. Empty when all is well. */
function compile(compiler: string, program: string): string {
  writeFileSync(file('package.json'), '{"type":"module"}')
  writeFileSync(file('app.ts'), program)
  return compileTypes(compiler, place.directory, {
    ...forNode,
    files: ['app.ts', 'signalbox.d.ts'],
    paths: {
      ...importedPaths,
      '@signalbox/config': [join(root, 'packages/config/src/index.ts')],
      '@signalbox/config/client': [join(root, 'packages/config/src/client/portable.ts')],
    },
  })
}

const program = `
import type { BrowserKey } from '@signalbox/config'
import { createConfigClient } from '@signalbox/config/client'
import type { SignalboxConfig } from './signalbox.d.ts'

const client = createConfigClient({ serverUrl: '', token: '', schemaId: '', environmentId: '' })
export const timeoutMs: number = await client.get('timeoutMs')
export const theme: 'light' | "it's" | 'a"b' | 'back\\\\slash' = await client.get('theme')
export const retries: 1 | 2.5 = await client.get('retry.max-count')
export const stripeKey: string = await client.get('stripeKey')
export const newCheckout: boolean = await client.flag('newCheckout')
export function usePublic<K extends string>(key: BrowserKey<SignalboxConfig, K>): K {
  return key as K
}
export const wrongKey = await client.get('timeoutMz')
export const wrongKind: string = await client.get('timeoutMs')
export const wrongPlace = usePublic<'stripeKey'>('stripeKey')
`

describe.each(compilers)('the types, read by %s', (compiler) => {
  it('know every key and its type, and keep secrets from browsers', async () => {
    addSchema(server.state, 'shop', shop)
    expect(await place.run(['types'])).toMatchObject({ code: 0 })
    const said = compile(compiler, program).trim().split('\n')
    expect(said.filter((line) => line.includes('error'))).toEqual([
      expect.stringMatching(/app\.ts\(15,.*'"timeoutMz"' is not assignable/),
      expect.stringMatching(/app\.ts\(16,.*'number' is not assignable to type 'string'/),
      expect.stringMatching(
        /app\.ts\(17,.*'stripeKey' is a secret key: it is never sent to a brow/,
      ),
    ])
  }, 120_000)
})

describe('types', () => {
  it('writes types alone, and the same text for the same schema', async () => {
    addSchema(server.state, 'shop', shop)
    const result = await place.run(['types'])
    expect(result.stdout).toContain('✓ signalbox.d.ts written  shop revision 1')
    const first = read()
    expect(first).toMatchInlineSnapshot(`
      "// Written by "signalbox types" from the schema shop. Change the schema, then write it again.
      import type { Config, Validator } from '@signalbox/config'

      /** Anyone may read these, including browsers. */
      type Public = {
        /**
         * Where the API is.
         * *\\/ alert(1) /*
         */
        readonly apiUrl: Validator<string>
        readonly 'retry.max-count': Validator<1 | 2.5>
        readonly theme: Validator<'light' | 'it\\'s' | 'a"b' | 'back\\\\slash'>
        readonly timeoutMs: Validator<number>
      }

      /** Only servers read these: in a browser their names are compile errors. */
      type Secret = {
        readonly stripeKey: Validator<string>
      }

      /** Switches, read by everyone. */
      type FeatureFlags = {
        readonly newCheckout: Validator<boolean>
      }

      export type SignalboxConfig = Config<Public, Secret, FeatureFlags>

      declare module '@signalbox/config' {
        interface Register {
          config: SignalboxConfig
        }
      }
      "
    `)
    const reversed = Object.fromEntries(Object.entries(shop).toReversed())
    server.state.schemas.splice(0)
    addSchema(server.state, 'shop', reversed)
    const again = await place.run(['types'])
    expect(again.stdout).toContain('✓ signalbox.d.ts is current')
    expect(read()).toBe(first)
  })

  it('--check ends with 8 when the file is missing or not current, and writes nothing', async () => {
    const { schema } = addSchema(server.state, 'shop')
    expect(await place.run(['types', '--check'])).toMatchObject({ code: 8 })
    expect(() => read()).toThrow('ENOENT')
    await place.run(['types'])
    expect(await place.run(['types', '--check'])).toMatchObject({ code: 0 })
    writeFileSync(file(), read().replaceAll('\n', '\r\n'))
    expect(await place.run(['types', '--check'])).toMatchObject({ code: 0 })
    schema['apiUrl'] = { type: 'number', tier: 'public' }
    const stale = await place.run(['types', '--check', '--json'])
    expect(stale.code).toBe(8)
    expect(JSON.parse(stale.stdout)).toMatchObject({
      stale: true,
      written: false,
      added: ['apiUrl: number'],
      removed: ['apiUrl: string'],
    })
  })

  it('--no-secrets leaves out even their names', async () => {
    addSchema(server.state, 'shop', shop)
    const result = await place.run(['types', '--no-secrets', '--output', '-'])
    expect(result.stdout).not.toContain('stripe')
    expect(result.stdout).toContain('Config<Public, {}, FeatureFlags>')
  })

  it('leaves a file alone that somebody else wrote', async () => {
    addSchema(server.state, 'shop')
    writeFileSync(file(), 'declare const mine: string\n')
    const result = await place.run(['types'])
    expect(result).toMatchObject({ code: 2 })
    expect(result.stderr).toContain('--output')
    expect(read()).toBe('declare const mine: string\n')
  })

  it.each([
    ['no schema', 2, 'The organization has no schema.', {}],
    ['another organization', 4, 'does not reach', { SIGNALBOX_ORGANIZATION: 'other' }],
  ])('says what is wrong: %s', async (_, code, words, env) => {
    const result = await place.run(['types'], { env })
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(words)
  })

  it('with the server gone is exit 7 and touches no file', async () => {
    addSchema(server.state, 'shop')
    await place.run(['types'])
    const before = read()
    await server.close()
    expect(await place.run(['types', '--check'])).toMatchObject({ code: 7 })
    expect(read()).toBe(before)
  })
})
