import { isPart, type Part } from './part.ts'

/** Returns what a reference within a JSON Schema names. `undefined`: nothing, or something elsewhere. */
export function resolveReference(root: Part, reference: unknown): unknown {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  let location: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    location = isPart(location) ? location[name] : undefined
  }
  return location
}
