import { registerHooks } from 'node:module'

/** Maps the end of a file's name to what is replaced in it, and by what. */
export type Replacements = Readonly<Record<string, readonly [string, string]>>

/** Replaces texts in modules that are loaded from now on, so that a control runs without a defence. */
export function replaceSource(replaced: Replacements): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const [, change] = Object.entries(replaced).find(([file]) => url.endsWith(file)) ?? []
      if (change === undefined || loaded.source === undefined) return loaded
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
      if (!source.includes(change[0])) throw new Error(`${url} has no ${change[0]}`)
      return { ...loaded, source: source.replace(...change) }
    },
  })
}
