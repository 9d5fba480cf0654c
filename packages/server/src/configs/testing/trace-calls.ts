import { globSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

/** Describes a call from one file of `configs/` to an exported function of another. */
export interface Crossing {
  readonly from: string
  readonly to: string
  readonly called: string
}

const folder = join(import.meta.dirname, '..')
const traced = globSync('**/*.ts', {
  cwd: folder,
  exclude: (name) => name === 'testing' || name.endsWith('.test.ts'),
})

let crossings: Crossing[] | undefined

/** Records from now on how the files of `configs/` call each other. Takes effect for files that are imported afterwards. */
export function traceConfigs(): void {
  for (const path of traced) {
    vi.doMock(join(folder, path), async (importOriginal) => {
      const original = await importOriginal<Record<string, unknown>>()
      const entries = Object.entries(original).map(([name, value]) => [
        name,
        isFunction(value) ? recorded(path, name, value) : value,
      ])
      return Object.fromEntries(entries)
    })
  }
}

/** Runs `work`, and returns the calls between files that it made, in their order. */
export async function traceOf(work: () => Promise<unknown>): Promise<readonly Crossing[]> {
  const made: Crossing[] = []
  crossings = made
  try {
    await work()
  } finally {
    crossings = undefined
  }
  return made
}

type AnyFunction = (...args: unknown[]) => unknown

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))
}

/** Returns a function as other files see it, which says who calls it. Calls inside its own file do not come here. */
function recorded(to: string, called: string, callee: AnyFunction): AnyFunction {
  return new Proxy(callee, {
    apply(target, self, args) {
      if (crossings !== undefined) crossings.push({ from: callerOutside(), to, called })
      return Reflect.apply(target, self, args)
    },
  })
}

/** Returns the file whose code called what is recorded, from `configs/`, or an empty text for one outside of it. */
function callerOutside(): string {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, callerOutside)
  for (const line of holder.stack?.split('\n').slice(1) ?? []) {
    const path = /(?:file:\/\/|\()?(\/[^():]+\.ts):\d+/.exec(line)?.[1]
    if (path === undefined || path === import.meta.filename) continue
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''
  }
  return ''
}
