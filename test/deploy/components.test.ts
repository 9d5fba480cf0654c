import { describe, expect, it } from 'vitest'
import { listComponents, listPublished } from '../../scripts/image/list-components.ts'
import { readRelease } from '../../scripts/image/release.ts'
import { renderComponents } from '../../scripts/image/render-components.ts'
import { root } from '../architecture/source-files.ts'
import { publishedPackages } from '../packed/empty-project.ts'
import { judgeComponents } from './judge-components.ts'

const list = renderComponents({
  release: readRelease(root, 'full'),
  components: listComponents(root, listPublished(root)),
  packages: [],
  node: '24.0.0',
})
const again = /"components": \[\s*(\{[^]*?\n {4}\},)/

describe('the list of components', () => {
  it('is of every published package', () => {
    expect(listPublished(root).map((folder) => folder.replace('packages/', ''))).toEqual(
      [...publishedPackages].sort(),
    )
  })

  it('has what the service runs on, also where the development uses it too, and nothing of the development alone', () => {
    const components = listComponents(root, ['packages/server'])
    const names = components.map(({ name }) => name)
    // `npm sbom --omit dev` has none of these.
    for (const name of ['ajv', 'jose', 'openid-client', 'undici', 'yaml', 'zod'])
      expect(names).toContain(name)
    for (const name of ['vitest', 'typescript', '@signalbox/sandbox', 'react'])
      expect(names).not.toContain(name)
  })

  it('knows the checksum and the licence of each package of others', () => {
    const others = listComponents(root, listPublished(root)).filter(({ folder }) =>
      folder.startsWith('node_modules/'),
    )
    expect(others.length).toBeGreaterThan(60)
    const incomplete = others.filter(
      ({ integrity, license }) =>
        integrity?.startsWith('sha512-') !== true || license === undefined,
    )
    expect(incomplete.map(({ name }) => name)).toEqual([])
  })

  it('is valid CycloneDX', async () => {
    expect(await judgeComponents(list)).toEqual([])
  })

  it.each([
    ['a license that SPDX does not know', list.replace('"id": "MIT"', '"id": "Mine"')],
    ['a checksum that is none', list.replace(/"content": "[0-9a-f]/, '"content": "x')],
    [
      'a member of a later version',
      list.replace('"version": 1,', '"version": 1, "declarations": {},'),
    ],
    ['a component that is listed twice', list.replace(again, '$& $1')],
  ])('control: %s is found', async (_, planted) => {
    expect(planted).not.toBe(list)
    expect(await judgeComponents(planted)).not.toEqual([])
  })
})
