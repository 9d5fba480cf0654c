import { describe, expect, it } from 'vitest'
import { listComponents, listPublished } from '../../scripts/image/list-components.ts'
import { root } from '../architecture/source-files.ts'
import { publishedPackages } from '../packed/empty-project.ts'

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
})
