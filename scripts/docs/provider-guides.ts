import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providers } from '../../packages/server/src/providers/registry.ts'

const folder = 'packages/server/src/providers'
const root = join(import.meta.dirname, '../..')

/** Describes the guide in the folder of a provider. */
interface ProviderGuide {
  /** Names the provider, and the page: `gitlab-issues` for `gitlab/issues/guide.md`. */
  readonly name: string
  /** From `docs/`. */
  readonly source: string
  /** Tells a reader whether it is the right page. Stands in the first comment of the guide. */
  readonly summary: string
}

const order = providers.map(({ name }) => name)

/** Lists the guides of providers, in the order of the registry. */
export const providerGuides: readonly ProviderGuide[] = globSync(`${folder}/**/guide.md`, {
  cwd: root,
})
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => {
    const name = file.slice(folder.length + 1, -'/guide.md'.length).replace('/', '-')
    const summary = /^<!-- about: (.+) -->$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]
    if (summary === undefined) throw new Error(`${file} has no comment that begins with about:`)
    if (!order.includes(name)) throw new Error(`${file} is about ${name}, which is no provider`)
    return { name, source: `../${file}`, summary }
  })
  .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
