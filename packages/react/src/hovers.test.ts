import { join } from 'node:path'
import ts from 'typescript-5'
import { describe, expect, it } from 'vitest'

/** Is a file of an application. It exists in memory only. */
const file = join(import.meta.dirname, 'application.ts')
const text = `import { boolean, defineConfig, flag, limit, oneOf, optional, string, targeted } from '@signalbox/config'
import { createConfigClient } from '@signalbox/config/client'
import { Secrets } from '@signalbox/config/server'
import { useValueFor } from './context.ts'
import { useFeatureFlag, usePublicConfig } from './index.ts'
import * as z from 'zod'

const config = defineConfig({
  public: {
    apiUrl: string(),
    level: z.enum(['low', 'high']),
    theme: oneOf(['light', 'dark']),
    note: optional(string()),
  },
  secret: { region: oneOf(['eu', 'us']) },
  featureFlags: { newCheckout: boolean() },
})

const search = defineConfig({
  public: { seats: limit({ min: 1, max: 9, default: 5 }), model: targeted(oneOf(['small', 'large'])) },
  featureFlags: { layout: flag.variants({ control: { on: false }, blue: { on: true } }) },
})

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}

const client = createConfigClient({ serverUrl: '', token: '', schemaId: '', environmentId: '' })
const level = await client.get('level')
const note = await client.get('note')
const region = new Secrets<typeof config>({ region: 'eu' }).get('region')
const snapshot = client.snapshot()
const theme = snapshot.get('theme')
const values = snapshot.public
const flags = snapshot.featureFlags
const apiUrl = snapshot.public.apiUrl
const shown = usePublicConfig('theme')
const isNew = useFeatureFlag('newCheckout')
const themeOfUser = useValueFor('theme', { targetingKey: 'user-4711' })
const ofSearch = createConfigClient<typeof search>({ serverUrl: '', token: '', schemaId: '', environmentId: '' })
const seats = await ofSearch.value('seats', { plan: 'pro' })
const model = await ofSearch.value('model', { plan: 'pro' })
const layout = await ofSearch.variant('layout', { plan: 'pro' })
usePublicConfig('theem')
useFeatureFlag('newCheckuot')
useValueFor('theem', {})
ofSearch.variant('seats')
`

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@signalbox/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  types: [],
}

const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const read = path === file ? text : ts.sys.readFile(path)
    return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read)
  },
  getCurrentDirectory: () => import.meta.dirname,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  readFile: (path) => ts.sys.readFile(path),
  directoryExists: (path) => ts.sys.directoryExists(path),
  realpath: (path) => ts.sys.realpath?.(path) ?? path,
})

/** Returns what an editor shows of a constant, on one line. */
function hover(name: string): string {
  const info = service.getQuickInfoAtPosition(file, text.indexOf(`const ${name} =`) + 6)
  return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ')
}

describe('an editor shows', () => {
  it.each([
    ['level', '"low" | "high"'],
    ['note', 'string | undefined'],
    ['region', '"eu" | "us"'],
    ['theme', '"light" | "dark"'],
    ['shown', '"light" | "dark"'],
    ['isNew', 'boolean'],
    ['themeOfUser', '"light" | "dark"'],
    ['seats', 'number'],
    ['model', '"small" | "large"'],
    ['layout', 'string | undefined'],
    ['flags', '{ readonly newCheckout?: boolean; }'],
    [
      'values',
      '{ readonly apiUrl?: string; readonly level?: "low" | "high"; readonly theme?: "light" | "dark"; readonly note?: string | undefined; }',
    ],
  ])('of %s the values that it may have', (name, shown) => {
    expect(hover(name)).toBe(`const ${name}: ${shown}`)
  })

  it('of a definition its tiers, by their names', () => {
    expect(hover('config')).toMatch(
      /^const config: { readonly public: { readonly apiUrl: .*}; readonly secret: { readonly region: .*}; readonly featureFlags: { readonly newCheckout: [^;]*; }; }$/,
    )
  })

  it('of a definition what rules decide as any other key', () => {
    expect(hover('search')).toContain(
      'readonly seats: MadeValidator<number | undefined, number>; readonly model: MadeValidator<"small" | "large", "small" | "large">; }',
    )
    expect(hover('search')).toContain('readonly layout: MadeValidator<boolean, boolean>; }')
  })

  it('where a value was declared', () => {
    const at = text.indexOf('snapshot.public.apiUrl') + 'snapshot.public.'.length
    const [found] = service.getDefinitionAtPosition(file, at) ?? []
    expect(found?.textSpan.start).toBe(text.indexOf('apiUrl: string()'))
  })

  it('the keys, where a name is none', () => {
    const errors = service.getSemanticDiagnostics(file)
    expect(errors.map(({ messageText }) => messageText)).toEqual([
      `Argument of type '"theem"' is not assignable to parameter of type '"apiUrl" | "level" | "theme" | "note"'.`,
      `Argument of type '"newCheckuot"' is not assignable to parameter of type '"newCheckout"'.`,
      `Argument of type '"theem"' is not assignable to parameter of type '"apiUrl" | "level" | "theme" | "note"'.`,
      `Argument of type '"seats"' is not assignable to parameter of type '"layout"'.`,
    ])
  })
})
