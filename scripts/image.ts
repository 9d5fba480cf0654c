/**
 * Builds the container images from the built packages and what the lockfile installed, without a container tool and
 * without the network: `npm run image` writes both to `dist/` as archives that `docker load` and `podman load` take, each
 * with its list of components beside it. `--slim` or `--full` builds one, `--directory <path>` lays its files there instead.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { layFiles, nodeVersion } from './image/lay-files.ts'
import { listComponents, listPublished } from './image/list-components.ts'
import { packArchive } from './image/pack-archive.ts'
import { readRelease, variants } from './image/release.ts'
import { renderComponents } from './image/render-components.ts'

const { values } = parseArgs({
  options: {
    slim: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    components: { type: 'boolean', default: false },
    directory: { type: 'string' },
  },
})
const root = join(import.meta.dirname, '..')
const chosen = variants.filter((variant) => values[variant])

if (values.components) {
  const components = listComponents(root, listPublished(root))
  const release = readRelease(root, 'full')
  const text = renderComponents({ release, components, packages: [], node: nodeVersion(root) })
  process.stdout.write(text)
} else if (values.directory !== undefined) {
  await layFiles({ root, variant: chosen[0] ?? 'full', directory: resolve(values.directory) })
} else {
  await mkdir(join(root, 'dist'), { recursive: true })
  for (const variant of chosen.length === 0 ? variants : chosen) {
    const release = readRelease(root, variant)
    const output = join(root, 'dist', `${release.fileName}.tar`)
    const { components, digest, sizeBytes } = await packArchive({ root, variant, output })
    await writeFile(output.replace(/tar$/, 'cdx.json'), components)
    console.log(`${release.reference}  ${Math.round(sizeBytes / 1e6)} MB  ${digest}\n  ${output}`)
  }
}
